use repertoire::tool;

#[tool]
fn plan() {}

fn main() {
    plan();
}
