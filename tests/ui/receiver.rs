use repertoire::tool;

struct Planner;

impl Planner {
    /// Plan a trip.
    #[tool]
    fn plan(
        &self,
        /// Where it goes.
        to: &str,
    ) -> String {
        to.to_owned()
    }
}

fn main() {
    Planner.plan("b");
}
