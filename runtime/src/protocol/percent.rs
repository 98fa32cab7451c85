//! Percent signs in addresses and references.

/// A text whose percent forms are written out: `a%20b` is `a b`.
pub(crate) fn plain(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).filter(|_| *first == b'%');
        let byte = digits.and_then(|digits| {
            // A sign would be read too.
            if !digits.iter().all(u8::is_ascii_hexdigit) {
                return None;
            }
            let digits = std::str::from_utf8(digits).ok()?;
            u8::from_str_radix(digits, 16).ok()
        });
        out.push(byte.unwrap_or(*first));
        rest = match byte {
            Some(_) => after.get(2..).unwrap_or_default(),
            None => after,
        };
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn only_two_digits_are_a_byte() {
        assert_eq!(plain("a%20b%C3%A9"), "a bé");
        assert_eq!(plain("%+f%-1%2%zz%"), "%+f%-1%2%zz%");
    }
}
