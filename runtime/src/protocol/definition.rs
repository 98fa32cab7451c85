//! A tool as a model is shown it.

use serde_json::value::RawValue;

use super::{
    ProtocolError,
    dialect::{Dialect, Fitted, Rendered},
};

/// A tool as a model is shown it: name, description and the JSON schema of its arguments.
///
/// The schema is kept as text, in each provider's dialect that was used so far, and copied into
/// requests.
#[derive(Clone, Debug)]
pub struct Definition {
    name: String,
    description: String,
    schema: Box<RawValue>,
    group: Option<String>,
    strict: bool,
    rendered: Rendered,
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
            strict: false,
            rendered: Rendered::default(),
        })
    }

    /// The same definition in a group, which is a namespace where a protocol has them.
    #[must_use]
    pub fn with_group(mut self, group: Option<String>) -> Self {
        self.group = group;
        self
    }

    /// The same definition, whose arguments the provider shall hold to the schema while the model
    /// writes them. Providers that have no such mode are sent the tool without it. Where one has it
    /// and the schema does not fit (an open object, `allOf`, at Anthropic a type that stands within
    /// itself), the request cannot be written, and the error names the tool.
    #[must_use]
    pub fn with_strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Whether the provider shall hold the model to the schema.
    #[must_use]
    pub fn strict(&self) -> bool {
        self.strict
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

    /// The schema in a dialect, made once.
    pub(super) fn fit(
        &self,
        dialect: Dialect,
        protocol: &'static str,
    ) -> Result<(&RawValue, &Fitted), ProtocolError> {
        match self.rendered.get(dialect, &self.schema) {
            Ok(fitted) => Ok((fitted.schema(&self.schema), fitted)),
            Err(problem) => Err(ProtocolError::Tool {
                protocol,
                tool: self.name.clone(),
                problem: problem.to_owned(),
            }),
        }
    }

    /// The schema for a provider whose strict mode this dialect is, or which has none.
    pub(super) fn fit_strict(
        &self,
        mode: Option<Dialect>,
        protocol: &'static str,
    ) -> Result<(&RawValue, &Fitted), ProtocolError> {
        let mode = mode.filter(|_| self.strict);
        let (schema, fitted) = self.fit(mode.unwrap_or(Dialect::Plain), protocol)?;
        if mode.is_none() || fitted.strict {
            return Ok((schema, fitted));
        }
        // To send it without would be a promise broken in silence.
        Err(ProtocolError::Tool {
            protocol,
            tool: self.name.clone(),
            problem: format!(
                "it is `strict`, and `{}` of its schema does not fit the strict mode of this \
                 provider; close open objects, do without `allOf`, `not`, tuples and the like, or \
                 take `strict` off",
                fitted.misfit.as_deref().unwrap_or("$")
            ),
        })
    }

    /// Refuses a name that the provider refuses.
    pub(super) fn check_name(
        &self,
        protocol: &'static str,
        longest: usize,
        more: &str,
    ) -> Result<(), ProtocolError> {
        let good = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || more.contains(c);
        let name = &self.name;
        if !name.is_empty() && name.len() <= longest && name.chars().all(good) {
            return Ok(());
        }
        Err(ProtocolError::Tool {
            protocol,
            tool: name.clone(),
            problem: format!(
                "a name is 1 to {longest} of `a-z A-Z 0-9 _ -{}{more}`; rename it",
                if more.is_empty() { "" } else { " " }
            ),
        })
    }
}
