use repertoire::ToolSchema;

#[derive(serde::Deserialize, ToolSchema)]
struct Folder {
    entries: Vec<Entry>,
}

#[derive(serde::Deserialize, ToolSchema)]
struct Entry {
    folder: Option<Box<Folder>>,
}

/// Look into a folder.
#[repertoire::tool]
fn look(
    /// The folder.
    folder: Folder,
) {
    for entry in folder.entries {
        let _ = entry.folder;
    }
}

fn main() {
    look(Folder { entries: Vec::new() });
}
