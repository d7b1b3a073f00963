//! Many messages side by side, each under its own key and nonce: the comb's idea on ciphers that
//! are serial by nature. The messages of a group are in the lanes of the CPU's vectors.

use super::cipher::Cipher;
use combseal::Cpu;
use combseal::cpu::Backend;

/// One message of many.
pub struct Lane<'a, C> {
    /// Its key.
    pub cipher: &'a C,
    /// Its nonce, of a length that the cipher takes.
    pub nonce: &'a [u8],
    /// The first sixteen bytes of key stream, once it is done: what masks the authenticator.
    pub first: [u8; 16],
    /// The message, into which the key stream from byte 16 on is XORed.
    pub data: &'a mut [u8],
}

/// A cipher with a kernel for several messages at once.
pub trait SideBySide: Cipher {
    /// How many messages go together.
    const GROUP: usize;
    /// How this code does it, in a few words: `"16 lanes of 32 bits"`.
    const LANES: &'static str;

    /// Does 1 to [`GROUP`](Self::GROUP) messages, none longer than the one before it; they stay in
    /// that order.
    fn xor_group(cpu: Cpu, lanes: &mut [Lane<'_, Self>]);
}

/// Does any number of messages, those of like length together: **`lanes` are in another order
/// afterwards**, by falling lengths.
pub fn xor_many<C: SideBySide>(cpu: Cpu, lanes: &mut [Lane<'_, C>]) {
    lanes.sort_unstable_by_key(|lane| std::cmp::Reverse(lane.data.len()));
    for group in lanes.chunks_mut(C::GROUP) {
        C::xor_group(cpu, group);
    }
}

/// Whether registers of four blocks may be taken half as wide: a CPU's may, and of a model's four blocks one is taken.
pub const fn has_halves<W: Backend>() -> bool {
    W::BLOCKS == 4 && <W::Two as Backend>::BLOCKS == 2
}
