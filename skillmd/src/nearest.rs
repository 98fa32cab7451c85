//! The name that was probably meant.

/// The candidate closest to `text`, if it is close: at most a third of its letters differ. Case, and
/// `-` for `_`, do not count.
#[must_use]
pub fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A key of a thousand letters is no slip of the pen, and comparing it would take long.
    const LONGEST: usize = 64;
    let text = fold(text);
    candidates
        .into_iter()
        .filter(|candidate| text.len().max(candidate.len()) <= LONGEST)
        .map(|candidate| (strsim::osa_distance(&text, &fold(candidate)), candidate))
        .filter(|(distance, candidate)| {
            *distance <= text.len().max(candidate.len()).div_ceil(3).min(4)
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn fold(name: &str) -> String {
    name.to_ascii_lowercase().replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_mended_and_guesses_are_not_made() {
        let names = ["deferred", "description", "name", "min_len"];
        assert_eq!(nearest("deffered", names), Some("deferred"));
        assert_eq!(nearest("Min-Len", names), Some("min_len"));
        assert_eq!(nearest("nmae", names), Some("name"));
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest(&"n".repeat(1000), names), None);
    }
}
