//! Poly1305 (RFC 8439, 2.5) in plain 64-bit words, without branches on data.
//!
//! One block takes some 18 cycles of latency but few instructions, so callers
//! stitch it with the vector work of the cipher: that hides it, where several
//! blocks at a time with powers of r would only compete.

use crate::cpu::Backend;
use crate::memory::wipe::Wipe;

/// The one-time authenticator, in the form that AEADs use: whole 16-byte blocks,
/// zeros behind what is short. Wiped when dropped.
pub(crate) struct Poly1305 {
    r: [u64; 2],
    /// The sum, below 2^131: 64, 64 and a few bits.
    h: [u64; 3],
    s: u128,
}

impl Poly1305 {
    /// Takes the one-time key r || s.
    #[inline(always)]
    pub(crate) fn new(key: &[u8; 32]) -> Self {
        let ([r, s], []) = key.as_chunks() else { unreachable!("32 bytes are two blocks") };
        let r = u128::from_le_bytes(*r) & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
        Self { r: [r as u64, (r >> 64) as u64], h: [0; 3], s: u128::from_le_bytes(*s) }
    }

    /// Absorbs `data`, padded with zeros to whole blocks.
    #[inline(always)]
    pub(crate) fn update<B: Backend>(&mut self, b: B, data: &[u8]) {
        let (blocks, rest) = data.as_chunks::<16>();
        for block in blocks {
            self.block(block);
        }
        if !rest.is_empty() {
            let mut block = [0; 16];
            b.one().store(&mut block, b.one().load_part(rest));
            self.block(&block);
        }
    }

    /// h = (h + m + 2^128) r, reduced to a few bits above 2^130 - 5.
    #[inline(always)]
    fn block(&mut self, m: &[u8; 16]) {
        let wide = |x: u64| x as u128;
        let (low, high) = (|x: u128| x as u64, |x: u128| (x >> 64) as u64);
        let m = u128::from_le_bytes(*m);
        let ([r0, r1], [h0, h1, h2]) = (self.r, self.h);

        let t = wide(h0) + wide(low(m));
        let u = wide(h1) + wide(high(m)) + (t >> 64);
        let (h0, h1, h2) = (low(t), low(u), h2 + high(u) + 1);

        // 2^128 r1 is 5/4 r1, without a remainder: r's clamp makes r1 a multiple of 4.
        let s1 = r1 + (r1 >> 2);
        let d0 = wide(h0) * wide(r0) + wide(h1) * wide(s1);
        let d1 = wide(h0) * wide(r1) + wide(h1) * wide(r0) + wide(h2 * s1) + (d0 >> 64);
        let d2 = h2 * r0 + high(d1);

        // 2^130 is 5: four quarters, which are still in place, and one.
        let t = wide(low(d0)) + wide((d2 & !3) + (d2 >> 2));
        let u = wide(low(d1)) + (t >> 64);
        self.h = [low(t), low(u), (d2 & 3) + high(u)];
    }

    /// The tag: h modulo 2^130 - 5, plus s, modulo 2^128.
    #[inline(always)]
    pub(crate) fn tag(&self) -> [u8; 16] {
        let [h0, h1, h2] = self.h;
        let h = h0 as u128 | (h1 as u128) << 64;
        // h + 5 reaches 2^130 if and only if h reaches 2^130 - 5.
        let (g, over) = h.overflowing_add(5);
        let take_g = 0u128.wrapping_sub(((h2 + over as u64) >> 2) as u128);
        ((h & !take_g) | (g & take_g)).wrapping_add(self.s).to_le_bytes()
    }
}

impl Drop for Poly1305 {
    #[inline(always)]
    fn drop(&mut self) {
        self.r.iter_mut().chain(&mut self.h).for_each(Wipe::wipe);
        self.s.wipe();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::{Cpu, Kernel};

    /// RFC 8439, A.3, vectors 7 to 11: the carries and the last reduction.
    #[test]
    fn rfc8439() {
        struct Tag<'a>([u8; 32], &'a [u8]);
        impl Kernel for Tag<'_> {
            type Out = [u8; 16];
            fn run<B: Backend, const N: usize>(self, b: B) -> [u8; 16] {
                let mut poly = Poly1305::new(&self.0);
                poly.update(b, self.1);
                poly.tag()
            }
        }
        let tag = |key: [u8; 32], data: &[u8]| Cpu::soft().run(Tag(key, data));
        let key = |r: u128, s: u128| {
            let mut key = [0; 32];
            key[..16].copy_from_slice(&r.to_le_bytes());
            key[16..].copy_from_slice(&s.to_le_bytes());
            key
        };
        let number = |n: u128| n.to_le_bytes();
        // A.3, 7: h reaches 2^130 - 5 + 3.
        assert_eq!(tag(key(2, 0), &[0xff; 16]), number(3));
        // A.3, 8: s carries beyond 2^128.
        let mut two = [0; 16];
        two[0] = 2;
        assert_eq!(tag(key(2, u128::MAX), &two), number(3));
        // A.3, 9.
        let mut data = [0xff; 48];
        data[16] = 0xf0;
        data[32..].fill(0);
        data[32] = 0x11;
        assert_eq!(tag(key(1, 0), &data), number(5));
        // A.3, 10.
        let mut data = [0xff; 48];
        data[16] = 0xfb;
        data[17..32].fill(0xfe);
        data[32..].fill(1);
        assert_eq!(tag(key(1, 0), &data), number(0));
        // A.3, 11.
        let mut data = [0xff; 16];
        data[0] = 0xfd;
        assert_eq!(tag(key(2, 0), &data), number(u128::MAX - 5));
    }
}
