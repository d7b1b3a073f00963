//! Stretch-then-shift (Krovetz and Rogaway 2011, sect. 4.1): over how many nonces with the
//! same top OCB3's initial offset stays strongly xor-universal, for Stretch = K ‖ (K ⊕ (K << c)).
//!
//! The hash of x is A_x K, with A_x rows x to x + 127 of the matrix of Stretch. It is good up
//! to where some A_x, or some A_x + A_y, is no longer invertible.

use super::gf2::{self, Matrix, N};

/// domSize(c) for c = 1 to 20, as the paper prints it (Fig. 5).
pub const PUBLISHED: [usize; 20] = [3, 15, 7, 3, 124, 7, 3, 85, 120, 3, 118, 63, 3, 31, 63, 3, 7, 31, 3, 7];

/// Row `i` of the matrix of Stretch, bit `j` for bit `j` of K counted from its left.
fn row(i: usize, c: usize) -> u128 {
    if i < N {
        return 1 << i;
    }
    let i = i - N;
    1 << i | if i + c < N { 1 << (i + c) } else { 0 }
}

fn window(x: usize, c: usize) -> Matrix {
    std::array::from_fn(|i| row(x + i, c))
}

/// The largest domain [0, domSize) on which the hash is strongly xor-universal, for a shift of
/// `c` bits, 1 to 127. At most 129: there are no more windows.
pub fn dom_size(c: usize) -> usize {
    let windows: Vec<Matrix> = (0..=N).map(|x| window(x, c)).collect();
    for (y, b) in windows.iter().enumerate() {
        let differs = |a: &Matrix| gf2::rank(std::array::from_fn(|i| a[i] ^ b[i])) == N;
        if gf2::rank(*b) < N || !windows[..y].iter().all(differs) {
            return y;
        }
    }
    windows.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_figure_5() {
        let ours: Vec<usize> = (1..=20).map(dom_size).collect();
        assert_eq!(ours, PUBLISHED);
    }

    /// The matrix is that of Stretch: the hash by matrix is the hash by shifting.
    #[test]
    fn windows_are_shifts() {
        let (key, c) = (0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128, 8);
        let (top, low) = (key, key ^ key << c);
        for x in [0usize, 1, 5, 63] {
            let shifted = if x == 0 { top } else { top << x | low >> (128 - x) };
            let matrix = window(x, c);
            let by_rows = (0..N).fold(0, |sum, i| {
                // Bit j of a row stands for the jth bit of K from its left.
                let bit = (matrix[i].reverse_bits() & key).count_ones() as u128 & 1;
                sum | bit << (127 - i)
            });
            assert_eq!(by_rows, shifted, "shifted by {x}");
        }
    }
}
