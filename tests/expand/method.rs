// tool:
/// Plan a trip.
fn plan(&self, #[arg(undocumented)] to: &str) {}
