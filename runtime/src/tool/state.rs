//! Values that the program gives to its tools and the model never sees.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    fmt,
    sync::Arc,
};

use super::{ToolError, code};

/// One value of each type, shared by all tools of an agent.
///
/// ```
/// use repertoire::tool::States;
///
/// struct Inventory(u32);
///
/// let mut states = States::new();
/// states.insert(Inventory(7));
/// assert_eq!(states.get::<Inventory>().map(|inventory| inventory.0), Some(7));
/// assert!(states.get::<String>().is_none());
/// ```
#[derive(Clone, Default)]
pub struct States {
    values: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

impl States {
    /// No values.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value, replacing an earlier one of the same type.
    pub fn insert<T: Any + Send + Sync>(&mut self, value: T) {
        self.values.insert(TypeId::of::<T>(), Arc::new(value));
    }

    /// The value of a type.
    #[must_use]
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.values.get(&TypeId::of::<T>())?.downcast_ref()
    }

    /// Whether a value of that type is there.
    #[must_use]
    pub fn contains(&self, id: TypeId) -> bool {
        self.values.contains_key(&id)
    }
}

impl fmt::Debug for States {
    /// Says how many values there are and never what they hold: state is where secrets live.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("States")
            .field("values", &self.values.len())
            .finish()
    }
}

/// A type that can be given to tools.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the state of a tool",
    label = "tools may run on any thread, so this must be `Send + Sync + 'static`",
    note = "wrap what changes in a `Mutex` or an atomic"
)]
pub trait StateValue: Sized {
    /// Looks the value up.
    fn find(states: &States) -> Option<&Self>;
}

#[diagnostic::do_not_recommend]
impl<T: Any + Send + Sync> StateValue for T {
    fn find(states: &States) -> Option<&Self> {
        states.get()
    }
}

/// The value of a `#[state]` parameter.
///
/// # Errors
///
/// When the program did not give one.
pub fn state<'a, T: StateValue>(states: &'a States, name: &str) -> Result<&'a T, ToolError> {
    T::find(states).ok_or_else(|| missing(name))
}

#[cold]
fn missing(name: &str) -> ToolError {
    ToolError::failed(format_args!(
        "the tool needs a `{name}`, which the program has not given with `.state(...)`"
    ))
    .with_code(code::NO_STATE)
}
