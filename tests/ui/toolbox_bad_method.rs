use repertoire::toolbox;

struct Repo;

struct Found;

#[toolbox]
impl Repo {
    /// Search all of it.
    #[tool]
    fn search(&self) -> Option<Found> {
        None
    }
}

fn main() {
    Repo.search();
}
