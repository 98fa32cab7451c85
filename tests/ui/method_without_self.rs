struct Planner;

impl Planner {
    /// Plan a trip.
    #[repertoire::tool]
    fn plan(
        /// Where it goes.
        to: &str,
    ) -> String {
        to.to_owned()
    }
}

fn main() {
    Planner::plan("b");
}
