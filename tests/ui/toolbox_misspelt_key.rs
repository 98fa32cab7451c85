use repertoire::toolbox;

struct Repo;

#[toolbox(prefx = "repo_")]
impl Repo {
    /// Search.
    #[tool]
    fn search(&self) {}
}

fn main() {
    Repo.search();
}
