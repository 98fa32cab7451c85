//! Times building and searching, the systems taking turns.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use repertoire_peers_search::{Bm25, Class, Repertoire, Result, System, Tantivy, Tool, catalog, classes, tools};

/// How often each query is asked; the fastest counts.
const REPETITIONS: usize = 7;
const QUERIES: usize = 200;

fn main() -> Result<()> {
    let data = std::env::args().nth(1).ok_or("usage: speed DATA [SIZE ...]")?;
    let sizes: Vec<usize> =
        std::env::args().skip(2).map(|size| size.parse()).collect::<std::result::Result<_, _>>()?;
    let sizes = if sizes.is_empty() { vec![100, 1_000, 10_000, 100_000] } else { sizes };
    let tools = tools(Path::new(&data))?;
    let classes = classes(Path::new(&data), &tools, QUERIES)?;
    println!("{} distinct tools; {QUERIES} queries a class, best of {REPETITIONS} each\n", tools.len());
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
    row(catalog.len(), "build", [build_ours, build_bm25, build_tantivy]);
    for class in classes {
        let mut best = vec![[Duration::MAX; 3]; class.queries.len()];
        for _ in 0..REPETITIONS {
            for (query, best) in class.queries.iter().zip(&mut best) {
                for (best, time) in best.iter_mut().zip([
                    time(&ours, query)?,
                    time(&bm25, query)?,
                    time(&tantivy, query)?,
                ]) {
                    *best = time.min(*best);
                }
            }
        }
        let percentile = |part: usize| {
            [0, 1, 2].map(|system| {
                let mut times: Vec<Duration> = best.iter().map(|best| best[system]).collect();
                times.sort_unstable();
                times[(times.len() - 1) * part / 100]
            })
        };
        row(catalog.len(), &format!("{}, p50", class.label), percentile(50));
        row(catalog.len(), &format!("{}, p95", class.label), percentile(95));
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

fn time<S: System>(system: &S, query: &str) -> Result<Duration> {
    let start = Instant::now();
    black_box(system.search(black_box(query))?);
    Ok(start.elapsed())
}

fn row(tools: usize, what: &str, times: [Duration; 3]) {
    let ours = times[0].as_secs_f64();
    let ratio = |time: Duration| format!("{:.1} µs (x{:.1})", time.as_secs_f64() * 1e6, time.as_secs_f64() / ours);
    println!("| {tools} | {what} | {:.1} µs | {} | {} |", ours * 1e6, ratio(times[1]), ratio(times[2]));
}
