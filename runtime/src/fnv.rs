//! FNV-1a of 128 bits: a number in the place of a text, the same in every process and every version.

/// The hash of what was fed in so far. The compiler can work it out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fnv(u128);

impl Fnv {
    pub(crate) const fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    /// Feeds a byte.
    pub(crate) const fn byte(self, byte: u8) -> Self {
        let state = self.0 ^ byte as u128;
        Self(state.wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b))
    }

    /// Feeds a text, without its end.
    pub(crate) const fn text(self, text: &str) -> Self {
        let mut hash = self;
        let mut rest = text.as_bytes();
        while let [byte, tail @ ..] = rest {
            hash = hash.byte(*byte);
            rest = tail;
        }
        hash
    }

    pub(crate) const fn get(self) -> u128 {
        self.0
    }
}
