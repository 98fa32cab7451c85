//! A tool as a model is shown it.

use serde_json::value::RawValue;

/// A tool as a model is shown it: name, description and the JSON schema of its arguments.
///
/// The schema is kept as text and copied into requests, never parsed again.
#[derive(Clone, Debug)]
pub struct Definition {
    name: String,
    description: String,
    schema: Box<RawValue>,
    group: Option<String>,
}

impl Definition {
    /// A definition. `schema` is the JSON text of a schema whose root is an object.
    ///
    /// # Errors
    /// `schema` is not JSON.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        schema: impl Into<String>,
    ) -> serde_json::Result<Self> {
        Ok(Self {
            name: name.into(),
            description: description.into(),
            schema: RawValue::from_string(schema.into())?,
            group: None,
        })
    }

    /// The same definition in a group, which is a namespace where a protocol has them.
    #[must_use]
    pub fn with_group(mut self, group: Option<String>) -> Self {
        self.group = group;
        self
    }

    /// The group the tool belongs to.
    #[must_use]
    pub fn group(&self) -> Option<&str> {
        self.group.as_deref()
    }

    /// The name the model calls.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the tool does and how it is used.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The schema of the arguments.
    #[must_use]
    pub fn schema(&self) -> &RawValue {
        &self.schema
    }

    pub(crate) fn append_description(&mut self, text: &str) {
        if !self.description.is_empty() {
            self.description.push_str("\n\n");
        }
        self.description.push_str(text);
    }
}
