use repertoire::toolbox;

struct Repo;

#[toolbox]
impl Repo {
    /// Search the code.
    #[tool]
    fn search(&self) {}

    /// Search the code of one branch.
    #[tool(name = "search")]
    fn search_branch(&self) {}
}

fn main() {
    Repo.search();
    Repo.search_branch();
}
