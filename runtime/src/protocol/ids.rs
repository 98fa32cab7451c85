//! Call identifiers that every provider accepts.

use std::borrow::Cow;

/// The longest identifier that all providers take.
const LONGEST: usize = 64;

/// The identifier itself where every provider accepts it, otherwise a stable replacement.
///
/// A replacement keeps what is readable and ends in a hash of the original, so that two different
/// identifiers stay different and a call and its result stay paired.
pub(super) fn portable(id: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !id.is_empty() && id.len() <= LONGEST && id.chars().all(plain) {
        return Cow::Borrowed(id);
    }
    let kept: String = id.chars().filter(|c| plain(*c)).take(40).collect();
    Cow::Owned(format!("{kept}_{:016x}", fnv1a(id.as_bytes())))
}

/// FNV-1a, which is the same in every process, unlike the standard library's hasher.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::portable;

    #[test]
    fn a_good_identifier_stays_and_a_foreign_one_becomes_good() {
        assert_eq!(portable("call_1-a"), "call_1-a");
        let long = "x".repeat(65);
        for foreign in ["", "call.1", "ключ", "a b", long.as_str()] {
            let id = portable(foreign);
            assert!(!id.is_empty() && id.len() <= 64, "{id}");
            assert!(
                id.chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-'),
                "{id}"
            );
        }
        assert_ne!(portable("a.1"), portable("a:1"));
    }
}
