//! Messages in parts: the same bytes as at once, whatever the parts; refusals; and what is left.
#![cfg(feature = "schemes")]

use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use combseal::hazmat::OpenUnverified;
use combseal::{Aead, Algorithm, Cpu, Error, Key, SealParts};

/// The schemes that can.
const ONLINE: [&str; 5] = ["ocb3", "gcm", "eax", "chacha20-poly1305", "xchacha20-poly1305"];

fn online() -> impl Iterator<Item = Algorithm> {
    Algorithm::ALL.iter().copied().filter(|a| ONLINE.contains(&a.description().family))
}

/// Numbers that look random, the same every time.
struct Numbers(u64);
impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % below
    }
    fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.next(256) as u8).collect()
    }
}

/// The lengths of the parts of `len` bytes: `longest` at most each, none too.
fn cut(numbers: &mut Numbers, len: usize, longest: usize) -> Vec<usize> {
    let (mut left, mut parts) = (len, vec![]);
    while left > 0 {
        let n = numbers.next(longest + 1).min(left);
        parts.push(n);
        left -= n;
    }
    parts
}

/// All parts sealed, one after the other; the tag behind.
fn sealed(key: &Key, nonce: &[u8], ad: &[u8], message: &[u8], parts: &[usize]) -> Vec<u8> {
    let mut it = SealParts::new(key, nonce, ad).unwrap();
    let (mut out, mut at, mut from) = (vec![0xa5; message.len()], 0, 0);
    for &n in parts {
        let ready = it.ready(n);
        let wrote = it.update(&message[from..from + n], &mut out[at..]).unwrap();
        assert_eq!(ready, wrote);
        (at, from) = (at + wrote, from + n);
    }
    assert_eq!(at + it.held(), message.len());
    let (last, tag) = it.finish(&mut out[at..]).unwrap();
    assert_eq!(at + last, message.len());
    out.extend_from_slice(tag.as_bytes());
    out
}

/// The same, opened.
fn opened(key: &Key, nonce: &[u8], ad: &[u8], sealed: &[u8], tag: &[u8], parts: &[usize]) -> Result<Vec<u8>, Error> {
    let mut it = OpenUnverified::new(key, nonce, ad)?;
    let (mut out, mut at, mut from) = (vec![0xa5; sealed.len()], 0, 0);
    for &n in parts {
        at += it.update(&sealed[from..from + n], &mut out[at..])?;
        from += n;
    }
    let held = it.held();
    match it.finish(tag, &mut out[at..]) {
        Ok(n) => assert_eq!(n, held),
        Err(why) => {
            assert!(why != Error::Forged || out[at..at + held].iter().all(|&b| b == 0));
            return Err(why);
        }
    }
    Ok(out)
}

#[test]
fn every_split_is_the_whole() {
    let mut numbers = Numbers(1);
    for algorithm in online() {
        for cpu in Cpu::all() {
            let bytes = numbers.bytes(algorithm.key_len());
            let key = Key::build(cpu, algorithm, &bytes, 16).unwrap();
            let slow = cpu == Cpu::soft();
            let lengths = (0..=70).chain([127, 128, 129, 511, 512, 513, 1023, 1024, 1025, 1500, 2048, 5000]);
            for len in lengths.chain(if slow { vec![] } else { (71..=300).chain([40_000]).collect() }) {
                let (nonce, ad_len) = (numbers.bytes(algorithm.nonce_len()), numbers.next(3) * numbers.next(400));
                let (ad, message) = (numbers.bytes(ad_len), numbers.bytes(len));
                let whole = key.seal(&nonce, &ad, &message).unwrap();
                // Whole groups of each tier's, and nothing behind the last of a part. Parts of 448 bytes and more
                // that are odd multiples of 64 leave half a group of Poly1305's to the next.
                for exact in [64, 128, 192, 256, 320, 448, 512, 576, 1024, 2112, 4096, 4160]
                    .into_iter()
                    .filter(|&n| n <= len && len % 16 == 0)
                {
                    let parts: Vec<usize> = message.chunks(exact).map(<[u8]>::len).collect();
                    assert!(sealed(&key, &nonce, &ad, &message, &parts) == whole, "{} {cpu:?} {exact}", key.name());
                    let (body, tag) = whole.split_at(len);
                    assert!(opened(&key, &nonce, &ad, body, tag, &parts).unwrap() == message, "{} {cpu:?}", key.name());
                }
                for longest in [len.max(1), 1 + len / 3, 700, 64, 17] {
                    if len > 3000 && longest < 100 {
                        continue;
                    }
                    let parts = cut(&mut numbers, len, longest);
                    assert!(
                        sealed(&key, &nonce, &ad, &message, &parts) == whole,
                        "{} {cpu:?} {len} {parts:?}",
                        algorithm.name()
                    );
                    let (body, tag) = whole.split_at(len);
                    let parts = cut(&mut numbers, len, longest);
                    assert!(
                        opened(&key, &nonce, &ad, body, tag, &parts).unwrap() == message,
                        "{} {cpu:?} {len} {parts:?}",
                        algorithm.name()
                    );
                }
            }
        }
    }
}

/// Long enough for more offsets than a key holds (OCB3), and for counters that carry.
#[test]
fn long_messages() {
    let mut numbers = Numbers(2);
    for algorithm in online().filter(|a| a.key_len() != 24) {
        let key = Key::new(algorithm, &numbers.bytes(algorithm.key_len())).unwrap();
        let (nonce, message) = (numbers.bytes(algorithm.nonce_len()), numbers.bytes(300_000));
        let whole = key.seal(&nonce, b"ad", &message).unwrap();
        for n in [4096, 65_536, 100_000, 12_345] {
            let parts: Vec<usize> = message.chunks(n).map(<[u8]>::len).collect();
            assert!(sealed(&key, &nonce, b"ad", &message, &parts) == whole, "{} {n}", algorithm.name());
            let (body, tag) = whole.split_at(message.len());
            assert!(opened(&key, &nonce, b"ad", body, tag, &parts).unwrap() == message, "{} {n}", algorithm.name());
        }
    }
}

/// EAX's counter has 128 bits and is the OMAC of the nonce, so that a nonce of one block can be computed for each
/// first counter: all carries, within parts and between them, beside RustCrypto's.
#[test]
fn carries_of_eaxs_counter() {
    use eax::aead::AeadInOut;

    let bytes = [0x42u8; 16];
    let cipher = aes::Aes128::new(&bytes.into());
    let theirs = eax::Eax::<aes::Aes128>::new(&bytes.into());
    let mut zero = [0u8; 16].into();
    cipher.encrypt_block(&mut zero);
    let l = u128::from_be_bytes(zero.into());
    let doubled = l << 1 ^ 0x87 & 0u128.wrapping_sub(l >> 127);
    // E(E(0) ^ nonce ^ 2 E(0)) is the counter (Bellare, Rogaway and Wagner 2004, Fig. 1, of one whole block).
    let nonce = |counter: u128| {
        let mut x = counter.to_be_bytes().into();
        cipher.decrypt_block(&mut x);
        (u128::from_be_bytes(x.into()) ^ l ^ doubled).to_be_bytes()
    };
    let (low, first) = (u128::from(u64::MAX), 0xffff_ffff << 96);
    let counters = [u128::MAX, u128::MAX - 1, u128::MAX - 7, u128::MAX - 33, low, low - 3, 7 << 64 | low - 20];
    let mut numbers = Numbers(6);
    for counter in counters.into_iter().chain([u128::from(u32::MAX - 5), first | 0xffff_ffff, (1 << 96) - 9]) {
        let nonce = nonce(counter);
        for len in [16, 17, 100, 300, 700, 1500, 5000] {
            let message = numbers.bytes(len);
            let mut expected = message.clone();
            let tag = theirs.encrypt_inout_detached(&nonce.into(), b"header", expected.as_mut_slice().into()).unwrap();
            expected.extend_from_slice(&tag);
            for cpu in Cpu::all() {
                let mut key = Key::build(cpu, Algorithm::EaxAes128, &bytes, 16).unwrap();
                key.set_nonce_len(16).unwrap();
                let what = format!("{cpu:?}: message {len}, counter {counter:x}");
                assert!(key.seal(&nonce, b"header", &message).unwrap() == expected, "{what}");
                for cut in [0, 1, 16, 64, 160, 512, 999].into_iter().filter(|&cut| cut <= len) {
                    let (parts, what) = ([cut, len - cut], format!("{what}, cut at {cut}"));
                    assert!(sealed(&key, &nonce, b"header", &message, &parts) == expected, "{what}");
                    let (body, tag) = expected.split_at(len);
                    assert!(opened(&key, &nonce, b"header", body, tag, &parts).unwrap() == message, "{what}");
                }
            }
        }
    }
}

#[test]
fn other_lengths_of_nonces_and_tags() {
    let mut numbers = Numbers(3);
    for (name, nonce_len, tag_len) in
        [("OCB3-AES-128", 15, 8), ("OCB3-AES-256", 7, 12), ("AES-128-GCM", 20, 12), ("AES-256-EAX", 40, 9)]
    {
        let algorithm = Algorithm::by_name(name).unwrap();
        let mut key = Key::build(Cpu::detect(), algorithm, &numbers.bytes(algorithm.key_len()), tag_len).unwrap();
        key.set_nonce_len(nonce_len).unwrap();
        let (nonce, message) = (numbers.bytes(nonce_len), numbers.bytes(1000));
        let whole = key.seal(&nonce, b"ad", &message).unwrap();
        assert!(sealed(&key, &nonce, b"ad", &message, &[999, 1]) == whole, "{name}");
        assert_eq!(opened(&key, &nonce, b"ad", &whole[..1000], &whole[1000..], &[1, 999]).unwrap(), message);
    }
}

#[test]
fn forgeries() {
    let mut numbers = Numbers(4);
    for algorithm in online() {
        let key = Key::new(algorithm, &numbers.bytes(algorithm.key_len())).unwrap();
        let nonce = numbers.bytes(algorithm.nonce_len());
        let whole = key.seal(&nonce, b"ad", &numbers.bytes(100)).unwrap();
        for bit in 0..8 * whole.len() {
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let (body, tag) = changed.split_at(100);
            assert_eq!(opened(&key, &nonce, b"ad", body, tag, &[50, 50]), Err(Error::Forged), "{}", algorithm.name());
        }
        let (body, tag) = whole.split_at(100);
        assert_eq!(opened(&key, &nonce, b"aD", body, tag, &[100]), Err(Error::Forged));
        assert_eq!(opened(&key, &nonce, b"ad", &body[..99], tag, &[99]), Err(Error::Forged));
        assert_eq!(opened(&key, &nonce, b"ad", body, &tag[..15], &[100]), Err(Error::TagLength));
        assert!(opened(&key, &nonce, b"ad", body, tag, &[100]).is_ok());
    }
}

#[test]
fn refusals() {
    let mut numbers = Numbers(5);
    for &algorithm in Algorithm::ALL {
        let key = Key::new(algorithm, &numbers.bytes(algorithm.key_len())).unwrap();
        let nonce = numbers.bytes(algorithm.nonce_len());
        if !ONLINE.contains(&algorithm.description().family) {
            assert_eq!(SealParts::new(&key, &nonce, b"").err(), Some(Error::Unsupported), "{}", algorithm.name());
            assert_eq!(OpenUnverified::new(&key, &nonce, b"").err(), Some(Error::Unsupported));
            continue;
        }
        assert_eq!(SealParts::new(&key, &nonce[1..], b"").err(), Some(Error::NonceLength), "{}", algorithm.name());
        // Nothing changes where the output is too short.
        let mut it = SealParts::new(&key, &nonce, b"ad").unwrap();
        let (mut out, part) = ([0; 200], [7; 150]);
        assert_eq!(it.update(&part, &mut out[..127]), Err(Error::BufferLength));
        assert_eq!((it.held(), out), (0, [0; 200]));
        let n = it.update(&part, &mut out).unwrap();
        assert!(n <= 150 && out[n..].iter().all(|&b| b == 0), "{}", algorithm.name());
        let (last, tag) = it.finish(&mut out[n..]).unwrap();
        assert_eq!(key.open(&nonce, b"ad", &[&out[..n + last], tag.as_bytes()].concat()).unwrap(), part);
        // An end without room.
        let mut it = SealParts::new(&key, &nonce, b"ad").unwrap();
        it.update(&[1; 3], &mut []).unwrap();
        assert_eq!(it.finish(&mut [0; 2]).err(), Some(Error::BufferLength));
        let it = SealParts::new(&key, &nonce, b"ad").unwrap();
        assert!(!format!("{it:?}").contains("held"));
    }
}

/// By whatever lends or owns a key, and by typed ones.
#[test]
fn by_reference() {
    let key = combseal::Gcm::<combseal::Aes128>::new(&[7; 16]);
    let shared = std::sync::Arc::new(key);
    let mut out = [0; 16];
    let (mut a, mut b) =
        (SealParts::new(&shared, &[1; 12], b"").unwrap(), SealParts::new(&*shared, &[1; 12], b"").unwrap());
    a.update(b"sixteen bytes...", &mut out).unwrap();
    let (_, tag) = a.finish(&mut []).unwrap();
    b.update(b"sixteen bytes...", &mut out).unwrap();
    assert_eq!(b.finish(&mut []).unwrap().1, tag);
}
