//! From what a function returns to what the model reads.
//!
//! The type of the result is not known to the macro, which sees an alias as a name. So the compiler
//! picks: [`Probe`] has a method of one name in several traits, and method lookup takes the trait
//! that needs the fewest automatic references. Each level is one impl; the last one fits any type
//! and has its bound on the next call, where an unmet bound is reported in our words.

use std::{error::Error, fmt, marker::PhantomData};

use serde::Serialize;

use super::{ToolError, ToolOutput, code, error_from::of_error};

/// Stands for a type in method lookup.
#[derive(Debug)]
pub struct Probe<T>(PhantomData<fn() -> T>);

impl<T> Probe<T> {
    /// A probe for the type of a value.
    pub const fn of(_: &T) -> Self {
        Probe(PhantomData)
    }
}

macro_rules! levels {
    ($method:ident: $($(#[$meta:meta])* $trait:ident => $kind:ident, for [$($generics:tt)*] $probe:ty;)*) => {$(
        $(#[$meta])*
        pub trait $trait {
            /// How to treat the type.
            fn $method(&self) -> $kind {
                $kind
            }
        }
        impl<$($generics)*> $trait for $probe {}
    )*};
}

levels! { repertoire_outcome:
    /// A `Result` whose error becomes a [`ToolError`] by itself.
    IsCoded => Coded, for [T, E: Into<ToolError>] &&&&Probe<Result<T, E>>;
    /// A `Result` with an error type.
    IsFallible => Fallible, for [T, E: Error] &&&Probe<Result<T, E>>;
    /// A `Result` whose error can at least be printed.
    IsPrintable => Printable, for [T, E: fmt::Display] &&Probe<Result<T, E>>;
    /// A `Result` with something else.
    IsOpaque => Opaque, for [T, E] &Probe<Result<T, E>>;
    /// Not a `Result`.
    IsBare => Bare, for [T] Probe<T>;
}

levels! { repertoire_value:
    /// Nothing.
    IsUnit => Unit, for [] &&&Probe<()>;
    /// A text, or an output made by the tool itself.
    IsOutput => Output, for [T: Into<ToolOutput>] &&Probe<T>;
    /// Something to be written as JSON.
    IsJson => Json, for [T: Serialize] &Probe<T>;
    /// Something else.
    IsOther => Other, for [T] Probe<T>;
}

/// An error type that a tool may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool",
    label = "the model has to read something when the call fails",
    note = "implement `std::error::Error` for it, or `From<{Self}>` for `repertoire::ToolError`"
)]
pub trait Failure {
    /// The error as the model reads it.
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: fmt::Display> Failure for E {
    fn into_tool_error(self) -> ToolError {
        ToolError::failed(format_args!("{self:#}"))
    }
}

/// A type that a tool may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "the model has to read it",
    note = "return text, `repertoire::ToolOutput`, or a type with `#[derive(serde::Serialize)]`; or a `Result` of one of these"
)]
pub trait Success {
    /// The value as JSON text.
    ///
    /// # Errors
    ///
    /// When the type's own `Serialize` fails.
    fn into_json(self) -> Result<ToolOutput, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Success for T {
    fn into_json(self) -> Result<ToolOutput, ToolError> {
        json(serde_json::to_string(&self))
    }
}

fn json(text: serde_json::Result<String>) -> Result<ToolOutput, ToolError> {
    text.map(ToolOutput::text).map_err(|error| {
        ToolError::failed(format_args!(
            "the tool ran, but its result cannot be written as JSON: {error}"
        ))
        .with_code(code::RESULT)
    })
}

/// A value and the way to treat it.
#[derive(Debug)]
pub struct Held<K, V> {
    value: V,
    kind: PhantomData<K>,
}

/// Something in a field, so that generated code can give it the span of a whole type.
#[derive(Debug)]
pub struct Spot<T>(pub T);

macro_rules! kinds {
    ($($(#[$meta:meta])* $kind:ident: $method:ident [$($generics:ident),*] ($value:ident: $type:ty) -> $result:ty
        where [$($bounds:tt)*] $body:block)*) => {$(
        $(#[$meta])*
        #[derive(Debug)]
        pub struct $kind;

        impl $kind {
            /// Takes the value in hand.
            pub fn hold<V>(self, value: V) -> Held<$kind, V> {
                Held { value, kind: PhantomData }
            }
        }

        impl<$($generics),*> Held<$kind, $type> {
            /// Treats the value.
            ///
            /// # Errors
            ///
            /// When the value is one, or cannot be shown.
            pub fn $method(self) -> Result<$result, ToolError>
            where
                $($bounds)*
            {
                let $value = self.value;
                $body
            }
        }
    )*};
}

kinds! {
    /// The way of a `Result` whose error becomes a [`ToolError`] by itself.
    Coded: split[T, E](result: Result<T, E>) -> T where [E: Into<ToolError>] {
        result.map_err(Into::into)
    }
    /// The way of a `Result` with an error type: its causes are told too.
    Fallible: split[T, E](result: Result<T, E>) -> T where [E: Error] {
        result.map_err(|error| of_error(&error, None))
    }
    /// The way of a `Result` whose error can at least be printed.
    Printable: split[T, E](result: Result<T, E>) -> T where [E: fmt::Display] {
        result.map_err(Failure::into_tool_error)
    }
    /// The way of a `Result` that has no error to show: a compile error.
    Opaque: split[T, E](result: Result<T, E>) -> T where [E: Failure] {
        result.map_err(Failure::into_tool_error)
    }
    /// The way of a value that is no `Result`.
    Bare: split[T](value: T) -> T where [] {
        Ok(value)
    }

    /// The way of nothing.
    Unit: show[](nothing: ()) -> ToolOutput where [] {
        let () = nothing;
        Ok(ToolOutput::text("done"))
    }
    /// The way of text and ready outputs.
    Output: show[T](value: T) -> ToolOutput where [T: Into<ToolOutput>] {
        Ok(value.into())
    }
    /// The way of everything else.
    Json: show[T](value: T) -> ToolOutput where [T: Serialize] {
        value.into_json()
    }
    /// The way of what cannot be shown: a compile error.
    Other: show[T](value: T) -> ToolOutput where [T: Success] {
        value.into_json()
    }
}
