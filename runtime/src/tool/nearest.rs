//! The name that was probably meant.

/// The candidate closest to `text`, if it is close: at most a third of its letters differ. Case, and
/// `-` for `_`, do not count.
pub(crate) fn nearest<'a>(
    text: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
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
