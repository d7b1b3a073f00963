//! Linear algebra over GF(2) in 128 bits: a matrix is 128 rows of a `u128`, a polynomial
//! of degree 128 is monic and given by its lower 128 coefficients.

/// The dimension of everything here.
pub const N: usize = 128;

/// The prime factors of 2^128 - 1, which is F0 F1 … F6: the Fermat numbers up to
/// F4 = 65537 are prime, F5 = 641 · 6700417 (Euler 1732), F6 = 274177 · 67280421310721
/// (Landry 1880).
pub const FACTORS: [u128; 9] = [3, 5, 17, 257, 641, 65537, 274177, 6700417, 67280421310721];

/// A square matrix; bit `j` of row `i` is its entry `(i, j)`.
pub type Matrix = [u128; N];

/// How many rows are linearly independent.
pub fn rank(mut rows: Matrix) -> usize {
    let mut rank = 0;
    for column in 0..N {
        let Some(pivot) = (rank..N).find(|&i| rows[i] >> column & 1 == 1) else { continue };
        rows.swap(rank, pivot);
        for i in rank + 1..N {
            if rows[i] >> column & 1 == 1 {
                rows[i] ^= rows[rank];
            }
        }
        rank += 1;
    }
    rank
}

/// The matrix of a linear map: row `i` is the image of the `i`th unit vector.
pub fn matrix(map: impl Fn(u128) -> u128) -> Matrix {
    std::array::from_fn(|i| map(1 << i))
}

/// The characteristic polynomial det(xI - A), without its leading x^128.
///
/// By similarity to Hessenberg's form and the recurrence along its subdiagonal
/// (Cohen, A Course in Computational Algebraic Number Theory, 1993, Algorithm 2.2.9).
pub fn characteristic(mut a: Matrix) -> u128 {
    let bit = |a: &Matrix, i: usize, j: usize| a[i] >> j & 1 == 1;
    for m in 1..N - 1 {
        let Some(pivot) = (m..N).find(|&i| bit(&a, i, m - 1)) else { continue };
        if pivot != m {
            a.swap(pivot, m);
            for row in &mut a {
                let differ = (*row >> pivot ^ *row >> m) & 1;
                *row ^= differ << pivot | differ << m;
            }
        }
        for i in m + 1..N {
            if bit(&a, i, m - 1) {
                a[i] ^= a[m];
                // The inverse on the other side: column m takes column i.
                for row in &mut a {
                    *row ^= (*row >> i & 1) << m;
                }
            }
        }
    }
    // p[m] is the characteristic polynomial of the leading m by m block; p[128] has an
    // x^128 that does not fit, which is the one that is left out.
    let mut p = vec![1u128];
    for m in 0..N {
        let last = p[m];
        let mut next = last << 1 ^ if bit(&a, m, m) { last } else { 0 };
        let mut chain = true;
        for i in 1..=m {
            chain &= bit(&a, m - i + 1, m - i);
            if !chain {
                break;
            }
            if bit(&a, m - i, m) {
                next ^= p[m - i];
            }
        }
        p.push(next);
    }
    p[N]
}

/// `a * b` modulo x^128 + `p`.
pub fn mul(mut a: u128, mut b: u128, p: u128) -> u128 {
    let mut product = 0;
    while b != 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        b >>= 1;
        a = a << 1 ^ if a >> 127 == 1 { p } else { 0 };
    }
    product
}

/// x to the `e` modulo x^128 + `p`.
pub fn power_of_x(mut e: u128, p: u128) -> u128 {
    let (mut result, mut square) = (1, 2);
    while e != 0 {
        if e & 1 == 1 {
            result = mul(result, square, p);
        }
        square = mul(square, square, p);
        e >>= 1;
    }
    result
}

/// Whether x^128 + `p` is primitive: x has order 2^128 - 1, which no reducible polynomial
/// of this degree allows (Lidl and Niederreiter 1994, Theorem 3.16).
pub fn is_primitive(p: u128) -> bool {
    // Without a constant term x divides it; with an even number of terms x + 1 does.
    p & 1 == 1
        && p.count_ones().is_multiple_of(2)
        && power_of_x(u128::MAX, p) == 1
        && FACTORS.iter().all(|f| power_of_x(u128::MAX / f, p) != 1)
}

/// x^128 + `p`, its exponents falling: `x^128 + x^7 + x^2 + x + 1`.
pub fn polynomial(p: u128) -> String {
    let mut text = String::from("x^128");
    for i in (0..N).rev().filter(|i| p >> i & 1 == 1) {
        text += &match i {
            0 => " + 1".into(),
            1 => " + x".into(),
            _ => format!(" + x^{i}"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factors_are_those_of_the_group() {
        let product = FACTORS.iter().product::<u128>();
        assert_eq!(product, u128::MAX);
        for f in FACTORS {
            let mut d = 2;
            while d * d <= f {
                assert!(f % d != 0, "{d} divides {f}");
                d += 1;
            }
        }
    }

    #[test]
    fn ranks() {
        let identity: Matrix = std::array::from_fn(|i| 1 << i);
        assert_eq!(rank(identity), 128);
        let mut twice = identity;
        twice[5] = twice[9] ^ twice[77];
        assert_eq!(rank(twice), 127);
        assert_eq!(rank([0; N]), 0);
    }

    /// Doubling in GF(2^128) has the field's own polynomial; the identity has (x + 1)^128,
    /// which is x^128 + 1; and similar matrices share theirs.
    #[test]
    fn characteristic_polynomials() {
        let double = matrix(|x| x << 1 ^ if x >> 127 == 1 { 0x87 } else { 0 });
        assert_eq!(characteristic(double), 0x87);
        assert_eq!(characteristic(std::array::from_fn(|i| 1 << i)), 1);
        // The same map on a permuted basis.
        let turn = |x: u128| x.rotate_left(37).swap_bytes();
        let back = |x: u128| x.swap_bytes().rotate_right(37);
        assert_eq!(characteristic(matrix(|x| turn(mul(back(x), 2, 0x87)))), 0x87);
        // Cayley and Hamilton: a matrix is a root of its polynomial.
        let odd = |x: u128| x << 3 ^ x >> 5 ^ x.rotate_left(40) & 0x1234_5678_9abc_def0;
        let p = characteristic(matrix(odd));
        let mut x = 0x0123_4567_89ab_cdef_0011_2233_4455_6677;
        let mut sum = 0;
        for i in 0..128 {
            if p >> i & 1 == 1 {
                sum ^= x;
            }
            x = odd(x);
        }
        assert_eq!(sum ^ x, 0);
    }

    #[test]
    fn primitive_and_not() {
        // OCB's polynomial and POLYVAL's; x^128 + x^4 + x^3 + x + 1 is reducible.
        assert!(is_primitive(0x87));
        assert!(is_primitive(0xc2 << 120 | 1));
        assert!(!is_primitive(0x1b));
        assert!(!is_primitive(1));
        // Irreducible, but x has order 2^128 - 1 over 3: x^128 + x^29 + x^27 + x^2 + 1 is
        // primitive by the tables, its reciprocal too.
        assert!(is_primitive(1 << 29 | 1 << 27 | 1 << 2 | 1));
        assert_eq!(polynomial(0x87), "x^128 + x^7 + x^2 + x + 1");
    }
}
