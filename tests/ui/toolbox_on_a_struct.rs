use repertoire::toolbox;

#[toolbox]
struct Repo;

fn main() {}
