//! The AES key schedule with AES-NI: SubWord by AESENCLAST on a word that was
//! copied to every column (ShiftRows then changes nothing), because
//! AESKEYGENASSIST takes three times as long on many cores.

use super::super::backend::{Aes, Schedule, middle};
use super::super::bytes::Block;
use super::ops::*;

/// FIPS 197's RCON.
const RCON: [u32; 10] = [1, 2, 4, 8, 16, 32, 64, 128, 0x1b, 0x36];

/// Fills `enc` from `key`.
///
/// # Safety
/// The CPU has AES-NI and SSSE3.
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

/// SubWord(RotWord(last word)) ^ rcon, in every word.
#[inline(always)]
unsafe fn rotated(v: __m128i, rcon: u32) -> __m128i {
    // SAFETY: the caller's promise, as in `expand`.
    unsafe {
        let w = _mm_shuffle_epi8(v, _mm_set1_epi32(0x0c0f_0e0d));
        _mm_aesenclast_si128(w, _mm_set1_epi32(rcon as i32))
    }
}

/// SubWord(last word), in every word.
#[inline(always)]
unsafe fn plain(v: __m128i) -> __m128i {
    // SAFETY: the caller's promise, as in `expand`.
    unsafe { _mm_aesenclast_si128(_mm_shuffle_epi32::<0xff>(v), _mm_setzero_si128()) }
}

/// Each word XORed with all before it.
#[inline(always)]
unsafe fn prefix(v: __m128i) -> __m128i {
    // SAFETY: the caller's promise, as in `expand`.
    unsafe {
        let v = _mm_xor_si128(v, _mm_slli_si128::<4>(v));
        _mm_xor_si128(v, _mm_slli_si128::<8>(v))
    }
}

#[inline(always)]
unsafe fn load(key: &[u8]) -> __m128i {
    // SAFETY: the slice is cut to 16 bytes.
    unsafe { _mm_loadu_si128(key[..16].as_ptr().cast()) }
}

#[inline(always)]
unsafe fn store(rk: &mut Block, v: __m128i) {
    // SAFETY: a block is 16 bytes.
    unsafe { _mm_storeu_si128(rk.as_mut_ptr().cast(), v) }
}

#[inline(always)]
unsafe fn expand128(key: &[u8], rk: &mut [Block]) {
    // SAFETY: the caller's promise, as in `expand`.
    unsafe {
        let mut v = load(key);
        store(&mut rk[0], v);
        for r in 0..10 {
            v = _mm_xor_si128(prefix(v), rotated(v, RCON[r]));
            store(&mut rk[r + 1], v);
        }
    }
}

#[inline(always)]
unsafe fn expand256(key: &[u8], rk: &mut [Block]) {
    // SAFETY: the caller's promise, as in `expand`.
    unsafe {
        let (mut a, mut b) = (load(key), load(&key[16..]));
        store(&mut rk[0], a);
        store(&mut rk[1], b);
        for r in 0..7 {
            a = _mm_xor_si128(prefix(a), rotated(b, RCON[r]));
            store(&mut rk[2 * r + 2], a);
            if r < 6 {
                b = _mm_xor_si128(prefix(b), plain(a));
                store(&mut rk[2 * r + 3], b);
            }
        }
    }
}

#[inline(always)]
unsafe fn expand192(key: &[u8], rk: &mut [Block]) {
    // Six words a step; the rounds' keys are cut from all the words.
    let mut words = [0u8; 16 * 13];
    words[..24].copy_from_slice(&key[..24]);
    // SAFETY: the caller's promise, as in `expand`.
    unsafe {
        let mut a = load(key);
        let mut b = _mm_loadl_epi64(key[16..24].as_ptr().cast());
        for r in 0..8 {
            // RotWord wants the second word of `b`; move it last.
            let t = rotated(_mm_shuffle_epi32::<0x55>(b), RCON[r]);
            a = _mm_xor_si128(prefix(a), t);
            let c = _mm_xor_si128(b, _mm_slli_si128::<4>(b));
            b = _mm_xor_si128(c, _mm_shuffle_epi32::<0xff>(a));
            let at = 24 * (r + 1);
            _mm_storeu_si128(words[at..at + 16].as_mut_ptr().cast(), a);
            if r < 7 {
                _mm_storel_epi64(words[at + 16..at + 24].as_mut_ptr().cast(), b);
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
/// The CPU has AES-NI.
#[inline(always)]
pub(super) unsafe fn invert<A: Aes>(enc: &A::Enc, dec: &mut A::Dec) {
    for (key, d) in middle::<A>(enc, dec) {
        // SAFETY: the caller's promise.
        unsafe { store(d, _mm_aesimc_si128(load(key))) }
    }
}
