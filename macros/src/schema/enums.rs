//! Enums in the five forms that serde has for them.

use serde_derive_internals::{
    ast::{Container, Style, Variant},
    attr::TagType,
};

use super::{
    attr::VariantAttr,
    check::Check,
    model::{Entry, Fields, Node, Read, Shape, Taken},
    recursion::Marked,
};
use crate::{diagnostics::Diagnostics, docs};

/// What an enum is.
pub(super) fn lower(
    container: &Container<'_>,
    variants: &[Variant<'_>],
    checks: &mut Vec<Check>,
    found: &mut Diagnostics,
) -> Node {
    let mut names = Vec::new();
    let mut shapes = Vec::new();
    let mut taken = Taken::default();
    for variant in variants {
        if variant.attrs.skip_deserializing() {
            continue;
        }
        refuse_other(variant, found);
        if !variant.attrs.untagged() && !matches!(container.attrs.tag(), TagType::None) {
            let aliases = variant.attrs.aliases().iter().map(|alias| &alias.value);
            let name = &variant.attrs.name().deserialize_name().value;
            taken.take("variant", &variant.ident, name, aliases, found);
        }
        let name = variant.attrs.name().deserialize_name().value.clone();
        let description = docs::summary(&variant.original.attrs);
        let content = Content::lower(container, variant, checks, found);
        let external = matches!(container.attrs.tag(), TagType::External);
        if external && matches!(variant.style, Style::Unit) && !variant.attrs.untagged() {
            names.push((name, description));
        } else {
            let node = content.tagged(container.attrs.tag(), variant.attrs.untagged(), name);
            shapes.push(Shape { description, node });
        }
    }
    if shapes.is_empty() && names.is_empty() {
        found.at(
            &container.ident,
            "an enum that has no variant to read has no value that a model could send",
        );
    }
    if shapes.is_empty() && !names.is_empty() {
        return Node::Names(names);
    }
    if !names.is_empty() {
        shapes.insert(
            0,
            Shape {
                description: String::new(),
                node: Node::Names(names),
            },
        );
    }
    Node::AnyOf(shapes)
}

fn refuse_other(variant: &Variant<'_>, found: &mut Diagnostics) {
    if variant.attrs.other() {
        found.at(
            &variant.ident,
            "`#[serde(other)]` takes what the schema does not name; the model is better told what it \
             may send",
        );
    }
}

/// What a variant holds.
struct Content {
    style: Style,
    fields: Fields,
    read_as: Option<syn::Type>,
}

impl Content {
    fn lower(
        container: &Container<'_>,
        variant: &Variant<'_>,
        checks: &mut Vec<Check>,
        found: &mut Diagnostics,
    ) -> Content {
        let attr = VariantAttr::read(&variant.original.attrs, found);
        if variant.attrs.deserialize_with().is_some() && attr.read_as.is_none() {
            found.at(
                &variant.ident,
                "`#[serde(with)]` hides what is read; say it with `#[schema(as = Type)]`",
            );
        }
        let fields = Fields::lower(container, &variant.fields, found);
        if attr.read_as.is_none() {
            checks.extend(Check::of_variant(&variant.ident, &fields));
        }
        Content {
            style: variant.style,
            fields,
            read_as: attr.read_as,
        }
    }

    fn node(&self) -> Node {
        match &self.read_as {
            Some(other) => Node::from(Read::plain(other).exact()),
            None => self.fields.node(self.style, false),
        }
    }

    /// The variant as it stands in JSON.
    fn tagged(&self, tag: &TagType, untagged: bool, name: String) -> Node {
        match tag {
            _ if untagged => self.node(),
            TagType::None => self.node(),
            TagType::External => Node::Object(vec![self.member(name)]),
            TagType::Adjacent { tag, content } => {
                let mut entries = vec![Entry::Tag {
                    name: tag.clone(),
                    value: name,
                }];
                if !matches!(self.style, Style::Unit) {
                    entries.push(self.member(content.clone()));
                }
                Node::Object(entries)
            }
            TagType::Internal { tag } => {
                let mut entries = vec![Entry::Tag {
                    name: tag.clone(),
                    value: name,
                }];
                let beside_tag = |ty: Marked| Entry::Flat {
                    ty: Box::new(ty),
                    beside_tag: true,
                };
                match (&self.read_as, self.style) {
                    (Some(other), _) => entries.push(beside_tag(Marked::plain(other))),
                    (None, Style::Struct) => entries.extend(self.fields.entries()),
                    (None, Style::Newtype) => {
                        // A `()` is nothing beside the tag.
                        let fields = self.fields.fields.iter().filter(|field| !field.is_unit());
                        entries.extend(fields.map(|field| beside_tag(field.marked.clone())));
                    }
                    // serde itself refuses tuples here.
                    (None, Style::Unit | Style::Tuple) => {}
                }
                Node::Object(entries)
            }
        }
    }

    fn member(&self, name: String) -> Entry {
        Entry::Member {
            name,
            shape: Shape {
                description: String::new(),
                node: self.node(),
            },
            may_omit: false,
        }
    }
}
