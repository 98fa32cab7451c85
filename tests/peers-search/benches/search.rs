//! Speed and memory of the search beside the crates `bm25` and `tantivy`, in one run.
//!
//! ```sh
//! cd tests/peers-search
//! cargo bench                    # 100, 1,000, 10,000 and 100,000 tools
//! cargo bench -- 10000           # only this many
//! ```
//!
//! Two tables are printed: times, by number of tools and class of queries, with the ratio to ours;
//! and the heap of each index with the allocations of a search, by the program `memory` with its
//! counting allocator, so that counting slows down nobody. The systems take turns, one pass over all
//! queries of a class each, and the fastest of several passes counts for each query. The data is a
//! folder of retrieval sets as the example `search_eval` reads them: `retrieval/data` of
//! `REPERTOIRE_SHARED`, by default `../shared` beside the repository.

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use repertoire_peers_search::{
    Bm25, Class, Repertoire, Result, System, Tantivy, Tool, catalog, classes, tools,
};

/// How often each query is asked; the fastest counts.
const REPETITIONS: usize = 7;
const QUERIES: usize = 200;

fn main() -> Result<()> {
    let shared = std::env::var_os("REPERTOIRE_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        Into::into,
    );
    let data = shared.join("retrieval/data");
    if !data.is_dir() {
        println!("skipped: search: REPERTOIRE_SHARED not found");
        return Ok(());
    }
    // Cargo adds `--bench`.
    let sizes: Vec<usize> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .map(|size| size.parse())
        .collect::<std::result::Result<_, _>>()?;
    let sizes = if sizes.is_empty() {
        vec![100, 1_000, 10_000, 100_000]
    } else {
        sizes
    };
    let tools = tools(&data)?;
    let classes = classes(&data, &tools, QUERIES)?;
    println!(
        "{} distinct tools; {QUERIES} queries a class, best of {REPETITIONS} each\n",
        tools.len()
    );
    println!("| tools | what | repertoire | bm25 2.3 | tantivy 0.27 |\n|---|---|---|---|---|");
    for size in &sizes {
        compare(&catalog(&tools, *size), &classes)?;
    }
    println!();
    let memory = Command::new(env!("CARGO_BIN_EXE_memory"))
        .arg(&data)
        .args(sizes.iter().map(usize::to_string))
        .status()?;
    if memory.success() {
        Ok(())
    } else {
        Err("the program `memory` failed".into())
    }
}

fn compare(catalog: &[Tool], classes: &[Class]) -> Result<()> {
    let (ours, build_ours) = build::<Repertoire>(catalog)?;
    let (bm25, build_bm25) = build::<Bm25>(catalog)?;
    let (tantivy, build_tantivy) = build::<Tantivy>(catalog)?;
    row(
        catalog.len(),
        "build",
        [build_ours, build_bm25, build_tantivy],
    );
    for class in classes {
        let mut best = [(); 3].map(|()| vec![Duration::MAX; class.queries.len()]);
        for _ in 0..REPETITIONS {
            let [first, second, third] = &mut best;
            pass(&ours, class, first)?;
            pass(&bm25, class, second)?;
            pass(&tantivy, class, third)?;
        }
        best.iter_mut().for_each(|times| times.sort_unstable());
        let percentile =
            |part: usize| [0, 1, 2].map(|system| best[system][(QUERIES - 1) * part / 100]);
        let mean = [0, 1, 2].map(|system| best[system].iter().sum::<Duration>() / QUERIES as u32);
        row(
            catalog.len(),
            &format!("{}, p50", class.label),
            percentile(50),
        );
        row(
            catalog.len(),
            &format!("{}, p95", class.label),
            percentile(95),
        );
        row(catalog.len(), &format!("{}, mean", class.label), mean);
    }
    Ok(())
}

/// Asks every query once; keeps the shortest time of each.
fn pass<S: System>(system: &S, class: &Class, best: &mut [Duration]) -> Result<()> {
    for (query, best) in class.queries.iter().zip(best) {
        let start = Instant::now();
        black_box(system.search(black_box(query))?);
        *best = start.elapsed().min(*best);
    }
    Ok(())
}

/// Builds five times (once where that takes long); the fastest counts.
fn build<S: System>(catalog: &[Tool]) -> Result<(S, Duration)> {
    let start = Instant::now();
    let system = S::build(catalog)?;
    let mut best = start.elapsed();
    let more = if catalog.len() > 20_000 { 0 } else { 4 };
    for _ in 0..more {
        let start = Instant::now();
        black_box(S::build(catalog)?);
        best = best.min(start.elapsed());
    }
    Ok((system, best))
}

fn row(tools: usize, what: &str, times: [Duration; 3]) {
    let ours = times[0].as_secs_f64();
    let ratio = |time: Duration| {
        format!(
            "{:.1} µs (x{:.1})",
            time.as_secs_f64() * 1e6,
            time.as_secs_f64() / ours
        )
    };
    println!(
        "| {tools} | {what} | {:.1} µs | {} | {} |",
        ours * 1e6,
        ratio(times[1]),
        ratio(times[2])
    );
}
