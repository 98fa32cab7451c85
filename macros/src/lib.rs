//! The macros of the `repertoire` crate. Use them from there.

mod diagnostics;
mod docs;
mod json;
mod keys;
mod limits;
mod literal;
mod nearest;
mod schema;
mod skills;
#[cfg(test)]
mod snapshots;
mod tool;
mod toolbox;

use proc_macro::TokenStream;

/// Makes a function a tool that a model may call.
///
/// The doc comment's first paragraph is what the model reads about the tool, and the doc comment of
/// each parameter what it reads about the parameter. The function itself stays as it is. Beside it
/// stands a type of the same name, which holds what is known of the tool:
///
/// ```
/// use repertoire::tool;
///
/// /// Add two numbers.
/// #[tool(guidelines = "Use for any sum, however small.")]
/// fn add(
///     /// The first number.
///     a: f64,
///     /// The second number.
///     b: f64,
/// ) -> f64 {
///     a + b
/// }
///
/// const NAME: &str = add::SPEC.name;
/// assert_eq!(NAME, "add");
/// assert_eq!(add(1.0, 2.0), 3.0);
/// ```
///
/// # Parameters
///
/// A parameter is an owned type that implements `serde::Deserialize` and `ToolSchema`, or `&str`,
/// `&[T]`, `&Path`, `&T`, `Option<&T>` of such types. An `Option` may be left out by the model.
/// `#[state] name: &T` is given by the program and not seen by the model.
///
/// # Result
///
/// Text, `ToolOutput`, nothing, or anything that implements `serde::Serialize`, which becomes JSON;
/// or a `Result` of one of these, with an error that implements `std::error::Error`, or `Display`,
/// or that converts into `ToolError`.
///
/// # Keys
///
/// | key | meaning | default |
/// |---|---|---|
/// | `name = "…"` | the name the model calls | the function's name |
/// | `description = "…"` | what the tool does | first paragraph of the doc comment |
/// | `snippet = "…"` | one line that shows the use | doc section `# Snippet` |
/// | `guidelines = "…"` or `["…", "…"]` | rules of use | doc section `# Guidelines`, one rule per list item or paragraph |
/// | `deferred` | hidden until the model searches for it | always shown |
/// | `toolset = "…"` | belongs to `linked!("…")` | the package's own toolset |
/// | `unlinked` | does not register itself | registers itself |
/// | `type = Name` | the name of the type beside the function | the function's name |
/// | `crate = path` | where the `repertoire` crate is | `::repertoire` |
/// | `allow(undocumented)` | parameters need no description | an error |
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::entry(attribute.into(), item.into()).into()
}

/// Makes methods tools: those of an `impl` block that are marked `#[tool]`.
///
/// `&self` is the toolbox, which the program gives to the agent once, as state; the model sends the
/// other parameters. All that `#[tool]` can say of a function it can say of a method.
///
/// ```
/// use repertoire::toolbox;
///
/// struct Repo {
///     name: String,
/// }
///
/// #[toolbox(prefix = "repo_")]
/// impl Repo {
///     /// Search the code of the repository.
///     #[tool(deferred)]
///     async fn search(
///         &self,
///         /// What to look for.
///         query: &str,
///     ) -> String {
///         format!("no {query} in {}", self.name)
///     }
///
///     // Not a tool.
///     fn helper(&self) {}
/// }
///
/// use repertoire::tool::Toolbox;
/// assert_eq!(Repo::TOOLS[0].spec().name, "repo_search");
/// ```
///
/// | key | meaning | default |
/// |---|---|---|
/// | `prefix = "…"` | what the tools' names start with, unless a method names itself with `name = "…"` | nothing |
/// | `crate = path` | where the `repertoire` crate is | `::repertoire` |
///
/// A type has one toolbox: one `impl` block with this attribute.
#[proc_macro_attribute]
pub fn toolbox(attribute: TokenStream, item: TokenStream) -> TokenStream {
    toolbox::entry(attribute.into(), item.into()).into()
}

/// Derives the JSON schema of a type, as a constant.
///
/// The schema says what `#[derive(serde::Deserialize)]` reads, so derive both. Doc comments are the
/// descriptions, and `#[serde(...)]` attributes are honoured.
///
/// ```
/// use repertoire::ToolSchema;
///
/// /// Where a parcel goes.
/// #[derive(serde::Deserialize, ToolSchema)]
/// #[serde(rename_all = "camelCase")]
/// struct Address {
///     /// Street and number.
///     street: String,
///     /// Leave it out where there is none.
///     postal_code: Option<String>,
/// }
/// ```
#[proc_macro_derive(ToolSchema, attributes(schema, serde))]
pub fn derive_tool_schema(item: TokenStream) -> TokenStream {
    schema::entry(item.into()).into()
}

/// Checks every skill of a folder and puts the folder into the binary.
///
/// A skill is a folder with a `SKILL.md`. Every mistake in any of them is an error of this build,
/// with file, line, column and the way to mend it; advice is a warning. The path is relative to
/// `Cargo.toml`.
///
/// ```text
/// repertoire::skills!("skills/");                         // for `linked!()`
/// repertoire::skills!(pub static MINE = "more-skills/");  // also for `Skills::from(&MINE)`
/// repertoire::skills!("a/", "b/", profile = "strict", deny(lints), allow(link-missing));
/// ```
///
/// | key | meaning | default |
/// |---|---|---|
/// | `profile = "…"` | the rules: `spec`, `strict`, `claude` or `lenient` | `spec` |
/// | `deny(lints)`, `deny(name, …)` | advice that is an error | a warning |
/// | `allow(name, …)` | advice that is not given | a warning |
/// | `untracked` | no warning that new skills are not noticed | a warning |
/// | `crate = path` | where the `repertoire` crate is | `::repertoire` |
///
/// An edited or deleted file rebuilds the crate. For a new one, Cargo has to look at the folder; a
/// build script tells it to:
///
/// ```text
/// fn main() {
///     repertoire_skillmd::build::track("skills");
/// }
/// ```
#[proc_macro]
pub fn skills(input: TokenStream) -> TokenStream {
    skills::entry(input.into()).into()
}
