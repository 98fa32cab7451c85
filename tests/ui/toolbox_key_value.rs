use repertoire::toolbox;

struct Repo;

#[toolbox]
impl Repo {
    /// Search the code.
    #[tool = "search"]
    fn search(&self) {}
}

fn main() {
    Repo.search();
}
