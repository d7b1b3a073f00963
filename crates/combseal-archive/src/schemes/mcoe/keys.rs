//! What the tweakable ciphers have in common: round keys, and rounds with a block in the last.

use combseal::Aes128;
use combseal::cpu::{Backend, Block, Keys};
use combseal::internals::Wipe;
use combseal::internals::chain::Folded;
use combseal::secret;

/// Round keys of the cipher and, in the order of their use, of its inverse.
pub struct RoundKeys {
    pub enc: [Block; 11],
    pub inverse: [Block; 11],
}
secret!(RoundKeys { enc, inverse });

impl RoundKeys {
    #[inline(always)]
    pub fn fill<B: Backend>(&mut self, b: B, key: &[u8]) {
        b.expand::<Aes128>(key, &mut self.enc);
        let mut dec = [[0; 16]; 9];
        b.invert::<Aes128>(&self.enc, &mut dec);
        self.inverse[0] = self.enc[10];
        self.inverse[1..10].copy_from_slice(&dec);
        self.inverse[10] = self.enc[0];
        dec.wipe();
    }

    /// The keys that one direction uses, in their order.
    #[inline(always)]
    pub fn of<const OPEN: bool>(&self) -> &[Block; 11] {
        if OPEN { &self.inverse } else { &self.enc }
    }
}

/// The cipher or its inverse on states that have the first round key in them.
#[inline(always)]
pub fn rounds<B: Backend, K: Keys<B>, const N: usize, const OPEN: bool>(
    b: B,
    keys: &K,
    mut x: [B::V; N],
    last: [B::V; N],
) -> [B::V; N] {
    let keys = Folded { keys, last };
    if OPEN {
        b.decrypt(&keys, &mut x);
    } else {
        b.encrypt(&keys, &mut x);
    }
    x
}
