//! Products in GF(2^128) by carry-less multiplication, in both orders of bits, a field element
//! in each lane of a register.
//!
//! Of a product by an element that is known beforehand, `h`, only 192 bits need to be reduced:
//! `x * h` is `low(x) * h + high(x) * (h * x^64)`, and with both factors at hand four carry-less
//! products give it as two overlapping parts. Sums of such products are reduced once.

use combseal::cpu::{Backend, Block};

/// The order of OCB and CMAC: a block is a big-endian number, its first bit the coefficient of
/// x^127. Here elements have their bytes reversed, so that bit i of a little-endian number is
/// the coefficient of x^i, modulo x^128 + x^7 + x^2 + x + 1.
pub mod big_endian {
    use super::*;

    /// The modulus without x^128.
    const POLYNOMIAL: Block = 0x87u128.to_le_bytes();
    /// The upper half.
    const UPPER: Block = (!0u128 << 64).to_le_bytes();

    /// `v * x^k`, for `k` from 1 to 32.
    #[inline(always)]
    pub fn times_x_to<B: Backend>(b: B, v: B::V, k: u32) -> B::V {
        let out = b.shr64(v, 64 - k);
        let inside = b.and(b.swap(out), b.splat(&UPPER));
        b.xor(b.xor(b.shl64(v, k), b.clmul::<0x01>(out, b.splat(&POLYNOMIAL))), inside)
    }

    /// Blocks whose bytes are moved up by 1, 2, 4 and 8 places, the last ones to the front.
    static MOVED: [Block; 4] = {
        let mut t = [[0; 16]; 4];
        let mut i = 0;
        while i < 64 {
            t[i / 16][i % 16] = ((i + 16 - (1 << (i / 16))) % 16) as u8;
            i += 1;
        }
        t
    };
    /// The modulus without x^128 and 1.
    const WITHOUT_ONE: Block = 0x86u128.to_le_bytes();

    /// `v * x^(8 k)`, for `k` 1, 2, 4 or 8. The bytes are moved in a circle, which adds what is
    /// carried out, and that times the rest of the modulus is added.
    #[inline(always)]
    pub fn times_bytes<B: Backend>(b: B, v: B::V, k: usize) -> B::V {
        let (moved, out) = if k == 8 {
            (b.swap(v), v)
        } else {
            (b.permute(v, &MOVED[k.trailing_zeros() as usize]), b.shr64(v, 64 - 8 * k as u32))
        };
        b.xor(moved, b.clmul::<0x01>(out, b.splat(&WITHOUT_ONE)))
    }

    /// `h * x^64`: the second factor that [`Product::add`] needs.
    #[inline(always)]
    pub fn times_x64<B: Backend>(b: B, h: B::V) -> B::V {
        b.xor(b.and(b.swap(h), b.splat(&UPPER)), b.clmul::<0x01>(h, b.splat(&POLYNOMIAL)))
    }

    /// A sum of products that is not reduced: bits 0 to 127, and 64 to 191.
    #[derive(Clone, Copy)]
    pub struct Product<B: Backend> {
        low: B::V,
        high: B::V,
    }

    impl<B: Backend> Product<B> {
        #[inline(always)]
        pub fn zero(b: B) -> Self {
            Self { low: b.zero(), high: b.zero() }
        }

        /// Adds `x * h`; `above` is `h * x^64`.
        #[inline(always)]
        pub fn add(&mut self, b: B, x: B::V, h: B::V, above: B::V) {
            self.low = b.xor(self.low, b.xor(b.clmul::<0x00>(x, h), b.clmul::<0x01>(x, above)));
            self.high = b.xor(self.high, b.xor(b.clmul::<0x10>(x, h), b.clmul::<0x11>(x, above)));
        }

        /// The sum, in each lane.
        #[inline(always)]
        pub fn reduced(self, b: B) -> B::V {
            b.xor(self.low, times_x64(b, self.high))
        }
    }

    /// `x * h`; `above` is `h * x^64`.
    #[inline(always)]
    pub fn times<B: Backend>(b: B, x: B::V, h: B::V, above: B::V) -> B::V {
        let mut product = Product::zero(b);
        product.add(b, x, h, above);
        product.reduced(b)
    }
}

/// The order of GCM: the first bit of a block is the coefficient of x^0. Here elements have
/// their bytes reversed and are multiplied in Montgomery's form, as for POLYVAL (RFC 8452,
/// appendix A): no bit is ever reversed.
pub mod gcm {
    use super::*;

    /// POLYVAL's modulus without x^128 and 1, divided by x^64.
    const FOLD: Block = (0xc2u128 << 56).to_le_bytes();

    /// A factor in GCM's order, as POLYVAL's key: its bytes reversed, times x.
    #[inline(always)]
    pub fn factor(h: &Block) -> Block {
        let h = u128::from_be_bytes(*h);
        let carry = 0u128.wrapping_sub(h >> 127);
        (h << 1 ^ carry & (0xc2 << 120 | 1)).to_le_bytes()
    }

    /// `h * x^-64`: the second factor that [`times`] needs.
    #[inline(always)]
    pub fn times_half<B: Backend>(b: B, h: B::V) -> B::V {
        b.xor(b.swap(h), b.clmul::<0x00>(h, b.splat(&FOLD)))
    }

    /// The product of `x`, its bytes reversed, and a [`factor`]; `half` is `h * x^-64`.
    #[inline(always)]
    pub fn times<B: Backend>(b: B, x: B::V, h: B::V, half: B::V) -> B::V {
        let low = b.xor(b.clmul::<0x00>(x, half), b.clmul::<0x01>(x, h));
        let high = b.xor(b.clmul::<0x10>(x, half), b.clmul::<0x11>(x, h));
        b.xor(b.xor(high, b.swap(low)), b.clmul::<0x00>(low, b.splat(&FOLD)))
    }
}
