use repertoire::toolbox;

struct Repo;

struct Found;

#[toolbox]
impl Repo {
    /// Search.
    #[tool]
    fn search(&self) -> Option<Found> {
        None
    }
}

fn main() {
    Repo.search();
}
