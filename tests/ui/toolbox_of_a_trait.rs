use repertoire::toolbox;

struct Repo;

trait Search {
    fn search(&self);
}

#[toolbox]
impl Search for Repo {
    /// Search.
    #[tool]
    fn search(&self) {}
}

fn main() {}
