//! Poly1305 (RFC 8439, 2.5) in plain 64-bit words, without branches on data:
//! limbs of 44, 44 and 42 bits, and two blocks under one carry (h = (h + m) r^2 + m' r).
//!
//! Ours, because the `poly1305` crate's AVX2 code calls each of its intrinsics as
//! a function when not compiled for one CPU, which takes 3,000 cycles to begin.

use zeroize::Zeroize;

/// A number modulo 2^130 - 5 in limbs of 44, 44 and 42 bits, perhaps a few more.
type Limbs = [u64; 3];

const LOW44: u64 = (1 << 44) - 1;
const LOW42: u64 = (1 << 42) - 1;

/// The one-time authenticator, in the form that AEADs use: whole 16-byte blocks,
/// zeros behind what is short. Wiped when dropped.
pub(super) struct Poly1305 {
    r: Limbs,
    r2: Limbs,
    h: Limbs,
    s: u128,
}

impl Poly1305 {
    /// Takes the one-time key r || s.
    pub(super) fn new(key: &[u8; 32]) -> Self {
        let (r, s) = (word(key, 0), word(key, 16));
        let r = limbs(r & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff, 0);
        let mut sum = [0; 3];
        add_product(&mut sum, r, r);
        Self { r, r2: carry(sum), h: [0; 3], s }
    }

    /// Absorbs `data`, padded with zeros to whole blocks.
    pub(super) fn update(&mut self, data: &[u8]) {
        // 2^128, the bit behind a block, is bit 40 of the highest limb.
        let (pairs, rest) = data.as_chunks::<32>();
        let (r, r2) = (self.r, self.r2);
        let mut h = self.h;
        for pair in pairs {
            let (m, n) = (limbs(word(pair, 0), 1 << 40), limbs(word(pair, 16), 1 << 40));
            let mut sum = [0; 3];
            add_product(&mut sum, n, r);
            add_product(&mut sum, [h[0] + m[0], h[1] + m[1], h[2] + m[2]], r2);
            h = carry(sum);
        }
        for part in rest.chunks(16) {
            let mut block = [0; 16];
            block[..part.len()].copy_from_slice(part);
            let m = limbs(u128::from_le_bytes(block), 1 << 40);
            let mut sum = [0; 3];
            add_product(&mut sum, [h[0] + m[0], h[1] + m[1], h[2] + m[2]], r);
            h = carry(sum);
        }
        self.h = h;
    }

    /// The tag: h modulo 2^130 - 5, plus s, modulo 2^128.
    pub(super) fn tag(&self) -> [u8; 16] {
        let mut h = self.h;
        // Twice, so that every limb is within its bits.
        for _ in 0..2 {
            h = carry([h[0] as u128, h[1] as u128, h[2] as u128]);
        }
        // g = h + 5 - 2^130: not negative if and only if h is 2^130 - 5 or more.
        let mut g = h;
        g[0] += 5;
        g[1] += g[0] >> 44;
        g[2] += g[1] >> 44;
        let take_g = 0u64.wrapping_sub(g[2] >> 42);
        for i in 0..3 {
            h[i] = (h[i] & !take_g) | (g[i] & [LOW44, LOW44, LOW42][i] & take_g);
        }
        let number = h[0] as u128 | (h[1] as u128) << 44 | (h[2] as u128) << 88;
        number.wrapping_add(self.s).to_le_bytes()
    }
}

impl Drop for Poly1305 {
    fn drop(&mut self) {
        self.r.zeroize();
        self.r2.zeroize();
        self.h.zeroize();
        self.s.zeroize();
    }
}

/// Sixteen bytes of `data` from `at` on, little-endian.
#[inline(always)]
fn word(data: &[u8; 32], at: usize) -> u128 {
    let mut block = [0; 16];
    block.copy_from_slice(&data[at..at + 16]);
    u128::from_le_bytes(block)
}

/// A number in limbs, with `high` added to the highest.
#[inline(always)]
fn limbs(n: u128, high: u64) -> Limbs {
    [n as u64 & LOW44, (n >> 44) as u64 & LOW44, (n >> 88) as u64 | high]
}

/// Adds `a * r` to `sum`, in limbs that are not carried yet. What passes 2^132
/// comes back 20-fold: 4 * 5, as 2^130 is 5.
#[inline(always)]
fn add_product(sum: &mut [u128; 3], a: Limbs, r: Limbs) {
    let mul = |x: u64, y: u64| x as u128 * y as u128;
    let (r1, r2) = (r[1] * 20, r[2] * 20);
    sum[0] += mul(a[0], r[0]) + mul(a[1], r2) + mul(a[2], r1);
    sum[1] += mul(a[0], r[1]) + mul(a[1], r[0]) + mul(a[2], r2);
    sum[2] += mul(a[0], r[2]) + mul(a[1], r[1]) + mul(a[2], r[0]);
}

/// Carries once around: limbs of 44, 44 (and a bit) and 42 bits.
#[inline(always)]
fn carry(mut sum: [u128; 3]) -> Limbs {
    sum[1] += (sum[0] >> 44) as u64 as u128;
    sum[2] += (sum[1] >> 44) as u64 as u128;
    let low = (sum[0] as u64 & LOW44) + (sum[2] >> 42) as u64 * 5;
    [low & LOW44, (sum[1] as u64 & LOW44) + (low >> 44), sum[2] as u64 & LOW42]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8439, A.3, vectors 7 to 11: the carries and the last reduction.
    #[test]
    fn rfc8439() {
        let tag = |key: [u8; 32], data: &[u8]| {
            let mut poly = Poly1305::new(&key);
            poly.update(data);
            poly.tag()
        };
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
