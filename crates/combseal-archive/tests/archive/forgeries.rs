//! Whoever changes a bit of a sealed message, of its nonce or of its associated data has a forgery: it is refused on
//! every tier, alone and beside others, leaves zeros, and does the others no harm. So is a string that nobody sealed.

use super::agreement::noise;
use combseal_archive::{Batch, Cpu, Error, Key, Scheme};

/// What is opened.
#[derive(Clone)]
struct Sealed {
    /// Nonce, associated data, ciphertext and tail.
    parts: [Vec<u8>; 4],
    /// Which bit of which part is not as it was sealed.
    flipped: Option<(usize, usize)>,
}

impl Sealed {
    /// With one bit changed, of every part the first and then each that is `step` further on.
    fn forgeries(&self, step: usize) -> impl Iterator<Item = Self> {
        (0..4).flat_map(move |part| {
            (0..8 * self.parts[part].len()).step_by(step).map(move |bit| {
                let mut forged = Self { flipped: Some((part, bit)), ..self.clone() };
                forged.parts[part][bit / 8] ^= 1 << (bit % 8);
                forged
            })
        })
    }

    /// What opening is to say.
    fn wanted(&self) -> Result<(), Error> {
        if self.flipped.is_some() { Err(Error::Forged) } else { Ok(()) }
    }
}

/// Bytes in messages and in their associated data, and how far it is from one bit that is changed to the next: all bits
/// of short ones; and one or two of each block of one that goes by many groups, and of COLM127 has a tag in between.
const LENGTHS: [(usize, usize, usize); 8] =
    [(0, 17, 1), (1, 0, 1), (15, 16, 1), (16, 1, 1), (17, 33, 1), (33, 0, 1), (65, 15, 1), (2100, 300, 127)];

/// What is to be opened, with the message that was sealed: as it was sealed, then five forgeries of it, and so on.
fn cases(key: &Key) -> Vec<(Sealed, Vec<u8>)> {
    let (scheme, about) = (key.scheme(), key.scheme().about());
    let mut cases = Vec::new();
    for (i, (len, ad, step)) in LENGTHS.into_iter().enumerate() {
        let (nonce, ad) = (noise(20 + i, about.nonce_len), noise(40 + i, ad.min(about.longest_ad as usize)));
        let (msg, mut tail) = (noise(60 + i, len), vec![0; scheme.tail_len(len)]);
        let mut buf = msg.clone();
        key.seal_in_place(&nonce, &ad, &mut buf, &mut tail).unwrap();
        let sealed = Sealed { parts: [nonce, ad, buf, tail], flipped: None };
        for (i, forged) in sealed.forgeries(step).enumerate() {
            if i % 5 == 0 {
                cases.push((sealed.clone(), msg.clone()));
            }
            cases.push((forged, msg.clone()));
        }
    }
    cases
}

#[test]
fn every_flipped_bit() {
    for &scheme in Scheme::ALL {
        let about = scheme.about();
        let bytes = noise(1, about.key_len);
        let cases = cases(&Key::new(scheme, &bytes).unwrap());
        for cpu in Cpu::all().filter(|cpu| combseal_archive::runs_on(*cpu)) {
            let key = Key::build(cpu, scheme, &bytes).unwrap();
            let check = |how: &str, (sealed, msg): &(Sealed, Vec<u8>), done: Result<(), Error>, buf: &[u8]| {
                let right = if done.is_ok() { buf == msg } else { buf.iter().all(|&byte| byte == 0) };
                let (len, flipped) = (msg.len(), sealed.flipped);
                assert!(done == sealed.wanted(), "{} {cpu:?} {how}, {len} bytes, {flipped:?}: {done:?}", about.name);
                assert!(right, "{} {cpu:?} {how}, {len} bytes, {flipped:?}: other bytes", about.name);
            };
            for case in &cases {
                let [nonce, ad, buf, tail] = &case.0.parts;
                let apart = key.open(nonce, ad, &[&buf[..], tail].concat(), buf.len());
                check("apart", case, apart.as_ref().map(|_| ()).map_err(|&why| why), apart.as_deref().unwrap_or(&[]));
                let mut buf = buf.clone();
                let done = key.open_in_place(nonce, ad, &mut buf, tail);
                check("in place", case, done, &buf);
            }
            let mut bufs: Vec<Vec<u8>> = cases.iter().map(|case| case.0.parts[2].clone()).collect();
            let mut batch = Batch::new();
            for ((sealed, _), buf) in cases.iter().zip(&mut bufs) {
                let [nonce, ad, _, tail] = &sealed.parts;
                batch.open(&key, nonce, ad, buf, tail);
            }
            for ((case, done), buf) in cases.iter().zip(batch.run()).zip(&bufs) {
                check("in a batch", case, done, buf);
            }
        }
    }
}

/// As a message of any length. (A length that no message can have is no reason to panic.)
#[test]
fn strings_that_nobody_sealed() {
    for &scheme in Scheme::ALL {
        let about = scheme.about();
        let (nonce, ad) = (noise(2, about.nonce_len), noise(4, 5.min(about.longest_ad as usize)));
        for cpu in Cpu::all().filter(|cpu| combseal_archive::runs_on(*cpu)) {
            let key = Key::build(cpu, scheme, &noise(1, about.key_len)).unwrap();
            for n in 0..=70 {
                let string = noise(n, n);
                for len in (0..=n + 1).chain([usize::MAX - 15, usize::MAX]) {
                    let why = if key.sealed_len(len) == n { Error::Forged } else { Error::BufferLength };
                    let done = key.open(&nonce, &ad, &string, len);
                    assert_eq!(done, Err(why), "{} {cpu:?}, {n} bytes as {len}", about.name);
                }
            }
        }
    }
}
