//! What generated code may name. Nothing here is part of the public interface: the macros and this
//! crate are released together and pinned to each other.

pub use core::{
    default::Default,
    marker::PhantomData,
    option::Option::{self, None, Some},
    result::Result::{self, Err, Ok},
};
pub use std::{boxed::Box, path::PathBuf, vec::Vec};

pub use include_dir;
#[cfg(feature = "link")]
pub use inventory;
pub use serde;

#[cfg(feature = "link")]
pub use crate::linked::{Origin, linked};
pub use crate::{
    maybe_send::{BoxFuture, any_thread},
    skill::assert_embedded,
    skill::{EmbeddedSkill, EmbeddedSkills},
    submit_skills, submit_tool as submit,
    tool::{
        Deprecation, ForeignSchema, Invocation, Once, Policy, Registration, Schema, StateType,
        Tool, ToolError, ToolOutput, ToolSchema, ToolSpec, Toolbox,
        args::{
            Decoded, DefaultFor, FromText, Slots, Text, decode, fill, fill_or_null,
            limits::{Bound, Measured, Pattern, Patterned, Ranged, within},
            optional,
            reader::{Error as ReadError, Reader},
            required,
            slot::{Fills, IsKnown, IsUnknown, Kept},
        },
        blocking::{at_once, on_a_thread},
        call::context,
        foreign::foreign,
        output_schema::{OutputOf, WithoutSchema, flatten_output, measure_output, output_text},
        policy::{Fits, Misfits, Named},
        schema::{
            given::{Given, bounds, takes},
            identity::{Identity, Recursive},
            piece::{Defs, Length, Limits, Member, Piece},
            rope::{flatten, measure, to_text},
            strict::assert_strict,
        },
        state::{StateValue, state},
    },
};

/// What stands for a tool where a path names none. The name is that of the import it lies behind.
pub mod no_tool {
    /// Not a tool.
    #[derive(Debug)]
    pub struct __RepertoireOther;
}

/// How results become outputs.
pub mod returns {
    pub use crate::tool::returns::*;
}

/// Registers a tool, where the feature `link` is on.
#[cfg(feature = "link")]
#[doc(hidden)]
#[macro_export]
macro_rules! submit_tool {
    ($($registration:tt)*) => {
        $crate::__private::inventory::submit! { $($registration)* }
    };
}

/// Registers a tool, where the feature `link` is on.
#[cfg(not(feature = "link"))]
#[doc(hidden)]
#[macro_export]
macro_rules! submit_tool {
    ($($registration:tt)*) => {};
}

/// Registers skills, where the feature `link` is on.
#[cfg(feature = "link")]
#[doc(hidden)]
#[macro_export]
macro_rules! submit_skills {
    ($skills:path) => {
        $crate::__private::inventory::submit! { $skills }
    };
}

/// Registers skills, where the feature `link` is on.
#[cfg(not(feature = "link"))]
#[doc(hidden)]
#[macro_export]
macro_rules! submit_skills {
    ($skills:path) => {};
}
