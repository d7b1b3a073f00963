//! The break of OCB3 with nonces that are too short (Liénardy and Lafitte, "A weakness in OCB3 used
//! with short nonces allowing for a break of authenticity and confidentiality", Information
//! Processing Letters 183, 2024; ePrint 2023/326), run.
//!
//! OCB3 puts a nonce behind a one into a block, Ktop is the cipher of that block with its last six
//! bits cleared, and the first offset begins as many bits into Ktop as those six say. Where the
//! one itself is among the six, as with nonces of fewer than 6 *bits*, and the rest of the block
//! is zero, as with tags of 128 bits, Ktop is E(0): which is L_*, of which all of the key's
//! constants are multiples. Of nonces in whole bytes that is the empty one. Its block is the
//! number 1, so the first offset is `L_* << 1` with a bit b behind it, bit 0 of L_* (from the
//! left) XOR its bit 8; and the tag of the empty message is E(offset ^ L_$), with
//! `L_$ = (L_* << 1) ^ 0x87 msb(L_*)`. The two differ in b and in the 0x87 alone: with msb(L_*) =
//! b = 0, as one key in four has it, they are equal, and the tag is E(0) = L_* itself.
//!
//! Who knows L_* knows the offsets D_1 = 4 L_* and D_2 = D_1 ^ 8 L_* of the first two blocks of
//! associated data, which no nonce enters. The blocks D_1 and D_2 themselves hash to
//! E(0) ^ E(0) = 0, as no associated data does: with these 32 bytes each message that was sealed
//! without any opens too, under any nonce. D_1 alone hashes to L_*, which the tag must then have
//! added.

use super::gf2;
use crate::measure::Random;
use combseal::hazmat::Ecb;
use combseal::{Aead, Aes128, Error, Ocb3};

/// The polynomial of the field in which the key's constants are doubled, without x^128.
const POLYNOMIAL: u128 = 0x87;

/// The message that somebody sends, under an ordinary nonce.
pub const MESSAGE: &[u8] = b"Meet me at the usual place at noon.";

/// Keys to try before one is given up on: none of so many is weak once in 2^400 runs.
const PATIENCE: usize = 1_000;

/// Associated data and a tag that nobody has sealed.
#[derive(Clone, Debug)]
pub struct Forgery {
    /// The associated data, in blocks; those are big-endian numbers.
    pub ad: Vec<u128>,
    /// The tag.
    pub tag: u128,
    /// The message, if this is taken for authentic.
    pub opened: Option<Vec<u8>>,
}

/// The attack on a key.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The key, which the attacker does not see.
    pub key: u128,
    /// The tag of the empty message under the short nonce, which the attacker takes for L_*.
    pub short_tag: u128,
    /// The ordinary nonce of the message that somebody sends.
    pub nonce: [u8; 12],
    /// The ciphertext of [`MESSAGE`].
    pub ciphertext: Vec<u8>,
    /// Its tag, without associated data.
    pub tag: u128,
    /// With D_1 and D_2 as associated data, and with D_1 alone.
    pub forgeries: [Forgery; 2],
}

impl Attempt {
    /// Whether both forgeries open to the message.
    pub fn succeeds(&self) -> bool {
        self.forgeries.iter().all(|it| it.opened.as_deref() == Some(MESSAGE))
    }
}

/// All of it.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// What the library says to an empty nonce where `hazmat_allow_short_nonces` was not called.
    pub refused: Result<(), Error>,
    /// How many keys were tried; the last is the weak one.
    pub tried: usize,
    /// The attack on that.
    pub attack: Attempt,
    /// L_* = E(0), by the key.
    pub star: u128,
}

impl Analysis {
    /// Whether the forgeries open, L_* is the key's, and the library refuses the nonce.
    pub fn is_as_published(&self) -> bool {
        self.attack.succeeds() && self.attack.short_tag == self.star && self.refused == Err(Error::NonceLength)
    }
}

/// Attacks one key after the other, each by the seed, until one falls.
///
/// # Errors
/// If the library refuses lengths that it should take. [`Error::Exhausted`] if no key falls.
pub fn analyze(seed: u64) -> Result<Analysis, Error> {
    let mut random = Random::new(seed);
    for tried in 1..=PATIENCE {
        let attack = attempt(&mut random, 0)?;
        if attack.succeeds() {
            let (key, mut star) = (attack.key.to_be_bytes(), [0; 16]);
            Ecb::<Aes128>::new(&key).encrypt(&mut star)?;
            let refused = Ocb3::<Aes128>::new(&key).set_nonce_len(0);
            return Ok(Analysis { refused, tried, attack, star: u128::from_be_bytes(star) });
        }
    }
    Err(Error::Exhausted)
}

/// How many of `keys` keys, by the seed, fall to a nonce of `nonce_len` bytes.
///
/// # Errors
/// If the library refuses lengths that it should take.
pub fn weak_keys(seed: u64, nonce_len: usize, keys: usize) -> Result<usize, Error> {
    let mut random = Random::new(seed);
    let mut weak = 0;
    for _ in 0..keys {
        weak += usize::from(attempt(&mut random, nonce_len)?.succeeds());
    }
    Ok(weak)
}

/// The attack on a key by chance, with a nonce of `nonce_len` bytes by chance.
fn attempt(random: &mut Random, nonce_len: usize) -> Result<Attempt, Error> {
    let (mut key, mut short, mut nonce) = ([0; 16], vec![0; nonce_len], [0; 12]);
    random.fill(&mut key);
    random.fill(&mut short);
    random.fill(&mut nonce);
    // A key of the library takes nonces of one length: these two have the same bytes.
    let (mut careless, ordinary) = (Ocb3::<Aes128>::new(&key), Ocb3::<Aes128>::new(&key));
    careless.hazmat_allow_short_nonces();
    careless.set_nonce_len(nonce_len)?;
    let short_tag = careless.seal_in_place(&short, b"", &mut [])?;
    let short_tag = number(short_tag.as_bytes())?;
    let mut ciphertext = MESSAGE.to_vec();
    let tag = ordinary.seal_in_place(&nonce, b"", &mut ciphertext)?;
    let tag = number(tag.as_bytes())?;

    let times = |factor| gf2::mul(short_tag, factor, POLYNOMIAL);
    let (d1, d2) = (times(4), times(4) ^ times(8));
    let forge = |ad: &[u128], tag: u128| {
        let mut buf = ciphertext.clone();
        let bytes: Vec<u8> = ad.iter().flat_map(|block| block.to_be_bytes()).collect();
        let opened = match ordinary.open_in_place(&nonce, &bytes, &mut buf, &tag.to_be_bytes()) {
            Ok(()) => Some(buf),
            Err(Error::Forged) => None,
            Err(e) => return Err(e),
        };
        Ok(Forgery { ad: ad.to_vec(), tag, opened })
    };
    let forgeries = [forge(&[d1, d2], tag)?, forge(&[d1], tag ^ short_tag)?];
    Ok(Attempt { key: u128::from_be_bytes(key), short_tag, nonce, ciphertext, tag, forgeries })
}

/// A tag of 16 bytes.
fn number(tag: &[u8]) -> Result<u128, Error> {
    Ok(u128::from_be_bytes(tag.try_into().map_err(|_| Error::TagLength)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn star(key: u128) -> u128 {
        let mut block = [0; 16];
        Ecb::<Aes128>::new(&key.to_be_bytes()).encrypt(&mut block).unwrap();
        u128::from_be_bytes(block)
    }

    #[test]
    fn some_key_falls() {
        for seed in 0..20 {
            let it = analyze(seed).unwrap();
            assert!(it.is_as_published(), "{it:#?}");
            assert!(it.tried < 60, "{} keys", it.tried);
        }
    }

    /// The keys that fall are those with bits 0 and 8 of L_* zero, and no others: the tag is
    /// E of one of four blocks.
    #[test]
    fn exactly_which_keys_fall() {
        let mut random = Random::new(1);
        let mut falls = 0;
        for _ in 0..2_000 {
            let it = attempt(&mut random, 0).unwrap();
            let star = star(it.key);
            let bit = |i: u32| star >> (127 - i) & 1;
            let (msb, b) = (bit(0), bit(0) ^ bit(8));
            assert_eq!(it.succeeds(), msb == 0 && b == 0, "{it:#?}");
            assert_eq!(it.succeeds(), it.short_tag == star);
            let mut delta = (b ^ msb * 0x87).to_be_bytes();
            Ecb::<Aes128>::new(&it.key.to_be_bytes()).encrypt(&mut delta).unwrap();
            assert_eq!(it.short_tag.to_be_bytes(), delta, "{it:#?}");
            falls += usize::from(it.succeeds());
        }
        // 500 are expected, and 20 is the deviation.
        assert!((400..600).contains(&falls), "{falls} of 2000");
        assert_eq!(weak_keys(1, 0, 2_000), Ok(falls));
    }

    /// Of nonces in whole bytes only the empty one gives L_* away.
    #[test]
    fn longer_nonces_do_not() {
        for nonce_len in 1..=15 {
            assert_eq!(weak_keys(2, nonce_len, 200), Ok(0), "{nonce_len} bytes");
        }
    }

    /// Where the tag is shorter its length stands in the nonce block, which then is not zero; in
    /// the form of FSE 2011 it does not, and every length of tag begins with L_*.
    #[test]
    fn shorter_tags() {
        let mut random = Random::new(3);
        for tag_len in 8..16 {
            let (mut named, mut unnamed) = (0, 0);
            for _ in 0..100 {
                let mut key = [0; 16];
                random.fill(&mut key);
                let cpu = combseal::Cpu::detect();
                let star = star(u128::from_be_bytes(key)).to_be_bytes();
                let leaks = |mut it: Ocb3<Aes128>| {
                    it.hazmat_allow_short_nonces();
                    it.set_nonce_len(0).unwrap();
                    it.seal_in_place(b"", b"", &mut []).unwrap().as_bytes() == &star[..tag_len]
                };
                named += usize::from(leaks(Ocb3::build(cpu, &key, tag_len).unwrap()));
                unnamed += usize::from(leaks(Ocb3::hazmat_build_fse2011(cpu, &key, tag_len).unwrap()));
            }
            assert_eq!(named, 0, "{tag_len} bytes");
            assert!((5..=50).contains(&unnamed), "{tag_len} bytes: {unnamed} of 100");
        }
    }

    /// The library refuses what `hazmat_allow_short_nonces` was not called for: below 6 bytes, and
    /// then the nonce itself.
    #[test]
    fn refused() {
        let mut key = Ocb3::<Aes128>::new(&[7; 16]);
        for len in 0..6 {
            assert_eq!(key.set_nonce_len(len), Err(Error::NonceLength));
            assert_eq!(key.seal_in_place(&[0; 5][..len.min(5)], b"", &mut []).err(), Some(Error::NonceLength));
        }
        assert_eq!(key.set_nonce_len(6), Ok(()));
    }
}
