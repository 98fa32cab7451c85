use repertoire::tool;

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    größe: String,
    /// How to get there.
    #[arg(rename = "$by")]
    by: String,
) -> String {
    größe + &by
}

fn main() {
    plan(String::new(), String::new());
}
