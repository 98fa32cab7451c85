use repertoire::tool;

#[tool(nane = "plan", deferred = 1)]
fn plan(
    from: &str,
    /// Where it goes.
    (x, y): (f64, f64),
) -> String {
    format!("{from} {x} {y}")
}

fn main() {
    let _ = plan::SPEC.name;
    plan("", (1.0, 2.0));
}
