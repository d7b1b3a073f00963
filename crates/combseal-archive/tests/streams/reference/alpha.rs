//! The field of SNOW 2.0 and SOSEMANUK, by its definition: words are polynomials over GF(2^8).

/// The product in GF(2^8), which is made with x^8 + x^7 + x^5 + x^3 + 1.
fn product(mut a: u32, b: u32) -> u32 {
    let mut sum = 0;
    for i in 0..8 {
        if b >> i & 1 == 1 {
            sum ^= a;
        }
        a <<= 1;
        if a > 255 {
            a ^= 0x1a9;
        }
    }
    sum
}

/// Beta, which is x, to the power `n`.
fn beta(n: u32) -> u32 {
    (0..n).fold(1, |power, _| product(power, 2))
}

/// alpha^4 in terms of alpha^3, alpha^2, alpha and 1.
fn alpha_4() -> [u32; 4] {
    [beta(23), beta(245), beta(48), beta(239)]
}

/// A word times alpha: each coefficient goes up by one power, the highest to alpha^4.
pub fn times_alpha(w: u32) -> u32 {
    let mut bytes = (w << 8).to_be_bytes();
    for (byte, coefficient) in bytes.iter_mut().zip(alpha_4()) {
        *byte ^= product(w >> 24, coefficient) as u8;
    }
    u32::from_be_bytes(bytes)
}

/// A word over alpha: the word that times alpha is `w`. Its highest coefficient is the lowest of `w`
/// over beta^239, and beta^255 is 1.
pub fn over_alpha(w: u32) -> u32 {
    let highest = product(w & 255, beta(255 - 239));
    let mut rest = w;
    for (i, coefficient) in alpha_4().into_iter().enumerate() {
        rest ^= product(highest, coefficient) << (24 - 8 * i);
    }
    highest << 24 | rest >> 8
}
