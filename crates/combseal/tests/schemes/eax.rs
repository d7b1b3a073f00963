//! EAX: known answers, and the paper's Fig. 2 from CMAC and CTR.

use crate::common::noise;
use crate::known::{AnyNonces, Case, check_if_made, known, properties};
use crate::tiers;
use combseal::cpu::Aes;
use combseal::hazmat::{Cmac, Ctr};
use combseal::{Aead, Aes128, Aes192, Aes256, Cpu, Eax, Error};

#[test]
fn known_answers() {
    fn of<A: Aes>(cpu: Cpu, case: &Case) {
        let key = Eax::<A>::hazmat_build_short_tag(cpu, &case.key, case.tag_len);
        check_if_made(key.and_then(|key| key.for_nonces(case.nonce.len())), case);
    }
    known(&["eax_aes128", "eax_aes256", "wycheproof/aes_eax_test"], |cpu, case| match case.key.len() {
        16 => of::<Aes128>(cpu, case),
        24 => of::<Aes192>(cpu, case),
        _ => of::<Aes256>(cpu, case),
    });
}

/// The paper's Fig. 2, from CMAC and CTR.
fn reference(key: &[u8; 16], tag_len: usize, nonce: &[u8], ad: &[u8], msg: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let cmac = Cmac::<Aes128>::new(key);
    let omac = |t: u8, data: &[u8]| {
        let tag = cmac.tag(&[&[0; 15], &[t][..], data].concat());
        u128::from_be_bytes(tag.as_bytes().try_into().unwrap())
    };
    let n = omac(0, nonce);
    let mut ct = msg.to_vec();
    Ctr::<Aes128>::new(key).apply(&n.to_be_bytes(), &mut ct);
    ((n ^ omac(1, ad) ^ omac(2, &ct)).to_be_bytes()[..tag_len].to_vec(), ct)
}

#[test]
fn equals_the_reference() {
    let key: [u8; 16] = noise(1, 16).try_into().unwrap();
    for tag_len in [5, 16] {
        let build = |cpu| Eax::<Aes128>::hazmat_build_short_tag(cpu, &key, tag_len).unwrap();
        let nonces = [16, 0, 1, 12, 15, 17, 32, 33, 200];
        properties(build, &nonces, |nonce, ad, msg| reference(&key, tag_len, nonce, ad, msg));
    }
}

/// Every order in which the three chains can end.
#[test]
fn chains_of_all_lengths() {
    let key: [u8; 16] = noise(1, 16).try_into().unwrap();
    let some = [0, 1, 16, 17, 32, 40, 64, 100];
    for n in 0..some.len().pow(3) {
        let n = [n / 64, n / 8 % 8, n % 8];
        let (nonce, ad, msg) = (noise(1, some[n[0]]), noise(2, some[n[1]]), noise(3, some[n[2]]));
        let (tag, ct) = reference(&key, 16, &nonce, &ad, &msg);
        for cpu in tiers() {
            let it = Eax::<Aes128>::build(cpu, &key, 16).unwrap().for_nonces(nonce.len()).unwrap();
            let sealed = it.seal(&nonce, &ad, &msg).unwrap();
            assert_eq!(sealed, [&ct[..], &tag].concat(), "{n:?} {cpu:?}");
            assert_eq!(it.open(&nonce, &ad, &sealed).unwrap(), msg, "{n:?} {cpu:?}");
        }
    }
}

#[test]
fn wrong_lengths() {
    let build = |key, tag| Eax::<Aes128>::build(Cpu::detect(), &vec![0; key], tag).err();
    assert_eq!(build(15, 16), Some(Error::KeyLength));
    assert_eq!(build(16, 0), Some(Error::TagLength));
    assert_eq!(build(16, 17), Some(Error::TagLength));
    assert_eq!(build(16, 7), Some(Error::TagLength));
    assert_eq!(build(16, 8), None);
    let short = |tag| Eax::<Aes128>::hazmat_build_short_tag(Cpu::detect(), &[0; 16], tag).err();
    assert_eq!((short(0), short(1), short(17)), (Some(Error::TagLength), None, Some(Error::TagLength)));
    let mut it = Eax::<Aes128>::new(&[0; 16]);
    assert_eq!((it.set_nonce_len(7), it.nonce_len()), (Err(Error::NonceLength), 16));
    it.hazmat_allow_short_nonces();
    assert_eq!((it.set_nonce_len(0), it.nonce_len()), (Ok(()), 0));
}
