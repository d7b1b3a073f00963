//! What is asked of schemes that have no plain reference here: every tier is as every other.

use crate::common::noise;
use crate::tiers;
use combseal::{Aead, Cpu, Error};

/// What makes a typed key: tier, key and length of the tag.
pub type Build<A> = fn(Cpu, &[u8], usize) -> Result<A, Error>;

/// Every tier agrees with the first at every length, in place and apart, and
/// with unaligned buffers; what they seal they open.
pub fn agree<A: Aead>(build: Build<A>, key_len: usize, tag_len: usize, lens: impl Iterator<Item = usize>) {
    let key = noise(1, key_len);
    let tiers: Vec<A> = tiers().map(|cpu| build(cpu, &key, tag_len).unwrap()).collect();
    for len in lens {
        let nonce = noise(len, tiers[0].nonce_len());
        let ad = noise(2, len * 7 % 301);
        let plain = noise(3, len);
        let mut want = vec![0; len];
        let tag = tiers[0].seal_to(&nonce, &ad, &plain, &mut want).unwrap();
        for aead in &tiers {
            let cpu = aead.cpu();
            let mut buf = vec![0; len + 1];
            buf[1..].copy_from_slice(&plain);
            assert_eq!(aead.seal_in_place(&nonce, &ad, &mut buf[1..]).unwrap(), tag, "{cpu:?} {len}");
            assert_eq!(buf[1..], want, "{cpu:?} {len}");
            let mut apart = vec![0; len];
            assert_eq!(aead.seal_to(&nonce, &ad, &plain, &mut apart).unwrap(), tag, "{cpu:?} {len}");
            assert_eq!(apart, want, "{cpu:?} {len}");
            aead.open_in_place(&nonce, &ad, &mut buf[1..], tag.as_bytes()).unwrap();
            assert_eq!(buf[1..], plain, "{cpu:?} {len}");
            aead.open_to(&nonce, &ad, &want, &mut apart, tag.as_bytes()).unwrap();
            assert_eq!(apart, plain, "{cpu:?} {len}");
        }
    }
}

/// Lengths around every power of two, to 16 KiB.
pub fn around_powers() -> impl Iterator<Item = usize> {
    (9..=14).flat_map(|i| [(1 << i) - 1, 1 << i, (1 << i) + 1])
}

/// One flipped bit of nonce, associated data, ciphertext or tag: refused, and
/// the output is zero.
pub fn flips<A: Aead>(build: Build<A>, key_len: usize, tag_len: usize) {
    for cpu in tiers() {
        let aead = build(cpu, &noise(4, key_len), tag_len).unwrap();
        let fields = [noise(5, aead.nonce_len()), noise(6, 37), noise(7, 67), vec![]];
        let mut fields = fields.map(|f| f.to_vec());
        let [nonce, ad, body, _] = &mut fields;
        let tag = aead.seal_in_place(nonce, ad, body).unwrap();
        fields[3] = tag.as_bytes().to_vec();
        for i in 0..4 {
            for bit in 0..8 * fields[i].len() {
                fields[i][bit / 8] ^= 1 << (bit % 8);
                let [nonce, ad, body, tag] = &fields;
                let mut buf = body.clone();
                assert_eq!(aead.open_in_place(nonce, ad, &mut buf, tag), Err(Error::Forged), "{cpu:?} {i} {bit}");
                assert_eq!(buf, [0; 67], "{cpu:?} {i} {bit}");
                fields[i][bit / 8] ^= 1 << (bit % 8);
            }
        }
    }
}

/// Wrong lengths are typed errors, and leave the message as it was.
pub fn lengths<A: Aead>(build: Build<A>, key_len: usize, tags: &[usize]) {
    let cpu = Cpu::detect();
    for n in 0..70 {
        let made = build(cpu, &noise(8, n), tags[0]);
        assert_eq!(made.err(), (n != key_len).then_some(Error::KeyLength));
        let made = build(cpu, &noise(8, key_len), n);
        assert_eq!(made.err(), (!tags.contains(&n)).then_some(Error::TagLength));
    }
    let aead = build(cpu, &noise(8, key_len), tags[0]).unwrap();
    for n in (0..70).filter(|&n| n != aead.nonce_len()) {
        let mut buf = [7; 40];
        assert_eq!(aead.seal_in_place(&noise(9, n), b"", &mut buf), Err(Error::NonceLength));
        assert_eq!(buf, [7; 40]);
        assert_eq!(aead.open_in_place(&noise(9, n), b"", &mut buf, &[0; 16]), Err(Error::NonceLength));
        assert_eq!(buf, [7; 40]);
    }
}
