//! What can be known of a key, and the search for it.

use crate::below::elsewhere;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use combseal::Algorithm;
use std::sync::LazyLock;

/// The byte at each place from `place` on.
///
/// # Safety
/// `len` bytes from there on are in one allocation.
pub unsafe fn bytes_at(place: *const u8, len: usize) -> impl Iterator<Item = u8> {
    (0..len).map(move |i| {
        // SAFETY: the caller says so. A byte that nothing was written to is read as whatever
        // stands there, which is what the volatile read is for.
        unsafe { place.add(i).read_volatile() }
    })
}

/// Where the first eight bytes begin that are among the secrets, as a little-endian number.
pub fn find(bytes: impl Iterator<Item = u8>, is_secret: impl Fn(u64) -> bool) -> Option<usize> {
    let mut window = 0;
    for (i, byte) in bytes.enumerate() {
        window = window >> 8 | u64::from(byte) << 56;
        if i >= 7 && is_secret(window) {
            return Some(i - 7);
        }
    }
    None
}

/// What must not be found: the eight bytes at every multiple of eight of secret blocks, as
/// little-endian numbers in ascending order. Any 16 bytes of a block have eight such in them.
#[derive(Clone, Default)]
pub struct Secrets(pub Vec<u64>);

impl Secrets {
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.extend(bytes.as_chunks().0.iter().map(|piece| u64::from_le_bytes(*piece)));
    }

    /// A block, and its bytes in reverse order.
    fn add_both_ways(&mut self, block: u128) {
        self.add(&block.to_be_bytes());
        self.add(&block.to_le_bytes());
    }

    pub fn has(&self, piece: u64) -> bool {
        self.0.binary_search(&piece).is_ok()
    }

    /// What can be known of a key: its bytes, the AES round keys, and the cipher's outputs from
    /// which masks and hash keys are made. They are computed on another thread, so that no
    /// value of this one's stack has them.
    pub fn of(algorithm: Algorithm, bytes: &[u8]) -> Self {
        let bytes = bytes[..algorithm.key_len()].to_vec();
        let key = bytes.clone();
        Self::of_parts(&bytes, move || {
            let halves = key.split_at(key.len() / 2);
            match algorithm.name() {
                name if name.starts_with("AEGIS") || name.contains("ChaCha20") => vec![],
                name if name.ends_with("-SIV") && !name.contains("GCM") => vec![halves.0.to_vec(), halves.1.to_vec()],
                _ => vec![key],
            }
        })
    }

    /// The same of bytes that are a key's own, and of keys of the AES that are made of them.
    pub fn of_parts(own: &[u8], aes: impl FnOnce() -> Vec<Vec<u8>> + Send + 'static) -> Self {
        let own = own.to_vec();
        elsewhere(move || {
            let mut it = Self::default();
            it.add(&own);
            aes().iter().for_each(|key| it.add_aes(key));
            it.sorted()
        })
    }

    /// Round keys, also as the software tiers keep them, and E(0) times 1, x, x^2 and x^3.
    fn add_aes(&mut self, key: &[u8]) {
        let keys = round_keys(key);
        for (r, &block) in keys.iter().enumerate() {
            self.add_both_ways(u128::from_be_bytes(block));
            if r > 0 && r + 1 < keys.len() {
                let kept = lagged(block, r % 4);
                self.add(&kept);
                self.add(&compacted(kept));
            }
        }
        let mut l = encrypt(key, 0);
        for _ in 0..4 {
            self.add_both_ways(l);
            l = double(l);
        }
    }

    /// What OCB3's cache has besides: Ktop for nonces that `nonce` begins, of 12 bytes with a
    /// tag of 16, and the hash of one block of associated data.
    pub fn with_ocb3_cache(mut self, key: &[u8], nonce: &[u8; 12], ad: &[u8; 16]) -> Self {
        let (key, nonce, ad) = (key.to_vec(), *nonce, *ad);
        let more = elsewhere(move || {
            let mut it = Self::default();
            let number = nonce.iter().fold(1, |n, &b| n << 8 | u128::from(b));
            it.add_both_ways(encrypt(&key, number & !63));
            let offset = double(double(encrypt(&key, 0)));
            it.add_both_ways(encrypt(&key, u128::from_be_bytes(ad) ^ offset));
            it
        });
        self.0.extend(more.0);
        self.sorted()
    }

    pub fn sorted(mut self) -> Self {
        self.0.sort_unstable();
        self
    }
}

/// How the software tiers keep middle round key `r` (`cpu/soft/expand.rs`): the S-box's constant added, and
/// InvShiftRows (FIPS 197, 5.3.1) done `times` times, `r` modulo 4. Byte `i` is of row `i % 4`, column `i / 4`.
pub fn lagged(key: [u8; 16], times: usize) -> [u8; 16] {
    core::array::from_fn(|i| {
        let (row, column) = (i % 4, i / 4);
        key[4 * ((column + row * (4 - times)) % 4) + row] ^ 0x63
    })
}

/// The same where slices are words of 64 bits (`cpu/soft/word64.rs`): row after row, the low nibbles of all
/// bytes, then the high ones.
pub fn compacted(kept: [u8; 16]) -> [u8; 16] {
    let nibble = |at: usize| kept[4 * (at % 4) + at / 4 % 4] >> (4 * (at / 16)) & 15;
    core::array::from_fn(|i| nibble(2 * i) | nibble(2 * i + 1) << 4)
}

/// E(block).
pub fn encrypt(key: &[u8], block: u128) -> u128 {
    let mut x = block.to_be_bytes().into();
    match key.len() {
        16 => aes::Aes128::new_from_slice(key).unwrap().encrypt_block(&mut x),
        24 => aes::Aes192::new_from_slice(key).unwrap().encrypt_block(&mut x),
        _ => aes::Aes256::new_from_slice(key).unwrap().encrypt_block(&mut x),
    }
    u128::from_be_bytes(x.into())
}

/// The AES key that GCM-SIV makes for a nonce (RFC 8452, sect. 4).
pub fn gcm_siv_key(key: &[u8], nonce: &[u8; 12]) -> Vec<u8> {
    let block = |i: u32| i.to_le_bytes().into_iter().chain(*nonce).fold(0, |n, byte| n << 8 | u128::from(byte));
    let halves = (2..2 + key.len() as u32 / 8).map(|i| (encrypt(key, block(i)) >> 64) as u64);
    halves.flat_map(u64::to_be_bytes).collect()
}

/// `v * x` modulo x^128 + x^7 + x^2 + x + 1, as OCB3 and CMAC have it.
fn double(v: u128) -> u128 {
    v << 1 ^ 0x87 & 0u128.wrapping_sub(v >> 127)
}

/// FIPS 197's S-box.
static SUB: LazyLock<[u8; 256]> = LazyLock::new(|| {
    let times = |mut a: u8, b: u8| {
        (0..8).fold(0, |z, i| {
            let term = a & 0u8.wrapping_sub(b >> i & 1);
            a = a << 1 ^ 0x1b & 0u8.wrapping_sub(a >> 7);
            z ^ term
        })
    };
    core::array::from_fn(|x| {
        let i = (1..=255).find(|&y| times(x as u8, y) == 1).unwrap_or(0);
        i ^ i.rotate_left(1) ^ i.rotate_left(2) ^ i.rotate_left(3) ^ i.rotate_left(4) ^ 0x63
    })
});

/// FIPS 197's key expansion.
pub fn round_keys(key: &[u8]) -> Vec<[u8; 16]> {
    let mut words: Vec<[u8; 4]> = key.as_chunks().0.to_vec();
    let (n, mut turn) = (words.len(), 1u8);
    for i in n..4 * (n + 7) {
        let [a, b, c, d] = words[i - 1];
        let sub = |x: u8| SUB[usize::from(x)];
        let t = match i % n {
            0 => {
                let t = [sub(b) ^ turn, sub(c), sub(d), sub(a)];
                turn = turn << 1 ^ 0x1b & 0u8.wrapping_sub(turn >> 7);
                t
            }
            4 if n == 8 => [sub(a), sub(b), sub(c), sub(d)],
            _ => [a, b, c, d],
        };
        let before = words[i - n];
        words.push(core::array::from_fn(|j| t[j] ^ before[j]));
    }
    words.as_chunks().0.iter().map(|w: &[[u8; 4]; 4]| w.as_flattened().try_into().unwrap()).collect()
}

/// XChaCha20's subkey of a key and a nonce's first sixteen bytes (draft-irtf-cfrg-xchacha-03, section 2.2),
/// computed on another thread.
pub fn hchacha20(key: &[u8], nonce: &[u8; 16]) -> Vec<u8> {
    let bytes = [&b"expand 32-byte k"[..], key, nonce].concat();
    elsewhere(move || {
        let mut x: Vec<u32> = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let mut quarter = |at: [usize; 4]| {
            for (to, from, turned, bits) in [(0, 1, 3, 16), (2, 3, 1, 12), (0, 1, 3, 8), (2, 3, 1, 7)] {
                x[at[to]] = x[at[to]].wrapping_add(x[at[from]]);
                x[at[turned]] = (x[at[turned]] ^ x[at[to]]).rotate_left(bits);
            }
        };
        for _ in 0..10 {
            (0..4).for_each(|i| quarter([i, 4 + i, 8 + i, 12 + i]));
            (0..4).for_each(|i| quarter([i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]));
        }
        [&x[..4], &x[12..]].concat().into_iter().flat_map(u32::to_le_bytes).collect()
    })
}

/// The draft's section 2.2.1.
#[test]
fn subkey() {
    let key: Vec<u8> = (0..32).collect();
    let nonce = 0x0000_0009_0000_004a_0000_0000_3141_5927_u128.to_be_bytes();
    let expected = [0x8241_3b42_27b2_7bfe_d30e_4250_8a87_7d73_u128, 0xa0f9_e4d5_8a74_a853_c12e_c413_26d3_ecdc];
    assert_eq!(hchacha20(&key, &nonce), expected.map(u128::to_be_bytes).concat());
}

/// The tests' own arithmetic: FIPS 197, A.1 and A.3.
#[test]
fn expansion() {
    let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
    assert_eq!(round_keys(&key)[10], 0xd014_f9a8_c9ee_2589_e13f_0cc8_b663_0ca6_u128.to_be_bytes());
    let key: Vec<u8> = [0x603d_eb10_15ca_71be_2b73_aef0_857d_7781_u128, 0x1f35_2c07_3b61_08d7_2d98_10a3_0914_dff4]
        .iter()
        .flat_map(|half| half.to_be_bytes())
        .collect();
    assert_eq!(round_keys(&key)[14], 0xfe48_90d1_e618_8d0b_046d_f344_706c_631e_u128.to_be_bytes());
    assert_eq!([16, 24, 32].map(|n| round_keys(&[0; 32][..n]).len()), [11, 13, 15]);
}
