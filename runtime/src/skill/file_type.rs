//! What a file is, for a model that cannot be shown it.

/// A word or two for a file that is no text, by what its bytes begin with, else by its name.
pub(super) fn describe(path: &str, start: &[u8]) -> &'static str {
    const BY_START: &[(&[u8], &str)] = &[
        (b"\x89PNG", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"%PDF", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive or Office document"),
        (b"\x1f\x8b", "a gzip archive"),
        (b"\x7fELF", "a program"),
        (b"\0asm", "a WebAssembly program"),
        (b"OTTO", "a font"),
        (b"wOFF", "a font"),
        (b"wOF2", "a font"),
        (b"SQLite format 3", "an SQLite database"),
    ];
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
    use super::describe;

    #[test]
    fn content_comes_before_the_name() {
        assert_eq!(describe("a.txt", b"%PDF-1.7"), "a PDF document");
        assert_eq!(describe("a.TTF", b"\0\x01"), "a font");
        assert_eq!(describe("a", b""), "a binary file");
    }
}
