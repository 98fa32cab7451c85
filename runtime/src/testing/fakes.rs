//! Other bodies for tools, in a test.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde_json::Value;

use crate::{
    maybe_send::{MaybeSend, MaybeSync},
    tool::{ToolError, ToolOutput, nearest::nearest},
    toolset::Entry,
};

/// How many names a message lists.
const MOST_NAMES: usize = 8;

/// Other bodies for some of an agent's tools, so that a test runs the agent and not the warehouse.
///
/// Name, description, schema and policy stay the tool's own: the model sees no difference, arguments
/// are checked, calls are approved, tried again and handed to a tool that stands in as ever. The
/// `#[state]` of a faked tool need not be given.
///
/// Clones share what they write down, so a test keeps hold of one and asks it afterwards.
///
/// ```
/// use repertoire::{Agent, Responses, ToolError, Toolset, testing::{Fakes, Rule, Script}, tool};
/// use serde_json::json;
///
/// struct Database;
///
/// /// Look up the stock of a product.
/// #[tool]
/// fn stock(
///     /// Stock keeping unit.
///     sku: &str,
///     #[state] database: &Database,
/// ) -> Result<u32, ToolError> {
///     unreachable!("a test has no database")
/// }
///
/// # fn main() -> repertoire::Result<()> {
/// let fakes = Fakes::new().fake("stock", |_| Ok(json!(215)));
/// let model = Script::new(Responses::new("m"))
///     .rule(Rule::call("stock", json!({"sku": "A-1042"})))
///     .rule(Rule::answer("stock", |count| format!("{count} pieces")));
/// let agent = Agent::builder(model)
///     .repertoire(Toolset::new().with::<stock>())
///     .fakes(&fakes)
///     .build()?;
/// # let clock = repertoire::testing::TestClock::new();
/// # let reply = clock.block_on(agent.run("Is A-1042 in stock?"))?;
/// # /*
/// let reply = agent.run("Is A-1042 in stock?").await?;
/// # */
/// assert_eq!(reply.text(), "215 pieces");
/// assert_eq!(fakes.calls("stock"), [json!({"sku": "A-1042"})]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Fakes {
    fakes: BTreeMap<String, Fake>,
}

#[derive(Clone)]
struct Fake {
    body: Arc<Body>,
    calls: Arc<Mutex<Vec<Value>>>,
}

#[cfg(not(target_arch = "wasm32"))]
type Body = dyn Fn(&Value) -> Result<ToolOutput, ToolError> + Send + Sync;
#[cfg(target_arch = "wasm32")]
type Body = dyn Fn(&Value) -> Result<ToolOutput, ToolError>;

/// What a fake may return in the place of a tool's own type: a JSON value (a string is the text
/// itself), text, or a [`ToolOutput`]. Sealed.
pub trait FakeOutput: Shown {}

impl<T: Shown> FakeOutput for T {}

/// How a fake's output becomes a tool's.
pub trait Shown {
    /// The output.
    fn shown(self) -> ToolOutput;
}

impl Shown for Value {
    fn shown(self) -> ToolOutput {
        match self {
            Value::String(text) => text.into(),
            value => value.to_string().into(),
        }
    }
}

impl Shown for ToolOutput {
    fn shown(self) -> ToolOutput {
        self
    }
}

impl Shown for &str {
    fn shown(self) -> ToolOutput {
        self.into()
    }
}

impl Shown for String {
    fn shown(self) -> ToolOutput {
        self.into()
    }
}

impl Fakes {
    /// No fakes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same fakes and a body for one more tool, in the place of an earlier one of that name.
    /// `body` receives arguments that fit the tool's schema, without what a default would add.
    ///
    /// A name that the agent does not have is an error when it is built.
    #[must_use]
    pub fn fake<T: FakeOutput>(
        mut self,
        tool: impl Into<String>,
        body: impl Fn(&Value) -> Result<T, ToolError> + MaybeSend + MaybeSync + 'static,
    ) -> Self {
        let fake = Fake {
            body: Arc::new(move |arguments| body(arguments).map(Shown::shown)),
            calls: Arc::default(),
        };
        self.fakes.insert(tool.into(), fake);
        self
    }

    /// The arguments of all calls so far that reached the fake: those that were checked, loaded and
    /// approved, and each try of its own.
    ///
    /// # Panics
    /// There is no fake of that name: a misspelt name would otherwise look like a tool that was
    /// never called.
    #[must_use]
    #[track_caller]
    pub fn calls(&self, tool: &str) -> Vec<Value> {
        match self.fakes.get(tool) {
            Some(fake) => fake.lock().clone(),
            None => {
                let known = known(tool, self.fakes.keys().map(String::as_str));
                panic!("there is no fake of a tool `{tool}`{known}")
            }
        }
    }

    /// Takes over the fakes of another list.
    pub(crate) fn add(&mut self, other: &Self) {
        let fakes = other.fakes.iter();
        self.fakes
            .extend(fakes.map(|(name, fake)| (name.clone(), fake.clone())));
    }

    /// Gives the tools their other bodies. A fake of no tool is a problem.
    pub(crate) fn put_into(&self, entries: &mut [Entry], problems: &mut Vec<String>) {
        for (name, fake) in &self.fakes {
            let mut found = false;
            for entry in entries.iter_mut().filter(|entry| entry.name == *name) {
                found = true;
                let fake = fake.clone();
                entry.set_body(move |arguments| {
                    fake.lock().push(arguments.clone());
                    (fake.body)(&arguments)
                });
            }
            if !found {
                let known = known(name, entries.iter().map(|entry| entry.name.as_ref()));
                problems.push(format!("there is no tool `{name}` to fake{known}"));
            }
        }
    }
}

impl Fake {
    fn lock(&self) -> MutexGuard<'_, Vec<Value>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Fakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls = self
            .fakes
            .iter()
            .map(|(name, fake)| (name, fake.lock().len()));
        f.debug_map().entries(calls).finish()
    }
}

/// What to say after a name that is not known: the one that was meant, or those there are.
pub(super) fn known<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if let Some(meant) = nearest(name, names.iter().copied()) {
        return format!("; did you mean `{meant}`?");
    }
    let list: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match list.get(..MOST_NAMES) {
        _ if list.is_empty() => "; there are none".to_owned(),
        Some(first) if list.len() > MOST_NAMES => {
            let more = list.len() - MOST_NAMES;
            format!("; there are {} and {more} more", first.join(", "))
        }
        _ => format!("; there are {}", list.join(", ")),
    }
}
