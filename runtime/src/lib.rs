//! Tools and skills for agents on language models.
//!
//! A model is good at deciding and bad at carrying a hundred tool descriptions. A program therefore
//! shows it a short catalog and hands over definitions and instructions when they are asked for:
//!
//! - [`macro@tool`] makes a function a tool whose JSON schema is a constant;
//! - [`skills!`] checks every `SKILL.md` of a folder while compiling and embeds the folder;
//! - an [`Agent`] lists what there is, finds deferred tools by [`search`], hands over skills by name,
//!   runs the calls and speaks each provider's own JSON ([`protocol`]).
//!
//! ```
//! use repertoire::{Agent, Responses, Toolset, testing::{Rule, Script}, tool};
//!
//! /// Look up available warehouse stock by product SKU.
//! #[tool(deferred, guidelines = "Use to check current stock before promising availability.")]
//! fn warehouse_stock(
//!     /// Stock keeping unit, for example "A-1042".
//!     sku: &str,
//! ) -> u32 {
//!     if sku == "A-1042" { 215 } else { 0 }
//! }
//!
//! # async fn run() -> repertoire::Result<()> {
//! // A script plays the model; `Anthropic::from_env(...)` would ask a real one.
//! let model = Script::new(Responses::new("gpt-5.4"))
//!     .rule(Rule::search("stock of a product", "warehouse_stock"))
//!     .rule(Rule::call("warehouse_stock", serde_json::json!({"sku": "A-1042"})))
//!     .rule(Rule::answer("warehouse_stock", |count| format!("{count} pieces")));
//! let agent = Agent::builder(model)
//!     .repertoire(Toolset::new().with::<warehouse_stock>())
//!     .build()?;
//! assert_eq!(agent.run("Is A-1042 in stock?").await?.text(), "215 pieces");
//! # Ok(())
//! # }
//! ```

#[doc(hidden)]
pub mod __private;
pub mod agent;
mod cancel;
mod catalog;
mod clock;
mod context;
pub mod conversation;
#[cfg(all(feature = "durable", not(target_arch = "wasm32")))]
pub mod durable;
mod error;
mod finite;
mod fnv;
#[cfg(feature = "link")]
mod linked;
mod maybe_send;
pub mod model;
pub mod once;
pub mod protocol;
mod repertoire;
mod schema_check;
pub mod search;
mod secrets;
pub mod skill;
pub mod testing;
mod texts;
mod tokens;
pub mod tool;
pub mod toolset;

pub use agent::{Agent, Event, Reply, Stop};
pub use cancel::Cancel;
pub use clock::Clock;
#[cfg(not(target_arch = "wasm32"))]
pub use clock::SystemClock;
pub use context::Context;
pub use conversation::Conversation;
pub use error::{BuildError, Error, Result};
pub use maybe_send::{BoxFuture, MaybeSend, MaybeSync};
pub use protocol::{Anthropic, Chat, Gemini, Ollama, Responses};
pub use repertoire::Repertoire;
pub use repertoire_macros::{ToolSchema, skills, tool, toolbox};
pub use skill::Skills;
pub use texts::Texts;
pub use tokens::estimate_tokens;
pub use tool::{Tool, ToolError, ToolOutput, ToolSchema, ToolSpec};
pub use toolset::Toolset;
