//! The name that was probably meant.

/// The candidate closest to `text`, if it is close: at most a third of its characters differ.
pub(crate) fn nearest<'a>(
    text: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // A key of a thousand characters is no slip of the pen.
    let text: Vec<char> = text.chars().take(65).collect();
    if text.len() > 64 {
        return None;
    }
    candidates
        .into_iter()
        .map(|candidate| {
            let letters: Vec<char> = candidate.chars().take(65).collect();
            (distance(&text, &letters), letters.len(), candidate)
        })
        .filter(|(distance, length, _)| *distance <= (text.len().max(*length)).div_ceil(3).min(4))
        .min_by_key(|(distance, ..)| *distance)
        .map(|(.., candidate)| candidate)
}

/// How many letters to insert, remove, replace or swap with their neighbour. Case and the
/// difference of `-` and `_` do not count.
fn distance(a: &[char], b: &[char]) -> usize {
    let same = |x: char, y: char| fold(x) == fold(y);
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let cost = usize::from(!same(a[i - 1], b[j - 1]));
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + cost);
            if i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]) {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        (before, last, row) = (last, row, before);
    }
    last[b.len()]
}

fn fold(letter: char) -> char {
    if letter == '-' {
        '_'
    } else {
        letter.to_ascii_lowercase()
    }
}
