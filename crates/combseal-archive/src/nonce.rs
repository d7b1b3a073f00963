//! Nonces, as numbers.

use combseal::cpu::Backend;
use combseal::internals::narrow_load;

/// The `N` bytes of a nonce, at least 4, as a little-endian number. By narrow loads: a caller
/// has just written its last four bytes, as a rule, and a wider load would wait until they
/// have reached the cache, and with it the whole message.
#[inline(always)]
pub fn number<const N: usize>(nonce: &[u8]) -> u128 {
    let Some(nonce) = nonce.first_chunk::<N>() else { unreachable!("the lengths were checked") };
    let (front, last) = nonce.split_at(N - 4);
    let word = |at: &[u8]| match at.first_chunk() {
        Some(it) => u128::from(u32::from_le_bytes(narrow_load(it))),
        None => unreachable!("four bytes"),
    };
    let (mut number, mut at) = (word(last) << (8 * (N - 4)), 0);
    while at + 4 <= front.len() {
        number |= word(&front[at..]) << (8 * at);
        at += 4;
    }
    while at < front.len() {
        number |= u128::from(front[at]) << (8 * at);
        at += 1;
    }
    number
}

/// A little-endian number in a register.
#[inline(always)]
pub fn register<B: Backend>(b: B, number: u128) -> B::V {
    b.splat(&number.to_le_bytes())
}
