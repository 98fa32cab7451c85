//! Which types of a file hold which, as far as their looks say.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Data, DeriveInput, Field, ext::IdentExt};

use super::items::{Index, Item};

/// A type that derives `ToolSchema`.
pub(super) struct Type {
    name: String,
    name_at: usize,
    block: usize,
    /// The names in the types of its fields whose schema is part of its own.
    holds: Vec<String>,
}

/// The types of a circle with the one whose name stands at a place, in the order of the file.
pub(super) fn circle(index: &Index, name_at: usize) -> Vec<String> {
    let all = index.types.get_or_init(|| {
        let types = index
            .items
            .iter()
            .filter(|item| may_have_schema(index, item));
        types.filter_map(|item| read(index, item)).collect()
    });
    let Some(own) = all.iter().position(|ty| ty.name_at == name_at) else {
        return Vec::new();
    };
    let held = reached(all, own);
    // One that holds only itself has a schema that refers to itself.
    let circle = held
        .iter()
        .copied()
        .filter(|other| reached(all, *other).contains(&own));
    let mut circle: Vec<usize> = circle.collect();
    if circle.iter().all(|other| *other == own) {
        return Vec::new();
    }
    circle.sort_unstable();
    let names = circle.iter().filter_map(|place| all.get(*place));
    names.map(|ty| ty.name.clone()).collect()
}

/// The places of the types that one holds, directly and through others.
fn reached(all: &[Type], from: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut open = vec![from];
    while let Some(ty) = open.pop().and_then(|place| all.get(place)) {
        for name in &ty.holds {
            let same = |other: &Type| other.name == *name && other.block == ty.block;
            if let Some(place) = all.iter().position(same)
                && !found.contains(&place)
            {
                found.push(place);
                open.push(place);
            }
        }
    }
    found
}

fn may_have_schema(index: &Index, item: &Item) -> bool {
    matches!(item.kind, "struct" | "enum")
        && !item.has_cfg
        && index.head(item).contains("ToolSchema")
}

fn read(index: &Index, item: &Item) -> Option<Type> {
    let input = syn::parse_str::<DeriveInput>(index.whole(item)).ok()?;
    let mut holds = Vec::new();
    if !is_other(&input.attrs) {
        match &input.data {
            Data::Struct(data) => data.fields.iter().for_each(|field| take(field, &mut holds)),
            Data::Enum(data) => {
                let variants = data
                    .variants
                    .iter()
                    .filter(|variant| !is_other(&variant.attrs));
                let fields = variants.flat_map(|variant| &variant.fields);
                fields.for_each(|field| take(field, &mut holds));
            }
            Data::Union(_) => {}
        }
    }
    let parameters: Vec<String> = (input.generics.type_params())
        .map(|parameter| parameter.ident.to_string())
        .collect();
    holds.retain(|name| !parameters.contains(name));
    Some(Type {
        name: input.ident.unraw().to_string(),
        name_at: item.name_at,
        block: item.block,
        holds,
    })
}

fn take(field: &Field, holds: &mut Vec<String>) {
    if !is_other(&field.attrs) {
        names(field.ty.to_token_stream(), holds);
    }
}

/// Whether the schema is not, or not always, that of what is written.
fn is_other(attributes: &[Attribute]) -> bool {
    const WORDS: &[&str] = &[
        "recursive",
        "as",
        "skip",
        "skip_deserializing",
        "with",
        "deserialize_with",
        "from",
        "try_from",
    ];
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        if path.is_ident("cfg") || path.is_ident("cfg_attr") {
            return true;
        }
        let is_ours = path.is_ident("schema") || path.is_ident("serde");
        let says = |token: TokenTree| matches!(token, TokenTree::Ident(word) if WORDS.iter().any(|known| word == known));
        let list = attribute.meta.require_list();
        is_ours && list.is_ok_and(|list| list.tokens.clone().into_iter().any(says))
    })
}

/// The names in a type that are no part of a path, but for what only marks it.
pub(crate) fn names(tokens: TokenStream, found: &mut Vec<String>) {
    let is_colon =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    let mut tokens = tokens.into_iter().peekable();
    let mut after_colon = false;
    while let Some(token) = tokens.next() {
        let in_path = std::mem::replace(&mut after_colon, is_colon(&token));
        match token {
            TokenTree::Ident(name) if name == "PhantomData" => {
                let mut depth = 0_usize;
                while let Some(next) = tokens.peek() {
                    match next {
                        TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
                        TokenTree::Punct(punct) if punct.as_char() == '>' => {
                            depth = depth.saturating_sub(1);
                        }
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                    tokens.next();
                }
            }
            TokenTree::Ident(name) if !in_path && !tokens.peek().is_some_and(is_colon) => {
                found.push(name.unraw().to_string());
            }
            TokenTree::Group(group) => names(group.stream(), found),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Index, circle};

    /// The circle of the first type called `A`.
    fn circle_of_a(file: &str) -> Vec<String> {
        let index = Index::new(file);
        let name_at = index.named("A").next().map(|item| item.name_at);
        circle(&index, name_at.unwrap())
    }

    #[test]
    fn types_that_hold_each_other_are_found() {
        for file in [
            "#[derive(ToolSchema)] struct A { b: Vec<B> } #[derive(ToolSchema)] struct B(Option<A>);",
            "#[derive(ToolSchema)] pub struct A<T>(Box<B<T>>, [u8; 3]); /// B.\n#[derive(Debug, repertoire::ToolSchema)] enum B<T> { X, Y { a: A<T> } }",
            "mod m { #[derive(ToolSchema)] struct A { a: Box<A>, b: (u8, B) } #[derive(ToolSchema)] struct B { #[serde(default)] a: A } }",
        ] {
            assert_eq!(circle_of_a(file), ["A", "B"], "{file}");
        }
        let three = "#[derive(ToolSchema)] struct C(A); #[derive(ToolSchema)] struct A(B); \
                     #[derive(ToolSchema)] struct B { c: C } #[derive(ToolSchema)] struct D(A);";
        assert_eq!(circle_of_a(three), ["C", "A", "B"]);
    }

    #[test]
    fn what_may_be_no_circle_is_none() {
        let of_b = |field: &str| {
            format!(
                "#[derive(ToolSchema)] struct A {{ b: B }} #[derive(ToolSchema)] struct B {{ {field} }}"
            )
        };
        for field in [
            "#[schema(recursive)] a: Vec<A>",
            "#[schema(as = String)] a: A",
            "#[serde(skip)] a: A",
            "#[cfg(unix)] a: A",
            "#[cfg_attr(unix, schema(recursive))] a: A",
            "a: PhantomData<Box<A>>",
            "a: other::A",
            "a: A::Inner",
        ] {
            assert_eq!(circle_of_a(&of_b(field)), [""; 0], "{field}");
        }
        for file in [
            // One that holds itself has a schema.
            "#[derive(ToolSchema)] struct A { a: Vec<A>, b: Vec<Self> }",
            // Another of the name, which is a parameter.
            "#[derive(ToolSchema)] struct A { b: B<u8> } #[derive(ToolSchema)] struct B<A> { a: A }",
            // Another of the name, in another place.
            "#[derive(ToolSchema)] struct A { b: B } mod m { #[derive(ToolSchema)] struct B { a: A } }",
            // A schema by hand.
            "#[derive(ToolSchema)] struct A { b: B } struct B { a: A }",
            "#[derive(ToolSchema)] struct A { b: B } #[derive(ToolSchema)] #[serde(from = \"u8\")] struct B { a: A }",
            "#[derive(ToolSchema)] struct A { b: B } #[cfg(unix)] #[derive(ToolSchema)] struct B { a: A }",
        ] {
            assert_eq!(circle_of_a(file), [""; 0], "{file}");
        }
    }
}
