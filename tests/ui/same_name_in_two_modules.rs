mod train {
    /// Plan a trip by train.
    #[repertoire::tool]
    pub fn plan() {}
}

mod boat {
    /// Plan a trip by boat.
    #[repertoire::tool(name = "plan")]
    pub fn plan_by_boat() {}

    /// Plan a trip of another agent: no clash.
    #[repertoire::tool(toolset = "other")]
    pub fn plan() {}
}

fn main() {
    train::plan();
    boat::plan();
    boat::plan_by_boat();
}
