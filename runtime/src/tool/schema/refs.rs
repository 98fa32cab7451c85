//! Which types of a schema have to be definitions, because something refers to them.

use super::{
    Defs, Schema,
    identity::Identity,
    piece::{Member, Piece},
};

/// The most recursive types in one schema.
const MOST: usize = 32;

/// The types that are referred to.
pub(super) struct Refs {
    wanted: [Option<&'static Identity>; MOST],
    found: [Option<&'static Schema>; MOST],
    count: usize,
}

/// What to do at each step of a walk.
#[derive(Clone, Copy)]
enum Task {
    Want,
    Find,
}

impl Refs {
    pub(super) const NONE: Refs = Refs {
        wanted: [None; MOST],
        found: [None; MOST],
        count: 0,
    };

    /// All types that are referred to from a schema and from the definitions beside it.
    pub(super) const fn of(schema: &'static Schema, defs: &Defs) -> Refs {
        let mut refs = Refs::NONE;
        if schema.recursive {
            refs.schema(schema, Task::Want);
            refs.defs(defs, Task::Want);
            refs.schema(schema, Task::Find);
            refs.defs(defs, Task::Find);
        }
        refs
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The name and the schema of a definition.
    ///
    /// # Panics
    ///
    /// When the compiler evaluates it, if a type is referred to and not reached.
    pub(super) const fn definition(&self, index: usize) -> &'static Schema {
        match self.found[index] {
            Some(schema) => schema,
            None => panic!(
                "`#[schema(recursive)]` names a type that the parameters of this tool do not hold"
            ),
        }
    }

    /// The place of a type among the definitions.
    pub(super) const fn place(&self, identity: &Identity) -> Option<usize> {
        let mut index = 0;
        while index < self.count {
            if let Some(wanted) = self.wanted[index]
                && wanted.is(identity)
            {
                return Some(index);
            }
            index += 1;
        }
        None
    }

    /// The short name of a definition, and which of that name it is, from 1.
    pub(super) const fn name(&self, index: usize) -> (&'static str, u64) {
        let Some(this) = self.wanted[index] else {
            return ("", 1);
        };
        let mut number = 1;
        let mut before = 0;
        while before < index {
            if let Some(other) = self.wanted[before]
                && same_text(other.name, this.name)
            {
                number += 1;
            }
            before += 1;
        }
        (this.name, number)
    }

    const fn schema(&mut self, schema: &'static Schema, task: Task) {
        if let (Task::Find, Some(identity)) = (task, schema.identity)
            && let Some(place) = self.place(identity)
        {
            if self.found[place].is_some() {
                return;
            }
            self.found[place] = Some(schema);
        }
        let mut rest = schema.keywords;
        while let [piece, tail @ ..] = rest {
            match piece {
                Piece::Text(_) | Piece::Number(_) => {}
                Piece::Schema(schema) | Piece::Map(schema) => self.schema(schema, task),
                Piece::Object(members) => self.members(members, task),
                Piece::Ref(identity) => {
                    if let Task::Want = task {
                        self.want(identity);
                    }
                }
            }
            rest = tail;
        }
    }

    const fn members(&mut self, members: &'static [Member], task: Task) {
        let mut rest = members;
        while let [member, tail @ ..] = rest {
            self.schema(member.schema, task);
            rest = tail;
        }
    }

    const fn defs(&mut self, defs: &Defs, task: Task) {
        match defs {
            Defs::None => {}
            Defs::One(schema) => self.schema(schema, task),
            Defs::All(all) => {
                let mut rest = *all;
                while let [defs, tail @ ..] = rest {
                    self.defs(defs, task);
                    rest = tail;
                }
            }
        }
    }

    const fn want(&mut self, identity: &'static Identity) {
        // The derive has reported a type without a name.
        if !identity.path.is_empty() && self.place(identity).is_none() {
            assert!(self.count < MOST, "too many recursive types in one tool");
            self.wanted[self.count] = Some(identity);
            self.count += 1;
        }
    }
}

const fn same_text(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    loop {
        match (a, b) {
            ([], []) => return true,
            ([x, a_tail @ ..], [y, b_tail @ ..]) if *x == *y => {
                a = a_tail;
                b = b_tail;
            }
            _ => return false,
        }
    }
}
