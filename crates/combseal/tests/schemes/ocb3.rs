//! OCB3 against ThetaCB and RFC 7253, on every tier.

use crate::gcm::bytes;
use crate::tiers;
use combseal::cpu::Aes;
use combseal::hazmat::Relaxed;
use combseal::hazmat::theta::{Tbc, ThetaCb, Tw, Tweak};
use combseal::{Aead, Aes128, Aes192, Aes256, Algorithm, Batch, Cpu, Error, Key, NonceCounter, Ocb3, Opener, Sealer};

fn agrees<A: Aes>(lengths: impl Iterator<Item = usize> + Clone, tag_len: usize) {
    let key = bytes(A::KEY_LEN, 7);
    let theta = ThetaCb::new(Tw::<A>::new(Cpu::detect(), &key, tag_len).unwrap(), tag_len).unwrap();
    for len in lengths {
        let nonce = bytes(12, len as u8);
        let ad = bytes(len % 67, 1);
        let plain = bytes(len, 2);
        let mut expected = plain.clone();
        let tag = theta.seal(&nonce, &ad, &mut expected).unwrap();
        for cpu in tiers() {
            let ocb = Ocb3::<A>::hazmat_build_short_tag(cpu, &key, tag_len).unwrap();
            let mut x = plain.clone();
            let t = ocb.seal_in_place(&nonce, &ad, &mut x).unwrap();
            assert_eq!((&x, t), (&expected, tag), "{cpu:?} {len}");
            ocb.open_in_place(&nonce, &ad, &mut x, t.as_bytes()).unwrap();
            assert_eq!(x, plain, "{cpu:?} {len}");
        }
    }
}

#[test]
fn equals_theta_cb() {
    agrees::<Aes128>((0..=300).chain([512, 575, 1024, 1029, 2047, 4096, 5000]), 16);
    agrees::<Aes192>((0..=80).chain([511, 1024]), 12);
    agrees::<Aes256>((0..=80).chain([512, 1500]), 1);
}

/// A whole tag is compared before the cipher, a shorter one behind it: by themselves, by an opener and in a batch, the
/// right one is taken, and one that differs in a bit is not, and leaves zeros.
#[test]
fn wrong_bits_of_tags_are_found() {
    for cpu in tiers() {
        for tag_len in [16, 15, 8] {
            let key = Key::build(cpu, Algorithm::Ocb3Aes128, &[7; 16], tag_len).unwrap();
            let mut opener = Opener::new(&key);
            for (i, len) in (0..=130).chain([256, 272, 300, 511, 512, 576, 785, 1500]).enumerate() {
                let (nonce, plain, ad) = (bytes(12, 3), bytes(len, 2), bytes([0, 9, 16, 40][i % 4], 1));
                let sealed = key.seal(&nonce, &ad, &plain).unwrap();
                let (body, tag) = sealed.split_at(len);
                let mut wrong = tag.to_vec();
                wrong[i / 8 % tag_len] ^= 1 << (i % 8);
                for (tag, expected, left) in
                    [(tag, Ok(()), &plain), (&wrong[..], Err(Error::Forged), &vec![0; len]), (tag, Ok(()), &plain)]
                {
                    let mut x = [body.to_vec(), body.to_vec(), body.to_vec(), body.to_vec()];
                    let [alone, opened, first, second] = &mut x;
                    assert_eq!(key.open_in_place(&nonce, &ad, alone, tag), expected, "{cpu:?} {tag_len} {len}");
                    assert_eq!(opener.open_in_place(&nonce, &ad, opened, tag), expected, "{cpu:?} {tag_len} {len}");
                    let mut batch = Batch::new();
                    batch.open(&key, &nonce, &ad, first, tag);
                    batch.open(&key, &nonce, &ad, second, tag);
                    for it in batch.run().iter() {
                        assert_eq!(*it, expected, "{cpu:?} {tag_len} {len}, in a batch");
                    }
                    assert!(x.iter().all(|it| it == left), "{cpu:?} {tag_len} {len}");
                }
            }
        }
    }
}

/// Tags are compared by what they are the cipher of, all of it: a tag whose input differs from the right one's in one bit of one byte
/// differs from it anywhere, and is refused. (A tag is the cipher of its input and HASH(A), and the tag of the same without
/// associated data the cipher alone.)
#[test]
fn tags_of_almost_the_right_input_are_found() {
    use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
    let aes = aes::Aes128::new(&[7; 16].into());
    for cpu in tiers() {
        let key = Key::build(cpu, Algorithm::Ocb3Aes128, &[7; 16], 16).unwrap();
        let mut opener = Opener::new(&key);
        for len in [0, 1, 16, 31, 64, 100, 250, 512, 600, 1500] {
            let (nonce, plain) = (bytes(12, 3), bytes(len, 2));
            let ad = bytes([0, 5, 16, 40][len / 16 % 4], 1);
            let sealed = key.seal(&nonce, &ad, &plain).unwrap();
            let (body, tag) = sealed.split_at(len);
            let bare = key.seal(&nonce, b"", &plain).unwrap();
            let hash: Vec<u8> = tag.iter().zip(&bare[len..]).map(|(a, b)| a ^ b).collect();
            for i in 0..16 {
                let mut forged: aes::Block = bare[len..].try_into().unwrap();
                aes.decrypt_block(&mut forged);
                forged[i] ^= 1 << (i % 8);
                aes.encrypt_block(&mut forged);
                forged.iter_mut().zip(&hash).for_each(|(a, b)| *a ^= b);
                let mut x = [body.to_vec(), body.to_vec(), body.to_vec(), body.to_vec()];
                let [alone, opened, first, second] = &mut x;
                assert_eq!(key.open_in_place(&nonce, &ad, alone, &forged), Err(Error::Forged), "{cpu:?} {len} {i}");
                assert_eq!(opener.open_in_place(&nonce, &ad, opened, &forged), Err(Error::Forged), "{cpu:?} {len} {i}");
                let mut batch = Batch::new();
                batch.open(&key, &nonce, &ad, first, &forged);
                batch.open(&key, &nonce, &ad, second, &forged);
                assert!(batch.run().iter().all(|it| *it == Err(Error::Forged)), "{cpu:?} {len} {i}");
                assert!(x.iter().flatten().all(|&byte| byte == 0), "{cpu:?} {len} {i}");
            }
        }
    }
}

#[test]
fn long_associated_data() {
    let key = bytes(16, 7);
    let theta = ThetaCb::<Tw<Aes128>>::new(Tw::new(Cpu::detect(), &key, 16).unwrap(), 16).unwrap();
    for len in (0..300).chain([1000, 4096, 5003]) {
        let ad = bytes(len, 3);
        let tag = theta.seal(&[9; 15], &ad, &mut []).unwrap();
        for cpu in tiers() {
            let mut ocb = Ocb3::<Aes128>::build(cpu, &key, 16).unwrap();
            ocb.set_nonce_len(15).unwrap();
            assert_eq!(ocb.seal_in_place(&[9; 15], &ad, &mut []).unwrap(), tag, "{cpu:?} {len}");
        }
    }
}

/// RFC 7253, appendix A, the second vector, and a sealer over the same key.
#[test]
fn rfc_7253() {
    let key: [u8; 16] = core::array::from_fn(|i| i as u8);
    let nonce = [0xbb, 0xaa, 0x99, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x01];
    let data = [0, 1, 2, 3, 4, 5, 6, 7];
    let sealed = Ocb3::<Aes128>::new(&key).seal(&nonce, &data, &data).unwrap();
    let hex: String = sealed.iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(hex, "6820b3657b6f615a5725bda0d3b4eb3a257c9af1f8f03009");
}

#[test]
fn sealer_equals_plain_calls() {
    let key = [5; 16];
    for cpu in tiers() {
        let plain = Ocb3::<Aes128>::build(cpu, &key, 16).unwrap();
        let mut sealer = Sealer::new(
            Ocb3::<Aes128>::build(cpu, &key, 16).unwrap(),
            NonceCounter::starting_at(b"abc\0", 250, 0).unwrap(),
        )
        .unwrap();
        for i in 0..200usize {
            let ad = bytes(if i % 10 == 0 { i } else { 20 }, 4);
            let mut x = bytes(i, 5);
            let y = plain.seal(&sealer_nonce(250 + i as u64), &ad, &x).unwrap();
            let (nonce, tag) = sealer.seal_in_place(&ad, &mut x).unwrap();
            assert_eq!(nonce[..], sealer_nonce(250 + i as u64));
            assert_eq!((&y[..i], &y[i..]), (&x[..], tag.as_bytes()), "{cpu:?} {i}");
        }
    }
}

fn sealer_nonce(n: u64) -> Vec<u8> {
    let mut nonce = b"abc\0".to_vec();
    nonce.extend_from_slice(&n.to_be_bytes());
    nonce
}

/// Eight cache lines with AES-128: many keys in use stay in the caches.
#[test]
fn keys_are_small() {
    assert_eq!(size_of::<Ocb3<Aes128>>(), 512);
    // A line more than the keys take, since a byte stands behind the cipher's round keys and masks begin a line.
    assert_eq!(size_of::<Ocb3<Aes256>>(), 704);
    // Its round keys are in the places of those, so that it goes by the same code.
    assert_eq!(size_of::<Ocb3<Aes192>>(), 704);
}

#[test]
fn short_nonces_are_refused() {
    let mut ocb = Ocb3::<Aes128>::new(&[1; 16]);
    for n in 0..20 {
        assert_eq!(ocb.set_nonce_len(n).is_ok(), (6..=15).contains(&n), "{n}");
        // The last one that was taken counts.
        let len = if n < 6 { 12 } else { n.min(15) };
        assert_eq!(ocb.nonce_len(), len, "{n}");
        for m in 0..20 {
            assert_eq!(ocb.seal(&[0; 20][..m], b"", b"").is_ok(), m == len, "{n} {m}");
        }
    }
    ocb.hazmat_allow_short_nonces();
    ocb.set_nonce_len(0).unwrap();
    assert!(ocb.seal(&[], b"", b"").is_ok());
    assert_eq!(ocb.set_nonce_len(16), Err(Error::NonceLength));
}

/// The empty nonce with a 16-byte tag makes a nonce block of zeros. A fresh cache must
/// not take itself for the one that has its Ktop, nor must a cache whose key changed.
#[test]
fn the_empty_nonce_is_not_an_empty_cache() {
    for (cpu, rules) in tiers()
        .flat_map(|cpu| [(cpu, &[Relaxed::ShortNonces][..]), (cpu, &[Relaxed::ShortNonces, Relaxed::Fse2011][..])])
    {
        let key = |byte| {
            let mut key = Key::hazmat_build(cpu, Algorithm::Ocb3Aes128, &[byte; 16], 16, rules).unwrap();
            key.set_nonce_len(0).unwrap();
            key
        };
        let keys = [key(1), key(2)];
        let plain = bytes(40, 3);
        let alone = keys.each_ref().map(|key| {
            let mut buf = plain.clone();
            let tag = key.seal_in_place(b"", b"ad", &mut buf).unwrap();
            (buf, tag)
        });
        for (key, (sealed, tag)) in keys.iter().zip(&alone) {
            let mut buf = sealed.clone();
            Opener::new(key).open_in_place(b"", b"ad", &mut buf, tag.as_bytes()).unwrap();
            assert_eq!(buf, plain, "{cpu:?}");
        }
        // In a batch, one job of each key: it has nothing of the other's.
        let (mut bufs, mut tags) = ([plain.clone(), plain.clone()], [[0; 16]; 2]);
        let mut batch = Batch::new();
        for ((key, buf), tag) in keys.iter().zip(&mut bufs).zip(&mut tags) {
            batch.seal(key, b"", b"ad", buf, tag);
        }
        batch.run().all().unwrap();
        for i in 0..2 {
            assert_eq!((&bufs[i], &tags[i][..]), (&alone[i].0, alone[i].1.as_bytes()), "{cpu:?}");
        }
        // Several jobs in a row of each key: the second finds what the first left, and none what the other key's did.
        for order in [[0, 0, 1, 1, 0, 0], [0, 1, 0, 1, 1, 0]] {
            let mut bufs = order.map(|i: usize| alone[i].0.clone());
            let mut batch = Batch::new();
            for (i, buf) in order.into_iter().zip(&mut bufs) {
                batch.open(&keys[i], b"", b"ad", buf, alone[i].1.as_bytes());
            }
            batch.run().all().unwrap();
            assert!(bufs.iter().all(|buf| *buf == plain), "{cpu:?}");
        }
    }
}

#[test]
fn theta_takes_care_too() {
    let theta = ThetaCb::<Tw<Aes128>>::ocb3(&[1; 16], 12).unwrap();
    let mut buf = bytes(40, 1);
    let tag = theta.seal(&[2; 12], b"ad", &mut buf).unwrap();
    let sealed = buf.clone();
    assert_eq!(theta.open(&[2; 12], b"ad", &mut buf, &tag.as_bytes()[1..]), Err(Error::TagLength));
    assert_eq!(theta.open(&[2; 16], b"ad", &mut buf, tag.as_bytes()), Err(Error::NonceLength));
    assert_eq!(buf, sealed);
    theta.open(&[2; 12], b"ad", &mut buf, tag.as_bytes()).unwrap();
    assert_eq!(buf, bytes(40, 1));
    let mut buf = sealed;
    assert_eq!(theta.open(&[2; 12], b"AD", &mut buf, tag.as_bytes()), Err(Error::Forged));
    assert_eq!(buf, [0; 40]);
    assert!(Tw::<Aes128>::new(Cpu::detect(), &[1; 17], 16).is_err());
    assert!(Tweak::new(Some(&[0; 16]), 0, false, false).is_err());
    let tw = Tw::<Aes128>::new(Cpu::detect(), &[1; 16], 16).unwrap();
    // Block numbers beyond all messages go round, and panic neither.
    let far = Tweak::new(Some(&[9; 12]), u128::MAX, false, false).unwrap();
    assert_eq!(tw.decipher(far, tw.encipher(far, [7; 16])), [7; 16]);
    assert_eq!(ThetaCb::<Tw<Aes128>>::ocb3(&[1; 16], 17).err(), Some(Error::TagLength));
}
