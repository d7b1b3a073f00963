//! CCM: known answers, SP 800-38C a block at a time, and its longest messages.

use crate::common::noise;
use crate::known::{AnyNonces, Case, check_if_made, known, properties};
use combseal::cpu::Aes;
use combseal::hazmat::Ctr;
use combseal::{Aead, Aes128, Aes192, Aes256, Ccm, Cpu, Error, NonceCounter, Sealer};

#[test]
fn known_answers() {
    fn of<A: Aes>(cpu: Cpu, case: &Case) {
        let key = Ccm::<A>::hazmat_build_short_tag(cpu, &case.key, case.tag_len);
        check_if_made(key.and_then(|key| key.for_nonces(case.nonce.len())), case);
    }
    let files = [
        "ccm_aes128_tag128_nonce12",
        "ccm_aes128_tag64_nonce13",
        "ccm_aes128_tag96_nonce7",
        "ccm_aes256_tag128_nonce12",
        "ccm_aes256_tag64_nonce13",
        "ccm_aes256_tag96_nonce7",
        "wycheproof/aes_ccm_test",
    ];
    known(&files, |cpu, case| match case.key.len() {
        16 => of::<Aes128>(cpu, case),
        24 => of::<Aes192>(cpu, case),
        _ => of::<Aes256>(cpu, case),
    });
}

fn xor_block(a: &[u8; 16], b: &[u8; 16]) -> [u8; 16] {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// SP 800-38C, a block at a time.
fn reference(key: &[u8; 16], tag_len: usize, nonce: &[u8], ad: &[u8], msg: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let ctr = Ctr::<Aes128>::new(key);
    let e = |x: &[u8; 16]| {
        let mut y = [0; 16];
        ctr.apply(x, &mut y);
        y
    };
    let q = 15 - nonce.len();
    let block = |flags: usize, field: usize| {
        let mut b = [0; 16];
        b[8..].copy_from_slice(&(field as u64).to_be_bytes());
        b[0] = flags as u8;
        b[1..16 - q].copy_from_slice(nonce);
        b
    };
    let mut x = e(&block(usize::from(!ad.is_empty()) << 6 | ((tag_len - 2) / 2) << 3 | (q - 1), msg.len()));
    let mut head = match ad.len() {
        0 => vec![],
        n @ 1..0xff00 => (n as u16).to_be_bytes().to_vec(),
        n => [&[0xff, 0xfe], &(n as u32).to_be_bytes()[..]].concat(),
    };
    head.extend(ad);
    for part in head.chunks(16).chain(msg.chunks(16)) {
        let mut b = [0; 16];
        b[..part.len()].copy_from_slice(part);
        x = e(&xor_block(&x, &b));
    }
    let mut ct = msg.to_vec();
    ctr.apply(&block(q - 1, 1), &mut ct);
    (xor_block(&x, &e(&block(q - 1, 0)))[..tag_len].to_vec(), ct)
}

#[test]
fn equals_the_reference() {
    let key: [u8; 16] = noise(1, 16).try_into().unwrap();
    for tag_len in [4, 10, 16] {
        let build = |cpu| Ccm::<Aes128>::hazmat_build_short_tag(cpu, &key, tag_len).unwrap();
        // With 4-byte tags one forgery in 2^32 would succeed; the inputs are fixed, and none does.
        properties(build, &[12, 7, 8, 9, 10, 11, 13], |nonce, ad, msg| reference(&key, tag_len, nonce, ad, msg));
    }
}

#[test]
fn long_associated_data() {
    let key: [u8; 16] = noise(1, 16).try_into().unwrap();
    let it = Ccm::<Aes128>::new(&key);
    for n in [0xfeff, 0xff00, 0xff01, 0x10_0000] {
        let (nonce, ad, msg) = (noise(2, 12), noise(3, n), noise(4, 40));
        let (tag, ct) = reference(&key, 16, &nonce, &ad, &msg);
        assert_eq!(it.seal(&nonce, &ad, &msg).unwrap(), [ct, tag].concat(), "{n}");
    }
}

#[test]
fn wrong_lengths() {
    let build = |key, tag| Ccm::<Aes128>::build(Cpu::detect(), &vec![0; key], tag).err();
    assert_eq!(build(24, 16), Some(Error::KeyLength));
    for tag in [0, 2, 3, 4, 5, 6, 7, 15, 17, 18, 300] {
        assert_eq!(build(16, tag), Some(Error::TagLength), "{tag}");
        let short = Ccm::<Aes128>::hazmat_build_short_tag(Cpu::detect(), &[0; 16], tag);
        assert_eq!(short.is_ok(), matches!(tag, 4 | 6), "{tag}");
    }
    let mut it = Ccm::<Aes128>::new(&[0; 16]);
    for n in [0, 1, 6, 11, 13, 14, 15, 16, 300] {
        assert_eq!(it.set_nonce_len(n).is_ok(), (7..=13).contains(&n), "{n}");
        it.set_nonce_len(12).unwrap();
        let mut buf = [1; 5];
        assert_eq!(it.seal_in_place(&vec![0; n], b"", &mut buf), Err(Error::NonceLength), "{n}");
        assert_eq!(it.open_in_place(&vec![0; n], b"", &mut buf, &[0; 16]), Err(Error::NonceLength), "{n}");
        assert_eq!(buf, [1; 5]);
    }
}

#[test]
fn longest_messages() {
    let mut it = Ccm::<Aes128>::new(&[0; 16]);
    it.set_nonce_len(13).unwrap();
    let mut buf = vec![1; 0x10000];
    let as_it_was = buf.clone();
    assert_eq!(it.seal_in_place(&[0; 13], b"", &mut buf), Err(Error::MessageTooLong));
    assert_eq!(it.open_in_place(&[0; 13], b"", &mut buf, &[0; 16]), Err(Error::MessageTooLong));
    assert!(buf == as_it_was);
    let mut other = vec![2; 0x10000];
    assert_eq!(it.seal_to(&[0; 13], b"", &buf, &mut other), Err(Error::MessageTooLong));
    assert_eq!(it.open_to(&[0; 13], b"", &buf, &mut other, &[0; 16]), Err(Error::MessageTooLong));
    assert!(other == [2; 0x10000]);
    // A sealer has used neither a nonce nor blocks for it.
    let mut sealer = Sealer::new(&it, NonceCounter::starting_at(b"us-->", 7, 0).unwrap()).unwrap();
    assert_eq!(sealer.seal_in_place(b"", &mut buf).err(), Some(Error::MessageTooLong));
    assert_eq!((sealer.next_counter(), sealer.blocks_used()), (7, 0));
    assert!(buf == as_it_was);
    let (nonce, _) = sealer.seal_in_place(b"", &mut [1; 5]).unwrap();
    assert_eq!(&nonce[..], b"us-->\0\0\0\0\0\0\0\x07");
    drop(sealer);
    assert!(it.seal_in_place(&[0; 13], b"", &mut buf[1..]).is_ok());
    assert_eq!(it.limits().message, 0xffff);
    it.set_nonce_len(12).unwrap();
    assert!(it.seal_in_place(&[0; 12], b"", &mut buf).is_ok());
    for (nonce, bits) in [(13, 16), (12, 24), (11, 32), (10, 40), (9, 48), (8, 56)] {
        it.set_nonce_len(nonce).unwrap();
        assert_eq!(it.limits().message, (1 << bits) - 1);
    }
    it.set_nonce_len(7).unwrap();
    assert_eq!(it.limits().message, u64::MAX);
}
