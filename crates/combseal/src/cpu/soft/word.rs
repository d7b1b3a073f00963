//! What the software tier asks of a machine: a register that holds a block, and a word of
//! bits in which a slice fits. Everything above is written once, over [`Word`].

use super::halves::{self, Halves};
use crate::cpu::bytes::equal;
use core::ops::{BitAnd, BitXor, Not};

/// A bit slice: a bit of each byte of `BLOCKS` blocks; with it, the registers from which
/// slices are packed.
///
/// An operation on registers that takes more than a few instructions is a call, since
/// kernels have hundreds of each and a cipher beside them costs hundreds of cycles.
pub trait Word:
    Copy + Send + Sync + 'static + BitAnd<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// A register: one block.
    type V: Copy;
    /// How many blocks.
    const BLOCKS: usize;
    /// As `Backend::WORDS`.
    const WORDS: bool = false;

    /// A block in a register.
    fn join(h: Halves) -> Self::V;
    /// The inverse of `join`.
    fn split(v: Self::V) -> Halves;
    /// `a ^ b`.
    fn xor(a: Self::V, b: Self::V) -> Self::V;
    /// `a & b`.
    fn and(a: Self::V, b: Self::V) -> Self::V;
    /// As `Backend::swap`.
    #[inline(always)]
    fn swap(v: Self::V) -> Self::V {
        let [low, high] = Self::split(v);
        Self::join([high, low])
    }
    /// As `Backend::shl64`.
    #[inline(always)]
    fn shl64(v: Self::V, n: u32) -> Self::V {
        let [low, high] = Self::split(v);
        Self::join([low.checked_shl(n).unwrap_or(0), high.checked_shl(n).unwrap_or(0)])
    }
    /// As `Backend::shr64`.
    #[inline(always)]
    fn shr64(v: Self::V, n: u32) -> Self::V {
        let [low, high] = Self::split(v);
        Self::join([low.checked_shr(n).unwrap_or(0), high.checked_shr(n).unwrap_or(0)])
    }
    /// As `Backend::add32`.
    #[inline(always)]
    fn add32(a: Self::V, b: Self::V) -> Self::V {
        // The top bits are added apart, where their carries are lost.
        const TOPS: u64 = 0x8000_0000_8000_0000;
        let (mut z, b) = (Self::split(a), Self::split(b));
        for i in 0..2 {
            z[i] = ((z[i] & !TOPS) + (b[i] & !TOPS)) ^ ((z[i] ^ b[i]) & TOPS);
        }
        Self::join(z)
    }
    /// As `Backend::add64`.
    #[inline(always)]
    fn add64(a: Self::V, b: Self::V) -> Self::V {
        let (a, b) = (Self::split(a), Self::split(b));
        Self::join([a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])])
    }
    /// As `Backend::add128`.
    #[inline(always)]
    fn add128(a: Self::V, n: Self::V) -> Self::V {
        let sum = halves::whole(Self::split(a)).wrapping_add(halves::whole(Self::split(n)));
        Self::join(halves::halves(sum))
    }
    /// As `Backend::rev`.
    #[inline(always)]
    fn rev(v: Self::V) -> Self::V {
        let [low, high] = Self::split(v);
        Self::join([high.swap_bytes(), low.swap_bytes()])
    }
    /// As `Backend::keep`.
    #[inline(never)]
    fn keep(v: Self::V, n: usize) -> Self::V {
        Self::join(halves::keep(Self::split(v), n))
    }
    /// As `Backend::load_part`.
    #[inline(never)]
    fn load_part(src: &[u8]) -> Self::V {
        Self::join(halves::load_part(src))
    }
    /// As `Backend::store_part`.
    #[inline(never)]
    fn store_part(dst: &mut [u8], v: Self::V) {
        halves::store_part(dst, Self::split(v));
    }
    /// As `Backend::begins`.
    #[inline(never)]
    fn begins(v: Self::V, tag: &[u8]) -> bool {
        let block = halves::whole(Self::split(v)).to_le_bytes();
        block.get(..tag.len()).is_some_and(|it| equal(it, tag))
    }
    /// As `Backend::rol32`.
    #[inline(never)]
    fn rol32<const N: i32>(v: Self::V) -> Self::V {
        let turned = |w: u64| u64::from((w as u32).rotate_left(N as u32));
        Self::join(Self::split(v).map(|half| turned(half) | turned(half >> 32) << 32))
    }
    /// As `Backend::turn32`.
    #[inline(never)]
    fn turn32<const N: usize>(v: Self::V) -> Self::V {
        Self::join(halves::halves(halves::whole(Self::split(v)).rotate_right(32 * N as u32)))
    }
    /// As `Backend::transpose32`.
    #[inline(never)]
    fn transpose32(v: [Self::V; 4]) -> [Self::V; 4] {
        let (from, mut to) = (v.map(|v| halves::whole(Self::split(v))), v);
        for i in 0..4 {
            let word = |j: usize| u128::from((from[j] >> (32 * i)) as u32) << (32 * j);
            to[i] = Self::join(halves::halves(word(0) | word(1) | word(2) | word(3)));
        }
        to
    }
    /// As `Backend::low_halves`.
    #[inline(always)]
    fn low_halves(a: Self::V, b: Self::V) -> Self::V {
        Self::join([Self::split(a)[0], Self::split(b)[0]])
    }
    /// As `Backend::high_halves`.
    #[inline(always)]
    fn high_halves(a: Self::V, b: Self::V) -> Self::V {
        Self::join([Self::split(a)[1], Self::split(b)[1]])
    }
    /// As `Backend::mul32`.
    #[inline(never)]
    fn mul32(a: Self::V, b: Self::V) -> Self::V {
        let (a, b) = (Self::split(a), Self::split(b));
        Self::join([0, 1].map(|i| (a[i] & 0xffff_ffff) * (b[i] & 0xffff_ffff)))
    }
    /// As `Backend::clmul`.
    fn clmul<const IMM: i32>(a: Self::V, b: Self::V) -> Self::V;

    /// The bits of a block or key in the order that suits `pack` and `spread`.
    fn compact(v: Self::V) -> Self::V;
    /// The inverse of `compact`.
    fn restore(v: Self::V) -> Self::V;
    /// The slices of `BLOCKS` compact blocks.
    fn pack(x: &[Self::V]) -> [Self; 8];
    /// The inverse of `pack`.
    fn unpack(slices: [Self; 8], x: &mut [Self::V]);
    /// Slice `bit` of a compact key, the same for all blocks.
    fn spread(key: Self::V, bit: usize) -> Self;
    /// Moves each bit up by `ROWS` rows (0, 1 or 2) and left by `COLS` columns,
    /// around the edges.
    fn turn<const ROWS: usize, const COLS: usize>(self) -> Self;
    /// `other` in the rows whose bits in `ROWS` are set, `self` in the rest.
    fn merge<const ROWS: u8>(self, other: Self) -> Self;
}
