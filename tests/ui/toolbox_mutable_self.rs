use repertoire::toolbox;

struct Repo;

#[toolbox]
impl Repo {
    /// Search.
    #[tool]
    fn search(&mut self) {}
}

fn main() {
    Repo.search();
}
