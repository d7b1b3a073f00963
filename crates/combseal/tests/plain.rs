//! ECB, CBC, CFB, OFB, CTR, CMAC and CBC-MAC: known answers, on lanes as alone, and the
//! parallel directions, on every tier.

mod common;

use combseal::cpu::Aes;
use combseal::hazmat::{Cbc, CbcMac, Cfb, Cmac, Comb, Ctr, Ecb, Message, Ofb};
use combseal::{Aes128, Aes192, Aes256, Cpu, Error};
use common::{Random, is_model};

fn unhex(s: &str) -> Vec<u8> {
    (0..s.len()).step_by(2).map(|i| u8::from_str_radix(&s[i..i + 2], 16).unwrap()).collect()
}

/// Key, initial value, plaintext, ciphertext.
type Case = (Vec<u8>, [u8; 16], Vec<u8>, Vec<u8>);

fn cases(name: &str) -> Vec<Case> {
    let path = format!("{}/../../vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let file: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let get = |t: &serde_json::Value, field: &str| unhex(t[field].as_str().unwrap());
    let tests = file["tests"].as_array().unwrap();
    assert!(!tests.is_empty());
    tests.iter().map(|t| (get(t, "key"), get(t, "nonce").try_into().unwrap(), get(t, "msg"), get(t, "ct"))).collect()
}

/// A mode under test: encrypt, decrypt, encrypt many.
trait Mode: Sized {
    fn build(cpu: Cpu, key: &[u8]) -> Self;
    fn encrypt(&self, iv: &[u8; 16], buf: &mut [u8]);
    fn decrypt(&self, iv: &[u8; 16], buf: &mut [u8]);
    fn many(messages: &mut [Message<'_, Self>], comb: &mut Comb);
    const WHOLE: bool = false;
}
macro_rules! mode {
    ($($size:ident)*) => {$(
        impl Mode for Cbc<$size> {
            fn build(cpu: Cpu, key: &[u8]) -> Self { Self::build(cpu, key).unwrap() }
            fn encrypt(&self, iv: &[u8; 16], buf: &mut [u8]) { self.encrypt(iv, buf).unwrap() }
            fn decrypt(&self, iv: &[u8; 16], buf: &mut [u8]) { self.decrypt(iv, buf).unwrap() }
            fn many(messages: &mut [Message<'_, Self>], comb: &mut Comb) { Self::encrypt_many(messages, comb).unwrap() }
            const WHOLE: bool = true;
        }
        impl Mode for Cfb<$size> {
            fn build(cpu: Cpu, key: &[u8]) -> Self { Self::build(cpu, key).unwrap() }
            fn encrypt(&self, iv: &[u8; 16], buf: &mut [u8]) { self.encrypt(iv, buf) }
            fn decrypt(&self, iv: &[u8; 16], buf: &mut [u8]) { self.decrypt(iv, buf) }
            fn many(messages: &mut [Message<'_, Self>], comb: &mut Comb) { Self::encrypt_many(messages, comb) }
        }
        impl Mode for Ofb<$size> {
            fn build(cpu: Cpu, key: &[u8]) -> Self { Self::build(cpu, key).unwrap() }
            fn encrypt(&self, iv: &[u8; 16], buf: &mut [u8]) { self.apply(iv, buf) }
            fn decrypt(&self, iv: &[u8; 16], buf: &mut [u8]) { self.apply(iv, buf) }
            fn many(messages: &mut [Message<'_, Self>], comb: &mut Comb) { Self::apply_many(messages, comb) }
        }
        impl Mode for Ctr<$size> {
            fn build(cpu: Cpu, key: &[u8]) -> Self { Self::build(cpu, key).unwrap() }
            fn encrypt(&self, iv: &[u8; 16], buf: &mut [u8]) { self.apply(iv, buf) }
            fn decrypt(&self, iv: &[u8; 16], buf: &mut [u8]) { self.apply(iv, buf) }
            fn many(messages: &mut [Message<'_, Self>], _: &mut Comb) { Self::apply_many(messages) }
        }
    )*};
}
mode!(Aes128 Aes192 Aes256);

fn known<M: Mode>(cases: &[Case], key_len: usize) {
    let cases: Vec<&Case> = cases.iter().filter(|c| c.0.len() == key_len).collect();
    assert!(!cases.is_empty());
    for cpu in Cpu::all() {
        let keys: Vec<M> = cases.iter().map(|c| M::build(cpu, &c.0)).collect();
        for (key, (_, iv, plain, sealed)) in keys.iter().zip(&cases) {
            let mut buf = plain.clone();
            key.encrypt(iv, &mut buf);
            assert_eq!(&buf, sealed, "{cpu:?} {}", plain.len());
            key.decrypt(iv, &mut buf);
            assert_eq!(&buf, plain, "{cpu:?} {}", plain.len());
        }
        // All of them together, each under its own key.
        let mut bufs: Vec<Vec<u8>> = cases.iter().map(|c| c.2.clone()).collect();
        let mut messages: Vec<_> =
            keys.iter().zip(&cases).zip(&mut bufs).map(|((key, c), buf)| Message::new(key, &c.1, buf)).collect();
        M::many(&mut messages, &mut Comb::new());
        drop(messages);
        for (buf, c) in bufs.iter().zip(&cases) {
            assert_eq!(buf, &c.3, "{cpu:?} {}", c.2.len());
        }
    }
}

fn random<M: Mode>() {
    let mut random = Random::new(5);
    for cpu in Cpu::all() {
        let keys: Vec<M> = (0..3).map(|_| M::build(cpu, &random.bytes(16))).collect();
        let mut comb = Comb::new();
        for lanes in if is_model(cpu) { 7..=9 } else { 0..=16 } {
            if lanes > 0 {
                comb = Comb::with_lanes(lanes);
            }
            let some = if lanes % 2 == 0 { &keys[..1] } else { &keys[..] };
            let count = random.below(if is_model(cpu) { 12 } else { 70 });
            let plain: Vec<Vec<u8>> = (0..count)
                .map(|_| {
                    let n = random.below(700);
                    random.bytes(if M::WHOLE { n & !15 } else { n })
                })
                .collect();
            let ivs: Vec<[u8; 16]> = plain.iter().map(|_| random.bytes(16).try_into().unwrap()).collect();
            let mut bufs = plain.clone();
            let mut messages: Vec<_> = bufs
                .iter_mut()
                .zip(&ivs)
                .enumerate()
                .map(|(i, (buf, iv))| Message::new(&some[i % some.len()], iv, buf))
                .collect();
            M::many(&mut messages, &mut comb);
            drop(messages);
            for i in 0..count {
                let (key, n) = (&some[i % some.len()], plain[i].len());
                let mut one = plain[i].clone();
                key.encrypt(&ivs[i], &mut one);
                assert_eq!(bufs[i], one, "{cpu:?}, {lanes} lanes, message {i} of {count}, {n} bytes");
                key.decrypt(&ivs[i], &mut one);
                assert_eq!(one, plain[i], "{cpu:?}, {n} bytes");
            }
        }
    }
}

/// ECB, which has no initial value and nothing to go on lanes.
fn ecb_of<A: Aes>(cases: &[Case]) {
    let cases: Vec<&Case> = cases.iter().filter(|c| c.0.len() == A::KEY_LEN).collect();
    assert!(!cases.is_empty());
    let mut random = Random::new(4);
    let (secret, long) = (random.bytes(A::KEY_LEN), random.bytes(16 * 100));
    let alone = Ecb::<A>::build(Cpu::soft(), &secret).unwrap();
    let mut blocks = long.clone();
    blocks.chunks_mut(16).for_each(|block| alone.encrypt(block).unwrap());
    for cpu in Cpu::all() {
        for (bytes, _, plain, sealed) in &cases {
            let (key, mut buf) = (Ecb::<A>::build(cpu, bytes).unwrap(), plain.clone());
            key.encrypt(&mut buf).unwrap();
            assert_eq!(&buf, sealed, "{cpu:?} {}", plain.len());
            key.decrypt(&mut buf).unwrap();
            assert_eq!(&buf, plain, "{cpu:?} {}", plain.len());
        }
        // Each number of blocks as block by block, wherever in memory they begin.
        let key = Ecb::<A>::build(cpu, &secret).unwrap();
        for n in (0..=100).filter(|n| !is_model(cpu) || n % 7 < 2) {
            let (at, mut buf) = (n % 17, vec![0xa5; 16 * 100 + 32]);
            buf[at..at + 16 * n].copy_from_slice(&long[..16 * n]);
            key.encrypt(&mut buf[at..at + 16 * n]).unwrap();
            assert!(buf[at..at + 16 * n] == blocks[..16 * n], "{cpu:?}, {n} blocks");
            key.decrypt(&mut buf[at..at + 16 * n]).unwrap();
            assert!(buf[at..at + 16 * n] == long[..16 * n], "{cpu:?}, {n} blocks");
            assert!(buf[..at].iter().chain(&buf[at + 16 * n..]).all(|&b| b == 0xa5), "{cpu:?}, {n} blocks");
        }
        // Nothing of what is not whole blocks is touched.
        let mut buf = [1; 50];
        for n in (0..50).filter(|n| n % 16 != 0) {
            assert_eq!(key.encrypt(&mut buf[..n]), Err(Error::BufferLength));
            assert_eq!(key.decrypt(&mut buf[..n]), Err(Error::BufferLength));
        }
        assert_eq!(buf, [1; 50]);
        assert_eq!(Ecb::<A>::build(cpu, &secret[1..]).err(), Some(Error::KeyLength));
    }
}

#[test]
fn ecb() {
    let cases = cases("aes_ecb");
    ecb_of::<Aes128>(&cases);
    ecb_of::<Aes192>(&cases);
    ecb_of::<Aes256>(&cases);
}

#[test]
fn cbc() {
    let cases = cases("aes_cbc");
    known::<Cbc<Aes128>>(&cases, 16);
    known::<Cbc<Aes192>>(&cases, 24);
    known::<Cbc<Aes256>>(&cases, 32);
    random::<Cbc<Aes128>>();
    let key = Cbc::<Aes128>::new(&[0; 16]);
    let mut buf = [1; 17];
    assert_eq!(key.encrypt(&[0; 16], &mut buf), Err(Error::BufferLength));
    assert_eq!(key.decrypt(&[0; 16], &mut buf), Err(Error::BufferLength));
    let mut messages = [Message::new(&key, &[0; 16], &mut buf)];
    assert_eq!(Cbc::encrypt_many(&mut messages, &mut Comb::new()), Err(Error::BufferLength));
    assert_eq!(buf, [1; 17]);
    assert_eq!(Cbc::<Aes128>::build(Cpu::detect(), &[0; 24]).err(), Some(Error::KeyLength));
}

#[test]
fn cfb() {
    let cases = cases("aes_cfb");
    known::<Cfb<Aes128>>(&cases, 16);
    known::<Cfb<Aes192>>(&cases, 24);
    known::<Cfb<Aes256>>(&cases, 32);
    random::<Cfb<Aes128>>();
}

#[test]
fn ofb() {
    let cases = cases("aes_ofb");
    known::<Ofb<Aes128>>(&cases, 16);
    known::<Ofb<Aes192>>(&cases, 24);
    known::<Ofb<Aes256>>(&cases, 32);
    random::<Ofb<Aes128>>();
}

#[test]
fn ctr() {
    let cases = cases("aes_ctr");
    known::<Ctr<Aes128>>(&cases, 16);
    known::<Ctr<Aes192>>(&cases, 24);
    known::<Ctr<Aes256>>(&cases, 32);
    random::<Ctr<Aes128>>();
    let keys: Vec<_> = Cpu::all().map(|cpu| Ctr::<Aes192>::build(cpu, &[9; 24]).unwrap()).collect();
    let mut bufs = vec![[0; 50]; keys.len()];
    // A counter that overflows its last eight bytes.
    let mut messages: Vec<_> = keys.iter().zip(&mut bufs).map(|(k, b)| Message::new(k, &[0xff; 16], b)).collect();
    Ctr::apply_many(&mut messages);
    drop(messages);
    assert!(bufs.iter().all(|b| *b == bufs[0] && b[49] != 0));
}

/// Messages under keys of several tiers.
#[test]
fn tiers_mixed() {
    let mut random = Random::new(6);
    let keys: Vec<_> =
        Cpu::all().filter(|c| !is_model(*c)).map(|cpu| Ofb::<Aes128>::build(cpu, &[9; 16]).unwrap()).collect();
    let mut bufs: Vec<Vec<u8>> = keys.iter().map(|_| vec![0; 50]).collect();
    let iv = random.bytes(16).try_into().unwrap();
    let mut messages: Vec<_> = keys.iter().zip(&mut bufs).map(|(key, buf)| Message::new(key, &iv, buf)).collect();
    Ofb::apply_many(&mut messages, &mut Comb::new());
    drop(messages);
    assert!(bufs.iter().all(|b| *b == bufs[0] && b[49] != 0));
}

#[test]
fn cmac() {
    let mut random = Random::new(7);
    for cpu in Cpu::all() {
        let keys: Vec<_> = (0..3).map(|_| Cmac::<Aes128>::build(cpu, &random.bytes(16), 16).unwrap()).collect();
        for lanes in if is_model(cpu) { 7..=9 } else { 1..=16 } {
            let count = random.below(if is_model(cpu) { 12 } else { 70 });
            let data: Vec<Vec<u8>> = (0..count)
                .map(|_| {
                    let n = random.below(200);
                    random.bytes(n)
                })
                .collect();
            let some = if lanes % 2 == 0 { &keys[..1] } else { &keys[..] };
            let messages: Vec<_> = data.iter().enumerate().map(|(i, d)| (&some[i % some.len()], &d[..])).collect();
            let mut tags = vec![[0; 16]; count];
            Cmac::tag_many(&messages, &mut tags, &mut Comb::with_lanes(lanes)).unwrap();
            for ((key, data), tag) in messages.iter().zip(&tags) {
                assert_eq!(key.tag(data), *tag, "{cpu:?}, {lanes} lanes, {} bytes", data.len());
            }
        }
    }
    let key = Cmac::<Aes128>::new(&[0; 16]);
    assert_eq!(Cmac::tag_many(&[(&key, b"")], &mut [], &mut Comb::new()), Err(Error::BufferLength));
}

/// The last block of CBC from zero, on lanes as alone.
#[test]
fn cbc_mac() {
    let mut random = Random::new(8);
    for cpu in Cpu::all() {
        let secrets: Vec<Vec<u8>> = (0..3).map(|_| random.bytes(16)).collect();
        let keys: Vec<_> = secrets.iter().map(|k| CbcMac::<Aes128>::build(cpu, k).unwrap()).collect();
        let cbc: Vec<_> = secrets.iter().map(|k| Cbc::<Aes128>::build(cpu, k).unwrap()).collect();
        for lanes in if is_model(cpu) { 7..=9 } else { 1..=16 } {
            let count = random.below(if is_model(cpu) { 12 } else { 70 });
            let data: Vec<Vec<u8>> = (0..count)
                .map(|_| {
                    let n = random.below(200);
                    random.bytes(n)
                })
                .collect();
            let some = if lanes % 2 == 0 { 1 } else { 3 };
            let messages: Vec<_> = data.iter().enumerate().map(|(i, d)| (&keys[i % some], &d[..])).collect();
            let mut tags = vec![[0; 16]; count];
            CbcMac::tag_many(&messages, &mut tags, &mut Comb::with_lanes(lanes)).unwrap();
            for (i, data) in data.iter().enumerate() {
                let mut padded = data.clone();
                padded.resize(data.len().next_multiple_of(16), 0);
                cbc[i % some].encrypt(&[0; 16], &mut padded).unwrap();
                let last = padded.rchunks(16).next().unwrap_or(&[0; 16]);
                assert_eq!(keys[i % some].tag(data), last, "{cpu:?}, {} bytes", data.len());
                assert_eq!(tags[i], last, "{cpu:?}, {lanes} lanes, {} bytes", data.len());
            }
        }
    }
    let key = CbcMac::<Aes128>::new(&[0; 16]);
    assert_eq!(key.tag(b""), [0; 16]);
    assert_eq!(CbcMac::tag_many(&[(&key, b"")], &mut [], &mut Comb::new()), Err(Error::BufferLength));
}

/// SP 800-38A, F.5.1, on every tier, and with a counter that wraps.
#[test]
fn sp800_38a() {
    let key = [0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c];
    let iv: [u8; 16] = core::array::from_fn(|i| 0xf0 + i as u8);
    let first = [0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26, 0x1b, 0xef, 0x68, 0x64, 0x99, 0x0d, 0xb6, 0xce];
    let plain = [0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a];
    let mut long: Option<Vec<u8>> = None;
    for cpu in Cpu::all().filter(|cpu| !cpu.is_pretended()) {
        let ctr = Ctr::<Aes128>::build(cpu, &key).unwrap();
        let mut x = plain;
        ctr.apply(&iv, &mut x);
        assert_eq!(x, first, "{cpu:?}");
        let mut y = vec![0; 1000];
        let mut near = [0xff; 16];
        near[15] = 0xe0;
        ctr.apply(&near, &mut y);
        assert_eq!(*long.get_or_insert(y.clone()), y, "{cpu:?}");
        // A block at a time: across the carry out of the low half, and out of the last byte, everywhere in a group.
        let across = u128::from_be_bytes(iv) | 0xffff_ffff_ffff_fff0;
        for n in (0..=255).map(|last| u128::from_be_bytes(iv) & !0xff | last).chain([across]) {
            let mut y = [0; 2000];
            ctr.apply(&n.to_be_bytes(), &mut y);
            for (n, block) in (n..).zip(y.chunks_mut(16)) {
                ctr.apply(&n.to_be_bytes(), block);
            }
            assert_eq!(y, [0; 2000], "{cpu:?} {n:x}");
        }
    }
}
