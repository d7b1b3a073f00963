//! The intrinsics by register width, under one set of names: `x1`, `x2` and
//! `x4` hold 1, 2 and 4 blocks. Safe wrappers are in `mod.rs`.

#[cfg(target_arch = "x86")]
pub(super) use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
pub(super) use core::arch::x86_64::*;

/// Defines the operations of one width.
macro_rules! ops {
    ($(fn $f:ident $(<const $I:ident: i32>)? ($($a:ident: $t:ty),*) -> $r:ty = $e:expr;)*) => {$(
        #[inline(always)]
        #[allow(unused_unsafe)]
        pub(in super::super) unsafe fn $f $(<const $I: i32>)? ($($a: $t),*) -> $r {
            // SAFETY: the caller holds the token of a backend with this
            // instruction, and its pointers are good for a whole register.
            unsafe { $e }
        }
    )*};
}

/// A register that nothing happens to, in order.
macro_rules! pin {
    ($f:ident, $v:ty, $class:ident, $feature:literal) => {
        #[inline]
        #[target_feature(enable = $feature)]
        pub(in super::super) fn $f(mut v: $v) -> $v {
            // SAFETY: no instruction at all.
            unsafe { core::arch::asm!("/* {0} */", inout($class) v, options(nomem, nostack, preserves_flags)) };
            v
        }
    };
}

/// Words rotated left by whole bytes: a shuffle by an operand in memory. Of a constant that the compiler sees it makes two
/// shuffles where one would do, and one in a register is a register less for ChaCha20, whose state takes all sixteen.
macro_rules! rotate_by_bytes {
    ($f:ident, $v:ty, $class:ident, $feature:literal) => {
        #[inline]
        #[target_feature(enable = $feature)]
        fn $f<const I: i32>(v: $v) -> $v {
            let at = ROTATIONS.0.as_ptr();
            let out;
            // SAFETY: it reads a register's length of a static that has 32 bytes behind either place.
            unsafe {
                if I == 8 {
                    core::arch::asm!(
                        "vpshufb {0}, {1}, [{2}]",
                        lateout($class) out, in($class) v, in(reg) at,
                        options(pure, readonly, nostack, preserves_flags)
                    );
                } else {
                    core::arch::asm!(
                        "vpshufb {0}, {1}, [{2} + 32]",
                        lateout($class) out, in($class) v, in(reg) at,
                        options(pure, readonly, nostack, preserves_flags)
                    );
                }
            }
            out
        }
    };
}

/// Where the bytes of words come from that are rotated left by 8 bits and, from byte 32 on, by 16.
#[repr(align(64))]
struct Rotations([u8; 64]);
static ROTATIONS: Rotations = {
    let mut t = [0; 64];
    let mut i = 0;
    while i < 64 {
        let by = if i < 32 { 1 } else { 2 };
        t[i] = (i % 16 / 4 * 4 + (i + 4 - by) % 4) as u8;
        i += 1;
    }
    Rotations(t)
};

/// Sixteen bytes of ones, then sixteen of zeros: a mask of `n` bytes begins at `16 - n`.
static EDGE: [u8; 32] = {
    let mut t = [0; 32];
    let mut i = 0;
    while i < 16 {
        t[i] = 0xff;
        i += 1;
    }
    t
};

ops! {
    // A number of bits to shift by, as the instructions take it.
    fn count(n: u32) -> __m128i = _mm_cvtsi32_si128(n as i32);
    // Whether all bits are zero, from all of them at once.
    fn is_zero(v: __m128i) -> bool = _mm_testz_si128(v, v) == 1;
}

/// One block: AES-NI, AVX.
pub(super) mod x1 {
    use super::*;
    pub(in super::super) type V = __m128i;
    pin!(pin, __m128i, xmm_reg, "avx");
    rotate_by_bytes!(rotated, __m128i, xmm_reg, "avx");
    ops! {
        fn load(p: *const u8) -> V = _mm_loadu_si128(p.cast());
        fn store(p: *mut u8, v: V) -> () = _mm_storeu_si128(p.cast(), v);
        fn store_every_other(p: *mut u8, v: V, odd: bool) -> () = if !odd { store(p, v) };
        fn splat(p: *const u8) -> V = _mm_loadu_si128(p.cast());
        fn widen(v: __m128i) -> V = v;
        fn fold(v: V) -> __m128i = v;
        fn top(v: V) -> __m128i = v;
        fn with_top(_v: V, top: __m128i) -> V = top;
        fn join(v: [__m128i; 4]) -> V = v[0];
        fn split(v: V) -> [__m128i; 4] = [v; 4];
        fn zero() -> V = _mm_setzero_si128();
        fn xor(a: V, b: V) -> V = _mm_xor_si128(a, b);
        fn and(a: V, b: V) -> V = _mm_and_si128(a, b);
        fn or(a: V, b: V) -> V = _mm_or_si128(a, b);
        fn shl64(v: V, n: u32) -> V = _mm_sll_epi64(v, _mm_cvtsi32_si128(n as i32));
        fn shr64(v: V, n: u32) -> V = _mm_srl_epi64(v, _mm_cvtsi32_si128(n as i32));
        fn shl32<const I: i32>(v: V) -> V = _mm_sll_epi32(v, _mm_cvtsi32_si128(I));
        fn shr32<const I: i32>(v: V) -> V = _mm_srl_epi32(v, _mm_cvtsi32_si128(I));
        fn funnel64(high: V, low: V, n: u32) -> V = or(_mm_sll_epi64(high, count(n)), _mm_srl_epi64(low, count(64 - n)));
        fn funnel32(high: V, low: V, n: u32) -> V = or(_mm_sll_epi32(high, count(n)), _mm_srl_epi32(low, count(32 - n)));
        fn funnel16(high: V, low: V, n: u32) -> V = or(_mm_sll_epi16(high, count(n)), _mm_srl_epi16(low, count(16 - n)));
        // The count is the low half of `n`.
        fn shl64_lanes(v: V, n: V) -> V = _mm_sll_epi64(v, n);
        fn shr64_lanes(v: V, n: V) -> V = _mm_srl_epi64(v, n);
        fn add32(a: V, b: V) -> V = _mm_add_epi32(a, b);
        fn add64(a: V, b: V) -> V = _mm_add_epi64(a, b);
        fn swap(v: V) -> V = _mm_shuffle_epi32::<0x4e>(v);
        fn mixed(a: V, b: V) -> V = _mm_blend_epi16::<0xf0>(a, b);
        fn permute(v: V, from: *const u8) -> V = _mm_shuffle_epi8(v, splat(from));
        fn rev(v: V) -> V = _mm_shuffle_epi8(v, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
        fn clmul<const I: i32>(a: V, b: V) -> V = _mm_clmulepi64_si128::<I>(a, b);
        fn enc(x: V, k: V) -> V = _mm_aesenc_si128(x, k);
        fn last(x: V, k: V) -> V = _mm_aesenclast_si128(x, k);
        fn dec(x: V, k: V) -> V = _mm_aesdec_si128(x, k);
        fn declast(x: V, k: V) -> V = _mm_aesdeclast_si128(x, k);
        fn hold(v: V) -> V = v;
        fn splat32(w: u32) -> V = _mm_set1_epi32(w as i32);
        fn splat64(w: u64) -> V = _mm_set1_epi64x(w as i64);
        fn turn32<const I: i32>(v: V) -> V = _mm_shuffle_epi32::<I>(v);
        fn low_halves(a: V, b: V) -> V = _mm_unpacklo_epi64(a, b);
        fn high_halves(a: V, b: V) -> V = _mm_unpackhi_epi64(a, b);
        fn mul32(a: V, b: V) -> V = _mm_mul_epu32(a, b);
    }

    /// Word by word: what each loses, as a mask, to the next one, from the last to the first
    /// times the modulus.
    #[inline(always)]
    pub(in super::super) unsafe fn double(v: V) -> V {
        // SAFETY: as in `ops!`.
        unsafe {
            let lost = _mm_srai_epi32::<31>(_mm_shuffle_epi32::<0x93>(v));
            _mm_xor_si128(_mm_add_epi32(v, v), _mm_and_si128(lost, _mm_set_epi32(1, 1, 1, 0x87)))
        }
    }

    /// Words rotated left: by whole bytes as a shuffle.
    #[inline(always)]
    pub(in super::super) unsafe fn rol32<const I: i32>(v: V) -> V {
        // SAFETY: as in `ops!`.
        unsafe {
            match I {
                8 | 16 => rotated::<I>(v),
                _ => _mm_or_si128(_mm_sll_epi32(v, _mm_cvtsi32_si128(I)), _mm_srl_epi32(v, _mm_cvtsi32_si128(32 - I))),
            }
        }
    }

    /// A load for each word: the table has no room in registers of this width.
    #[inline(always)]
    pub(in super::super) unsafe fn lookup16(table: &[u32; 16], index: V) -> V {
        let mut t = [0u32; 4];
        // SAFETY: as in `ops!`.
        unsafe { _mm_storeu_si128(t.as_mut_ptr().cast(), index) };
        let [a, b, c, d] = t.map(|w| table[(w & 15) as usize] as i32);
        // SAFETY: as in `ops!`.
        unsafe { _mm_setr_epi32(a, b, c, d) }
    }

    /// In each lane, the words of four blocks transposed.
    #[inline(always)]
    pub(in super::super) unsafe fn transpose32(v: [V; 4]) -> [V; 4] {
        // SAFETY: as in `ops!`.
        unsafe {
            let (a, b) = (_mm_unpacklo_epi32(v[0], v[1]), _mm_unpacklo_epi32(v[2], v[3]));
            let (c, d) = (_mm_unpackhi_epi32(v[0], v[1]), _mm_unpackhi_epi32(v[2], v[3]));
            [_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b), _mm_unpacklo_epi64(c, d), _mm_unpackhi_epi64(c, d)]
        }
    }

    /// One lane: nothing to do.
    #[inline(always)]
    pub(in super::super) unsafe fn transpose128(v: [V; 4]) -> [V; 4] {
        v
    }

    /// `a` as 128-bit sums with `n`: a carry leaves the low half where bit 63 of
    /// the low halves falls, as `n` is below 2^63.
    #[inline(always)]
    pub(in super::super) unsafe fn add128(a: V, n: V) -> V {
        // SAFETY: as in `ops!`.
        unsafe {
            let s = _mm_add_epi64(a, n);
            let carry = _mm_srli_epi64::<63>(_mm_andnot_si128(s, a));
            _mm_add_epi64(s, _mm_slli_si128::<8>(carry))
        }
    }
    /// The first `n` bytes of `v`.
    #[inline(always)]
    pub(in super::super) unsafe fn keep(v: V, n: usize) -> V {
        let from = 16 - n.min(16);
        // SAFETY: as in `ops!`; 0 <= from <= 16, and `EDGE` has 32 bytes.
        unsafe { _mm_and_si128(v, _mm_loadu_si128(EDGE.as_ptr().add(from).cast())) }
    }
    /// Up to 16 bytes, by general registers.
    #[inline(always)]
    pub(in super::super) unsafe fn load_part(p: *const u8, n: usize) -> V {
        // SAFETY: as in `ops!`; each read is within the `n` bytes at `p`.
        unsafe {
            if n >= 16 {
                return _mm_loadu_si128(p.cast());
            }
            if n >= 8 {
                let lo = p.cast::<u64>().read_unaligned();
                // The last eight bytes, without those that `lo` has.
                let hi = p.add(n - 8).cast::<u64>().read_unaligned();
                let hi = (hi >> 1) >> ((16 - n) * 8 - 1);
                return _mm_set_epi64x(hi as i64, lo as i64);
            }
            let lo = if n >= 4 {
                let a = p.cast::<u32>().read_unaligned() as u64;
                let b = p.add(n - 4).cast::<u32>().read_unaligned() as u64;
                a | b << ((n - 4) * 8)
            } else if n > 0 {
                let (a, b, c) = (*p, *p.add(n / 2), *p.add(n - 1));
                a as u64 | (b as u64) << (n / 2 * 8) | (c as u64) << ((n - 1) * 8)
            } else {
                0
            };
            _mm_set_epi64x(0, lo as i64)
        }
    }
    /// Up to 16 bytes, by general registers.
    #[inline(always)]
    pub(in super::super) unsafe fn store_part(p: *mut u8, n: usize, v: V) {
        // SAFETY: as in `ops!`; each write is within the `n` bytes at `p`.
        unsafe {
            if n >= 16 {
                return _mm_storeu_si128(p.cast(), v);
            }
            let lo = low(v);
            if n >= 8 {
                // The eight bytes that end at the `n`th.
                let hi = low(_mm_srli_si128::<8>(v));
                let s = (n - 8) * 8;
                let tail = lo >> s | (hi << 1) << (63 - s);
                p.add(n - 8).cast::<u64>().write_unaligned(tail);
                p.cast::<u64>().write_unaligned(lo);
            } else if n >= 4 {
                p.add(n - 4).cast::<u32>().write_unaligned((lo >> ((n - 4) * 8)) as u32);
                p.cast::<u32>().write_unaligned(lo as u32);
            } else if n > 0 {
                *p.add(n - 1) = (lo >> ((n - 1) * 8)) as u8;
                *p.add(n / 2) = (lo >> (n / 2 * 8)) as u8;
                *p = lo as u8;
            }
        }
    }
    /// The low half.
    #[inline(always)]
    unsafe fn low(v: V) -> u64 {
        let mut t = [0u64; 2];
        // SAFETY: as in `ops!`; LLVM makes one VMOVQ of it, on 32-bit machines two moves.
        unsafe { _mm_storeu_si128(t.as_mut_ptr().cast(), v) };
        t[0]
    }
}

/// One block, with AVX-512VL's masks.
pub(super) mod x1m {
    pub(in super::super) use super::x1::{
        V, add32, add64, add128, and, clmul, dec, declast, double, enc, fold, funnel16, funnel32, funnel64,
        high_halves, hold, join, last, load, low_halves, mixed, mul32, or, permute, pin, rev, shl32, shl64,
        shl64_lanes, shr32, shr64, shr64_lanes, splat, splat32, splat64, split, store, store_every_other, swap, top,
        transpose32, transpose128, turn32, widen, with_top, xor, zero,
    };
    use super::*;
    #[inline(always)]
    fn mask(n: usize) -> __mmask16 {
        ((1u32 << n.min(16)) - 1) as __mmask16
    }
    ops! {
        fn rol32<const I: i32>(v: V) -> V = _mm_rol_epi32::<I>(v);
        fn lookup16(table: &[u32; 16], index: V) -> V = _mm256_castsi256_si128(_mm256_permutex2var_epi32(
            _mm256_loadu_si256(table.as_ptr().cast()),
            _mm256_castsi128_si256(index),
            _mm256_loadu_si256(table[8..].as_ptr().cast()),
        ));
        fn keep(v: V, n: usize) -> V = _mm_maskz_mov_epi8(mask(n), v);
        // A masked load of nothing from nowhere takes a fault's time to find that out.
        fn load_part(p: *const u8, n: usize) -> V = if n == 0 { zero() } else { _mm_maskz_loadu_epi8(mask(n), p.cast()) };
        fn store_part(p: *mut u8, n: usize, v: V) -> () = _mm_mask_storeu_epi8(p.cast(), mask(n), v);
    }
}

/// Two blocks: VAES, VPCLMULQDQ, AVX2.
pub(super) mod x2 {
    use super::*;
    pub(in super::super) type V = __m256i;
    pin!(pin, __m256i, ymm_reg, "avx");
    rotate_by_bytes!(rotated, __m256i, ymm_reg, "avx2");
    ops! {
        fn load(p: *const u8) -> V = _mm256_loadu_si256(p.cast());
        fn store(p: *mut u8, v: V) -> () = _mm256_storeu_si256(p.cast(), v);
        fn store_every_other(p: *mut u8, v: V, odd: bool) -> () =
            if odd { x1::store(p.add(16), top(v)) } else { x1::store(p, _mm256_castsi256_si128(v)) };
        fn splat(p: *const u8) -> V = _mm256_broadcastsi128_si256(_mm_loadu_si128(p.cast()));
        fn widen(v: __m128i) -> V = _mm256_broadcastsi128_si256(v);
        fn fold(v: V) -> __m128i = _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
        fn top(v: V) -> __m128i = _mm256_extracti128_si256::<1>(v);
        fn with_top(v: V, top: __m128i) -> V = _mm256_inserti128_si256::<1>(v, top);
        fn join(v: [__m128i; 4]) -> V = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(v[0]), v[1]);
        fn zero() -> V = _mm256_setzero_si256();
        fn xor(a: V, b: V) -> V = _mm256_xor_si256(a, b);
        fn and(a: V, b: V) -> V = _mm256_and_si256(a, b);
        fn or(a: V, b: V) -> V = _mm256_or_si256(a, b);
        fn shl64(v: V, n: u32) -> V = _mm256_sll_epi64(v, _mm_cvtsi32_si128(n as i32));
        fn shr64(v: V, n: u32) -> V = _mm256_srl_epi64(v, _mm_cvtsi32_si128(n as i32));
        fn shl32<const I: i32>(v: V) -> V = _mm256_sll_epi32(v, _mm_cvtsi32_si128(I));
        fn shr32<const I: i32>(v: V) -> V = _mm256_srl_epi32(v, _mm_cvtsi32_si128(I));
        fn funnel64(high: V, low: V, n: u32) -> V = or(_mm256_sll_epi64(high, count(n)), _mm256_srl_epi64(low, count(64 - n)));
        fn funnel32(high: V, low: V, n: u32) -> V = or(_mm256_sll_epi32(high, count(n)), _mm256_srl_epi32(low, count(32 - n)));
        fn funnel16(high: V, low: V, n: u32) -> V = or(_mm256_sll_epi16(high, count(n)), _mm256_srl_epi16(low, count(16 - n)));
        fn shl64_lanes(v: V, n: V) -> V = _mm256_sllv_epi64(v, n);
        fn shr64_lanes(v: V, n: V) -> V = _mm256_srlv_epi64(v, n);
        fn add32(a: V, b: V) -> V = _mm256_add_epi32(a, b);
        fn add64(a: V, b: V) -> V = _mm256_add_epi64(a, b);
        fn swap(v: V) -> V = _mm256_shuffle_epi32::<0x4e>(v);
        fn mixed(a: V, b: V) -> V = _mm256_blend_epi32::<0xcc>(a, b);
        fn permute(v: V, from: *const u8) -> V = _mm256_shuffle_epi8(v, splat(from));
        fn rev(v: V) -> V = _mm256_shuffle_epi8(v, widen(_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)));
        fn clmul<const I: i32>(a: V, b: V) -> V = _mm256_clmulepi64_epi128::<I>(a, b);
        fn enc(x: V, k: V) -> V = _mm256_aesenc_epi128(x, k);
        fn last(x: V, k: V) -> V = _mm256_aesenclast_epi128(x, k);
        fn dec(x: V, k: V) -> V = _mm256_aesdec_epi128(x, k);
        fn declast(x: V, k: V) -> V = _mm256_aesdeclast_epi128(x, k);
        fn hold(v: V) -> V = v;
        fn splat32(w: u32) -> V = _mm256_set1_epi32(w as i32);
        fn splat64(w: u64) -> V = _mm256_set1_epi64x(w as i64);
        fn turn32<const I: i32>(v: V) -> V = _mm256_shuffle_epi32::<I>(v);
        fn low_halves(a: V, b: V) -> V = _mm256_unpacklo_epi64(a, b);
        fn high_halves(a: V, b: V) -> V = _mm256_unpackhi_epi64(a, b);
        fn mul32(a: V, b: V) -> V = _mm256_mul_epu32(a, b);
        // By bits 0 to 2 in either half of the table; then by bit 3, as the sign.
        fn lookup16(table: &[u32; 16], index: V) -> V = _mm256_castps_si256(_mm256_blendv_ps(
            _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(load(table.as_ptr().cast()), index)),
            _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(load(table[8..].as_ptr().cast()), index)),
            _mm256_castsi256_ps(shl32::<28>(index)),
        ));
    }
    /// The lanes, the last twice more.
    #[inline(always)]
    pub(in super::super) unsafe fn split(v: V) -> [__m128i; 4] {
        // SAFETY: as in `ops!`.
        unsafe {
            let high = _mm256_extracti128_si256::<1>(v);
            [_mm256_castsi256_si128(v), high, high, high]
        }
    }
    /// Word by word: what each loses, as a mask, to the next one, from the last to the first
    /// times the modulus.
    #[inline(always)]
    pub(in super::super) unsafe fn double(v: V) -> V {
        // SAFETY: as in `ops!`.
        unsafe {
            let lost = _mm256_srai_epi32::<31>(_mm256_shuffle_epi32::<0x93>(v));
            _mm256_xor_si256(_mm256_add_epi32(v, v), _mm256_and_si256(lost, widen(_mm_set_epi32(1, 1, 1, 0x87))))
        }
    }

    /// Words rotated left: by whole bytes as a shuffle.
    #[inline(always)]
    pub(in super::super) unsafe fn rol32<const I: i32>(v: V) -> V {
        // SAFETY: as in `ops!`.
        unsafe {
            match I {
                8 | 16 => rotated::<I>(v),
                _ => _mm256_or_si256(
                    _mm256_sll_epi32(v, _mm_cvtsi32_si128(I)),
                    _mm256_srl_epi32(v, _mm_cvtsi32_si128(32 - I)),
                ),
            }
        }
    }

    /// In each lane, the words of four blocks transposed.
    #[inline(always)]
    pub(in super::super) unsafe fn transpose32(v: [V; 4]) -> [V; 4] {
        // SAFETY: as in `ops!`.
        unsafe {
            let (a, b) = (_mm256_unpacklo_epi32(v[0], v[1]), _mm256_unpacklo_epi32(v[2], v[3]));
            let (c, d) = (_mm256_unpackhi_epi32(v[0], v[1]), _mm256_unpackhi_epi32(v[2], v[3]));
            [
                _mm256_unpacklo_epi64(a, b),
                _mm256_unpackhi_epi64(a, b),
                _mm256_unpacklo_epi64(c, d),
                _mm256_unpackhi_epi64(c, d),
            ]
        }
    }

    /// The lanes of four registers transposed.
    #[inline(always)]
    pub(in super::super) unsafe fn transpose128(v: [V; 4]) -> [V; 4] {
        // SAFETY: as in `ops!`.
        unsafe {
            [
                _mm256_permute2x128_si256::<0x20>(v[0], v[1]),
                _mm256_permute2x128_si256::<0x20>(v[2], v[3]),
                _mm256_permute2x128_si256::<0x31>(v[0], v[1]),
                _mm256_permute2x128_si256::<0x31>(v[2], v[3]),
            ]
        }
    }

    /// As `x1::add128`.
    #[inline(always)]
    pub(in super::super) unsafe fn add128(a: V, n: V) -> V {
        // SAFETY: as in `ops!`.
        unsafe {
            let s = _mm256_add_epi64(a, n);
            let carry = _mm256_srli_epi64::<63>(_mm256_andnot_si256(s, a));
            _mm256_add_epi64(s, _mm256_slli_si256::<8>(carry))
        }
    }
    /// The first `n` bytes of `v`.
    #[inline(always)]
    pub(in super::super) unsafe fn keep(v: V, n: usize) -> V {
        // SAFETY: as in `ops!`.
        unsafe {
            let lo = x1::keep(_mm256_castsi256_si128(v), n);
            let hi = x1::keep(_mm256_extracti128_si256::<1>(v), n.saturating_sub(16));
            _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(lo), hi)
        }
    }
    /// Up to 32 bytes, in halves.
    #[inline(always)]
    pub(in super::super) unsafe fn load_part(p: *const u8, n: usize) -> V {
        // SAFETY: as in `ops!`; the halves are within the `n` bytes at `p`.
        unsafe {
            if n >= 32 {
                load(p)
            } else if n > 16 {
                let hi = x1::load_part(p.add(16), n - 16);
                _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(x1::load(p)), hi)
            } else {
                _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(x1::load_part(p, n)), x1::zero())
            }
        }
    }
    /// Up to 32 bytes, in halves.
    #[inline(always)]
    pub(in super::super) unsafe fn store_part(p: *mut u8, n: usize, v: V) {
        // SAFETY: as in `ops!`; the halves are within the `n` bytes at `p`.
        unsafe {
            if n >= 32 {
                store(p, v);
            } else if n > 16 {
                x1::store(p, _mm256_castsi256_si128(v));
                x1::store_part(p.add(16), n - 16, _mm256_extracti128_si256::<1>(v));
            } else {
                x1::store_part(p, n, _mm256_castsi256_si128(v));
            }
        }
    }
}

/// Four blocks: VAES, VPCLMULQDQ, AVX-512.
pub(super) mod x4 {
    use super::*;
    pub(in super::super) type V = __m512i;
    pin!(hold, __m512i, zmm_reg, "avx512f");
    #[inline(always)]
    fn mask(n: usize) -> __mmask64 {
        if n >= 64 { u64::MAX } else { (1 << n) - 1 }
    }
    ops! {
        fn load(p: *const u8) -> V = _mm512_loadu_si512(p.cast());
        fn store(p: *mut u8, v: V) -> () = _mm512_storeu_si512(p.cast(), v);
        fn store_every_other(p: *mut u8, v: V, odd: bool) -> () = _mm512_mask_storeu_epi64(p.cast(), if odd { 0xcc } else { 0x33 }, v);
        fn splat(p: *const u8) -> V = _mm512_broadcast_i32x4(_mm_loadu_si128(p.cast()));
        fn widen(v: __m128i) -> V = _mm512_broadcast_i32x4(v);
        fn fold(v: V) -> __m128i = super::x2::fold(_mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v)));
        fn top(v: V) -> __m128i = _mm512_extracti32x4_epi32::<3>(v);
        fn with_top(v: V, top: __m128i) -> V = _mm512_inserti32x4::<3>(v, top);
        fn join(v: [__m128i; 4]) -> V = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(x2::join(v)), x2::join([v[2], v[3], v[3], v[3]]));
        fn zero() -> V = _mm512_setzero_si512();
        fn xor(a: V, b: V) -> V = _mm512_xor_si512(a, b);
        fn and(a: V, b: V) -> V = _mm512_and_si512(a, b);
        fn or(a: V, b: V) -> V = _mm512_or_si512(a, b);
        fn shl64(v: V, n: u32) -> V = _mm512_sll_epi64(v, _mm_cvtsi32_si128(n as i32));
        fn shr64(v: V, n: u32) -> V = _mm512_srl_epi64(v, _mm_cvtsi32_si128(n as i32));
        fn shl32<const I: i32>(v: V) -> V = _mm512_sll_epi32(v, _mm_cvtsi32_si128(I));
        fn shr32<const I: i32>(v: V) -> V = _mm512_srl_epi32(v, _mm_cvtsi32_si128(I));
        // With AVX-512-VBMI2 the compiler makes one instruction of each.
        fn funnel64(high: V, low: V, n: u32) -> V = or(_mm512_sll_epi64(high, count(n)), _mm512_srl_epi64(low, count(64 - n)));
        fn funnel32(high: V, low: V, n: u32) -> V = or(_mm512_sll_epi32(high, count(n)), _mm512_srl_epi32(low, count(32 - n)));
        fn funnel16(high: V, low: V, n: u32) -> V = or(_mm512_sll_epi16(high, count(n)), _mm512_srl_epi16(low, count(16 - n)));
        fn shl64_lanes(v: V, n: V) -> V = _mm512_sllv_epi64(v, n);
        fn shr64_lanes(v: V, n: V) -> V = _mm512_srlv_epi64(v, n);
        fn add32(a: V, b: V) -> V = _mm512_add_epi32(a, b);
        fn add64(a: V, b: V) -> V = _mm512_add_epi64(a, b);
        fn rol32<const I: i32>(v: V) -> V = _mm512_rol_epi32::<I>(v);
        fn swap(v: V) -> V = _mm512_shuffle_epi32::<0x4e>(v);
        fn mixed(a: V, b: V) -> V = _mm512_mask_blend_epi64(0xaa, a, b);
        fn permute(v: V, from: *const u8) -> V = _mm512_shuffle_epi8(v, splat(from));
        fn rev(v: V) -> V = _mm512_shuffle_epi8(v, widen(_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)));
        fn clmul<const I: i32>(a: V, b: V) -> V = _mm512_clmulepi64_epi128::<I>(a, b);
        fn enc(x: V, k: V) -> V = _mm512_aesenc_epi128(x, k);
        fn last(x: V, k: V) -> V = _mm512_aesenclast_epi128(x, k);
        fn dec(x: V, k: V) -> V = _mm512_aesdec_epi128(x, k);
        fn declast(x: V, k: V) -> V = _mm512_aesdeclast_epi128(x, k);
        fn keep(v: V, n: usize) -> V = _mm512_maskz_mov_epi8(mask(n), v);
        fn load_part(p: *const u8, n: usize) -> V = if n == 0 { zero() } else { _mm512_maskz_loadu_epi8(mask(n), p.cast()) };
        fn store_part(p: *mut u8, n: usize, v: V) -> () = _mm512_mask_storeu_epi8(p.cast(), mask(n), v);
        // No more than four are in flight: the CPU sees them all.
        fn pin(v: V) -> V = v;
        fn splat32(w: u32) -> V = _mm512_set1_epi32(w as i32);
        fn splat64(w: u64) -> V = _mm512_set1_epi64(w as i64);
        fn turn32<const I: i32>(v: V) -> V = _mm512_shuffle_epi32::<I>(v);
        fn low_halves(a: V, b: V) -> V = _mm512_unpacklo_epi64(a, b);
        fn high_halves(a: V, b: V) -> V = _mm512_unpackhi_epi64(a, b);
        fn mul32(a: V, b: V) -> V = _mm512_mul_epu32(a, b);
        fn lookup16(table: &[u32; 16], index: V) -> V = _mm512_permutexvar_epi32(index, load(table.as_ptr().cast()));
        fn madd52_low(sum: V, a: V, b: V) -> V = _mm512_madd52lo_epu64(sum, a, b);
        fn madd52_high(sum: V, a: V, b: V) -> V = _mm512_madd52hi_epu64(sum, a, b);
    }
    /// The lanes.
    #[inline(always)]
    pub(in super::super) unsafe fn split(v: V) -> [__m128i; 4] {
        // SAFETY: as in `ops!`.
        unsafe {
            let (low, high) = (_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v));
            [
                _mm256_castsi256_si128(low),
                _mm256_extracti128_si256::<1>(low),
                _mm256_castsi256_si128(high),
                _mm256_extracti128_si256::<1>(high),
            ]
        }
    }
    /// Word by word: what each loses, as a mask, to the next one, from the last to the first
    /// times the modulus.
    #[inline(always)]
    pub(in super::super) unsafe fn double(v: V) -> V {
        // SAFETY: as in `ops!`.
        unsafe {
            let lost = _mm512_srai_epi32::<31>(_mm512_shuffle_epi32::<0x93>(v));
            _mm512_xor_si512(_mm512_add_epi32(v, v), _mm512_and_si512(lost, widen(_mm_set_epi32(1, 1, 1, 0x87))))
        }
    }

    /// In each lane, the words of four blocks transposed.
    #[inline(always)]
    pub(in super::super) unsafe fn transpose32(v: [V; 4]) -> [V; 4] {
        // SAFETY: as in `ops!`.
        unsafe {
            let (a, b) = (_mm512_unpacklo_epi32(v[0], v[1]), _mm512_unpacklo_epi32(v[2], v[3]));
            let (c, d) = (_mm512_unpackhi_epi32(v[0], v[1]), _mm512_unpackhi_epi32(v[2], v[3]));
            [
                _mm512_unpacklo_epi64(a, b),
                _mm512_unpackhi_epi64(a, b),
                _mm512_unpacklo_epi64(c, d),
                _mm512_unpackhi_epi64(c, d),
            ]
        }
    }

    /// The lanes of four registers transposed.
    #[inline(always)]
    pub(in super::super) unsafe fn transpose128(v: [V; 4]) -> [V; 4] {
        // SAFETY: as in `ops!`.
        unsafe {
            let (a, b) = (_mm512_shuffle_i64x2::<0x44>(v[0], v[1]), _mm512_shuffle_i64x2::<0x44>(v[2], v[3]));
            let (c, d) = (_mm512_shuffle_i64x2::<0xee>(v[0], v[1]), _mm512_shuffle_i64x2::<0xee>(v[2], v[3]));
            [
                _mm512_shuffle_i64x2::<0x88>(a, b),
                _mm512_shuffle_i64x2::<0xdd>(a, b),
                _mm512_shuffle_i64x2::<0x88>(c, d),
                _mm512_shuffle_i64x2::<0xdd>(c, d),
            ]
        }
    }

    /// As `x1::add128`.
    #[inline(always)]
    pub(in super::super) unsafe fn add128(a: V, n: V) -> V {
        // SAFETY: as in `ops!`.
        unsafe {
            let s = _mm512_add_epi64(a, n);
            let carry = _mm512_srli_epi64::<63>(_mm512_andnot_si512(s, a));
            _mm512_add_epi64(s, _mm512_bslli_epi128::<8>(carry))
        }
    }
}

/// A register's AES done a block at a time: stand-ins for VAES and VPCLMULQDQ, so that all
/// else of the wide backends serves, and is tested, on machines without them.
macro_rules! split {
    ($name:ident, $wide:ident, $v:ty, $n:literal) => {
        pub(super) mod $name {
            pub(in super::super) use super::$wide::{
                V, add32, add64, add128, and, double, fold, funnel16, funnel32, funnel64, high_halves, hold, join,
                keep, load, load_part, lookup16, low_halves, mixed, mul32, or, permute, pin, rev, rol32, shl32, shl64,
                shl64_lanes, shr32, shr64, shr64_lanes, splat, splat32, splat64, split, store, store_every_other,
                store_part, swap, top, transpose32, transpose128, turn32, widen, with_top, xor, zero,
            };
            use super::*;
            type Lanes = [__m128i; $n];
            ops! {
                fn enc(x: V, k: V) -> V = both(x, k, |x, k| x1::enc(x, k));
                fn last(x: V, k: V) -> V = both(x, k, |x, k| x1::last(x, k));
                fn dec(x: V, k: V) -> V = both(x, k, |x, k| x1::dec(x, k));
                fn declast(x: V, k: V) -> V = both(x, k, |x, k| x1::declast(x, k));
                fn clmul<const I: i32>(a: V, b: V) -> V = both(a, b, |a, b| x1::clmul::<I>(a, b));
            }
            // A call: code size is what these cost, and their speed matters to no one.
            #[inline(never)]
            fn both(x: V, k: V, f: impl Fn(__m128i, __m128i) -> __m128i) -> V {
                // SAFETY: a register is as many bytes as its blocks.
                let mut x = unsafe { core::mem::transmute::<V, Lanes>(x) };
                // SAFETY: as above.
                let k = unsafe { core::mem::transmute::<V, Lanes>(k) };
                for i in 0..$n {
                    x[i] = f(x[i], k[i]);
                }
                // SAFETY: as above.
                unsafe { core::mem::transmute::<Lanes, V>(x) }
            }
        }
    };
}
split!(s2, x2, __m256i, 2);
split!(s4, x4, __m512i, 4);
