//! Counts the heap of each index, and the allocations of a search; `cargo bench` runs it.

use std::alloc::System as Heap;
use std::path::Path;

use repertoire_peers_search::{
    Bm25, Class, Repertoire, Result, System, Tantivy, Tool, catalog, classes, tools,
};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static HEAP: &StatsAlloc<Heap> = &INSTRUMENTED_SYSTEM;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let data = arguments.next().ok_or("usage: memory DATA SIZE ...")?;
    let tools = tools(Path::new(&data))?;
    let classes = classes(Path::new(&data), &tools, 200)?;
    println!("| tools | system | index | allocations a search, by class |\n|---|---|---|---|");
    for size in arguments {
        let catalog = catalog(&tools, size.parse()?);
        measure::<Repertoire>(&catalog, &classes)?;
        measure::<Bm25>(&catalog, &classes)?;
        measure::<Tantivy>(&catalog, &classes)?;
    }
    Ok(())
}

fn measure<S: System>(catalog: &[Tool], classes: &[Class]) -> Result<()> {
    let region = Region::new(HEAP);
    let system = S::build(catalog)?;
    let change = region.change();
    let bytes = change.bytes_allocated as i64 - change.bytes_deallocated as i64;
    let mut allocations = Vec::new();
    for class in classes {
        for query in &class.queries {
            system.search(query)?;
        }
        let region = Region::new(HEAP);
        for query in &class.queries {
            system.search(query)?;
        }
        let change = region.change();
        let count = change.allocations + change.reallocations;
        allocations.push(format!("{:.1}", count as f64 / class.queries.len() as f64));
    }
    println!(
        "| {} | {} | {:.2} MB | {} |",
        catalog.len(),
        S::NAME,
        bytes as f64 / 1e6,
        allocations.join(", ")
    );
    Ok(())
}
