use repertoire::{ToolSchema, tool, toolbox};

/// Plan a trip.
#[tool(crate = nowhere)]
fn plan(
    /// Where it goes.
    to: &str,
) -> usize {
    to.len()
}

#[derive(ToolSchema)]
#[schema(crate = ::repertoir)]
struct Place;

struct Repo;

#[toolbox(crate = nowhere::at_all)]
impl Repo {
    /// Search the code.
    #[tool]
    fn search(&self) {}
}

fn main() {
    plan("a");
    Repo.search();
}
