// ToolSchema:
struct Tree<T> {
    value: T,
    #[schema(max_len = 2)]
    children: Vec<Tree<T>>,
}
