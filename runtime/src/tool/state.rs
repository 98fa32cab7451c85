//! Values that the program gives to its tools and the model never sees.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    fmt,
    sync::Arc,
};

/// One value of each type, shared by all tools of an agent.
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
