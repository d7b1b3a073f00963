//! The key schedule of FIPS 197, section 5.2, with SubWord as a circuit.
//!
//! Between the first and the last, a round key is kept as the slices want it:
//! turned by InvShiftRows once for each round before it, the S-box's constant
//! added (MixColumns leaves a constant column as it is, so the constant may wait
//! for the key), and compact.

use super::halves::{halves, whole};
use super::sbox;
use super::word::Word;
use crate::cpu::bytes::Block;

/// The S-box of each byte.
#[inline(never)]
fn sub_word(w: u32) -> u32 {
    // Bits of four bytes to eight slices: an 8 x 8 transposition, its lower
    // half empty. Above each slice's eight bits is rubbish, which no gate moves.
    let t = transpose(w as u64);
    let mut s = [0; 8];
    for b in 0..8 {
        s[b] = t >> (8 * b);
    }
    sbox::sub(&mut s);
    let mut t = 0;
    for b in 0..8 {
        t |= (s[b] & 0xff) << (8 * b);
    }
    zeroize::Zeroize::zeroize(&mut s[..]);
    transpose(t) as u32 ^ 0x6363_6363
}

/// Exchanges rows and columns of an 8 x 8 matrix of bits.
#[inline(always)]
fn transpose(mut x: u64) -> u64 {
    for (shift, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)] {
        let t = (x ^ x >> shift) & mask;
        x ^= t ^ t << shift;
    }
    x
}

/// Fills `rk` from `key`.
#[inline(always)]
pub(super) fn expand<W: Word>(key: &[u8], rk: &mut [Block]) {
    match key.len() {
        16 => words::<4>(key, rk),
        24 => words::<6>(key, rk),
        _ => words::<8>(key, rk),
    }
    let last = rk.len() - 1;
    for r in 1..last {
        let k = lag(u128::from_le_bytes(rk[r]), r % 4) ^ u128::from_ne_bytes([0x63; 16]);
        rk[r] = whole(W::split(W::compact(W::join(halves(k))))).to_le_bytes();
    }
}

/// The plain schedule, for keys of `NK` words.
#[inline(never)]
fn words<const NK: usize>(key: &[u8], rk: &mut [Block]) {
    let (first, rest) = rk.as_flattened_mut().split_at_mut(4 * NK);
    first.copy_from_slice(&key[..4 * NK]);
    let mut w = [0; NK];
    for i in 0..NK {
        w[i] = u32::from_le_bytes([key[4 * i], key[4 * i + 1], key[4 * i + 2], key[4 * i + 3]]);
    }
    let mut rcon = 1u8;
    for row in rest.chunks_mut(4 * NK) {
        for (i, to) in row.chunks_exact_mut(4).enumerate() {
            w[i] ^= match i {
                0 => sub_word(w[NK - 1].rotate_right(8)) ^ rcon as u32,
                4 if NK == 8 => sub_word(w[3]),
                _ => w[i - 1],
            };
            to.copy_from_slice(&w[i].to_le_bytes());
        }
        rcon = (rcon << 1) ^ (0x1b * (rcon >> 7));
    }
    zeroize::Zeroize::zeroize(&mut w[..]);
}

/// InvShiftRows, `times` times.
#[inline(always)]
fn lag(k: u128, times: usize) -> u128 {
    const ROW: u128 = 0x0000_00ff_0000_00ff_0000_00ff_0000_00ff;
    let mut z = k & ROW;
    for row in 1..4 {
        // One column to the right is four bytes up.
        z |= k.rotate_left((32 * row * times % 128) as u32) & ROW << (8 * row);
    }
    z
}
