//! Values that the tools of one conversation share.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::finite::to_json;

/// The most bytes of JSON that the values of one conversation take together.
const MOST_BYTES: usize = 1 << 20;
/// How many lists and objects of one value may stand within each other. A conversation that holds more
/// than 128 cannot be read.
const MOST_DEPTH: usize = 100;

/// Values that the tools of one conversation share: intermediate results that the model need not
/// copy from one call to the next.
///
/// Only what can be written as JSON is kept, at most 1 MiB of it, and at most 100 lists and objects
/// within each other. The model sees nothing of it unless a tool returns it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Session {
    values: BTreeMap<String, Value>,
    /// The bytes of all values, if they were counted since they were read.
    #[serde(skip)]
    bytes: Option<usize>,
}

impl PartialEq for Session {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl Session {
    /// The value of that name, as the type that is wanted.
    ///
    /// # Errors
    /// There is a value, and it is of another type.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, SessionError> {
        let wrong = |error| SessionError::Type(name.to_owned(), error);
        let value = self.values.get(name);
        value
            .map(|value| T::deserialize(value).map_err(wrong))
            .transpose()
    }

    /// Keeps a value under a name, in the place of an earlier one.
    ///
    /// # Errors
    /// The value cannot be written as JSON, as a number cannot that is not finite, or there would be
    /// more than 1 MiB.
    pub fn set<T: Serialize>(
        &mut self,
        name: impl Into<String>,
        value: T,
    ) -> Result<(), SessionError> {
        let name = name.into();
        let value = match to_json(&value) {
            Ok(value) => value,
            Err(error) => return Err(SessionError::NoJson(name, error)),
        };
        if !is_at_most(MOST_DEPTH, &value) {
            return Err(SessionError::TooDeep(name));
        }
        let earlier = self.values.get(&name).map_or(0, |value| size(&name, value));
        let before = self.count();
        let bytes = before.saturating_sub(earlier) + size(&name, &value);
        // A session that was read may hold more; it may be made smaller.
        if bytes > MOST_BYTES && bytes >= before {
            return Err(SessionError::TooLarge(name, bytes));
        }
        self.values.insert(name, value);
        self.bytes = Some(bytes);
        Ok(())
    }

    /// Forgets a value, and says whether there was one.
    pub fn remove(&mut self, name: &str) -> bool {
        self.bytes = None;
        self.values.remove(name).is_some()
    }

    /// The names of all values, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Takes over the values of another session, which fit the limit by themselves.
    pub(crate) fn extend(&mut self, other: Self) {
        self.bytes = None;
        self.values.extend(other.values);
    }

    fn count(&mut self) -> usize {
        let values = &self.values;
        let count = || values.iter().map(|(name, value)| size(name, value)).sum();
        *self.bytes.get_or_insert_with(count)
    }
}

/// Whether no more lists and objects stand within each other.
fn is_at_most(depth: usize, value: &Value) -> bool {
    let deeper = |value: &Value| depth > 0 && is_at_most(depth - 1, value);
    match value {
        Value::Array(list) => depth > 0 && list.iter().all(deeper),
        Value::Object(map) => depth > 0 && map.values().all(deeper),
        _ => true,
    }
}

/// The bytes that a value takes, with its name.
fn size(name: &str, value: &Value) -> usize {
    name.len() + value.to_string().len()
}

/// Why a value could not be kept or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum SessionError {
    /// The value cannot be written as JSON.
    NoJson(String, serde_json::Error),
    /// The value is of another type.
    Type(String, serde_json::Error),
    /// The value was asked for within [`Context::update`](crate::Context::update).
    Changing(String),
    /// The run that the value was to be kept for is over.
    Ended(String),
    /// More than 100 lists and objects of the value stand within each other.
    TooDeep(String),
    /// All values together would take this many bytes.
    TooLarge(String, usize),
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoJson(name, error) => {
                write!(
                    f,
                    "the value `{name}` cannot be kept, since it is no JSON: {error}"
                )
            }
            Self::Type(name, error) => write!(f, "the value `{name}` is of another type: {error}"),
            Self::Changing(name) => write!(
                f,
                "the value `{name}` cannot be had while another is being changed; ask for it before \
                 `update`"
            ),
            Self::Ended(name) => write!(
                f,
                "the value `{name}` cannot be kept, since the run is over"
            ),
            Self::TooDeep(name) => write!(
                f,
                "the value `{name}` cannot be kept, since more than {MOST_DEPTH} lists and objects stand \
                 within each other; keep it as text"
            ),
            Self::TooLarge(name, bytes) => write!(
                f,
                "with `{name}` the values of the conversation take {bytes} bytes, and may take \
                 {MOST_BYTES}; keep large data elsewhere and its address here"
            ),
        }
    }
}

impl std::error::Error for SessionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NoJson(_, error) | Self::Type(_, error) => Some(error),
            Self::Changing(_) | Self::Ended(_) | Self::TooDeep(_) | Self::TooLarge(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Session, SessionError};
    use crate::Conversation;

    #[test]
    fn only_clean_values_of_limited_size_are_kept() {
        let mut session = Session::default();
        session.set("count", 3).unwrap();
        assert_eq!(session.get::<u8>("count").unwrap(), Some(3));
        assert_eq!(session.get::<u8>("none").unwrap(), None);
        assert!(matches!(
            session.get::<bool>("count"),
            Err(SessionError::Type(..))
        ));
        let keys: std::collections::HashMap<(u8, u8), u8> = [((1, 2), 3)].into();
        assert!(matches!(
            session.set("count", keys),
            Err(SessionError::NoJson(..))
        ));
        for number in [Some(f64::NAN), Some(f64::INFINITY)] {
            assert!(matches!(
                session.set("count", number),
                Err(SessionError::NoJson(..))
            ));
        }
        let large = "x".repeat(2 << 20);
        assert!(matches!(
            session.set("count", large),
            Err(SessionError::TooLarge(..))
        ));
        assert_eq!(
            session.get::<u8>("count").unwrap(),
            Some(3),
            "the earlier value stays"
        );
        assert!(session.remove("count") && !session.remove("count") && session.is_empty());
    }

    #[test]
    fn what_is_kept_can_be_read_back() {
        let mut session = Session::default();
        let nested = |depth| (1..depth).fold(json!([]), |inner, _| json!([inner]));
        assert!(matches!(
            session.set("a", nested(101)),
            Err(SessionError::TooDeep(_))
        ));
        session.set("a", json!({"b": nested(99)})).unwrap();
        for number in 1..2_000_u64 {
            let number = f64::from_bits(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            if number.is_finite() {
                session.set("number", number).unwrap();
                let mut conversation = Conversation::new();
                *conversation.session_mut() = session.clone();
                let read = Conversation::from_json(&conversation.to_json()).unwrap();
                let read: Option<f64> = read.session().get("number").unwrap();
                assert_eq!(read.map(f64::to_bits), Some(number.to_bits()));
            }
        }
    }

    #[test]
    fn what_is_too_much_already_may_become_less() {
        let text = |length| format!("{{\"a\":\"{}\"}}", "x".repeat(length));
        let mut session: Session = serde_json::from_str(&text(3 << 20)).unwrap();
        assert!(session.set("b", 1).is_err());
        session.set("a", "x".repeat(2 << 20)).unwrap();
        assert!(session.set("a", "x".repeat(2 << 20)).is_err(), "no less");
        session.set("a", "x").unwrap();
        session.set("b", 1).unwrap();
    }
}
