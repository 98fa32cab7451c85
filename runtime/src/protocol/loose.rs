//! Values that providers write in more than one form.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer},
};

use super::raw::RawObject;

/// A text; `null` and anything else that is no text is an empty one.
#[derive(Clone, Debug, Default)]
pub(super) struct Text<'a>(pub(super) Cow<'a, str>);

/// The content of a message: a text, `null`, or a list of typed parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Content<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) reasoning: String,
}

/// The arguments of a call: JSON text in a string, or the object itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments<'a>(pub(super) Cow<'a, str>);

macro_rules! empty_for_scalars {
    ($value:ty) => {
        fn visit_unit<E>(self) -> Result<$value, E> {
            Ok(<$value>::default())
        }
        fn visit_none<E>(self) -> Result<$value, E> {
            Ok(<$value>::default())
        }
        fn visit_bool<E>(self, _: bool) -> Result<$value, E> {
            Ok(<$value>::default())
        }
        fn visit_i64<E>(self, _: i64) -> Result<$value, E> {
            Ok(<$value>::default())
        }
        fn visit_u64<E>(self, _: u64) -> Result<$value, E> {
            Ok(<$value>::default())
        }
        fn visit_f64<E>(self, _: f64) -> Result<$value, E> {
            Ok(<$value>::default())
        }
    };
}

/// A number of tokens, where an answer matters more: anything else is none.
pub(super) fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    maybe_count(deserializer).map(Option::unwrap_or_default)
}

/// The same, where none is not zero.
pub(super) fn maybe_count<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u64>, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    let float = || value.as_f64().filter(|number| *number >= 0.0);
    // A float is cut to what fits.
    Ok(value
        .as_u64()
        .or_else(|| float().map(|number| number as u64)))
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or null")
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Text<'de>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Text::default())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Text<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Text::default())
    }
    empty_for_scalars!(Text<'de>);
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

/// A part of a message's content: text, or Mistral's `thinking`, a list of texts.
#[derive(Deserialize)]
struct Part<'a> {
    #[serde(borrow, default)]
    text: Text<'a>,
    #[serde(borrow, default)]
    refusal: Text<'a>,
    #[serde(borrow, default)]
    thinking: Content<'a>,
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content<'de>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, null, or a list of parts")
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Content<'de>, E> {
        Ok(Content {
            text: Cow::Borrowed(text),
            reasoning: String::new(),
        })
    }
    fn visit_str<E>(self, text: &str) -> Result<Content<'de>, E> {
        Ok(Content {
            text: Cow::Owned(text.to_owned()),
            reasoning: String::new(),
        })
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Content<'de>, A::Error> {
        let mut content = Content::default();
        while let Some(part) = seq.next_element::<Part<'de>>()? {
            content.text.to_mut().push_str(&part.text.0);
            content.text.to_mut().push_str(&part.refusal.0);
            content.reasoning.push_str(&part.thinking.text);
        }
        Ok(content)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Content<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Content::default())
    }
    empty_for_scalars!(Content<'de>);
}

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ArgumentsVisitor;

impl<'de> Visitor<'de> for ArgumentsVisitor {
    type Value = Arguments<'de>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the arguments as text or object")
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Arguments<'de>, E> {
        Ok(Arguments(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Arguments<'de>, E> {
        Ok(Arguments(Cow::Owned(text.to_owned())))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Arguments<'de>, A::Error> {
        let object = RawObject::deserialize(MapAccessDeserializer::new(map))?;
        let text = serde_json::to_string(&object).map_err(serde::de::Error::custom)?;
        Ok(Arguments(Cow::Owned(text)))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Arguments<'de>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Arguments::default())
    }
    empty_for_scalars!(Arguments<'de>);
}

impl<'de: 'a, 'a> Deserialize<'de> for Arguments<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ArgumentsVisitor)
    }
}
