use repertoire::tool;

struct Db;

/// Plan a trip.
#[tool(tags())]
fn plan() {}

/// Plan a trip by bus.
#[tool]
fn plan_bus(
    /// How far it goes.
    #[arg]
    far: u8,
    #[state]
    #[state]
    db: &Db,
) {
    let _ = (far, db);
}

/// Plan a trip by train.
#[tool(r#type = Train)]
fn plan_train() {}

fn main() {
    plan();
    plan_bus(1, &Db);
    plan_train();
}
