//! The AES S-box and its inverse as circuits of XOR and AND, over any word: one
//! gate works on as many bytes as the word has bits.
//!
//! The circuits of Boyar, Matthews and Peralta ("Logic minimization techniques
//! with applications to cryptology", J. Cryptology 26, 2013), the S-box's brought
//! down to 113 gates by Çalık (2016), its inverse of 127, with their names for the
//! signals; taken from the listing in RustCrypto's `aes`. The order of the gates
//! is ours and keeps few values alive at a time. Both leave out the affine
//! constant 0x63, which the caller adds where it costs nothing (the round keys).

use core::ops::{BitAnd, BitXor};

/// A word of bits.
pub(super) trait Gates: Copy + BitXor<Output = Self> + BitAnd<Output = Self> {}
impl<T: Copy + BitXor<Output = T> + BitAnd<Output = T>> Gates for T {}

/// SubBytes without its constant: slice `i` holds bit `i` of each byte, and
/// becomes that of `S(byte) ^ 0x63`.
#[inline(always)]
#[rustfmt::skip]
pub(super) fn sub<W: Gates>(slices: &mut [W; 8]) {
    let [u7, u6, u5, u4, u3, u2, u1, u0] = *slices;
    let y9 = u0 ^ u3;
    let t0 = u1 ^ u2;
    let y14 = u3 ^ u5;
    let y8 = u0 ^ u5;
    let y13 = u0 ^ u6;
    let y12 = y13 ^ y14;
    let y1 = t0 ^ u7;
    let y5 = y1 ^ u6;
    let t1 = u4 ^ y12;
    let y4 = y1 ^ u3;
    let y15 = t1 ^ u5;
    let y20 = t1 ^ u1;
    let y10 = y15 ^ t0;
    let t2 = y12 & y15;
    let y6 = y15 ^ u7;
    let y3 = y5 ^ y8;
    let t5 = y4 & u7;
    let t3 = y3 & y6;
    let t4 = t3 ^ t2;
    let t17 = t4 ^ y20;
    let y11 = y20 ^ y9;
    let t15 = y8 & y10;
    let y16 = t0 ^ y11;
    let t12 = y9 & y11;
    let y17 = y10 ^ y11;
    let t6 = t5 ^ t2;
    let y19 = y10 ^ y8;
    let y21 = y13 ^ y16;
    let t13 = y14 & y17;
    let t7 = y13 & y16;
    let t16 = t15 ^ t12;
    let t14 = t13 ^ t12;
    let t18 = t6 ^ t16;
    let t21 = t17 ^ t14;
    let t8 = y5 & y1;
    let y7 = u7 ^ y11;
    let t9 = t8 ^ t7;
    let t19 = t9 ^ t14;
    let y2 = y1 ^ u0;
    let t22 = t18 ^ y19;
    let t10 = y2 & y7;
    let t11 = t10 ^ t7;
    let t23 = t19 ^ y21;
    let y18 = u0 ^ y16;
    let t20 = t11 ^ t16;
    let t25 = t21 ^ t22;
    let t24 = t20 ^ y18;
    let t26 = t21 & t23;
    let t31 = t22 ^ t26;
    let t30 = t23 ^ t24;
    let t32 = t31 & t30;
    let t27 = t24 ^ t26;
    let t28 = t25 & t27;
    let t33 = t32 ^ t24;
    let t35 = t27 ^ t33;
    let t29 = t28 ^ t22;
    let t36 = t24 & t35;
    let t38 = t27 ^ t36;
    let t39 = t29 & t38;
    let t34 = t23 ^ t33;
    let z14 = t29 & y2;
    let t42 = t29 ^ t33;
    let z5 = t29 & y7;
    let z2 = t33 & u7;
    let t37 = t36 ^ t34;
    let z11 = t33 & y4;
    let t40 = t25 ^ t39;
    let t44 = t33 ^ t37;
    let z0 = t44 & y15;
    let t43 = t29 ^ t40;
    let z12 = t43 & y13;
    let z3 = t43 & y16;
    let z1 = t37 & y6;
    let tc5 = z1 ^ z0;
    let z4 = t40 & y1;
    let z13 = t40 & y5;
    let z10 = t37 & y3;
    let tc4 = z0 ^ z2;
    let z6 = t42 & y11;
    let tc12 = z3 ^ z5;
    let t41 = t40 ^ t37;
    let z15 = t42 & y9;
    let tc6 = z3 ^ z4;
    let tc14 = tc4 ^ tc12;
    let t45 = t42 ^ t41;
    let tc7 = z12 ^ tc4;
    let z16 = t45 & y14;
    let tc1 = z15 ^ z16;
    let z9 = t44 & y12;
    let tc2 = z10 ^ tc1;
    let tc11 = tc6 ^ tc5;
    let tc3 = z9 ^ tc2;
    let z7 = t45 & y17;
    let tc13 = z13 ^ tc1;
    let tc8 = z7 ^ tc6;
    let tc16 = z6 ^ tc8;
    let tc21 = tc2 ^ z11;
    let s3 = tc3 ^ tc11;
    let z8 = t41 & y10;
    let tc18 = tc13 ^ tc14;
    let tc9 = z8 ^ tc7;
    let tc10 = tc8 ^ tc9;
    let s0 = tc3 ^ tc16;
    let tc17 = z14 ^ tc10;
    let tc20 = z15 ^ tc16;
    let s1 = s3 ^ tc16;
    let tc26 = tc17 ^ tc20;
    let z17 = t41 & y8;
    let s5 = tc21 ^ tc17;
    let s7 = z12 ^ tc18;
    let s6 = tc10 ^ tc18;
    let s4 = tc14 ^ s3;
    let s2 = tc26 ^ z17;
    *slices = [s7, s6, s5, s4, s3, s2, s1, s0];
}

/// InvSubBytes without its constant: each byte becomes that which `sub` made it of.
#[inline(always)]
#[rustfmt::skip]
pub(super) fn inv_sub<W: Gates>(slices: &mut [W; 8]) {
    let [u7, u6, u5, u4, u3, u2, u1, u0] = *slices;
    let r18 = u5 ^ u6;
    let r5 = u6 ^ u7;
    let t1 = u3 ^ u4;
    let t9 = u7 ^ t1;
    let t24 = u4 ^ u7;
    let t25 = u2 ^ t1;
    let t23 = u0 ^ u3;
    let t22 = u1 ^ u3;
    let r19 = u2 ^ u4;
    let t19 = t22 ^ r5;
    let t8 = u1 ^ t23;
    let t4 = u4 ^ t8;
    let t27 = t1 ^ r18;
    let m2 = t23 & t8;
    let t17 = u2 ^ t19;
    let m7 = t22 & t9;
    let r17 = u2 ^ u5;
    let r13 = u1 ^ u6;
    let t16 = r13 ^ r19;
    let t2 = u0 ^ u1;
    let t13 = t2 ^ r5;
    let y5 = u0 ^ r17;
    let t3 = t1 ^ r5;
    let t6 = t22 ^ r17;
    let t20 = t24 ^ r13;
    let m4 = t19 & y5;
    let m6 = t3 & t16;
    let m1 = t13 & t6;
    let m5 = m4 ^ m1;
    let m17 = m5 ^ t24;
    let t10 = t2 ^ t24;
    let t14 = t10 ^ r18;
    let m3 = t14 ^ m1;
    let m16 = m3 ^ m2;
    let m9 = t20 & t17;
    let m10 = m9 ^ m6;
    let t26 = t3 ^ t16;
    let m8 = t26 ^ m6;
    let m18 = m8 ^ m7;
    let m14 = t2 & t10;
    let t15 = t10 ^ t27;
    let m12 = t4 & t27;
    let m11 = t1 & t15;
    let m15 = m14 ^ m11;
    let m13 = m12 ^ m11;
    let m21 = m17 ^ m15;
    let m19 = m10 ^ m15;
    let m23 = m19 ^ t25;
    let m20 = m16 ^ m13;
    let m22 = m18 ^ m13;
    let m27 = m20 ^ m21;
    let m31 = m20 & m23;
    let m32 = m27 & m31;
    let m25 = m22 & m20;
    let m33 = m27 ^ m25;
    let m38 = m32 ^ m33;
    let m59 = m38 & t22;
    let m50 = m38 & t9;
    let m26 = m21 ^ m25;
    let m34 = m21 & m22;
    let m24 = m22 ^ m23;
    let m30 = m26 & m24;
    let m35 = m24 & m34;
    let m36 = m24 ^ m25;
    let m40 = m35 ^ m36;
    let m56 = m40 & t23;
    let m39 = m23 ^ m30;
    let m28 = m23 ^ m25;
    let m48 = m39 & y5;
    let m29 = m28 & m27;
    let m37 = m21 ^ m29;
    let m47 = m40 & t8;
    let p4 = m48 ^ m56;
    let m57 = m39 & t19;
    let m51 = m37 & t17;
    let m60 = m37 & t20;
    let m42 = m37 ^ m39;
    let m52 = m42 & t15;
    let p3 = m47 ^ m50;
    let m44 = m39 ^ m40;
    let m61 = m42 & t1;
    let m55 = m44 & t13;
    let m46 = m44 & t6;
    let p12 = m46 ^ m48;
    let m43 = m37 ^ m38;
    let m41 = m38 ^ m40;
    let m45 = m42 ^ m41;
    let m63 = m41 & t2;
    let m62 = m45 & t4;
    let m53 = m45 & t27;
    let p8 = m50 ^ m53;
    let m58 = m43 & t3;
    let p5 = m46 ^ m51;
    let p9 = m55 ^ m63;
    let m54 = m41 & t10;
    let m49 = m43 & t16;
    let p6 = m49 ^ m60;
    let p18 = m63 ^ p5;
    let p0 = m52 ^ m61;
    let p13 = m49 ^ m51;
    let p14 = m49 ^ m62;
    let p16 = m57 ^ m61;
    let s7 = p9 ^ p16;
    let p10 = m57 ^ p4;
    let p27 = p10 ^ p18;
    let p25 = p6 ^ p10;
    let p20 = p4 ^ p6;
    let p2 = m54 ^ m62;
    let p15 = m54 ^ m59;
    let p29 = p15 ^ p20;
    let p1 = m58 ^ m59;
    let p17 = m58 ^ p2;
    let p7 = p0 ^ p1;
    let p23 = p7 ^ p8;
    let p11 = p0 ^ p3;
    let p26 = p9 ^ p11;
    let s1 = p26 ^ p29;
    let s6 = p14 ^ p23;
    let p28 = p11 ^ p25;
    let p24 = p5 ^ p7;
    let p19 = p2 ^ p3;
    let s5 = p19 ^ p24;
    let p22 = p2 ^ p7;
    let s3 = p12 ^ p22;
    let s0 = p13 ^ p22;
    let s4 = p23 ^ p27;
    let s2 = p17 ^ p28;
    *slices = [s7, s6, s5, s4, s3, s2, s1, s0];
}
