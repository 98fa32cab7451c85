use repertoire::ToolSchema;

#[derive(serde::Deserialize, ToolSchema)]
struct Trip {
    #[schema(max = 300)]
    days: u8,
}

fn main() {
    let _ = |trip: Trip| trip.days;
}
