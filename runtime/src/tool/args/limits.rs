//! Limits on decoded values, for the good case. What they say to the model is in the schema, and the
//! walk over it finds the words.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    num::NonZero,
    rc::Rc,
    sync::{Arc, OnceLock},
};

use super::{Text, ecma};
use crate::tool::schema::piece::Length;

/// A number that bounds others.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// A whole number.
    Whole(i128),
    /// Any number.
    Float(f64),
}

/// A type that `min` and `max` bound.
#[diagnostic::on_unimplemented(
    message = "`min` and `max` are for numbers, and this is a `{Self}`",
    label = "for text and lists, use `min_len` and `max_len`"
)]
pub trait Ranged {
    /// Whether the value is no less than the bound.
    fn at_least(&self, bound: Bound) -> bool;
    /// Whether the value is no more than the bound.
    fn at_most(&self, bound: Bound) -> bool;
}

macro_rules! whole {
    ($($number:ty),*) => {$(
        impl Ranged for $number {
            fn at_least(&self, bound: Bound) -> bool {
                match bound {
                    // What does not fit is above every bound that does.
                    Bound::Whole(bound) => i128::try_from(*self).map_or(true, |this| this >= bound),
                    Bound::Float(bound) => *self as f64 >= bound,
                }
            }

            fn at_most(&self, bound: Bound) -> bool {
                match bound {
                    Bound::Whole(bound) => i128::try_from(*self).is_ok_and(|this| this <= bound),
                    Bound::Float(bound) => *self as f64 <= bound,
                }
            }
        }

        impl Ranged for NonZero<$number> {
            fn at_least(&self, bound: Bound) -> bool {
                self.get().at_least(bound)
            }

            fn at_most(&self, bound: Bound) -> bool {
                self.get().at_most(bound)
            }
        }
    )*};
}

whole!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);

macro_rules! float {
    ($($number:ty),*) => {$(
        impl Ranged for $number {
            fn at_least(&self, bound: Bound) -> bool {
                // A bound is rounded as the value was: `0.3` is not beyond `0.3`.
                match bound {
                    Bound::Whole(bound) => *self >= bound as $number,
                    Bound::Float(bound) => *self >= bound as $number,
                }
            }

            fn at_most(&self, bound: Bound) -> bool {
                match bound {
                    Bound::Whole(bound) => *self <= bound as $number,
                    Bound::Float(bound) => *self <= bound as $number,
                }
            }
        }
    )*};
}

float!(f32, f64);

impl<T: Ranged> Ranged for Option<T> {
    fn at_least(&self, bound: Bound) -> bool {
        self.as_ref().is_none_or(|value| value.at_least(bound))
    }

    fn at_most(&self, bound: Bound) -> bool {
        self.as_ref().is_none_or(|value| value.at_most(bound))
    }
}

/// A type that `min_len` and `max_len` bound.
#[diagnostic::on_unimplemented(
    message = "`min_len` and `max_len` are for text, lists and maps, and this is a `{Self}`",
    label = "for numbers, use `min` and `max`"
)]
pub trait Measured {
    /// What the length is called in a schema.
    const LENGTH: Length;
    /// The length, or `None` if the value is absent.
    fn length(&self) -> Option<usize>;
}

macro_rules! measured {
    ($($type:ty $(, $($generics:ident)*)?: $length:ident, |$self:ident| $count:expr;)*) => {$(
        impl$(<$($generics),*>)? Measured for $type {
            const LENGTH: Length = Length::$length;

            fn length(&self) -> Option<usize> {
                let $self = self;
                Some($count)
            }
        }
    )*};
}

measured! {
    str: Characters, |this| this.chars().count();
    String: Characters, |this| this.chars().count();
    Text<'_>: Characters, |this| this.chars().count();
    Box<str>: Characters, |this| this.chars().count();
    Rc<str>: Characters, |this| this.chars().count();
    Arc<str>: Characters, |this| this.chars().count();
    Cow<'_, str>: Characters, |this| this.chars().count();
    Vec<T>, T: Items, |this| this.len();
    Box<[T]>, T: Items, |this| this.len();
    VecDeque<T>, T: Items, |this| this.len();
    BTreeSet<T>, T: Items, |this| this.len();
    HashSet<T, S>, T S: Items, |this| this.len();
    BTreeMap<K, V>, K V: Properties, |this| this.len();
    HashMap<K, V, S>, K V S: Properties, |this| this.len();
}

impl<T: Measured> Measured for Option<T> {
    const LENGTH: Length = T::LENGTH;

    fn length(&self) -> Option<usize> {
        self.as_ref().and_then(T::length)
    }
}

/// Whether a length, if there is one, is no shorter and no longer than it may be.
#[must_use]
pub fn within(length: Option<usize>, shortest: usize, longest: usize) -> bool {
    length.is_none_or(|length| (shortest..=longest).contains(&length))
}

/// A type that `pattern` can be held against.
#[diagnostic::on_unimplemented(
    message = "`pattern` is for text, and this is a `{Self}`",
    label = "not a text"
)]
pub trait Patterned {
    /// The text, or `None` if the value is absent.
    fn as_text(&self) -> Option<&str>;
}

macro_rules! patterned {
    ($($text:ty),*) => {$(
        impl Patterned for $text {
            fn as_text(&self) -> Option<&str> {
                Some(self)
            }
        }
    )*};
}

patterned!(
    str,
    String,
    Text<'_>,
    Box<str>,
    Rc<str>,
    Arc<str>,
    Cow<'_, str>
);

impl<T: Patterned> Patterned for Option<T> {
    fn as_text(&self) -> Option<&str> {
        self.as_ref().and_then(T::as_text)
    }
}

/// A pattern that is compiled on its first use.
#[derive(Debug)]
pub struct Pattern {
    text: &'static str,
    regex: OnceLock<Option<regex_lite::Regex>>,
}

impl Pattern {
    /// A pattern that the macro has tried already.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        Self {
            text,
            regex: OnceLock::new(),
        }
    }

    /// Whether the pattern is somewhere in a text, if there is one.
    pub fn fits(&self, text: Option<&str>) -> bool {
        let regex = self.regex.get_or_init(|| ecma::regex(self.text));
        match (text, regex) {
            (Some(text), Some(regex)) => regex.is_match(text),
            // Without a text there is nothing to refuse; the pattern itself was tried by the macro.
            _ => true,
        }
    }
}
