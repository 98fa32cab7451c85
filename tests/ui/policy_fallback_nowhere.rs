use repertoire::{ToolOutput, tool};

/// Plan a trip.
#[tool(fallback = plan_by_baot)]
fn plan() {}

/// Plan a trip by boat.
#[tool(deprecated(note = "slow", replaced_by = fly), post_process = trips::tidy)]
fn plan_by_boat() {}

// What is there is found, wherever it comes from.
use made_elsewhere::plan_by_train;

mod made_elsewhere {
    /// Plan a trip by train.
    #[repertoire::tool(post_process = super::shorten)]
    pub fn plan_by_train() {}
}

fn shorten(output: ToolOutput) -> ToolOutput {
    output
}

/// Plan a trip by car.
#[tool(fallback = plan_by_train)]
fn plan_by_car() {}

fn main() {
    plan();
    plan_by_boat();
    plan_by_car();
}
