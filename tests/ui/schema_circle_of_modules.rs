mod folders {
    #[derive(serde::Deserialize, repertoire::ToolSchema)]
    pub struct Folder {
        pub entries: Vec<super::entries::Entry>,
    }
}

mod entries {
    #[derive(serde::Deserialize, repertoire::ToolSchema)]
    pub struct Entry {
        pub folder: Option<Box<super::folders::Folder>>,
    }
}

/// Look into a folder.
#[repertoire::tool]
fn look(
    /// The outermost.
    folder: folders::Folder,
) {
    let _ = folder;
}

fn main() {
    look(folders::Folder {
        entries: Vec::new(),
    });
}
