//! JSON text.

/// The text as it stands between the quotes of a JSON string.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", control as u32)),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn what_json_cannot_hold_is_escaped() {
        assert_eq!(
            escape("a\"b\\c\n\t\r\u{1}ß"),
            "a\\\"b\\\\c\\n\\t\\r\\u0001ß"
        );
    }
}
