use repertoire::ToolSchema;

#[derive(serde::Deserialize, ToolSchema)]
struct Trip {
    #[serde(rename = "far")]
    days: u8,
    far: u8,
}

#[derive(serde::Deserialize, ToolSchema)]
struct Stay {
    days: u8,
    #[serde(alias = "days")]
    nights: u8,
}

#[derive(serde::Deserialize, ToolSchema)]
enum By {
    #[serde(rename = "Bus")]
    Train,
    Bus,
}

fn main() {
    let _ = |trip: Trip, stay: Stay| trip.days + trip.far + stay.days + stay.nights;
    let _ = [By::Train, By::Bus];
}
