//! The intrinsics of ARMv8 on registers of one block. Safe wrappers are in `mod.rs`.
//!
//! What is one instruction on x86 and two here is written so that the compiler shares what two
//! operations have in common: a block with its bytes reversed and its halves exchanged is one REV64,
//! because the reversal is REV64 and EXT.

use core::arch::aarch64::*;

/// A register.
pub(super) type V = uint8x16_t;

/// Defines the operations.
macro_rules! ops {
    ($(fn $f:ident $(<const $I:ident: i32>)? ($($a:ident: $t:ty),*) -> $r:ty = $e:expr;)*) => {$(
        #[inline(always)]
        #[allow(unused_unsafe)]
        pub(super) unsafe fn $f $(<const $I: i32>)? ($($a: $t),*) -> $r {
            // SAFETY: the caller holds the token of a backend with this
            // instruction, and its pointers are good for a whole register.
            unsafe { $e }
        }
    )*};
}

/// The same for what has AES or PMULL in it, as functions with that feature: the standard library's
/// intrinsics for ARM are to be inlined always, which the compiler does only into such. They are
/// inlined into the doors as all small functions are; the guard looks whether they were.
macro_rules! aes_ops {
    ($(fn $f:ident $(<const $I:ident: i32>)? ($($a:ident: $t:ty),*) -> $r:ty = $e:expr;)*) => {$(
        #[inline]
        #[target_feature(enable = "neon,aes")]
        pub(super) fn $f $(<const $I: i32>)? ($($a: $t),*) -> $r {
            $e
        }
    )*};
}

/// The register as words, as halves, and back: no instruction.
macro_rules! as_words {
    ($v:expr) => {
        vreinterpretq_u32_u8($v)
    };
}
macro_rules! as_halves {
    ($v:expr) => {
        vreinterpretq_u64_u8($v)
    };
}
macro_rules! words {
    ($v:expr) => {
        vreinterpretq_u8_u32($v)
    };
}
macro_rules! halves {
    ($v:expr) => {
        vreinterpretq_u8_u64($v)
    };
}

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

/// A number of bits to shift by, as USHL takes it: its lowest byte, with a sign. From `most` on
/// all bits are gone.
#[inline(always)]
fn count(n: u32, most: u32) -> i64 {
    i64::from(if n < most { n } else { most })
}

ops! {
    fn load(p: *const u8) -> V = vld1q_u8(p);
    fn store(p: *mut u8, v: V) -> () = vst1q_u8(p, v);
    fn zero() -> V = vdupq_n_u8(0);
    // With FEAT_SHA3 the compiler makes one EOR3 of two that follow one another.
    fn xor(a: V, b: V) -> V = veorq_u8(a, b);
    fn and(a: V, b: V) -> V = vandq_u8(a, b);
    fn or(a: V, b: V) -> V = vorrq_u8(a, b);
    fn swap(v: V) -> V = vextq_u8::<8>(v, v);
    fn rev(v: V) -> V = swap(vrev64q_u8(v));
    fn permute(v: V, from: *const u8) -> V = vqtbl1q_u8(v, load(from));
    fn mixed(a: V, b: V) -> V = halves!(vcombine_u64(vget_low_u64(as_halves!(a)), vget_high_u64(as_halves!(b))));
    fn low_halves(a: V, b: V) -> V = halves!(vzip1q_u64(as_halves!(a), as_halves!(b)));
    fn high_halves(a: V, b: V) -> V = halves!(vzip2q_u64(as_halves!(a), as_halves!(b)));
    fn shl64(v: V, n: u32) -> V = halves!(vshlq_u64(as_halves!(v), vdupq_n_s64(count(n, 64))));
    fn shr64(v: V, n: u32) -> V = halves!(vshlq_u64(as_halves!(v), vdupq_n_s64(-count(n, 64))));
    fn shl32<const I: i32>(v: V) -> V = words!(vshlq_u32(as_words!(v), vdupq_n_s32(count(I as u32, 32) as i32)));
    fn shr32<const I: i32>(v: V) -> V = words!(vshlq_u32(as_words!(v), vdupq_n_s32(-count(I as u32, 32) as i32)));
    // USHL sees a byte of each count; from 64 on, which a byte does not tell, all is cleared.
    fn shl64_lanes(v: V, n: V) -> V = and(halves!(vshlq_u64(as_halves!(v), vreinterpretq_s64_u8(n))), within(n));
    fn shr64_lanes(v: V, n: V) -> V = and(
        halves!(vshlq_u64(as_halves!(v), vnegq_s64(vreinterpretq_s64_u8(n)))),
        within(n),
    );
    fn within(n: V) -> V = halves!(vcltq_u64(as_halves!(n), vdupq_n_u64(64)));
    fn funnel64(high: V, low: V, n: u32) -> V = or(shl64(high, n), shr64(low, 64 - n));
    fn funnel32(high: V, low: V, n: u32) -> V = or(
        words!(vshlq_u32(as_words!(high), vdupq_n_s32(count(n, 32) as i32))),
        words!(vshlq_u32(as_words!(low), vdupq_n_s32(-count(32 - n, 32) as i32))),
    );
    fn funnel16(high: V, low: V, n: u32) -> V = or(
        vreinterpretq_u8_u16(vshlq_u16(vreinterpretq_u16_u8(high), vdupq_n_s16(count(n, 16) as i16))),
        vreinterpretq_u8_u16(vshlq_u16(vreinterpretq_u16_u8(low), vdupq_n_s16(-count(16 - n, 16) as i16))),
    );
    fn add32(a: V, b: V) -> V = words!(vaddq_u32(as_words!(a), as_words!(b)));
    fn add64(a: V, b: V) -> V = halves!(vaddq_u64(as_halves!(a), as_halves!(b)));
    fn splat32(w: u32) -> V = words!(vdupq_n_u32(w));
    fn splat64(w: u64) -> V = halves!(vdupq_n_u64(w));
    fn turn32<const I: i32>(v: V) -> V = match I {
        1 => vextq_u8::<4>(v, v),
        2 => swap(v),
        3 => vextq_u8::<12>(v, v),
        _ => v,
    };
    // The low words of the halves side by side, which UMULL and UMLAL want.
    fn mul32(a: V, b: V) -> V = halves!(vmull_u32(vmovn_u64(as_halves!(a)), vmovn_u64(as_halves!(b))));
    // Whether all bits are zero, from all of them at once.
    fn is_zero(v: V) -> bool = vgetq_lane_u64::<0>(as_halves!(v)) | vgetq_lane_u64::<1>(as_halves!(v)) == 0;
    // Word by word: what each loses, as a mask, to the next one, from the last to the first
    // times the modulus.
    fn double(v: V) -> V = xor(
        words!(vaddq_u32(as_words!(v), as_words!(v))),
        and(
            vreinterpretq_u8_s32(vshrq_n_s32::<31>(vreinterpretq_s32_u8(vextq_u8::<12>(v, v)))),
            words!(vsetq_lane_u32::<0>(0x87, vdupq_n_u32(1))),
        ),
    );
    // A carry leaves the low half where the sum is less than what was added to; as a mask it is
    // less one. The high half of `n` is zero, so that it has none.
    fn add128(a: V, n: V) -> V = {
        let s = vaddq_u64(as_halves!(a), as_halves!(n));
        let carry = vcgtq_u64(as_halves!(a), s);
        halves!(vsubq_u64(s, vextq_u64::<1>(vdupq_n_u64(0), carry)))
    };
    // The table in four registers: four bytes of it for each word.
    fn lookup16(table: &[u32; 16], index: V) -> V = {
        let t = table.as_ptr().cast::<u8>();
        let t = uint8x16x4_t(load(t), load(t.add(16)), load(t.add(32)), load(t.add(48)));
        let index = vandq_u32(as_words!(index), vdupq_n_u32(15));
        let places = vmlaq_u32(vdupq_n_u32(0x0302_0100), index, vdupq_n_u32(0x0404_0404));
        vqtbl4q_u8(t, words!(places))
    };
    fn transpose32(v: [V; 4]) -> [V; 4] = {
        let [a, b, c, d] = [as_words!(v[0]), as_words!(v[1]), as_words!(v[2]), as_words!(v[3])];
        let (even, odd) = ([vtrn1q_u32(a, b), vtrn1q_u32(c, d)], [vtrn2q_u32(a, b), vtrn2q_u32(c, d)]);
        let (even, odd) = ([words!(even[0]), words!(even[1])], [words!(odd[0]), words!(odd[1])]);
        [
            low_halves(even[0], even[1]),
            low_halves(odd[0], odd[1]),
            high_halves(even[0], even[1]),
            high_halves(odd[0], odd[1]),
        ]
    };
    // The first `n` bytes of `v`; `EDGE` has 32 bytes, and the mask begins at one of the first 17.
    fn keep(v: V, n: usize) -> V = and(v, load(EDGE.as_ptr().add(16 - n.min(16))));
}

aes_ops! {
    // Where the halves are not at the same place in both, one operand's are exchanged: `a`'s, because
    // the callers multiply it by several.
    fn clmul<const I: i32>(a: V, b: V) -> V = match I {
        0x00 => low_product(a, b),
        0x11 => high_product(a, b),
        0x01 => low_product(vextq_u8::<8>(a, a), b),
        _ => high_product(vextq_u8::<8>(a, a), b),
    };
    fn low_product(a: V, b: V) -> V = vreinterpretq_u8_p128(vmull_p64(
        vgetq_lane_u64::<0>(as_halves!(a)),
        vgetq_lane_u64::<0>(as_halves!(b)),
    ));
    fn high_product(a: V, b: V) -> V = vreinterpretq_u8_p128(vmull_high_p64(
        vreinterpretq_p64_u8(a),
        vreinterpretq_p64_u8(b),
    ));
    // A round but for its key, which comes before it here and not behind. The pair of
    // instructions is one to most cores, if nothing stands between them.
    fn enc(x: V, k: V) -> V = vaesmcq_u8(vaeseq_u8(x, k));
    fn dec(x: V, k: V) -> V = vaesimcq_u8(vaesdq_u8(x, k));
    fn last(x: V, k: V) -> V = vaeseq_u8(x, k);
    fn declast(x: V, k: V) -> V = vaesdq_u8(x, k);
    fn inverse_mix(v: V) -> V = vaesimcq_u8(v);
}

/// Words rotated left: by half a word an REV32, by whole bytes a TBL, else a shift and another that
/// inserts what the first one lost.
#[inline(always)]
pub(super) unsafe fn rol32<const I: i32>(v: V) -> V {
    /// Where the bytes of a word are from when it is rotated by eight bits.
    static BY_8: [u8; 16] = [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14];
    // SAFETY: as in `ops!`.
    unsafe {
        match I {
            7 => words!(vsriq_n_u32::<25>(vshlq_n_u32::<7>(as_words!(v)), as_words!(v))),
            8 => permute(v, BY_8.as_ptr()),
            12 => words!(vsriq_n_u32::<20>(vshlq_n_u32::<12>(as_words!(v)), as_words!(v))),
            16 => vreinterpretq_u8_u16(vrev32q_u16(vreinterpretq_u16_u8(v))),
            _ => funnel32(v, v, I as u32),
        }
    }
}

/// A register that nothing happens to, in order.
#[inline(always)]
pub(super) unsafe fn pin(mut v: V) -> V {
    // SAFETY: no instruction at all.
    unsafe { core::arch::asm!("/* {0:v} */", inout(vreg) v, options(nomem, nostack, preserves_flags)) };
    v
}

/// Up to 16 bytes, by general registers.
#[inline(always)]
pub(super) unsafe fn load_part(p: *const u8, n: usize) -> V {
    // SAFETY: as in `ops!`; each read is within the `n` bytes at `p`.
    unsafe {
        if n >= 16 {
            return load(p);
        }
        let (low, high) = if n >= 8 {
            // The last eight bytes, without those that `low` has.
            let high = p.add(n - 8).cast::<u64>().read_unaligned();
            (p.cast::<u64>().read_unaligned(), (high >> 1) >> ((16 - n) * 8 - 1))
        } else if n >= 4 {
            let (a, b) = (p.cast::<u32>().read_unaligned(), p.add(n - 4).cast::<u32>().read_unaligned());
            (u64::from(a) | u64::from(b) << ((n - 4) * 8), 0)
        } else if n > 0 {
            let (a, b, c) = (u64::from(*p), u64::from(*p.add(n / 2)), u64::from(*p.add(n - 1)));
            (a | b << (n / 2 * 8) | c << ((n - 1) * 8), 0)
        } else {
            (0, 0)
        };
        halves!(vcombine_u64(vcreate_u64(low), vcreate_u64(high)))
    }
}

/// Up to 16 bytes, by general registers.
#[inline(always)]
pub(super) unsafe fn store_part(p: *mut u8, n: usize, v: V) {
    // SAFETY: as in `ops!`; each write is within the `n` bytes at `p`.
    unsafe {
        if n >= 16 {
            return store(p, v);
        }
        let low = vgetq_lane_u64::<0>(as_halves!(v));
        if n >= 8 {
            // The eight bytes that end at the `n`th.
            let (high, s) = (vgetq_lane_u64::<1>(as_halves!(v)), (n - 8) * 8);
            let tail = low >> s | (high << 1) << (63 - s);
            p.add(n - 8).cast::<u64>().write_unaligned(tail);
            p.cast::<u64>().write_unaligned(low);
        } else if n >= 4 {
            p.add(n - 4).cast::<u32>().write_unaligned((low >> ((n - 4) * 8)) as u32);
            p.cast::<u32>().write_unaligned(low as u32);
        } else if n > 0 {
            *p.add(n - 1) = (low >> ((n - 1) * 8)) as u8;
            *p.add(n / 2) = (low >> (n / 2 * 8)) as u8;
            *p = low as u8;
        }
    }
}
