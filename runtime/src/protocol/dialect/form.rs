//! Whether a schema has the form that every provider demands.

use super::node::Node;

/// What is wrong with the form of a schema, if anything is: one such place makes a provider refuse
/// the whole request.
pub(super) fn misshapen(node: &Node, place: &str) -> Option<String> {
    let members = match node {
        Node::Object(members) => members,
        Node::Bool(_) => return None,
        _ => return Some(format!("`{place}` is no schema; a schema is an object")),
    };
    for (key, value) in members {
        let problem = match (key.as_str(), value) {
            ("properties" | "$defs" | "definitions", Node::Object(inner)) => inner
                .iter()
                .find_map(|(name, inner)| misshapen(inner, &format!("{place}.{name}"))),
            ("properties" | "$defs" | "definitions", _) => {
                Some(format!("`{key}` at `{place}` is not an object of schemas"))
            }
            ("required", Node::Array(names))
                if names.iter().all(|name| name.as_str().is_some()) =>
            {
                None
            }
            ("required", _) => Some(format!("`required` at `{place}` is not a list of names")),
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Node::Array(inner))
                if !inner.is_empty() =>
            {
                inner.iter().find_map(|inner| misshapen(inner, place))
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", _) => {
                Some(format!("`{key}` at `{place}` is not a list of schemas"))
            }
            ("items", Node::Array(inner)) => inner
                .iter()
                .find_map(|inner| misshapen(inner, &format!("{place}[]"))),
            ("items", inner) => misshapen(inner, &format!("{place}[]")),
            ("enum", value) if !matches!(value, Node::Array(_)) => {
                Some(format!("`enum` at `{place}` is not a list"))
            }
            ("$ref", value) if value.as_str().is_none() => {
                Some(format!("`$ref` at `{place}` is not a text"))
            }
            _ => None,
        };
        if problem.is_some() {
            return problem;
        }
    }
    None
}

/// Whether all references lead to the whole or to a definition that is there: the forms that
/// strict modes know.
pub(super) fn refers_well(node: &Node, root: &Node) -> bool {
    match node {
        Node::Object(members) => members.iter().all(|(key, value)| {
            match (key.as_str(), value) {
                ("$ref", Node::String(reference)) => leads_to_definition(reference, root),
                // Not schemas, so a `$ref` in them is data.
                ("enum" | "const" | "default" | "examples" | "required", _) => true,
                ("properties", _) => value
                    .members()
                    .iter()
                    .all(|(_, inner)| refers_well(inner, root)),
                _ => refers_well(value, root),
            }
        }),
        Node::Array(entries) => entries.iter().all(|inner| refers_well(inner, root)),
        _ => true,
    }
}

fn leads_to_definition(reference: &str, root: &Node) -> bool {
    let of = |key: &str| {
        let name = reference
            .strip_prefix("#/")?
            .strip_prefix(key)?
            .strip_prefix('/')?;
        let name = name.replace("~1", "/").replace("~0", "~");
        root.get(key)?.get(&name)
    };
    reference == "#" || of("$defs").or_else(|| of("definitions")).is_some()
}

/// Whether every name in a `required` is that of a member, as a grammar demands.
pub(super) fn requires_members(node: &Node) -> bool {
    let inner = match node {
        Node::Object(members) => {
            let properties = node.get("properties");
            let known = |name: &str| properties.is_some_and(|all| all.get(name).is_some());
            if node.get("type").is_some() && !node.required().into_iter().all(known) {
                return false;
            }
            members.iter().map(|(_, value)| value).collect()
        }
        Node::Array(entries) => entries.iter().collect(),
        _ => Vec::new(),
    };
    inner.into_iter().all(requires_members)
}
