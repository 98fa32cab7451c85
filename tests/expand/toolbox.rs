// toolbox: prefix = "repo_"
impl Repo {
    const LIMIT: usize = { 5 };

    /// Search the code.
    #[tool]
    async fn search(
        &self,
        /// What to look for.
        #[arg(min_len = 1, default = "main")]
        query: &str,
    ) -> String {
        query.to_owned()
    }

    fn helper(&self) {}
}
