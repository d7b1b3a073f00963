//! LEX's rounds on any backend: of one message in each lane of `N` registers.

use combseal::cpu::{Backend, Block};

/// Round keys, as FIPS 197 has them on every tier.
pub type Keys = [Block; 11];

/// FIPS 197's key schedule, from the first round key on. The library's own leaves keys in a form
/// that single rounds do not take on every tier.
#[inline(always)]
pub fn expand<B: Backend>(b: B, keys: &mut Keys) {
    let above = b.splat(&(u128::MAX << 32).to_le_bytes());
    let high = b.splat(&(u128::MAX << 64).to_le_bytes());
    let (mut k, mut constant) = (b.load(&keys[0]), 1u8);
    for r in 1..11 {
        // The S-box of the last word, turned by a byte: a last round of equal columns.
        let last = b.permute(k, &[13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12]);
        let [t] = b.last_round([last], [b.splat32(u32::from(constant))]);
        constant = constant << 1 ^ 0x1b * (constant >> 7);
        // Each word with all that are before it.
        k = b.xor(k, b.and(b.turn32::<3>(k), above));
        k = b.xor(k, b.and(b.turn32::<2>(k), high));
        k = b.xor(k, t);
        b.store(&mut keys[r], k);
    }
}

/// A nonce as the cipher takes it: the bytes of each word in reverse order.
#[inline(always)]
pub fn begun<B: Backend>(b: B, nonce: B::V) -> B::V {
    b.permute(nonce, &[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12])
}

/// The first state: version 2 takes the AES for it, version 1 the AES with MixColumns in the last
/// round too.
#[inline(always)]
pub fn enciphered<B: Backend, const VERSION: u8, const N: usize>(
    b: B,
    keys: &[[B::V; N]; 11],
    mut x: [B::V; N],
) -> [B::V; N] {
    for j in 0..N {
        x[j] = b.xor(x[j], keys[0][j]);
    }
    for r in 1..10 {
        x = b.round(x, keys[r]);
    }
    if VERSION == 1 { b.round(x, keys[10]) } else { b.last_round(x, keys[10]) }
}

/// The next two rounds of every ten, of which this is pair `i` from 0 to 4, and the eight bytes that
/// they let out: in each half of each block. Of the keys the first `N` of each round are taken.
#[inline(always)]
pub fn pair<B: Backend, const VERSION: u8, const N: usize, const M: usize>(
    b: B,
    keys: &[[B::V; M]; 11],
    i: usize,
    x: &mut [B::V; N],
) -> [B::V; N] {
    let (mut first, mut second) = (*x, *x);
    first.copy_from_slice(&keys[2 * i + 1][..N]);
    second.copy_from_slice(&keys[2 * i + 2][..N]);
    if VERSION == 1 && i == 0 {
        for j in 0..N {
            x[j] = b.xor(x[j], keys[0][j]);
        }
    }
    let mut out = b.round(*x, first);
    *x = b.round(out, second);
    let odd = b.splat(&[0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff, 0, 0xff]);
    // Rows 2 and 0 of columns 2 and 0; of the other round rows 3 and 1, of columns 3 and 1 in
    // version 1.
    let places = if VERSION == 1 { &OF_VERSION_1 } else { &OF_VERSION_2 };
    for j in 0..N {
        // The one's bytes have even places, the other's odd ones.
        out[j] = b.permute(b.xor(out[j], b.and(b.xor(out[j], x[j]), odd)), places);
    }
    out
}

const OF_VERSION_1: Block = [10, 2, 8, 0, 15, 7, 13, 5, 10, 2, 8, 0, 15, 7, 13, 5];
const OF_VERSION_2: Block = [10, 2, 8, 0, 11, 3, 9, 1, 10, 2, 8, 0, 11, 3, 9, 1];
