macro_rules! tools {
    ($($name:ident),*) => {$(
        /// Plan a trip.
        #[repertoire::tool(name = "plan")]
        fn $name() {}
    )*};
}

tools!(plan, plan_by_boat);

fn main() {
    plan();
    plan_by_boat();
}
