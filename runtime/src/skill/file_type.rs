//! What a file is, for a model that cannot be shown it.

/// Whether bytes are no text, though every one of them may be a character: text holds no NUL, and a
/// PDF may be written in letters.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes.contains(&0)
        || BY_START
            .iter()
            .any(|(magic, _)| bytes.starts_with(magic) && magic.len() > 3)
}

/// What files of some types begin with.
const BY_START: &[(&[u8], &str)] = &[
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF89a", "a GIF image"),
    (b"GIF87a", "a GIF image"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive or Office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x7fELF", "a program"),
    (b"\0asm", "a WebAssembly program"),
    (b"OTTO\0", "a font"),
    (b"wOFF\0", "a font"),
    (b"wOF2\0", "a font"),
    (b"SQLite format 3\0", "an SQLite database"),
];

/// A word or two for a file that is no text, by what its bytes begin with, else by its name.
pub(super) fn describe(path: &str, start: &[u8]) -> &'static str {
    const BY_NAME: &[(&str, &str)] = &[
        ("webp", "an image"),
        ("ico", "an image"),
        ("ttf", "a font"),
        ("mp3", "a sound"),
        ("wav", "a sound"),
        ("mp4", "a video"),
    ];
    let by_start = BY_START.iter().find(|(magic, _)| start.starts_with(magic));
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let by_name = BY_NAME
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(extension));
    match (by_start, by_name) {
        (Some((_, word)), _) | (None, Some((_, word))) => word,
        (None, None) => "a binary file",
    }
}

#[cfg(test)]
mod tests {
    use super::{describe, is_binary};

    #[test]
    fn content_comes_before_the_name() {
        assert_eq!(describe("a.txt", b"%PDF-1.7"), "a PDF document");
        assert_eq!(describe("a.TTF", b"\0\x01"), "a font");
        assert_eq!(describe("a", b""), "a binary file");
    }

    #[test]
    fn letters_alone_make_no_text() {
        for bytes in [
            &b"a\0b"[..],
            b"h\0e\0l\0",
            b"%PDF-1.4 in letters",
            b"GIF89a",
        ] {
            assert!(is_binary(bytes));
        }
        for text in ["", "OTTO is a name", "PK", "%PDF is a kind of file", "漢字"] {
            assert!(!is_binary(text.as_bytes()), "{text}");
        }
    }
}
