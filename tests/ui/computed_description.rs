#[doc = include_str!("computed_description.txt")]
#[repertoire::tool]
fn plan() {}

fn main() {
    plan();
}
