use repertoire::tool;

struct Db;

/// Plan a trip.
#[tool]
fn plan(
    /// The database.
    db: &Db,
) {
    let _ = db;
}

fn main() {
    plan(&Db);
}
