use repertoire::tool;

/// Plan a trip by train.
#[tool(name = "plan")]
fn by_train() {}

/// Plan a trip by boat.
#[tool(name = "plan")]
fn by_boat() {}

fn main() {
    by_train();
    by_boat();
}
