//! What ABC's filter is: a key's coefficients in some form, and what it gives of a state.

/// The filter's coefficients for the key's own set-up.
#[rustfmt::skip]
pub static FIXED: [u32; 33] = [
    0x8bbc_7b0a, 0xe774_a906, 0x1304_0ec0, 0xea14_9bd0, 0x32e3_281d, 0x38c1_5589, 0xbdc9_2ea9, 0x6b58_7ba0,
    0xe100_9816, 0xeaa8_4751, 0x77f1_ce29, 0xeb94_ad46, 0xffd6_24d0, 0x8958_1695, 0xf0bb_fbd3, 0x8340_4b20,
    0x9e66_abea, 0x798c_e417, 0x8d1a_dfb3, 0xb8c6_bf9f, 0x3bba_d552, 0x923d_dd55, 0xa646_1e22, 0xcbf8_25b8,
    0x1139_265e, 0xb9cf_4535, 0xe7c8_7f14, 0xf4f8_55d3, 0x7c77_f154, 0x46c0_f13c, 0x2d12_29e6, 0xcf39_0000,
    0xa883_b17d,
];

/// The filter: a key's coefficients in some form.
pub trait Filter: Sized + Send + Sync {
    /// How it is done, in a few words.
    const TUNING: &'static str;
    /// Whether no table is looked up by the state.
    const CONSTANT_TIME: bool;
    /// Whether key streams want the CPU's instructions for vectors, as every key's set-up does.
    const VECTORS: bool;
    /// Bytes in a block: those of as many words as are filtered at once.
    const BLOCK: usize;
    /// What the key's own set-up goes by.
    type Fixed: Filter + 'static;

    /// That of the key's own set-up.
    fn fixed() -> &'static Self::Fixed;
    /// Of coefficients, the last of which is always added.
    fn new(e: &[u32; 33]) -> Self;
    /// The sum of the coefficients of the bits of `x`.
    fn one(&self, x: u32) -> u32;
    /// The same of many words.
    #[inline(always)]
    fn many<const N: usize>(&self, x: &[u32; N]) -> [u32; N] {
        std::array::from_fn(|i| self.one(x[i]))
    }
    /// Zeroes it.
    fn wipe(&mut self);
}
