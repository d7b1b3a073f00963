//! Serpent's eight S-boxes on bit slices: bit `i` of the four words is a number, the first word's its
//! lowest bit. The circuits were found for this project by a search for few gates of which no more
//! than four follow one another (and a NOT), since it is one block at a time that goes through them.

use combseal::cpu::Backend;

/// What bit slices are made of: plain words, or the lanes of a vector.
pub trait Logic: Copy {
    /// A slice.
    type W: Copy;
    /// `a & b`.
    fn and(self, a: Self::W, b: Self::W) -> Self::W;
    /// `a | b`.
    fn or(self, a: Self::W, b: Self::W) -> Self::W;
    /// `a ^ b`.
    fn xor(self, a: Self::W, b: Self::W) -> Self::W;
    /// `!a`.
    fn not(self, a: Self::W) -> Self::W;
    /// `!a & b`.
    fn but(self, a: Self::W, b: Self::W) -> Self::W;
    /// Every 32 bits rotated left by `N`.
    fn rol<const N: i32>(self, a: Self::W) -> Self::W;
    /// Every 32 bits shifted left by `N`.
    fn shl<const N: i32>(self, a: Self::W) -> Self::W;
}

/// Slices of as many blocks as a register has words: registers of words.
#[derive(Clone, Copy)]
pub struct Slices<B>(pub B);

impl<B: Backend> Logic for Slices<B> {
    type W = B::V;
    #[inline(always)]
    fn and(self, a: B::V, b: B::V) -> B::V {
        self.0.and(a, b)
    }
    #[inline(always)]
    fn or(self, a: B::V, b: B::V) -> B::V {
        self.0.or(a, b)
    }
    #[inline(always)]
    fn xor(self, a: B::V, b: B::V) -> B::V {
        self.0.xor(a, b)
    }
    #[inline(always)]
    fn not(self, a: B::V) -> B::V {
        self.0.xor(a, self.0.splat32(!0))
    }
    #[inline(always)]
    fn but(self, a: B::V, b: B::V) -> B::V {
        self.0.and(self.not(a), b)
    }
    #[inline(always)]
    fn rol<const N: i32>(self, a: B::V) -> B::V {
        self.0.rol32::<N>(a)
    }
    #[inline(always)]
    fn shl<const N: i32>(self, a: B::V) -> B::V {
        self.0.shl32::<N>(a)
    }
}

/// S-box `I`.
#[inline(always)]
pub fn sbox<L: Logic, const I: usize>(l: L, x: [L::W; 4]) -> [L::W; 4] {
    match I {
        0 => s0(l, x),
        1 => s1(l, x),
        2 => s2(l, x),
        3 => s3(l, x),
        4 => s4(l, x),
        5 => s5(l, x),
        6 => s6(l, x),
        _ => s7(l, x),
    }
}

/// 18 gates.
#[inline(always)]
fn s0<L: Logic>(l: L, [a, b, c, d]: [L::W; 4]) -> [L::W; 4] {
    let t1 = l.or(d, a);
    let t2 = l.xor(t1, c);
    let t3 = l.xor(t2, b);
    let t4 = l.xor(d, a);
    let t5 = l.xor(t4, b);
    let t6 = l.or(c, b);
    let t7 = l.and(t6, t5);
    let t8 = l.but(c, d);
    let t9 = l.xor(t8, t7);
    let t10 = l.or(t8, a);
    let t11 = l.xor(t6, d);
    let t12 = l.but(t5, t11);
    let t13 = l.xor(t12, t10);
    let t14 = l.but(a, c);
    let t15 = l.or(t8, b);
    let t16 = l.xor(t15, c);
    let t17 = l.or(t14, t5);
    let t18 = l.xor(t17, t16);
    [l.not(t13), l.not(t18), t9, t3]
}

/// 18 gates.
#[inline(always)]
fn s1<L: Logic>(l: L, [a, b, c, d]: [L::W; 4]) -> [L::W; 4] {
    let t1 = l.xor(d, c);
    let t2 = l.but(a, b);
    let t3 = l.but(a, d);
    let t4 = l.xor(t2, t1);
    let t5 = l.or(t3, b);
    let t6 = l.or(c, b);
    let t7 = l.but(a, c);
    let t8 = l.and(t6, t1);
    let t9 = l.but(t7, t8);
    let t10 = l.xor(t9, t5);
    let t11 = l.and(d, b);
    let t12 = l.xor(b, a);
    let t13 = l.xor(t12, d);
    let t14 = l.but(t1, t13);
    let t15 = l.or(t12, t11);
    let t16 = l.xor(t15, t4);
    let t17 = l.xor(t16, t9);
    let t18 = l.or(t14, t9);
    [l.not(t18), l.not(t17), l.not(t4), l.not(t10)]
}

/// 14 gates.
#[inline(always)]
fn s2<L: Logic>(l: L, [a, b, c, d]: [L::W; 4]) -> [L::W; 4] {
    let t1 = l.and(c, a);
    let t2 = l.xor(c, b);
    let t3 = l.xor(t1, d);
    let t4 = l.and(t3, b);
    let t5 = l.xor(t2, a);
    let t6 = l.xor(t5, t4);
    let t7 = l.or(d, a);
    let t8 = l.xor(t7, b);
    let t9 = l.xor(t3, t2);
    let t10 = l.or(t8, t5);
    let t11 = l.but(b, t3);
    let t12 = l.xor(t11, t10);
    let t13 = l.and(t8, t5);
    let t14 = l.xor(t13, t3);
    [t9, t12, t14, l.not(t6)]
}

/// 17 gates.
#[inline(always)]
fn s3<L: Logic>(l: L, [a, b, c, d]: [L::W; 4]) -> [L::W; 4] {
    let t1 = l.but(a, c);
    let t2 = l.but(b, a);
    let t3 = l.xor(c, b);
    let t4 = l.or(t3, t2);
    let t5 = l.but(t1, d);
    let t6 = l.xor(t5, t4);
    let t7 = l.but(a, d);
    let t8 = l.but(t7, t3);
    let t9 = l.xor(t8, t1);
    let t10 = l.xor(t9, t6);
    let t11 = l.or(d, a);
    let t12 = l.but(b, d);
    let t13 = l.xor(t12, t11);
    let t14 = l.but(c, b);
    let t15 = l.xor(t13, t9);
    let t16 = l.or(t14, t5);
    let t17 = l.xor(t16, t13);
    [t17, t15, t10, t6]
}

/// 16 gates.
#[inline(always)]
fn s4<L: Logic>(l: L, [a, b, c, d]: [L::W; 4]) -> [L::W; 4] {
    let t1 = l.but(a, d);
    let t2 = l.xor(t1, c);
    let t3 = l.or(t2, b);
    let t4 = l.xor(d, a);
    let t5 = l.but(t4, b);
    let t6 = l.and(d, c);
    let t7 = l.xor(t4, t3);
    let t8 = l.xor(t5, t2);
    let t9 = l.xor(c, a);
    let t10 = l.xor(t9, b);
    let t11 = l.but(t5, t10);
    let t12 = l.or(d, c);
    let t13 = l.and(t12, t10);
    let t14 = l.or(t9, d);
    let t15 = l.xor(t14, t13);
    let t16 = l.xor(t11, t6);
    [l.not(t8), t15, t16, t7]
}

/// 15 gates.
#[inline(always)]
fn s5<L: Logic>(l: L, [a, b, c, d]: [L::W; 4]) -> [L::W; 4] {
    let t1 = l.but(a, b);
    let t2 = l.xor(t1, c);
    let t3 = l.xor(b, a);
    let t4 = l.xor(t3, d);
    let t5 = l.but(d, t2);
    let t6 = l.but(t3, d);
    let t7 = l.xor(t5, t4);
    let t8 = l.xor(t6, t2);
    let t9 = l.but(c, a);
    let t10 = l.or(t9, t4);
    let t11 = l.xor(t2, b);
    let t12 = l.xor(d, c);
    let t13 = l.or(t12, b);
    let t14 = l.xor(t11, t10);
    let t15 = l.and(t13, t10);
    [l.not(t8), l.not(t7), l.not(t15), l.not(t14)]
}

/// 18 gates.
#[inline(always)]
fn s6<L: Logic>(l: L, [a, b, c, d]: [L::W; 4]) -> [L::W; 4] {
    let t1 = l.xor(d, b);
    let t2 = l.but(a, d);
    let t3 = l.xor(t2, t1);
    let t4 = l.xor(t3, c);
    let t5 = l.xor(c, a);
    let t6 = l.or(d, b);
    let t7 = l.or(c, b);
    let t8 = l.xor(t6, t5);
    let t9 = l.and(t8, t7);
    let t10 = l.xor(t9, d);
    let t11 = l.xor(t2, c);
    let t12 = l.xor(b, a);
    let t13 = l.but(t11, t12);
    let t14 = l.and(t12, t7);
    let t15 = l.or(t5, d);
    let t16 = l.and(t15, t8);
    let t17 = l.xor(t16, t14);
    let t18 = l.xor(t13, t9);
    [l.not(t17), l.not(t4), l.not(t18), t10]
}

/// 17 gates.
#[inline(always)]
fn s7<L: Logic>(l: L, [a, b, c, d]: [L::W; 4]) -> [L::W; 4] {
    let t1 = l.xor(c, b);
    let t2 = l.but(d, a);
    let t3 = l.but(b, a);
    let t4 = l.xor(t2, b);
    let t5 = l.or(t4, t1);
    let t6 = l.xor(d, a);
    let t7 = l.xor(t6, t5);
    let t8 = l.or(t3, d);
    let t9 = l.but(c, t6);
    let t10 = l.but(t9, t1);
    let t11 = l.but(t3, t1);
    let t12 = l.xor(t10, t8);
    let t13 = l.xor(t11, t2);
    let t14 = l.or(c, a);
    let t15 = l.but(t6, t14);
    let t16 = l.xor(t15, t11);
    let t17 = l.xor(t16, t10);
    [l.not(t17), t7, t12, t13]
}
