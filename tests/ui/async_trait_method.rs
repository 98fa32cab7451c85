trait Planner {
    /// Plan a trip.
    #[repertoire::tool]
    async fn plan(
        /// Where it goes.
        to: &str,
    ) -> String;
}

fn main() {}
