//! Call identifiers that every provider accepts.

use std::borrow::Cow;

/// The longest identifier that Responses and Anthropic take.
const LONGEST: usize = 64;

/// The identifier itself where every provider accepts it, otherwise a stable replacement.
///
/// A replacement keeps what is readable and ends in a hash of the original, so that two different
/// identifiers stay different and a call and its result stay paired.
pub(super) fn portable(id: &str) -> Cow<'_, str> {
    portable_within(id, LONGEST)
}

/// The same with another limit, of at least 20.
pub(super) fn portable_within(id: &str, longest: usize) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !id.is_empty() && id.len() <= longest && id.chars().all(plain) {
        return Cow::Borrowed(id);
    }
    let room = longest.saturating_sub(17).min(40);
    let kept: String = id.chars().filter(|c| plain(*c)).take(room).collect();
    Cow::Owned(format!("{kept}_{:016x}", fnv1a(id.as_bytes())))
}

/// The name of a tool as every provider takes it, for a call that a model invented.
pub(super) fn portable_name(name: Cow<'_, str>) -> Cow<'_, str> {
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match portable(&name) {
        Cow::Borrowed(_) if starts_well => name,
        portable if starts_well => Cow::Owned(portable.into_owned()),
        portable => Cow::Owned(format!(
            "_{}",
            portable.chars().take(LONGEST - 1).collect::<String>()
        )),
    }
}

/// Nine letters and digits, which is all that Mistral takes.
pub(super) fn nine_letters(id: &str) -> Cow<'_, str> {
    if id.len() == 9 && id.chars().all(|c| c.is_ascii_alphanumeric()) {
        return Cow::Borrowed(id);
    }
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut hash = fnv1a(id.as_bytes());
    let letters = (0..9).map(|_| {
        let digit = DIGITS[(hash % 36) as usize];
        hash /= 36;
        char::from(digit)
    });
    Cow::Owned(letters.collect())
}

/// An identifier for a call that came without one: `seed` is what tells this response from others.
pub(super) fn made_up(seed: &[u8], number: usize) -> String {
    format!("call_{:016x}_{number}", fnv1a(seed))
}

/// FNV-1a, which is the same in every process, unlike the standard library's hasher.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::{nine_letters, portable, portable_name, portable_within};

    #[test]
    fn a_good_identifier_stays_and_a_foreign_one_becomes_good() {
        assert_eq!(portable("call_1-a"), "call_1-a");
        let long = "x".repeat(65);
        for foreign in ["", "call.1", "ключ", "a b", long.as_str()] {
            for longest in [40, 64] {
                let id = portable_within(foreign, longest);
                assert!(!id.is_empty() && id.len() <= longest, "{id}");
                assert!(
                    id.chars()
                        .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-'),
                    "{id}"
                );
            }
            assert_eq!(nine_letters(foreign).len(), 9);
        }
        assert_ne!(portable("a.1"), portable("a:1"));
        assert_ne!(nine_letters("a.1"), nine_letters("a:1"));
        assert_eq!(portable_name("get_stock".into()), "get_stock");
        for name in ["", "1st", "no such name!", "-x", &"1".repeat(64)] {
            let name = portable_name(name.into());
            assert!(
                name.len() <= 64 && !name.starts_with(|c: char| c.is_ascii_digit()),
                "{name}"
            );
        }
        assert_eq!(nine_letters("abc123XYZ"), "abc123XYZ");
    }
}
