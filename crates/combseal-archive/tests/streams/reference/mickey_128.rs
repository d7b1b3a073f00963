//! MICKEY-128 2.0, a step at a time, a stage at a time. The sequences are as printed: bit i belongs
//! to stage i.

const R_MASK: [u32; 5] = [0x3752_53af, 0x803b_be32, 0x9c67_9626, 0xf3ec_4c59, 0x4211_4d31];
const COMP0: [u32; 5] = [0x0fbe_06be, 0x37af_d931, 0x7900_7062, 0x7926_0955, 0x5dd6_f25e];
const COMP1: [u32; 5] = [0x7ff4_5bb5, 0x6660_e345, 0x7c00_c3e0, 0xfeb6_3c98, 0x7d19_1f30];
const S_MASK0: [u32; 5] = [0x8363_0bc1, 0xd454_4b91, 0x66e5_4d81, 0x0e2f_a322, 0xc43c_1faf];
const S_MASK1: [u32; 5] = [0x11a7_80ef, 0x6c4b_7ee7, 0x6f9a_18b6, 0x7079_8c90, 0x9bf4_77ab];

/// The bit of a printed sequence that belongs to stage `i`.
fn at(sequence: &[u32; 5], i: usize) -> u8 {
    (sequence[4 - i / 32] >> (i % 32) & 1) as u8
}

/// The registers.
struct Mickey {
    r: [u8; 160],
    s: [u8; 160],
}

/// The first `len` bytes of key stream.
pub fn keystream(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let mut it = Mickey { r: [0; 160], s: [0; 160] };
    for byte in nonce.iter().chain(key) {
        for i in (0..8).rev() {
            it.clock(true, byte >> i & 1);
        }
    }
    for _ in 0..160 {
        it.clock(true, 0);
    }
    (0..len).map(|_| (0..8).fold(0, |byte, _| byte << 1 | it.clock(false, 0))).collect()
}

impl Mickey {
    /// CLOCK_KG; the bit of key stream before it.
    fn clock(&mut self, mixing: bool, input: u8) -> u8 {
        let z = self.r[0] ^ self.s[0];
        let control_r = self.s[54] ^ self.r[106];
        let control_s = self.s[106] ^ self.r[53];
        let input_r = if mixing { input ^ self.s[80] } else { input };
        self.clock_r(input_r, control_r);
        self.clock_s(input, control_s);
        z
    }

    /// CLOCK_R.
    fn clock_r(&mut self, input: u8, control: u8) {
        let old = self.r;
        let feedback = old[159] ^ input;
        for i in 0..160 {
            let shifted = if i == 0 { 0 } else { old[i - 1] };
            self.r[i] = shifted ^ control & old[i] ^ feedback & at(&R_MASK, i);
        }
    }

    /// CLOCK_S.
    fn clock_s(&mut self, input: u8, control: u8) {
        let old = self.s;
        let feedback = old[159] ^ input;
        let mask = if control == 0 { &S_MASK0 } else { &S_MASK1 };
        for i in 0..160 {
            let mut new = if i == 0 { 0 } else { old[i - 1] };
            if (1..=158).contains(&i) {
                new ^= (old[i] ^ at(&COMP0, i)) & (old[i + 1] ^ at(&COMP1, i));
            }
            self.s[i] = new ^ feedback & at(mask, i);
        }
    }
}
