use repertoire::ToolSchema;

#[derive(serde::Deserialize, ToolSchema)]
#[serde(tag = "kind")]
enum Step {
    Wait(u32),
    Stop,
}

fn main() {}
