//! GCM-SIV against published vectors and POLYVAL by way of GHASH, on every tier of this machine.

use crate::agreement::Build;
use crate::gcm::{bytes, ghash};
use crate::known::{Case, check, known, load};
use crate::tiers;
use combseal::cpu::Aes;
use combseal::hazmat::Ctr;
use combseal::{Aead, Aes128, Aes256, Algorithm, Columns, Cpu, GcmSiv, Key, Nonces, Values};

#[test]
fn known_answers() {
    known(&["gcm_siv_aes128", "gcm_siv_aes256", "wycheproof/aes_gcm_siv_test"], |cpu, case| match case.key.len() {
        16 => check(&GcmSiv::<Aes128>::build(cpu, &case.key, 16).unwrap(), case),
        _ => check(&GcmSiv::<Aes256>::build(cpu, &case.key, 16).unwrap(), case),
    });
}

/// GCM-SIV by the book, POLYVAL as GHASH of reversed blocks (RFC 8452, appendix A).
fn reference<A: Aes>(key: &[u8], nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> [u8; 16] {
    let encrypt = |key: &[u8], mut block: [u8; 16]| {
        let mut x = [0; 16];
        Ctr::<A>::build(Cpu::detect(), key).unwrap().apply(&block, &mut x);
        block = x;
        block
    };
    let half = |i: u32| {
        let mut b = [0; 16];
        b[..4].copy_from_slice(&i.to_le_bytes());
        b[4..].copy_from_slice(nonce);
        encrypt(key, b)[..8].to_vec()
    };
    let auth = [half(0), half(1)].concat();
    let enc: Vec<u8> = (2..2 + A::KEY_LEN as u32 / 8).flat_map(half).collect();
    let reversed = |data: &[u8]| -> Vec<u8> {
        let mut out = data.to_vec();
        out.resize(data.len().next_multiple_of(16), 0);
        out.chunks_mut(16).for_each(|b| b.reverse());
        out
    };
    let h = u128::from_le_bytes(auth.try_into().unwrap());
    let h = h >> 1 ^ (0xe1 << 120) & 0u128.wrapping_sub(h & 1);
    let lengths = ((8 * buf.len() as u128) << 64 | 8 * ad.len() as u128).to_be_bytes();
    let s = ghash(h, &[&reversed(ad), &reversed(buf), &lengths]);
    let mut s = s.to_le_bytes();
    s.iter_mut().zip(nonce).for_each(|(s, n)| *s ^= n);
    s[15] &= 0x7f;
    let tag = encrypt(&enc, s);
    let mut counter = tag;
    counter[15] |= 0x80;
    for block in buf.chunks_mut(16) {
        block.iter_mut().zip(encrypt(&enc, counter)).for_each(|(x, p)| *x ^= p);
        let low = u32::from_le_bytes([counter[0], counter[1], counter[2], counter[3]]).wrapping_add(1);
        counter[..4].copy_from_slice(&low.to_le_bytes());
    }
    tag
}

fn agrees<A: Aes, K: Aead>(build: Build<K>, len: usize, ad: &[u8], slow: bool) {
    let (key, nonce) = (bytes(A::KEY_LEN, 7), bytes(12, len as u8));
    let plain = bytes(len, 2);
    let mut expected = plain.clone();
    let tag = reference::<A>(&key, &nonce, ad, &mut expected);
    let case = Case::made(&nonce, ad, &plain, expected, tag);
    for cpu in tiers().filter(|cpu| slow || cpu.is_hardware()) {
        check(&build(cpu, &key, 16).unwrap(), &case);
    }
}

#[test]
fn equals_the_reference() {
    for len in 0..=300 {
        agrees::<Aes128, _>(GcmSiv::<Aes128>::build, len, &bytes(len * 7 % 67, 1), len % 4 == 0 || len < 40);
        agrees::<Aes256, _>(GcmSiv::<Aes256>::build, len, &[], false);
    }
    for near in [512usize, 1024, 2048, 4096, 8192, 65536] {
        for len in near - 17..near + 18 {
            agrees::<Aes256, _>(GcmSiv::<Aes256>::build, len, &bytes(len % 20, 1), false);
        }
    }
    for len in [512, 517, 1000, 1024, 1500] {
        agrees::<Aes128, _>(GcmSiv::<Aes128>::build, len, &bytes(13, 1), true);
    }
    agrees::<Aes128, _>(GcmSiv::<Aes128>::build, (1 << 20) + 5, &bytes(5, 1), false);
    for len in 0..=600 {
        agrees::<Aes128, _>(GcmSiv::<Aes128>::build, len % 5 * 16, &bytes(len, 3), len % 32 == 3);
    }
}

/// The known answers, each among values of other lengths.
#[test]
fn known_answers_in_columns() {
    for name in ["gcm_siv_aes128", "gcm_siv_aes256", "wycheproof/aes_gcm_siv_test"] {
        for (i, case) in load(name).iter().enumerate().filter(|(_, case)| case.valid) {
            for cpu in tiers() {
                let algorithm = if case.key.len() > 16 { Algorithm::GcmSivAes256 } else { Algorithm::GcmSivAes128 };
                let key = Key::build(cpu, algorithm, &case.key, 16).unwrap();
                let (before, behind) = (i % 17, i % 23);
                let (data, n) = ([&vec![3; before][..], &case.msg, &[5; 40]].concat(), case.msg.len());
                let mut offsets: Vec<usize> = (0..=before).collect();
                offsets.extend((0..=behind).map(|i| before + n + i));
                let data = &data[..before + n + behind];
                let plain = Values::new(data, &offsets).unwrap();
                let columns = Columns::new(&key).ad(&case.ads[0]);
                let mut sealed = vec![0; columns.sealed_len(&plain).unwrap()];
                let nonces = case.nonce.repeat(plain.count());
                columns.seal(&plain, Nonces::given(&nonces), &mut sealed).unwrap();
                let from = offsets[before] + 16 * before;
                assert!(sealed[from..from + n + 16] == [&case.ct[..], &case.tag].concat(), "{} {cpu:?}", case.label);
            }
        }
    }
}
