use repertoire::ToolSchema;

#[derive(ToolSchema)]
struct Nested<T> {
    value: T,
    next: Option<Box<Nested<Vec<T>>>>,
}

#[derive(ToolSchema)]
struct Chain<'a, T: Clone, const N: usize> {
    value: &'a T,
    room: [u8; N],
    next: Option<Box<Chain<'a, T, N>>>,
    others: Vec<Self>,
}

fn main() {}
