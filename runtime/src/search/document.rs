//! What is indexed of one tool or skill.

use serde_json::{Map, Value};

/// The five fields of a document, in the order of [`Document::fields`].
pub(crate) const FIELDS: usize = 5;
/// Names of the fields, for people.
pub(crate) const FIELD_NAMES: [&str; FIELDS] =
    ["name", "description", "usage", "parameters", "values"];

/// The text of one tool or skill, sorted into the fields that search weighs differently.
///
/// ```
/// use repertoire::search::Document;
/// use serde_json::json;
///
/// let document = Document::new("warehouse_stock")
///     .description("Look up available warehouse stock by product SKU.")
///     .usage("Use to check current stock before promising availability.")
///     .schema(&json!({
///         "type": "object",
///         "properties": {
///             "sku": { "type": "string", "description": "stock keeping unit" },
///             "unit": { "enum": ["piece", "pallet"] }
///         }
///     }));
/// assert_eq!(document.name(), "warehouse_stock");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    name: String,
    description: String,
    usage: String,
    parameters: String,
    values: String,
}

impl Document {
    /// A document of this name, with all other fields empty.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// What the tool does. A second call adds to the first, as with every other field.
    #[must_use]
    pub fn description(mut self, text: impl AsRef<str>) -> Self {
        append(&mut self.description, text.as_ref());
        self
    }

    /// How and when the tool is used: its snippet, guidelines and tags.
    #[must_use]
    pub fn usage(mut self, text: impl AsRef<str>) -> Self {
        append(&mut self.usage, text.as_ref());
        self
    }

    /// One parameter and its description.
    #[must_use]
    pub fn parameter(mut self, name: impl AsRef<str>, description: impl AsRef<str>) -> Self {
        append(&mut self.parameters, name.as_ref());
        append(&mut self.parameters, description.as_ref());
        self
    }

    /// A value that a parameter accepts, such as one of an enumeration.
    #[must_use]
    pub fn value(mut self, value: impl AsRef<str>) -> Self {
        append(&mut self.values, value.as_ref());
        self
    }

    /// All parameters of a JSON Schema: names, descriptions, `enum` and `const` values, also of
    /// nested objects, list items, alternatives and definitions. Anything that is not a schema is
    /// passed over, and so is what lies more than 64 levels deep.
    #[must_use]
    pub fn schema(mut self, schema: &Value) -> Self {
        walk(&mut self, schema, 0);
        self
    }

    /// The same as [`schema`](Self::schema), for a schema in JSON text.
    ///
    /// # Errors
    ///
    /// When the text is not JSON; nothing has been added to the document then.
    pub fn schema_json(self, schema: &str) -> Result<Self, serde_json::Error> {
        let schema = serde_json::from_str(schema)?;
        Ok(self.schema(&schema))
    }

    /// The name that the document was made with.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Everything that is searched, as one text: what a vector for a
    /// [`Ranker`](super::Ranker) can be made of.
    ///
    /// ```
    /// use repertoire::search::Document;
    ///
    /// let tool = Document::new("read_mail").description("Reads one message.");
    /// assert_eq!(tool.text(), "read_mail\nReads one message.");
    /// ```
    pub fn text(&self) -> String {
        let mut text = String::new();
        for field in self.fields() {
            append(&mut text, field);
        }
        text
    }

    pub(crate) fn fields(&self) -> [&str; FIELDS] {
        [
            &self.name,
            &self.description,
            &self.usage,
            &self.parameters,
            &self.values,
        ]
    }
}

/// Adds a line, so that words of different origin never form one.
fn append(field: &mut String, text: &str) {
    if text.is_empty() {
        return;
    }
    if !field.is_empty() {
        field.push('\n');
    }
    field.push_str(text);
}

/// Deepest level of a schema that is read.
const MAX_DEPTH: usize = 64;

fn walk(document: &mut Document, schema: &Value, depth: usize) {
    let Value::Object(keys) = schema else { return };
    if depth == MAX_DEPTH {
        return;
    }
    // The root's own description is that of the tool, which has its field.
    if depth > 0
        && let Some(Value::String(text)) = keys.get("description")
    {
        append(&mut document.parameters, text);
    }
    let listed = keys
        .get("enum")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    listed
        .chain(keys.get("const"))
        .for_each(|value| add_value(document, value));
    for key in ["properties", "patternProperties"] {
        for (name, property) in object(keys, key) {
            if key == "properties" {
                append(&mut document.parameters, name);
            }
            walk(document, property, depth + 1);
        }
    }
    for key in ["$defs", "definitions"] {
        for (_, definition) in object(keys, key) {
            walk(document, definition, depth + 1);
        }
    }
    for key in [
        "items",
        "prefixItems",
        "additionalProperties",
        "anyOf",
        "oneOf",
        "allOf",
    ] {
        match keys.get(key) {
            Some(Value::Array(schemas)) => {
                schemas
                    .iter()
                    .for_each(|schema| walk(document, schema, depth + 1));
            }
            Some(schema) => walk(document, schema, depth + 1),
            None => {}
        }
    }
}

fn object<'a>(
    keys: &'a Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = (&'a String, &'a Value)> {
    keys.get(key)
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
}

fn add_value(document: &mut Document, value: &Value) {
    match value {
        Value::String(text) => append(&mut document.values, text),
        Value::Number(number) => append(&mut document.values, &number.to_string()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_schema_is_read_to_its_leaves() {
        let document = Document::new("order").schema(&json!({
            "description": "the root says what the tool says",
            "properties": {
                "a_customer": {
                    "type": "object",
                    "description": "who pays",
                    "properties": { "vat_id": { "description": "tax number" } }
                },
                "b_lines": { "type": "array", "items": { "properties": { "sku": {} } } },
                "c_unit": { "enum": ["piece", "pallet", 12, null] },
                "d_ship": { "anyOf": [{ "const": "express" }, { "$ref": "#/$defs/slow" }] },
            },
            "$defs": { "slow": { "description": "slow freight", "const": "sea" } },
            "additionalProperties": false,
        }));
        assert_eq!(
            document.parameters,
            "a_customer\nwho pays\nvat_id\ntax number\nb_lines\nsku\nc_unit\nd_ship\nslow freight"
        );
        assert_eq!(document.values, "piece\npallet\n12\nexpress\nsea");
    }

    #[test]
    fn what_is_no_schema_is_passed_over() {
        for schema in [
            json!(null),
            json!(true),
            json!([1]),
            json!({"properties": ["a"], "enum": 1}),
            json!("x"),
        ] {
            let document = Document::new("x").schema(&schema);
            assert_eq!(document.parameters, "", "{schema}");
        }
        assert!(Document::new("x").schema_json("{").is_err());
    }

    #[test]
    fn depth_is_bounded() {
        let mut schema = json!({"description": "bottom"});
        for _ in 0..10_000 {
            schema = Value::Object(Map::from_iter([("items".to_owned(), schema)]));
        }
        let document = Document::new("x").schema(&schema);
        assert_eq!(document.parameters, "");
        // Dropping a value this deep would itself overflow the stack.
        std::mem::forget(schema);
    }
}
