//! Times building and searching, the systems taking turns.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use repertoire_peers_search::{
    Bm25, Class, Repertoire, Result, System, Tantivy, Tool, catalog, classes, tools,
};

/// How often each query is asked; the fastest counts.
const REPETITIONS: usize = 7;
const QUERIES: usize = 200;

fn main() -> Result<()> {
    let data = std::env::args()
        .nth(1)
        .ok_or("usage: speed DATA [SIZE ...]")?;
    let sizes: Vec<usize> = std::env::args()
        .skip(2)
        .map(|size| size.parse())
        .collect::<std::result::Result<_, _>>()?;
    let sizes = if sizes.is_empty() {
        vec![100, 1_000, 10_000, 100_000]
    } else {
        sizes
    };
    let tools = tools(Path::new(&data))?;
    let classes = classes(Path::new(&data), &tools, QUERIES)?;
    println!(
        "{} distinct tools; {QUERIES} queries a class, best of {REPETITIONS} each\n",
        tools.len()
    );
    println!("| tools | what | repertoire | bm25 2.3 | tantivy 0.27 |\n|---|---|---|---|---|");
    for size in sizes {
        compare(&catalog(&tools, size), &classes)?;
    }
    Ok(())
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
