//! The circuits of `sbox.rs` for CPUs whose gates take three inputs (AVX-512's VPTERNLOG): each gate
//! here does what up to three or four of those do, 72 in place of 113 and 82 in place of 127. The signals keep
//! their names, and those that are missing are within others.
//!
//! Found by a search (annealing over all ways to cover the circuit by cuts of three signals), and what
//! it found is checked by the tests that the circuits have: FIPS 197's and every byte.

use super::sbox::Gates;

/// A word of bits with gates of three inputs.
pub(super) trait Gates3: Gates {
    /// The gate that gives bit `4 * a + 2 * b + c` of `TABLE`.
    fn gate<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self;
}

/// As [`sbox::sub`](super::sbox::sub).
#[inline(always)]
pub(super) fn sub<W: Gates3>(slices: &mut [W; 8]) {
    let [u7, u6, u5, u4, u3, u2, u1, u0] = *slices;
    let y14 = u3 ^ u5;
    let y8 = u0 ^ u5;
    let y12 = W::gate::<0x96>(u0, u6, y14);
    let y1 = W::gate::<0x96>(u1, u2, u7);
    let y5 = u6 ^ y1;
    let y15 = W::gate::<0x96>(u4, u5, y12);
    let y20 = W::gate::<0x96>(u1, u4, y12);
    let y10 = W::gate::<0x96>(u1, u2, y15);
    let t2 = y12 & y15;
    let y3 = W::gate::<0x96>(u0, u5, y5);
    let t5 = W::gate::<0x48>(u3, u7, y1);
    let t3 = W::gate::<0x28>(u7, y15, y3);
    let t4 = W::gate::<0x6a>(y12, y15, t3);
    let y11 = W::gate::<0x96>(u0, u3, y20);
    let y16 = W::gate::<0x96>(u1, u2, y11);
    let t12 = W::gate::<0x14>(u0, u3, y20);
    let y17 = y10 ^ y11;
    let y21 = W::gate::<0x96>(u0, u6, y16);
    let t7 = W::gate::<0x28>(u0, u6, y16);
    let t16 = W::gate::<0x6a>(y8, y10, t12);
    let t14 = W::gate::<0x6c>(y14, t12, y17);
    let t18 = W::gate::<0x96>(t2, t5, t16);
    let t21 = W::gate::<0x96>(y20, t4, t14);
    let y7 = u7 ^ y11;
    let t9 = W::gate::<0xa6>(u6, y1, t7);
    let t22 = W::gate::<0x96>(y8, y10, t18);
    let t10 = W::gate::<0x28>(u0, y1, y7);
    let t23 = W::gate::<0x96>(y21, t14, t9);
    let t20 = W::gate::<0x96>(t7, t16, t10);
    let t24 = W::gate::<0x96>(u0, y16, t20);
    let t31 = W::gate::<0x6c>(t21, t22, t23);
    let t27 = W::gate::<0x6a>(t21, t23, t24);
    let t33 = W::gate::<0xe4>(t23, t24, t31);
    let t29 = W::gate::<0xe4>(t21, t22, t27);
    let t36 = W::gate::<0x60>(t24, t27, t33);
    let t39 = W::gate::<0x48>(t27, t29, t36);
    let z14 = W::gate::<0x28>(u0, y1, t29);
    let t42 = t33 ^ t29;
    let t37 = W::gate::<0x96>(t23, t33, t36);
    let z11 = W::gate::<0x28>(u3, y1, t33);
    let t40 = W::gate::<0x96>(t21, t22, t39);
    let z0 = W::gate::<0x60>(y15, t33, t37);
    let t43 = t29 ^ t40;
    let z12 = W::gate::<0x28>(u0, u6, t43);
    let z3 = y16 & t43;
    let z1 = W::gate::<0x28>(u7, y15, t37);
    let tc4 = W::gate::<0x6a>(u7, t33, z0);
    let tc12 = W::gate::<0x6a>(y7, t29, z3);
    let z15 = W::gate::<0x28>(u0, u3, t42);
    let tc6 = W::gate::<0x6a>(y1, t40, z3);
    let t45 = W::gate::<0x96>(t42, t37, t40);
    let tc1 = W::gate::<0x6c>(y14, z15, t45);
    let z9 = W::gate::<0x60>(y12, t33, t37);
    let tc2 = W::gate::<0x6a>(y3, t37, tc1);
    let tc11 = W::gate::<0x96>(z0, z1, tc6);
    let tc13 = W::gate::<0x6a>(y5, t40, tc1);
    let tc8 = W::gate::<0x6c>(y17, tc6, t45);
    let tc16 = W::gate::<0x6a>(y11, t42, tc8);
    let s3 = W::gate::<0x96>(z9, tc2, tc11);
    let z8 = W::gate::<0x60>(y10, t37, t40);
    let tc18 = W::gate::<0x96>(tc4, tc12, tc13);
    let tc9 = W::gate::<0x96>(z12, tc4, z8);
    let s0 = W::gate::<0x96>(z9, tc2, tc16);
    let tc17 = W::gate::<0x96>(z14, tc8, tc9);
    let s1 = tc16 ^ s3;
    let tc26 = W::gate::<0x96>(z15, tc16, tc17);
    let z17 = W::gate::<0x60>(y8, t37, t40);
    let s5 = W::gate::<0x96>(z11, tc2, tc17);
    let s7 = z12 ^ tc18;
    let s6 = W::gate::<0x96>(tc8, tc18, tc9);
    let s4 = W::gate::<0x96>(tc4, tc12, s3);
    let s2 = tc26 ^ z17;
    *slices = [s7, s6, s5, s4, s3, s2, s1, s0];
}

/// As [`sbox::inv_sub`](super::sbox::inv_sub).
#[inline(always)]
pub(super) fn inv_sub<W: Gates3>(slices: &mut [W; 8]) {
    let [u7, u6, u5, u4, u3, u2, u1, u0] = *slices;
    let r18 = u5 ^ u6;
    let t1 = u3 ^ u4;
    let t24 = u4 ^ u7;
    let t23 = u0 ^ u3;
    let t22 = u1 ^ u3;
    let t19 = W::gate::<0x96>(u6, u7, t22);
    let t4 = W::gate::<0x96>(u1, u4, t23);
    let t27 = W::gate::<0x96>(u5, u6, t1);
    let m7 = W::gate::<0x28>(u7, t1, t22);
    let r17 = u2 ^ u5;
    let r13 = u1 ^ u6;
    let t16 = W::gate::<0x96>(u2, u4, r13);
    let t2 = u0 ^ u1;
    let t13 = W::gate::<0x96>(u6, u7, t2);
    let y5 = u0 ^ r17;
    let t3 = W::gate::<0x96>(u6, u7, t1);
    let t20 = t24 ^ r13;
    let m1 = W::gate::<0x28>(t22, r17, t13);
    let m5 = W::gate::<0x6a>(t19, y5, m1);
    let t10 = W::gate::<0x96>(u4, u7, t2);
    let m3 = W::gate::<0x96>(r18, m1, t10);
    let m16 = W::gate::<0xa6>(u1, t23, m3);
    let m9 = W::gate::<0x28>(u2, t19, t20);
    let m10 = W::gate::<0x6a>(t16, t3, m9);
    let m18 = W::gate::<0x1e>(m7, t16, t3);
    let t15 = W::gate::<0x96>(r18, t1, t10);
    let m11 = t1 & t15;
    let m15 = W::gate::<0xa6>(t24, t2, m11);
    let m13 = W::gate::<0x6a>(t4, t27, m11);
    let m21 = W::gate::<0x96>(t24, m5, m15);
    let m19 = m10 ^ m15;
    let m23 = W::gate::<0x96>(u2, t1, m19);
    let m27 = W::gate::<0x96>(m16, m13, m21);
    let m31 = W::gate::<0x28>(m16, m13, m23);
    let m25 = W::gate::<0x42>(m16, m18, m13);
    let m38 = W::gate::<0x9a>(m27, m31, m25);
    let m59 = t22 & m38;
    let m50 = W::gate::<0x28>(u7, t1, m38);
    let m34 = W::gate::<0x28>(m18, m13, m21);
    let m24 = W::gate::<0x96>(m18, m13, m23);
    let m30 = W::gate::<0x28>(m21, m25, m24);
    let m40 = W::gate::<0xd2>(m25, m34, m24);
    let m48 = W::gate::<0x60>(y5, m23, m30);
    let m29 = W::gate::<0x48>(m23, m27, m25);
    let m37 = m21 ^ m29;
    let m47 = W::gate::<0x28>(u1, t23, m40);
    let p4 = W::gate::<0x6a>(t23, m40, m48);
    let m57 = W::gate::<0x60>(t19, m23, m30);
    let m51 = W::gate::<0x28>(u2, t19, m37);
    let m42 = W::gate::<0x96>(m23, m30, m37);
    let m44 = W::gate::<0x96>(m23, m30, m40);
    let m61 = t1 & m42;
    let m46 = W::gate::<0x28>(t22, r17, m44);
    let m41 = m38 ^ m40;
    let m63 = W::gate::<0x28>(u0, u1, m41);
    let m62 = W::gate::<0x60>(t4, m42, m41);
    let m53 = W::gate::<0x60>(t27, m42, m41);
    let m58 = W::gate::<0x60>(t3, m38, m37);
    let p5 = m51 ^ m46;
    let p9 = W::gate::<0x6a>(t13, m44, m63);
    let m49 = W::gate::<0x60>(t16, m38, m37);
    let p6 = W::gate::<0x6a>(t20, m37, m49);
    let p0 = W::gate::<0x6a>(t15, m42, m61);
    let s7 = W::gate::<0x96>(m57, m61, p9);
    let p10 = p4 ^ m57;
    let p27 = W::gate::<0x96>(m63, p5, p10);
    let p2 = W::gate::<0x6a>(t10, m41, m62);
    let p15 = W::gate::<0x6c>(t10, m59, m41);
    let p29 = W::gate::<0x96>(p4, p6, p15);
    let p7 = W::gate::<0x96>(m59, m58, p0);
    let p23 = W::gate::<0x96>(m50, m53, p7);
    let p11 = W::gate::<0x96>(m50, m47, p0);
    let s1 = W::gate::<0x96>(p9, p29, p11);
    let s6 = W::gate::<0x96>(m62, m49, p23);
    let p28 = W::gate::<0x96>(p6, p10, p11);
    let p19 = W::gate::<0x96>(m50, m47, p2);
    let s5 = W::gate::<0x96>(p5, p7, p19);
    let p22 = p2 ^ p7;
    let s3 = W::gate::<0x96>(m48, m46, p22);
    let s0 = W::gate::<0x96>(m51, m49, p22);
    let s4 = p27 ^ p23;
    let s2 = W::gate::<0x96>(m58, p2, p28);
    *slices = [s7, s6, s5, s4, s3, s2, s1, s0];
}

#[cfg(test)]
mod tests {
    use super::super::sbox;
    use super::*;

    /// 64 bits, a gate as the sum of what it gives for each input.
    impl Gates3 for u64 {
        fn gate<const TABLE: i32>(a: u64, b: u64, c: u64) -> u64 {
            let is = |x: u64, bit: i32| if bit & 1 == 1 { x } else { !x };
            (0..8).filter(|i| TABLE >> i & 1 == 1).fold(0, |z, i| z | is(a, i >> 2) & is(b, i >> 1) & is(c, i))
        }
    }

    /// Both circuits against those of two inputs, of every byte.
    #[test]
    fn every_byte() {
        for from in (0..256u64).step_by(64) {
            let slices: [u64; 8] = core::array::from_fn(|bit| (0..64).fold(0, |w, i| w | ((from + i) >> bit & 1) << i));
            for (three, two) in [(sub as fn(&mut [u64; 8]), sbox::sub as fn(&mut [u64; 8])), (inv_sub, sbox::inv_sub)] {
                let (mut x, mut y) = (slices, slices);
                three(&mut x);
                two(&mut y);
                assert_eq!(x, y, "bytes from {from}");
            }
        }
    }
}
