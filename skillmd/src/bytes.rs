//! Questions about bytes, asked in a way that the compiler turns into wide instructions.

/// How many bytes are so.
pub(crate) fn count(bytes: &[u8], is: impl Fn(u8) -> bool) -> usize {
    // Of a piece of this length the count fits a byte.
    const PIECE: usize = u8::MAX as usize;
    let piece =
        |piece: &[u8]| usize::from(piece.iter().map(|byte| u8::from(is(*byte))).sum::<u8>());
    bytes.chunks(PIECE).map(piece).sum()
}

/// Whether any byte is so.
pub(crate) fn any(bytes: &[u8], is: impl Fn(u8) -> bool) -> bool {
    bytes
        .chunks(64)
        .any(|piece| piece.iter().fold(false, |found, byte| found | is(*byte)))
}

/// Whether a control character other than a line feed may start here: the bytes
/// below a blank, delete, and the lead byte of the controls above it.
pub(crate) fn may_be_control(byte: u8) -> bool {
    (byte < 0x20 && byte != b'\n') || byte == 0x7f || byte == 0xc2
}
