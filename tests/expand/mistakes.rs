// tool: nane = "plan", deferred
fn plan(from: &str, #[state] map: Map, (x, y): (f64, f64)) -> String {
    format!("{from} {x} {y}")
}
