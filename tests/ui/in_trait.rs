use repertoire::tool;

trait Planner {
    /// Plan a trip.
    #[tool]
    async fn plan(
        &self,
        /// Where it goes.
        to: &str,
    ) -> String;
}

fn main() {}
