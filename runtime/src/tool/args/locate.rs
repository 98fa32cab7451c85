//! Which value of a JSON text lies at a place. A number of bytes means nothing to who wrote the text; a
//! path does.

/// The path of the innermost value at a byte of a valid JSON text. Empty for the whole.
pub(super) fn path_at(text: &str, place: usize) -> String {
    let mut scan = Scan {
        bytes: text.as_bytes(),
        at: 0,
        inside: Vec::new(),
    };
    scan.until(place);
    scan.path(text)
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    /// What the place is inside of, from the outside in.
    inside: Vec<Inside>,
}

enum Inside {
    /// An array, at this item.
    Array(usize),
    /// An object, at the member with the key between these places, if one was read.
    Object(Option<(usize, usize)>),
}

impl Scan<'_> {
    /// Reads to the token that the place is in.
    fn until(&mut self, place: usize) {
        // Whether a text that comes next is a key.
        let mut key_next = false;
        while let Some(&byte) = self.bytes.get(self.at) {
            let start = self.at;
            self.at = match byte {
                b'"' => self.end_of_text(start),
                _ => start + 1,
            };
            // The end of an object or array still belongs to it.
            if self.at > place {
                return;
            }
            match byte {
                b'{' => {
                    self.inside.push(Inside::Object(None));
                    key_next = true;
                }
                b'[' => self.inside.push(Inside::Array(0)),
                b'}' | b']' => {
                    self.inside.pop();
                }
                b'"' if key_next => {
                    if let Some(Inside::Object(key)) = self.inside.last_mut() {
                        *key = Some((start + 1, self.at - 1));
                    }
                    key_next = false;
                }
                b',' => match self.inside.last_mut() {
                    Some(Inside::Array(index)) => *index += 1,
                    Some(Inside::Object(key)) => {
                        *key = None;
                        key_next = true;
                    }
                    None => {}
                },
                _ => {}
            }
        }
    }

    fn end_of_text(&self, start: usize) -> usize {
        let mut at = start + 1;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 2,
                b'"' => return at + 1,
                _ => at += 1,
            }
        }
        at
    }

    fn path(&self, text: &str) -> String {
        let at_end = matches!(self.bytes.get(self.at.wrapping_sub(1)), Some(b'}' | b']'));
        let outer = self.inside.len() - usize::from(at_end && !self.inside.is_empty());
        let mut path = String::new();
        for inside in self.inside.iter().take(outer) {
            match inside {
                Inside::Array(index) => path.push_str(&format!("/{index}")),
                Inside::Object(Some((start, end))) => {
                    let key = text.get(*start..*end).unwrap_or_default();
                    path.push('/');
                    path.push_str(&key.replace('~', "~0").replace('/', "~1"));
                }
                Inside::Object(None) => {}
            }
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::path_at;

    #[test]
    fn each_value_has_its_path() {
        let text = r#"{"a": [1, "x,]}", {"b/c": true}], "d": {"e": null}}"#;
        let path = |needle: &str| {
            let start = text.find(needle).unwrap();
            path_at(text, start + needle.len() - 1)
        };
        assert_eq!(path("1"), "/a/0");
        assert_eq!(path(r#""x,]}""#), "/a/1");
        assert_eq!(path("true"), "/a/2/b~1c");
        assert_eq!(path("null"), "/d/e");
        assert_eq!(path(r#"{"b/c": true}"#), "/a/2");
        assert_eq!(path(r#"[1, "x,]}", {"b/c": true}]"#), "/a");
        assert_eq!(path(r#"{"e": null}"#), "/d");
        assert_eq!(path(text), "");
        assert_eq!(path_at("", 0), "");
        assert_eq!(path_at("5", 7), "");
    }
}
