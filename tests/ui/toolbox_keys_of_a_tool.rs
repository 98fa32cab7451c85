use repertoire::toolbox;

struct Shop;

#[toolbox]
impl Shop {
    /// Sell something.
    #[tool(type = Selling)]
    fn sell(&self) {}

    /// Buy something.
    #[tool(crate = repertoire)]
    fn buy(&self) {}
}

fn main() {}
