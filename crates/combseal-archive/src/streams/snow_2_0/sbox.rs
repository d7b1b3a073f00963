//! SNOW 2.0's S-box by tables: the AES's bytes, each with the multiples that MixColumns makes of it.

/// Twice a byte in the AES's GF(2^8).
const fn double(a: u8) -> u8 {
    a << 1 ^ (a >> 7) * 0x1b
}

/// FIPS 197's S-box: the inverses, by going through the powers of 3 and of its inverse, and the
/// affine map.
const fn bytes() -> [u8; 256] {
    let mut t = [0x63; 256];
    let (mut power, mut inverse) = (1u8, 1u8);
    loop {
        power ^= double(power);
        inverse ^= inverse << 1;
        inverse ^= inverse << 2;
        inverse ^= inverse << 4;
        inverse ^= (inverse >> 7) * 0x09;
        let (a, b) = (inverse.rotate_left(1), inverse.rotate_left(2));
        t[power as usize] = 0x63 ^ inverse ^ a ^ b ^ inverse.rotate_left(3) ^ inverse.rotate_left(4);
        if power == 1 {
            return t;
        }
    }
}

/// What the byte in place `i` adds to the word: MixColumns' column `i`.
const fn column(i: u32) -> [u32; 256] {
    let (s, mut t) = (bytes(), [0; 256]);
    let mut x = 0;
    while x < 256 {
        let (one, two) = (s[x] as u32, double(s[x]) as u32);
        t[x] = (two | one << 8 | one << 16 | (one ^ two) << 24).rotate_left(8 * i);
        x += 1;
    }
    t
}

static COLUMNS: [[u32; 256]; 4] = [column(0), column(1), column(2), column(3)];

/// SubBytes and MixColumns of a column, its first row in the lowest byte.
#[inline(always)]
pub fn sbox(w: u32) -> u32 {
    let byte = |i: u32| COLUMNS[i as usize][(w >> (8 * i) & 255) as usize];
    byte(0) ^ byte(1) ^ byte(2) ^ byte(3)
}
