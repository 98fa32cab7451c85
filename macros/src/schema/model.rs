//! A type as serde reads it.

use std::collections::HashMap;

use quote::ToTokens;
use serde_derive_internals::{
    ast::{Container, Data, Field, Style},
    attr,
};
use syn::{Member, Type};

use super::{
    attr::{ContainerAttr, FieldAttr},
    check::Check,
    enums,
    recursion::{self, Marked},
};
use crate::{diagnostics::Diagnostics, docs, limits::Limits};

/// Everything expansion needs.
pub(super) struct Model {
    pub(super) shape: Shape,
    /// Where limits have to be checked in a decoded value.
    pub(super) checks: Vec<Check>,
    /// Whether values remain that none of the checks is about.
    pub(super) has_unchecked: bool,
}

/// A JSON value with a description.
pub(super) struct Shape {
    pub(super) description: String,
    pub(super) node: Node,
}

/// What a JSON value is.
pub(super) enum Node {
    /// What another type is.
    Type(Box<Read>),
    /// One of these strings, each with a description that may be empty.
    Names(Vec<(String, String)>),
    /// An object.
    Object(Vec<Entry>),
    /// A list of fixed length.
    Tuple(Vec<Read>),
    /// One of these.
    AnyOf(Vec<Shape>),
    /// `null`
    Null,
}

/// What is read as a type.
pub(super) struct Read {
    pub(super) ty: Marked,
    pub(super) limits: Limits,
    /// Whether an absent value is refused, even if the type allows it.
    pub(super) exact: bool,
}

impl Read {
    pub(super) fn plain(ty: &Type) -> Read {
        Read {
            ty: Marked::plain(ty),
            limits: Limits::default(),
            exact: false,
        }
    }

    pub(super) fn exact(mut self) -> Read {
        self.exact = true;
        self
    }
}

impl From<Read> for Node {
    fn from(read: Read) -> Self {
        Node::Type(Box::new(read))
    }
}

/// Part of an object.
pub(super) enum Entry {
    /// A member.
    Member {
        name: String,
        shape: Shape,
        may_omit: bool,
    },
    /// All members of another type, which stands in a variant beside the tag or is flattened.
    Flat { ty: Box<Marked>, beside_tag: bool },
    /// A member of one value.
    Tag { name: String, value: String },
}

impl Model {
    pub(super) fn lower(
        container: &Container<'_>,
        attr: &ContainerAttr,
        found: &mut Diagnostics,
    ) -> Option<Model> {
        let description = docs::summary(&container.original.attrs);
        let mut checks = Vec::new();
        let other = attr
            .read_as
            .as_ref()
            .or(container.attrs.type_from())
            .or(container.attrs.type_try_from());
        let node = match (other, &container.data) {
            (Some(ty), _) => Node::from(Read::plain(ty)),
            (None, Data::Enum(variants)) => {
                refuse_identifier(container, found);
                enums::lower(container, variants, &mut checks, found)
            }
            (None, Data::Struct(style, fields)) => {
                refuse_tag(container, found);
                refuse_endless(container, fields, found);
                let lowered = Fields::lower(container, fields, found);
                checks.extend(Check::of_struct(&lowered));
                lowered.node(*style, container.attrs.transparent())
            }
        };
        if container.attrs.remote().is_some() {
            found.at(
                &container.ident,
                "`ToolSchema` is not derived for `#[serde(remote = \"…\")]`: \
                 the other type would need it, and it cannot have it from here",
            );
        }
        let has_unchecked = match &container.data {
            Data::Enum(variants) => checks.len() < variants.len() || variants.is_empty(),
            Data::Struct(..) => checks.is_empty(),
        };
        found.is_empty().then_some(Model {
            has_unchecked,
            shape: Shape { description, node },
            checks,
        })
    }
}

/// Reports a field that holds the type itself and cannot be left out: a value would never end.
fn refuse_endless(container: &Container<'_>, fields: &[Field<'_>], found: &mut Diagnostics) {
    let all_default = !container.attrs.default().is_none();
    for field in fields {
        let is_absent = field.attrs.skip_deserializing()
            || all_default
            || !field.attrs.default().is_none()
            || super::serde::reads_otherwise(&field.attrs);
        if !is_absent && recursion::is_boxed(field.ty, &container.ident) {
            found.at(
                field.ty,
                "a value of this type would hold another without end; make it an `Option`",
            );
        }
    }
}

fn refuse_identifier(container: &Container<'_>, found: &mut Diagnostics) {
    if !matches!(container.attrs.identifier(), attr::Identifier::No) {
        found.at(
            &container.ident,
            "`#[serde(field_identifier)]` and `variant_identifier` read keys, and have no schema",
        );
    }
}

fn refuse_tag(container: &Container<'_>, found: &mut Diagnostics) {
    if !matches!(container.attrs.tag(), attr::TagType::External) {
        found.at(
            &container.ident,
            "`#[serde(tag = \"…\")]` on a struct is written and not read; take it away",
        );
    }
}

/// The names that are read already.
#[derive(Default)]
pub(super) struct Taken(HashMap<String, String>);

impl Taken {
    /// Takes the names of a field or a variant, and reports those that another has.
    pub(super) fn take<'a>(
        &mut self,
        what: &str,
        owner: &(impl ToTokens + ?Sized),
        name: &'a String,
        aliases: impl Iterator<Item = &'a String>,
        found: &mut Diagnostics,
    ) {
        let own = owner.to_token_stream().to_string();
        let own = own.strip_prefix("r#").unwrap_or(&own).to_owned();
        for name in std::iter::once(name).chain(aliases.filter(|alias| *alias != name)) {
            if let Some(other) = self.0.insert(name.clone(), own.clone()) {
                found.at(
                    owner,
                    format!(
                        "this {what} is read as `{name}`, and so is the {what} `{other}` before it"
                    ),
                );
                return;
            }
        }
    }
}

/// The fields of a struct or a variant that serde reads.
pub(super) struct Fields {
    pub(super) fields: Vec<ReadField>,
}

/// A field that serde reads.
pub(super) struct ReadField {
    pub(super) member: Member,
    pub(super) name: String,
    pub(super) description: String,
    /// The type as written.
    pub(super) ty: Type,
    /// The type to take the schema from.
    pub(super) marked: Marked,
    /// Whether the schema is that of another type than the field's.
    pub(super) is_other: bool,
    pub(super) limits: Limits,
    pub(super) has_default: bool,
    pub(super) is_flat: bool,
    is_transparent: bool,
}

impl Fields {
    pub(super) fn lower(
        container: &Container<'_>,
        fields: &[Field<'_>],
        found: &mut Diagnostics,
    ) -> Fields {
        let all_default = !container.attrs.default().is_none();
        let mut taken = Taken::default();
        for field in fields {
            let is_named = matches!(field.member, Member::Named(_));
            if is_named && !field.attrs.skip_deserializing() && !field.attrs.flatten() {
                let aliases = field.attrs.aliases().iter().map(|alias| &alias.value);
                let name = &field.attrs.name().deserialize_name().value;
                taken.take("field", &field.member, name, aliases, found);
            }
        }
        let fields = fields
            .iter()
            .filter(|field| !field.attrs.skip_deserializing())
            .map(|field| ReadField::lower(container, field, all_default, found))
            .collect();
        Fields { fields }
    }

    /// What a struct or the content of a variant is.
    pub(super) fn node(&self, style: Style, transparent: bool) -> Node {
        if transparent && let Some(field) = self.fields.iter().find(|field| field.is_transparent) {
            return Node::from(field.read());
        }
        match style {
            Style::Unit => Node::Null,
            Style::Newtype => match self.fields.first() {
                Some(field) => Node::from(field.read().exact()),
                // The only field is skipped: serde reads an empty list.
                None => Node::Tuple(Vec::new()),
            },
            Style::Tuple => Node::Tuple(self.fields.iter().map(ReadField::read).collect()),
            Style::Struct => Node::Object(self.entries()),
        }
    }

    /// The members of an object.
    pub(super) fn entries(&self) -> Vec<Entry> {
        self.fields.iter().map(ReadField::entry).collect()
    }
}

impl ReadField {
    fn lower(
        container: &Container<'_>,
        field: &Field<'_>,
        all_default: bool,
        found: &mut Diagnostics,
    ) -> ReadField {
        let attr = FieldAttr::read(&field.original.attrs, found);
        if super::serde::reads_otherwise(&field.attrs) && attr.read_as.is_none() {
            found.at(
                field.original,
                "`#[serde(with)]` hides what is read; say it with `#[schema(as = Type)]`",
            );
        }
        if let (Some(key), true) = (&attr.limit, field.attrs.flatten()) {
            found.at(
                key,
                "a flattened field is no value of its own to be limited",
            );
        }
        let read = attr.read_as.as_ref().unwrap_or(field.ty);
        if let Some(other) = recursion::other_arguments(read, container.original) {
            found.at(
                other,
                "this type holds itself with other arguments, which its schema cannot refer to; write a \
                 type of its own for what is inside",
            );
        }
        ReadField {
            member: field.member.clone(),
            name: field.attrs.name().deserialize_name().value.clone(),
            description: docs::summary(&field.original.attrs),
            ty: field.ty.clone(),
            marked: recursion::mark(read, &container.ident, attr.recursive),
            is_other: attr.read_as.is_some(),
            limits: attr.limits,
            has_default: all_default || !field.attrs.default().is_none(),
            is_flat: field.attrs.flatten(),
            is_transparent: field.attrs.transparent(),
        }
    }

    /// Whether this is `()`, by its looks.
    pub(super) fn is_unit(&self) -> bool {
        matches!(&self.ty, Type::Tuple(tuple) if tuple.elems.is_empty()) && !self.is_other
    }

    pub(super) fn read(&self) -> Read {
        Read {
            ty: self.marked.clone(),
            limits: self.limits.clone(),
            exact: false,
        }
    }

    fn entry(&self) -> Entry {
        if self.is_flat {
            return Entry::Flat {
                ty: Box::new(self.marked.clone()),
                beside_tag: false,
            };
        }
        Entry::Member {
            name: self.name.clone(),
            shape: Shape {
                description: self.description.clone(),
                node: Node::from(self.read()),
            },
            may_omit: self.has_default,
        }
    }
}
