use repertoire::ToolSchema;

#[derive(serde::Deserialize, ToolSchema)]
enum Nothing {}

#[derive(serde::Deserialize, ToolSchema)]
enum Skipped {
    #[serde(skip)]
    Train,
}

#[derive(serde::Deserialize, ToolSchema)]
struct Endless {
    next: Box<Endless>,
}

fn main() {
    let _ = |endless: Endless| endless.next;
    let _ = (Skipped::Train, |nothing: Nothing| match nothing {});
}
