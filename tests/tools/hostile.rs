//! Generated code names nothing but the crate and the language: it works where the crate has another
//! name, the prelude is gone or shadowed, and every lint is an error.
#![forbid(unsafe_code)]
#![deny(
    missing_docs,
    warnings,
    nonstandard_style,
    unreachable_pub,
    dead_code,
    unused
)]
#![deny(clippy::all, clippy::pedantic)]

/// Where the prelude is shadowed.
pub mod shadowed {
    /// Not the real one.
    #[derive(Debug)]
    pub struct Option;
    /// Not the real one.
    #[derive(Debug)]
    pub struct String;
    /// Not the real one.
    #[derive(Debug)]
    pub struct Result;
    /// Not the real one.
    #[derive(Debug)]
    pub struct Vec;
    /// Not the real one.
    #[derive(Debug)]
    pub struct Box;
    /// Not the real one.
    #[derive(Debug)]
    pub struct Some;
    /// Not the real one.
    #[derive(Debug)]
    pub struct None;
    /// Not the real one.
    #[derive(Debug)]
    pub struct Ok;
    /// Not the real one.
    #[derive(Debug)]
    pub struct Err;
    /// Not the real one.
    pub trait Default {}
    /// Not the real one.
    pub trait Send {}
    /// Not the real one.
    pub trait Tool {}
    /// Not the real one.
    pub trait From {}
    /// Not the real one.
    pub trait Into {}
    use ::another_name as repertoire_under_another_name;

    /// Join words.
    #[another_name::tool(crate = another_name)]
    #[must_use]
    pub fn join(
        /// The words.
        words: &[std::string::String],
        /// What goes between.
        between: std::option::Option<&str>,
    ) -> std::string::String {
        words.join(between.unwrap_or(" "))
    }

    /// Count words.
    #[another_name::tool(crate = repertoire_under_another_name)]
    async fn count(
        /// The words.
        words: &[std::string::String],
        /// A file.
        file: std::option::Option<&std::path::Path>,
        /// Something else.
        other: std::option::Option<&u8>,
    ) -> std::result::Result<usize, std::fmt::Error> {
        std::future::ready(()).await;
        let _ = (file, other);
        std::result::Result::Ok(words.len())
    }

    /// A type that holds itself.
    #[derive(another_name::ToolSchema)]
    #[schema(crate = another_name)]
    pub enum Tree {
        /// A leaf.
        Leaf {
            /// How large.
            #[schema(min = 1)]
            size: u8,
        },
        /// A branch.
        Branch(std::vec::Vec<Tree>),
        /// Not even a leaf.
        Nothing,
    }

    /// Tools in a box.
    #[derive(Debug)]
    pub struct Shelf;

    #[another_name::toolbox(prefix = "shelf_", crate = another_name)]
    impl Shelf {
        /// Count something.
        #[tool(timeout = "5s", retries = 2, once, blocking, post_process = same)]
        #[must_use]
        pub fn count(
            &self,
            /// How many.
            #[arg(min = 1, default = 3)]
            number: u8,
            /// What.
            #[arg(pattern = "^a", max_len = 9, default = "a")]
            text: &str,
        ) -> usize {
            usize::from(number) + text.len()
        }
    }

    fn same(output: another_name::ToolOutput) -> another_name::ToolOutput {
        output
    }

    /// One in the middle of a function.
    pub fn inner() {
        /// Nothing.
        #[another_name::tool(crate = another_name)]
        fn local() {}
        local();
    }
}

#[test]
fn it_compiles() {
    use another_name::Tool;
    assert_eq!(shadowed::join(&["a".into(), "b".into()], None), "a b");
    assert_eq!(shadowed::join::SPEC.name, "join");
    assert_eq!(shadowed::join::REGISTRATION.spec().name, "join");
    shadowed::inner();
}
