//! A search for known words allocates its answer and nothing else.

use std::alloc::System;

use repertoire::search::{Document, Index};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

#[test]
fn only_the_answer_is_allocated() {
    let index = Index::new((0..2_000).map(|n| {
        Document::new(format!("tool_{n}"))
            .description("Looks up the stock of a product in the warehouse, 库存查询, Überweisung.")
            .parameter(
                format!("parameter_{}", n % 50),
                "a number between one and ten",
            )
    }));
    let queries = [
        "stock of a product",
        "please look up the warehouse stock, the parameter and the number of the product",
        "tool 77",
        "tool_77",
        "查询库存",
        "uberweisung",
        "",
    ];
    for query in queries {
        index.search(query, 10);
    }
    for query in queries {
        let region = Region::new(HEAP);
        let hits = index.search(query, 10);
        let change = region.change();
        let expected = usize::from(!hits.is_empty());
        assert_eq!(
            change.allocations + change.reallocations,
            expected,
            "{query}: {change:?}"
        );
    }
}
