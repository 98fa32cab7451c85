//! Lints of the body as a whole.

use super::Subject;
use crate::Kind;
use crate::bytes::count;
use crate::draft::Draft;

const MAX_LINES: usize = 500;
const MAX_TOKENS: usize = 5_000;

pub(super) fn run(subject: &Subject<'_, '_>, drafts: &mut Vec<Draft>) {
    let body = &subject.text[subject.body.clone()];
    if body.is_empty() {
        drafts.push(
            Draft::at(
                Kind::BodyEmpty,
                subject.frame.closing.clone(),
                "the skill has no instructions: nothing follows the frontmatter",
            )
            .help("write below the closing `---` what the model is to do"),
        );
        return;
    }
    let lines = memchr::memchr_iter(b'\n', body.as_bytes()).count() + 1;
    let start = subject.body.start;
    // The first line of the body stands for all of it.
    let place = start
        ..crate::frame::line(subject.text, start)
            .0
            .end
            .min(subject.body.end);
    if lines > MAX_LINES {
        drafts.push(
            Draft::at(
                Kind::BodyTooManyLines,
                place.clone(),
                format!(
                    "the body has {lines} lines; the specification advises at most {MAX_LINES}"
                ),
            )
            .help("move parts of it into files under `references/` and name them in the body"),
        );
    }
    let tokens = tokens(body);
    if tokens > MAX_TOKENS {
        drafts.push(
            Draft::at(Kind::BodyTooManyTokens, place, format!("the body has about {tokens} tokens; the specification advises at most {MAX_TOKENS}"))
                .help("move parts of it into files under `references/` and name them in the body"),
        );
    }
    if let Some(at) = memchr::memchr3(0, 0x1b, 0x7f, body.as_bytes()) {
        let found = body.as_bytes()[at];
        drafts.push(
            Draft::at(
                Kind::ControlCharacter,
                start + at..start + at + 1,
                format!("the body holds the control character U+{found:04X}"),
            )
            .help("remove it: it has no meaning for a model, and a terminal may act on it"),
        );
    }
}

/// An estimate: four characters of ASCII a token, two of other characters of two
/// bytes, and one of longer ones (Chinese, Japanese, Korean, symbols). That is a
/// quarter of the bytes, and a quarter more for each character of three.
fn tokens(body: &str) -> usize {
    // No character counts for more than a third of its bytes.
    if body.len() / 3 <= MAX_TOKENS {
        return 0;
    }
    // The first byte of a character says how many it has.
    let three = count(body.as_bytes(), |byte| byte & 0xF0 == 0xE0);
    (body.len() + three).div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn tokens_are_estimated_by_script() {
        assert_eq!(tokens(&"word ".repeat(5_000)), 6_250);
        assert_eq!(tokens(&"字".repeat(6_000)), 6_000);
        assert_eq!(tokens(&"ж".repeat(12_000)), 6_000);
        assert_eq!(tokens(&"é字a📦".repeat(4_000)), 11_000);
        // Too short to be too long, whatever its script.
        assert_eq!(tokens(&"字".repeat(5_000)), 0);
    }
}
