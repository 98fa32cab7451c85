use repertoire::toolbox;

struct Repo;

#[toolbox]
impl Repo {
    /// Search the code.
    #[tool]
    fn search(&self) {}
}

impl Repo {
    fn helper(&self) {}
}

#[toolbox(prefix = "repo_")]
impl Repo {
    /// List the branches.
    #[tool]
    fn branches(&self) {
        self.helper();
    }
}

fn main() {
    Repo.search();
    Repo.branches();
}
