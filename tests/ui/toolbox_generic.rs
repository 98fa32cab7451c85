use repertoire::toolbox;

struct Repo<T>(T);

#[toolbox]
impl<T> Repo<T> {
    /// Search.
    #[tool]
    fn search(&self) {}
}

fn main() {
    Repo(1).search();
}
