//! The macros of the `repertoire` crate. Use them from there.

mod diagnostics;
mod docs;
mod externs;
mod json;
mod keys;
mod limits;
mod lint;
mod literal;
mod schema;
mod skills;
#[cfg(test)]
mod snapshots;
mod source;
mod text_macros;
mod tool;
mod toolbox;

use proc_macro::TokenStream;

/// Makes a function a tool that a model may call.
///
/// The doc comment's first paragraph is what the model reads about the tool, and the doc comment of
/// each parameter what it reads about the parameter; `#[doc = concat!("…", stringify!(…))]`, as macros
/// write it, is read too. The function itself stays as it is. Beside it
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
/// `#[state] name: &T` is given by the program and not seen by the model; `#[context] cx: &Context`
/// is what the tool may know and do during a call.
///
/// `#[arg(...)]` says more of a parameter. What narrows it is in the schema and checked at the call:
///
/// ```
/// use repertoire::tool;
///
/// /// Reserve a table.
/// #[tool]
/// fn reserve(
///     /// How many people.
///     #[arg(min = 1, max = 12)]
///     people: u8,
///     /// The hour.
///     #[arg(pattern = "^[0-2][0-9]:[0-5][0-9]$", example = "19:30")]
///     time: &str,
///     /// What the kitchen should know.
///     #[arg(default = "nothing", max_len = 200)]
///     note: &str,
/// ) -> String {
///     format!("{people} at {time}, {note}")
/// }
/// ```
///
/// | key | meaning |
/// |---|---|
/// | `default`, `default = …` | what an absent parameter is: `Default::default()`, or an expression. A literal is in the schema too |
/// | `rename = "…"` | the name the model sends |
/// | `min = …`, `max = …` | the least and the greatest number |
/// | `min_len = …`, `max_len = …` | the least and the greatest length of a text, list or map |
/// | `pattern = "…"` | a regular expression that is somewhere in the text |
/// | `example = …` | an example, or a list of them |
/// | `schemars` | the schema is that of the type's `schemars::JsonSchema`, for types of other crates (feature `schemars`). It is no constant: a toolset makes it when it takes the tool, and `SPEC.schema` has any value in its place |
/// | `secret` | the value is `[secret]` in every `Debug`, event, error, trace, hook and approval; the conversation keeps it |
/// | `undocumented` | the parameter needs no description |
///
/// A parameter may depend on `cfg`, and so may its attributes. Bounds, examples and a `default` that
/// the type or the other keys do not allow are errors.
///
/// Arguments that do not fit are not run: the model is told every problem with its place. What is
/// meant beyond doubt is taken: `"5"` for `5`, `5.0` for `5`, `"true"` for `true`, `5` for `"5"`, JSON
/// in a text for the array or object it holds, `null` for what may be left out. `strict` refuses it.
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
/// | `group = "…"` | the group it is listed in | none |
/// | `toolset = "…"` | belongs to `linked!("…")` | the package's own toolset |
/// | `tags("…", "…")` | words to select tools by | none |
/// | `version = "…"`, `author = "…"` | for people | none |
/// | `enabled = false` | is not offered | offered |
/// | `unlinked` | does not register itself | registers itself |
/// | `deprecated(note = "…", replaced_by = path)` | should no longer be used | in use |
/// | `strict` | the provider holds the model to the schema, and arguments are taken only exactly so; a schema that OpenAI's strict mode cannot say (maps, tuples, any value) is an error that names the field | what is beyond doubt is taken |
/// | `unknown = "keep"` | keys that no parameter has are let through and read by nobody; the schema says that there may be such | they are refused, by name (`"refuse"`) |
/// | `read_only`, `destructive`, `open_world` | what it may do, for approval and for clients | unknown |
/// | `requires_approval` | every call has to be approved; `destructive` implies it | runs |
/// | `blocking` | a function that is not `async` runs on a thread of its own | runs where it is polled |
/// | `serial` | only one call at a time | calls run side by side |
/// | `timeout = "5s"`, `deadline = "1m"` | the most time of one try, and of all | none |
/// | `retries = 3` | further tries after a passing fault; says that it may run again | 0 |
/// | `backoff = "1s"`, `backoff(first = "1s", longest = "1m")` | the pauses between tries | 1 s, doubled up to 1 min |
/// | `repeatable` | running twice does no more than once | unknown |
/// | `fallback = path` | the tool that takes the call when this one fails; it takes the same arguments | none |
/// | `once`, `once(key = sku, within = "10m")` | a repeated call gives the earlier result | runs again |
/// | `post_process = path` | a function from `ToolOutput` to `ToolOutput` | none |
/// | `max_output = 10_000` | the most bytes of text the model gets | 100,000 |
/// | `max_schema = 2_000`, `max_schema = "8KiB"` | the schema is an error if it has more bytes; units are `B`, `kB`, `KiB`, `MB` and `MiB` | no limit |
/// | `type = Name` | the name of the type beside the function | the function's name |
/// | `crate = path` | where the `repertoire` crate is | the dependency, whatever its name |
/// | `allow(undocumented)` | parameters need no description | an error |
/// | `allow(long_description)` | descriptions of more than 1,024 characters are fine | a warning |
/// | `allow(repeated_name)` | a description may be the name once more | a warning |
///
/// # Names
///
/// Two tools of one name in a crate and toolset are an error, in several files one of the compiler
/// (`two_tools_are_called_… is defined multiple times`). The type beside the function is imported with it, so it clashes with
/// a module of the same name (`mod search; use search::search;`), and hides a crate of that name
/// (`fn time` beside the crate `time`); `type = SearchTool` names it otherwise.
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
/// | `crate = path` | where the `repertoire` crate is | the dependency, whatever its name |
///
/// A type has one toolbox: one `impl` block with this attribute.
#[proc_macro_attribute]
pub fn toolbox(attribute: TokenStream, item: TokenStream) -> TokenStream {
    toolbox::entry(attribute.into(), item.into()).into()
}

/// Derives the JSON schema of a type, as a constant.
///
/// The schema says what `#[derive(serde::Deserialize)]` reads, so derive both. The first paragraphs
/// of doc comments are the descriptions, and `#[serde(...)]` attributes are honoured, or refused by
/// name where a schema cannot say what they do.
///
/// ```
/// use repertoire::ToolSchema;
///
/// /// Where a parcel goes.
/// #[derive(serde::Deserialize, ToolSchema)]
/// #[serde(rename_all = "camelCase")]
/// struct Address {
///     /// Street and number.
///     #[schema(max_len = 80)]
///     street: String,
///     /// Leave it out where there is none.
///     postal_code: Option<String>,
/// }
/// ```
///
/// # Keys of `#[schema(...)]`
///
/// | key | on | meaning |
/// |---|---|---|
/// | `min`, `max`, `min_len`, `max_len`, `pattern`, `example` | a field | as for `#[arg(...)]` of a parameter |
/// | `as = Type` | a type, variant or field | it is read as another type; needed beside `#[serde(with = "…")]` |
/// | `recursive` | a field | closes a circle of several types, see below |
/// | `crate = path` | a type | where the `repertoire` crate is |
/// | `allow(long_description)` | a type | descriptions of more than 1,024 characters are fine |
/// | `allow(repeated_name)` | a type | a description may be the name once more |
/// | `allow(empty_description)` | a type | a doc comment may be empty |
///
/// # Types that hold themselves
///
/// A type that holds itself (`children: Vec<Tree>`) needs nothing: the schema refers to itself. Where
/// several types hold each other, one field has to close the circle, or it is an error; for types of
/// several files one of the compiler (E0391, a cycle of constants with the name
/// `TYPES_HOLD_EACH_OTHER_SO_WRITE_SCHEMA_RECURSIVE_ON_ONE_FIELD`):
///
/// ```
/// use repertoire::ToolSchema;
///
/// #[derive(serde::Deserialize, ToolSchema)]
/// struct Folder {
///     entries: Vec<Entry>,
/// }
///
/// #[derive(serde::Deserialize, ToolSchema)]
/// struct Entry {
///     name: String,
///     #[schema(recursive)]
///     folder: Option<Box<Folder>>,
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
/// | `crate = path` | where the `repertoire` crate is | the dependency, whatever its name |
///
/// The items may stand in a module or in a function; the generated test runs in modules alone.
///
/// The skills are checked by code that Cargo builds without optimisation in the profile `dev`. With very
/// many of them it pays to ask for it in the `Cargo.toml` of the workspace:
/// `[profile.dev.build-override]` with `opt-level = 2`.
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
