//! SIV: known answers, with one string of associated data as with many, and RFC 5297 from CMAC and CTR.

use crate::common::noise;
use crate::known::{AnyNonces, Case, check_if_made, known, properties};
use crate::tiers;
use combseal::cpu::Aes;
use combseal::hazmat::{Cmac, Ctr};
use combseal::{Aead, Aes128, Aes192, Aes256, Cpu, Error, Siv};

#[test]
fn known_answers() {
    fn of<A: Aes>(cpu: Cpu, case: &Case)
    where
        Siv<A>: Aead,
    {
        check_if_made(Siv::<A>::build(cpu, &case.key, 16).and_then(|key| key.for_nonces(case.nonce.len())), case);
    }
    known(&["siv_cmac_256", "siv_cmac_512", "wycheproof/aead_aes_siv_cmac_test"], |cpu, case| match case.key.len() {
        32 => of::<Aes128>(cpu, case),
        48 => of::<Aes192>(cpu, case),
        _ => of::<Aes256>(cpu, case),
    });
}

/// With a vector of strings.
#[test]
fn known_answers_vectored() {
    fn of<A: Aes>(cpu: Cpu, case: &Case) {
        let at = format!("{} {cpu:?}", case.label);
        let Ok(key) = Siv::<A>::build(cpu, &case.key, 16) else { return assert!(!case.valid, "{at}") };
        let ads: Vec<&[u8]> = case.ads.iter().map(|ad| &ad[..]).collect();
        // Wycheproof has V and the ciphertext together.
        let (v, ct) = if case.tag.is_empty() { case.ct.split_at(16) } else { (&case.tag[..], &case.ct[..]) };
        let mut buf = ct.to_vec();
        let opened = key.open_vectored(&ads, &mut buf, v);
        if !case.valid {
            return assert!(opened == Err(Error::Forged) && buf.iter().all(|&x| x == 0), "{at}");
        }
        assert_eq!((opened, &buf), (Ok(()), &case.msg), "{at}");
        assert_eq!(key.seal_vectored(&ads, &mut buf).unwrap(), *v, "{at}");
        assert_eq!(buf, ct, "{at}");
    }
    known(&["siv_cmac_multi", "wycheproof/aes_siv_cmac_test"], |cpu, case| match case.key.len() {
        32 => of::<Aes128>(cpu, case),
        48 => of::<Aes192>(cpu, case),
        _ => of::<Aes256>(cpu, case),
    });
}

/// Doubling in GF(2^128), the first bit the highest.
fn double(x: u128) -> u128 {
    x << 1 ^ (x >> 127) * 0x87
}

/// RFC 5297, 2.4 to 2.6, from CMAC and CTR.
fn reference(key: &[[u8; 16]; 2], ads: &[&[u8]], msg: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mac = Cmac::<Aes128>::new(&key[0]);
    let cmac = |data: &[u8]| u128::from_be_bytes(mac.tag(data).as_bytes().try_into().unwrap());
    let mut d = cmac(&[0; 16]);
    for ad in ads {
        d = double(d) ^ cmac(ad);
    }
    let mut t = msg.to_vec();
    if msg.len() < 16 {
        t.push(0x80);
        t.resize(16, 0);
        d = double(d);
    }
    let from = t.len() - 16;
    for (x, y) in t[from..].iter_mut().zip(d.to_be_bytes()) {
        *x ^= y;
    }
    let v = cmac(&t);
    let mut ct = msg.to_vec();
    Ctr::<Aes128>::new(&key[1]).apply(&(v & !(1 << 31 | 1 << 63)).to_be_bytes(), &mut ct);
    (v.to_be_bytes().to_vec(), ct)
}

fn key() -> [[u8; 16]; 2] {
    [noise(1, 16).try_into().unwrap(), noise(2, 16).try_into().unwrap()]
}

#[test]
fn equals_the_reference() {
    let key = key();
    let build = |cpu| Siv::<Aes128>::build(cpu, key.as_flattened(), 16).unwrap();
    let nonces = [16, 0, 1, 12, 15, 17, 32, 33, 200];
    properties(build, &nonces, |nonce, ad, msg| reference(&key, &[ad, nonce], msg));
}

/// Every order in which the three chains can end.
#[test]
fn chains_of_all_lengths() {
    let (key, some) = (key(), [0, 1, 16, 17, 32, 40, 64, 100]);
    for n in 0..some.len().pow(3) {
        let n = [n / 64, n / 8 % 8, n % 8];
        let (nonce, ad, msg) = (noise(1, some[n[0]]), noise(2, some[n[1]]), noise(3, some[n[2]]));
        let (tag, ct) = reference(&key, &[&ad, &nonce], &msg);
        for cpu in tiers() {
            let mut it = Siv::<Aes128>::build(cpu, key.as_flattened(), 16).unwrap();
            it.set_nonce_len(nonce.len()).unwrap();
            let sealed = it.seal(&nonce, &ad, &msg).unwrap();
            assert_eq!(sealed, [&tag[..], &ct].concat(), "{n:?} {cpu:?}");
            assert_eq!(it.open(&nonce, &ad, &sealed).unwrap(), msg, "{n:?} {cpu:?}");
        }
    }
}

#[test]
fn vectors_of_all_sizes() {
    let key = key();
    let it = Siv::<Aes128>::new(&key);
    for n in 0..=126 {
        let strings: Vec<Vec<u8>> = (0..n).map(|i| noise(i, i * 11 % 90)).collect();
        let ads: Vec<&[u8]> = strings.iter().map(|s| &s[..]).collect();
        let msg = noise(n, n);
        let (tag, ct) = reference(&key, &ads, &msg);
        let mut buf = msg.clone();
        assert_eq!(it.seal_vectored(&ads, &mut buf).unwrap(), tag[..], "{n}");
        assert_eq!(buf, ct, "{n}");
        it.open_vectored(&ads, &mut buf, &tag).unwrap();
        assert_eq!(buf, msg, "{n}");
    }
}

#[test]
fn wrong_lengths() {
    let build = |key, tag| Siv::<Aes128>::build(Cpu::detect(), &vec![0; key], tag).err();
    assert_eq!(build(16, 16), Some(Error::KeyLength));
    assert_eq!(build(48, 16), Some(Error::KeyLength));
    assert_eq!(build(32, 12), Some(Error::TagLength));
    let it = Siv::<Aes128>::new(&key());
    let many = [&b"x"[..]; 127];
    let mut buf = [1; 20];
    assert_eq!(it.seal_vectored(&many, &mut buf), Err(Error::AdTooLong));
    assert_eq!(buf, [1; 20]);
    assert_eq!(it.open_vectored(&many, &mut buf, &[0; 16]), Err(Error::AdTooLong));
    assert_eq!(it.open_vectored(&[], &mut buf, &[0; 15]), Err(Error::TagLength));
    assert_eq!(buf, [1; 20]);
    assert_eq!(it.open_vectored(&[], &mut buf, &[0; 16]), Err(Error::Forged));
    assert_eq!(buf, [0; 20]);
}
