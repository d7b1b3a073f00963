//! GCM against published vectors and a bitwise GHASH, on every tier of this machine.

use crate::known::{AnyNonces, Case, check, known};
use crate::tiers;
use combseal::cpu::Aes;
use combseal::hazmat::Ctr;
use combseal::{Aead, Aes128, Aes192, Aes256, Cpu, Error, Gcm};

pub fn bytes(n: usize, seed: u8) -> Vec<u8> {
    (0..n).map(|i| (i as u8).wrapping_mul(31) ^ (i >> 8) as u8 ^ seed).collect()
}

#[test]
fn known_answers() {
    fn of<A: Aes>(cpu: Cpu, case: &Case) {
        // A nonce of no bytes is the only one that there is no key for; one for others refuses it.
        let key = Gcm::<A>::build(cpu, &case.key, 16).unwrap();
        check(&if case.nonce.is_empty() { key } else { key.for_nonces(case.nonce.len()).unwrap() }, case);
    }
    let wycheproof = ["wycheproof/aes_gcm_test", "wycheproof/aes_gmac_test"];
    known(&[&["gcm_aes128", "gcm_aes192", "gcm_aes256"][..], &wycheproof].concat(), |cpu, case| match case.key.len() {
        16 => of::<Aes128>(cpu, case),
        24 => of::<Aes192>(cpu, case),
        _ => of::<Aes256>(cpu, case),
    });
}

/// GHASH bit by bit (SP 800-38D, sect. 6.3), the first bit the coefficient of x^0.
pub fn ghash(h: u128, parts: &[&[u8]]) -> u128 {
    let mut y = 0;
    for block in parts.iter().flat_map(|p| p.chunks(16)) {
        let mut x = [0; 16];
        x[..block.len()].copy_from_slice(block);
        let x = y ^ u128::from_be_bytes(x);
        let mut v = h;
        y = 0;
        for i in (0..128).rev() {
            y ^= v & 0u128.wrapping_sub(x >> i & 1);
            v = v >> 1 ^ (0xe1 << 120) & 0u128.wrapping_sub(v & 1);
        }
    }
    y
}

/// GCM by the book.
fn reference<A: Aes>(key: &[u8], nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> [u8; 16] {
    let aes = Ctr::<A>::build(Cpu::detect(), key).unwrap();
    let encrypt = |block: u128| {
        let mut x = [0; 16];
        aes.apply(&block.to_be_bytes(), &mut x);
        u128::from_be_bytes(x)
    };
    let h = encrypt(0);
    let lengths = |a: usize, b: usize| (8 * (a as u128) << 64 | 8 * b as u128).to_be_bytes();
    let j0 = if nonce.len() == 12 {
        let mut b = [0; 16];
        b[..12].copy_from_slice(nonce);
        b[15] = 1;
        u128::from_be_bytes(b)
    } else {
        ghash(h, &[nonce, &lengths(0, nonce.len())])
    };
    for (i, block) in buf.chunks_mut(16).enumerate() {
        let low = (j0 as u32).wrapping_add(1 + i as u32);
        let pad = encrypt(j0 >> 32 << 32 | low as u128).to_be_bytes();
        for (x, p) in block.iter_mut().zip(pad) {
            *x ^= p;
        }
    }
    (encrypt(j0) ^ ghash(h, &[ad, buf, &lengths(ad.len(), buf.len())])).to_be_bytes()
}

fn agrees<A: Aes>(len: usize, nonce: &[u8], ad: &[u8], slow: bool) {
    let key = bytes(A::KEY_LEN, 7);
    let plain = bytes(len, 2);
    let mut expected = plain.clone();
    let tag = reference::<A>(&key, nonce, ad, &mut expected);
    let case = Case::made(nonce, ad, &plain, expected, tag);
    for cpu in tiers().filter(|cpu| slow || cpu.is_hardware()) {
        check(&Gcm::<A>::build(cpu, &key, 16).unwrap().for_nonces(nonce.len()).unwrap(), &case);
    }
}

#[test]
fn equals_the_reference() {
    for len in 0..=300 {
        agrees::<Aes128>(len, &bytes(12, len as u8), &bytes(len * 7 % 67, 1), len % 4 == 0 || len < 40);
        agrees::<Aes256>(len, &bytes(12, len as u8), &[], false);
    }
    for near in [512usize, 1024, 2048, 4096, 8192, 65536] {
        for len in near - 17..near + 18 {
            agrees::<Aes128>(len, &bytes(12, len as u8), &bytes(len % 20, 1), false);
        }
    }
    for len in [512, 517, 1000, 1024, 1500] {
        agrees::<Aes192>(len, &bytes(12, 3), &bytes(13, 1), true);
    }
    agrees::<Aes128>((1 << 20) + 5, &bytes(12, 9), &bytes(5, 1), false);
}

#[test]
fn long_associated_data() {
    for len in 0..=600 {
        agrees::<Aes128>(len % 5 * 16, &bytes(12, 1), &bytes(len, 3), len % 32 == 3);
    }
    agrees::<Aes128>(100, &bytes(12, 1), &bytes(70000, 3), false);
}

#[test]
fn nonces_of_any_length() {
    for len in (1..=300).chain([1000, 4096]) {
        agrees::<Aes128>(70, &bytes(len, 5), &[1, 2, 3], len % 37 == 0);
    }
    for cpu in tiers() {
        let mut key = Gcm::<Aes128>::build(cpu, &[1; 16], 16).unwrap();
        for (len, taken) in [(0, false), (1, false), (7, false), (8, true), (16, true)] {
            assert_eq!(key.set_nonce_len(len).is_ok(), taken, "{len}");
        }
        assert_eq!(key.nonce_len(), 16);
        assert_eq!(key.seal(&[1; 12], b"", b""), Err(Error::NonceLength));
        key.hazmat_allow_short_nonces();
        assert_eq!(key.set_nonce_len(0), Err(Error::NonceLength));
    }
}
