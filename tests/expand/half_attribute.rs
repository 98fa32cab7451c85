// tool: name =
/// Plan a trip.
fn plan() {}
