//! Known answers and properties, on every tier of this machine.

use super::*;
use crate::cpu::Cpu;
use serde_json::Value;

/// A scheme's run-time door.
pub(crate) type Build<A> = fn(Cpu, &[u8], usize) -> Result<A, Error>;

fn bytes(v: &Value) -> Vec<u8> {
    let s = v.as_str().unwrap().as_bytes();
    s.chunks(2).map(|d| u8::from_str_radix(std::str::from_utf8(d).unwrap(), 16).unwrap()).collect()
}

fn read(file: &str) -> Value {
    let path = format!("{}/../../vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// One test, on every tier of this machine: what is valid seals and opens, what is not fails and leaves zeros.
fn test<A: Aead>(build: Build<A>, tag_len: usize, valid: bool, f: [&Value; 6], what: &str) {
    let [key, nonce, ad, msg, ct, tag] = f.map(bytes);
    for cpu in crate::testing::tiers() {
        let aead = build(cpu, &key, tag_len).unwrap();
        let mut buf = ct.clone();
        let opened = aead.open_in_place(&nonce, &ad, &mut buf, &tag);
        if valid {
            assert_eq!((opened, &buf), (Ok(()), &msg), "{what} {cpu:?}");
            let sealed = aead.seal_in_place(&nonce, &ad, &mut buf).unwrap();
            assert_eq!((&buf, sealed.as_bytes()), (&ct, &tag[..]), "{what} {cpu:?}");
        } else {
            let zero = buf.iter().all(|&x| x == 0);
            // A wrong length is found before anything is touched.
            let lengths = matches!(opened, Err(Error::NonceLength | Error::TagLength)) && buf == ct;
            assert!(opened == Err(Error::Forged) && zero || lengths, "{what} {cpu:?}");
        }
    }
}

/// Every test of a file of ours.
pub(crate) fn known<A: Aead>(file: &str, build: Build<A>, tag_len: usize) {
    let doc = read(file);
    for t in doc["tests"].as_array().unwrap() {
        let f = [&t["key"], &t["nonce"], &t["ad"], &t["msg"], &t["ct"], &t["tag"]];
        test(build, tag_len, t["valid"] != false, f, &format!("{file} {}", t["id"]));
    }
}

/// Every test of a file of Wycheproof's.
pub(crate) fn wycheproof<A: Aead>(file: &str, build: Build<A>) {
    let doc = read(&format!("wycheproof/{file}"));
    let mut count = 0;
    for group in doc["testGroups"].as_array().unwrap() {
        for t in group["tests"].as_array().unwrap() {
            let f = [&t["key"], &t["iv"], &t["aad"], &t["msg"], &t["ct"], &t["tag"]];
            test(build, 16, t["result"] == "valid", f, &format!("{file} {}", t["tcId"]));
            count += 1;
        }
    }
    assert_eq!(doc["numberOfTests"], count);
}

/// `n` bytes that look random.
fn noise(n: usize, seed: u64) -> Vec<u8> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..n)
        .map(|_| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x >> 32) as u8
        })
        .collect()
}

/// Every tier agrees with the first at every length, in place and apart, and
/// with unaligned buffers; what they seal they open.
pub(crate) fn agree<A: Aead>(build: Build<A>, key_len: usize, tag_len: usize, lens: impl Iterator<Item = usize>) {
    let key = noise(key_len, 1);
    let tiers: Vec<A> = crate::testing::tiers().map(|cpu| build(cpu, &key, tag_len).unwrap()).collect();
    for len in lens {
        let nonce = noise(tiers[0].nonce_len(), len as u64);
        let ad = noise(len * 7 % 301, 2);
        let plain = noise(len, 3);
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
pub(crate) fn around_powers() -> impl Iterator<Item = usize> {
    (9..=14).flat_map(|i| [(1 << i) - 1, 1 << i, (1 << i) + 1])
}

/// One flipped bit of nonce, associated data, ciphertext or tag: refused, and
/// the output is zero.
pub(crate) fn flips<A: Aead>(build: Build<A>, key_len: usize, tag_len: usize) {
    for cpu in crate::testing::tiers() {
        let aead = build(cpu, &noise(key_len, 4), tag_len).unwrap();
        let fields = [noise(aead.nonce_len(), 5), noise(37, 6), noise(67, 7), vec![]];
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
pub(crate) fn lengths<A: Aead>(build: Build<A>, key_len: usize, tags: &[usize]) {
    let cpu = Cpu::detect();
    for n in 0..70 {
        let made = build(cpu, &noise(n, 8), tags[0]);
        assert_eq!(made.err(), (n != key_len).then_some(Error::KeyLength));
        let made = build(cpu, &noise(key_len, 8), n);
        assert_eq!(made.err(), (!tags.contains(&n)).then_some(Error::TagLength));
    }
    let aead = build(cpu, &noise(key_len, 8), tags[0]).unwrap();
    for n in (0..70).filter(|&n| n != aead.nonce_len()) {
        let mut buf = [7; 40];
        assert_eq!(aead.seal_in_place(&noise(n, 9), b"", &mut buf), Err(Error::NonceLength));
        assert_eq!(buf, [7; 40]);
        assert_eq!(aead.open_in_place(&noise(n, 9), b"", &mut buf, &[0; 16]), Err(Error::NonceLength));
        assert_eq!(buf, [7; 40]);
    }
}

macro_rules! family {
    ($($test:ident, $name:ident, $bytes:literal, $($tag:literal $file:literal),+;)*) => {$(
        mod $test {
            use super::*;

            #[test]
            fn known_answers() {
                $(known($file, $name::build, $tag);)+
            }

            #[test]
            fn tiers_agree() {
                $(
                    agree($name::build, $bytes, $tag, 0..=300);
                    agree($name::build, $bytes, $tag, around_powers());
                )+
            }

            #[test]
            fn forgeries() {
                $(flips($name::build, $bytes, $tag);)+
            }

            #[test]
            fn wrong_lengths() {
                lengths($name::build, $bytes, &[$($tag),+]);
            }

            #[test]
            fn doors() {
                let key = [9; $bytes];
                assert_eq!($name::new(&key).tag_len(), 16);
                $(assert_eq!($name::with_tag_len(&key, $tag).unwrap().tag_len(), $tag);)+
                assert_eq!($name::with_tag_len(&key, 0).err(), Some(Error::TagLength));
                assert_eq!($name::new(&key).nonce_len(), $bytes);
                assert!(!format!("{:?}", $name::new(&key)).contains('9'));
            }
        }
    )*};
}
family! {
    aegis128, Aegis128, 16, 16 "aegis128.json";
    aegis128l, Aegis128L, 16, 16 "aegis128l.json", 32 "aegis128l_tag256.json";
    aegis256, Aegis256, 32, 16 "aegis256.json", 32 "aegis256_tag256.json";
    aegis128x2, Aegis128X2, 16, 16 "aegis128x2_tag128.json", 32 "aegis128x2_tag256.json";
    aegis128x4, Aegis128X4, 16, 16 "aegis128x4_tag128.json", 32 "aegis128x4_tag256.json";
    aegis256x2, Aegis256X2, 32, 16 "aegis256x2_tag128.json", 32 "aegis256x2_tag256.json";
    aegis256x4, Aegis256X4, 32, 16 "aegis256x4_tag128.json", 32 "aegis256x4_tag256.json";
}

#[test]
fn wycheproof_files() {
    wycheproof("aegis128_test.json", Aegis128::build);
    wycheproof("aegis128L_test.json", Aegis128L::build);
    wycheproof("aegis256_test.json", Aegis256::build);
}
