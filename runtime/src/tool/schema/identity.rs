//! Which type a schema is of, for types that hold themselves.

use std::marker::PhantomData;

use super::{Defs, Piece, Schema, ToolSchema, hash::Hash};

/// A named type: where it is declared, and what its parameters are.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// The path of the module and the name, with `::` between.
    pub(super) path: &'static str,
    /// The name alone.
    pub(super) name: &'static str,
    pub(super) arguments: &'static [&'static Schema],
}

impl Identity {
    /// A type that is known by nothing.
    pub const ANONYMOUS: Identity = Identity::new("", "", &[]);

    /// A type declared somewhere, with the schemas of its parameters.
    #[must_use]
    pub const fn new(
        path: &'static str,
        name: &'static str,
        arguments: &'static [&'static Schema],
    ) -> Self {
        Self {
            path,
            name,
            arguments,
        }
    }

    /// Makes sure that a schema can refer to the type.
    ///
    /// # Panics
    ///
    /// When the compiler evaluates it, if nothing tells the type apart from others.
    #[track_caller]
    pub const fn assert_named(&self) {
        assert!(
            !self.path.is_empty(),
            "`#[schema(recursive)]` stands on a field whose innermost type derives `ToolSchema`"
        );
    }

    /// Whether two are the same type. Parameters are compared by what their schemas say.
    pub(super) const fn is(&self, other: &Identity) -> bool {
        self.hash().is(other.hash())
    }

    pub(super) const fn hash(&self) -> Hash {
        let mut hash = Hash::new().text(self.path);
        let mut rest = self.arguments;
        while let [argument, tail @ ..] = rest {
            hash = hash.schema(argument);
            rest = tail;
        }
        hash
    }
}

/// Stands for `T` inside `T`: a reference, where the whole schema would never end.
#[derive(Debug)]
pub struct Recursive<T: ?Sized>(PhantomData<T>);

impl<T: ToolSchema> ToolSchema for Recursive<T> {
    const SCHEMA: Schema = Schema::of(&[Piece::Ref(&T::ID)]);
    const DEFS: Defs = Defs::One(&T::SCHEMA);
}
