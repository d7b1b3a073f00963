//! The break of OCB2 (Inoue, Iwata, Minematsu and Poettering, "Cryptanalysis of OCB2: Attacks on
//! Authenticity and Confidentiality", CRYPTO 2019): the smallest of their forgeries, tried on
//! OCB2, OCB1 and OCB3 alike.
//!
//! With D = E(nonce), OCB2 enciphers block i, but not the last, as `C = E(M ^ 2^i D) ^ 2^i D`. To
//! the last block, at the offset F, it adds `E(len ^ F)`, and the tag is `E(checksum ^ 3F)`. The
//! attacker asks for two blocks of which the first is len. The ciphertext then shows
//! `E(len ^ 2D) ^ 2D` and, since the second block is known, `E(len ^ 4D)`. The first, with len
//! added, is taken for the ciphertext of a message of one block: there the cipher's output is
//! added once more, so it opens to `len ^ 2D`. The tag of that is `E(len ^ 2D ^ 3(2D))`, which is
//! `E(len ^ 4D)`: the second.

use super::gf2;
use crate::measure::Random;
use combseal::hazmat::Ecb;
use combseal::{Aead, Aes128, Error, Ocb3};
use combseal_archive::{Key, Scheme};

/// The length of a whole block in bits, which OCB2 enciphers with a message's last block.
pub const LEN: u128 = 128;

/// The polynomial of the field in which offsets are doubled, without x^128.
const POLYNOMIAL: u128 = 0x87;

/// A version of OCB with AES-128 and tags of 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Rogaway, Bellare, Black and Krovetz 2001.
    Ocb1,
    /// Rogaway 2004; ISO/IEC 19772:2009.
    Ocb2,
    /// Krovetz and Rogaway 2011; RFC 7253.
    Ocb3,
}

impl Version {
    /// The scheme's name.
    pub fn name(self) -> &'static str {
        match self {
            Version::Ocb1 => Scheme::Ocb1.about().name,
            Version::Ocb2 => Scheme::Ocb2.about().name,
            Version::Ocb3 => "OCB3-AES-128",
        }
    }
}

/// Who seals and opens whatever is asked, and keeps the key.
enum Oracle {
    Archive(Key),
    Ocb3(Box<Ocb3<Aes128>>),
}

impl Oracle {
    fn new(version: Version, key: u128) -> Result<Self, Error> {
        let key = key.to_be_bytes();
        Ok(match version {
            Version::Ocb1 => Self::Archive(Key::new(Scheme::Ocb1, &key)?),
            Version::Ocb2 => Self::Archive(Key::new(Scheme::Ocb2, &key)?),
            Version::Ocb3 => Self::Ocb3(Box::new(Ocb3::new(&key))),
        })
    }

    /// The nonce, cut to the bytes that the version takes.
    fn nonce(&self, nonce: u128) -> Vec<u8> {
        let len = match self {
            Self::Archive(key) => key.scheme().about().nonce_len,
            Self::Ocb3(key) => key.nonce_len(),
        };
        nonce.to_be_bytes()[..len].to_vec()
    }

    fn seal(&self, nonce: &[u8], message: &[u8]) -> Result<Vec<u8>, Error> {
        match self {
            Self::Archive(key) => key.seal(nonce, b"", message),
            Self::Ocb3(key) => key.seal(nonce, b"", message),
        }
    }

    fn open(&self, nonce: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
        match self {
            Self::Archive(key) => key.open(nonce, b"", sealed, sealed.len() - 16),
            Self::Ocb3(key) => key.open(nonce, b"", sealed),
        }
    }
}

/// The attack on a version, number by number. A block is a big-endian number.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Which version.
    pub version: Version,
    /// The nonce of both messages.
    pub nonce: Vec<u8>,
    /// The message that the attacker asks for: [`LEN`], and any block.
    pub asked: [u128; 2],
    /// Its ciphertext.
    pub ciphertext: [u128; 2],
    /// Its tag.
    pub tag: u128,
    /// The ciphertext that nobody has asked for.
    pub forged: u128,
    /// The tag with it.
    pub forged_tag: u128,
    /// What it opens to, if it is taken for authentic.
    pub opened: Option<u128>,
}

impl Attempt {
    /// Of OCB2: the offset of the first block, 2D, which who sees the opened message knows.
    pub fn offset(&self) -> Option<u128> {
        self.opened.map(|message| message ^ LEN)
    }

    /// Of OCB2: D, which is E(nonce), as the attacker then computes it.
    pub fn delta(&self) -> Option<u128> {
        // 1 / x is x to the 2^128 - 2.
        self.offset().map(|twice| gf2::mul(twice, gf2::power_of_x(u128::MAX - 1, POLYNOMIAL), POLYNOMIAL))
    }
}

/// All of it.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The key, which the attacker does not see.
    pub key: u128,
    /// The attack on OCB2.
    pub ocb2: Attempt,
    /// E(nonce) of that, by the key.
    pub delta: u128,
    /// The same attack on OCB3 and on OCB1.
    pub others: [Attempt; 2],
}

impl Analysis {
    /// Whether OCB2 falls, the offset that becomes known is the right one, and the others stand.
    pub fn is_as_published(&self) -> bool {
        self.ocb2.delta() == Some(self.delta) && self.others.iter().all(|it| it.opened.is_none())
    }
}

/// Attacks all versions; key, nonce and message by the seed.
///
/// # Errors
/// If a version refuses lengths that it should take.
pub fn analyze(seed: u64) -> Result<Analysis, Error> {
    let mut random = Random::new(seed);
    let mut block = || u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
    let (key, nonce, last) = (block(), block(), block());
    let mut delta = nonce.to_be_bytes();
    Ecb::<Aes128>::new(&key.to_be_bytes()).encrypt(&mut delta)?;
    let on = |version| attempt(version, key, nonce, last);
    Ok(Analysis {
        key,
        ocb2: on(Version::Ocb2)?,
        delta: u128::from_be_bytes(delta),
        others: [on(Version::Ocb3)?, on(Version::Ocb1)?],
    })
}

/// Attacks a version. The key is the oracle's alone.
fn attempt(version: Version, key: u128, nonce: u128, last: u128) -> Result<Attempt, Error> {
    let oracle = Oracle::new(version, key)?;
    let nonce = oracle.nonce(nonce);
    let asked = [LEN, last];
    let sealed = oracle.seal(&nonce, &bytes(&asked))?;
    let [c1, c2, tag] = blocks(&sealed).try_into().map_err(|_| Error::BufferLength)?;
    let (forged, forged_tag) = (c1 ^ LEN, last ^ c2);
    let opened = match oracle.open(&nonce, &bytes(&[forged, forged_tag])) {
        Ok(message) => blocks(&message).first().copied(),
        Err(Error::Forged) => None,
        Err(e) => return Err(e),
    };
    Ok(Attempt { version, nonce, asked, ciphertext: [c1, c2], tag, forged, forged_tag, opened })
}

/// The bytes of blocks.
fn bytes(blocks: &[u128]) -> Vec<u8> {
    blocks.iter().flat_map(|block| block.to_be_bytes()).collect()
}

/// The blocks of bytes.
fn blocks(bytes: &[u8]) -> Vec<u128> {
    bytes.as_chunks().0.iter().map(|block| u128::from_be_bytes(*block)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ocb2_falls_and_the_others_stand() {
        for seed in 0..200 {
            let it = analyze(seed).unwrap();
            assert!(it.is_as_published(), "{it:#?}");
            assert_ne!(it.ocb2.forged_tag, it.ocb2.tag);
            // The offset is that of the nonce, and both calls of the cipher are as the first
            // lines of this file have them.
            let two = it.ocb2.offset().unwrap();
            assert_eq!(two, gf2::mul(it.delta, 2, POLYNOMIAL));
            let e = |x: u128| {
                let mut block = x.to_be_bytes();
                Ecb::<Aes128>::new(&it.key.to_be_bytes()).encrypt(&mut block).unwrap();
                u128::from_be_bytes(block)
            };
            assert_eq!(it.ocb2.forged ^ LEN, two ^ e(LEN ^ two));
            assert_eq!(it.ocb2.forged_tag, e(LEN ^ gf2::mul(it.delta, 4, POLYNOMIAL)));
        }
    }

    /// A tag that is a bit off is no forgery, on OCB2 either.
    #[test]
    fn every_bit_of_the_tag_matters() {
        let it = analyze(1).unwrap();
        let oracle = Oracle::new(Version::Ocb2, it.key).unwrap();
        for bit in 0..128 {
            let sealed = bytes(&[it.ocb2.forged, it.ocb2.forged_tag ^ 1 << bit]);
            assert_eq!(oracle.open(&it.ocb2.nonce, &sealed), Err(Error::Forged), "bit {bit}");
        }
    }
}
