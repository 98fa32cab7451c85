use repertoire::toolbox;

struct Repo(std::cell::Cell<u8>);

#[toolbox]
impl Repo {
    /// Search all of it.
    #[tool]
    fn search(&self) {
        self.0.set(1);
    }
}

fn main() {
    Repo(std::cell::Cell::new(0)).search();
}
