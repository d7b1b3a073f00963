//! The AES key schedule with ARMv8's instructions: SubWord by AESE without a key on a word that was
//! copied to every column (ShiftRows then changes nothing).

use super::super::backend::{Aes, Schedule, middle};
use super::super::bytes::Block;
use super::ops::*;

/// FIPS 197's RCON.
const RCON: [u32; 10] = [1, 2, 4, 8, 16, 32, 64, 128, 0x1b, 0x36];

/// The last word, rotated left by a byte (RotWord), in every column.
static LAST_ROTATED: Block = [13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12];
/// The second word, likewise.
static SECOND_ROTATED: Block = [5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4];
/// The last word, in every column.
static LAST: Block = [12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15];

/// Fills `enc` from `key`, of `A::KEY_LEN` bytes.
///
/// # Safety
/// The CPU has AESE.
#[inline(always)]
pub(super) unsafe fn expand<A: Aes>(key: &[u8], enc: &mut A::Enc) {
    let rk = enc.keys_mut();
    // SAFETY: the caller's promise.
    unsafe {
        match A::KEY_LEN {
            16 => expand128(key, rk),
            24 => expand192(key, rk),
            _ => expand256(key, rk),
        }
    }
    enc.set_rounds(A::ROUNDS);
}

/// SubWord of the word that `from` puts into every column.
#[inline(always)]
unsafe fn substituted(v: V, from: &Block) -> V {
    // SAFETY: the caller's promise, as in `expand`; a block is 16 bytes.
    unsafe { last(permute(v, from.as_ptr()), zero()) }
}

/// Each word XORed with all before it, and with `other`.
#[inline(always)]
unsafe fn prefix(v: V, other: V) -> V {
    // SAFETY: the caller's promise, as in `expand`.
    unsafe {
        let v = xor(v, up::<12>(v));
        xor(xor(v, up::<8>(v)), other)
    }
}

/// The block's bytes moved up by `16 - FROM` places, and zeros below.
#[inline(always)]
unsafe fn up<const FROM: i32>(v: V) -> V {
    // SAFETY: the caller's promise, as in `expand`.
    unsafe { core::arch::aarch64::vextq_u8::<FROM>(zero(), v) }
}

#[inline(always)]
unsafe fn take(key: &[u8]) -> V {
    // SAFETY: the slice is cut to 16 bytes.
    unsafe { load(key[..16].as_ptr()) }
}

#[inline(always)]
unsafe fn put(rk: &mut Block, v: V) {
    // SAFETY: a block is 16 bytes.
    unsafe { store(rk.as_mut_ptr(), v) }
}

#[inline(always)]
unsafe fn expand128(key: &[u8], rk: &mut [Block]) {
    // SAFETY: the caller's promise, as in `expand`.
    unsafe {
        let mut v = take(key);
        put(&mut rk[0], v);
        for r in 0..10 {
            v = prefix(v, xor(substituted(v, &LAST_ROTATED), splat32(RCON[r])));
            put(&mut rk[r + 1], v);
        }
    }
}

#[inline(always)]
unsafe fn expand256(key: &[u8], rk: &mut [Block]) {
    // SAFETY: the caller's promise, as in `expand`.
    unsafe {
        let (mut a, mut b) = (take(key), take(&key[16..]));
        put(&mut rk[0], a);
        put(&mut rk[1], b);
        for r in 0..7 {
            a = prefix(a, xor(substituted(b, &LAST_ROTATED), splat32(RCON[r])));
            put(&mut rk[2 * r + 2], a);
            if r < 6 {
                b = prefix(b, substituted(a, &LAST));
                put(&mut rk[2 * r + 3], b);
            }
        }
    }
}

#[inline(always)]
unsafe fn expand192(key: &[u8], rk: &mut [Block]) {
    // Six words a step; the rounds' keys are cut from all the words.
    let mut words = [0u8; 16 * 13];
    words[..24].copy_from_slice(&key[..24]);
    // SAFETY: the caller's promise, as in `expand`; the parts are of eight bytes.
    unsafe {
        let mut a = take(key);
        let mut b = load_part(key[16..24].as_ptr(), 8);
        for r in 0..8 {
            a = prefix(a, xor(substituted(b, &SECOND_ROTATED), splat32(RCON[r])));
            let c = xor(b, up::<12>(b));
            b = xor(c, permute(a, LAST.as_ptr()));
            let at = 24 * (r + 1);
            store(words[at..at + 16].as_mut_ptr(), a);
            if r < 7 {
                store_part(words[at + 16..at + 24].as_mut_ptr(), 8, b);
            }
        }
    }
    for (k, w) in rk.iter_mut().zip(words.chunks_exact(16)) {
        k.copy_from_slice(w);
    }
    crate::memory::wipe::Wipe::wipe(&mut words[..]);
}

/// The middle keys of the inverse cipher: InvMixColumns of `enc`'s, last first.
///
/// # Safety
/// The CPU has AESIMC.
#[inline(always)]
pub(super) unsafe fn invert<A: Aes>(enc: &A::Enc, dec: &mut A::Dec) {
    for (key, d) in middle::<A>(enc, dec) {
        // SAFETY: the caller's promise.
        unsafe { put(d, inverse_mix(take(key))) }
    }
}
