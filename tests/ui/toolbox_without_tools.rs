use repertoire::toolbox;

struct Repo;

#[toolbox]
impl Repo {
    /// Search.
    fn search(&self) {}
}

fn main() {
    Repo.search();
}
