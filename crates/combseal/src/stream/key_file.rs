//! The text that a key for sealed files is kept in: one line of Bech32m (BIP 350), whose checksum
//! finds what went wrong in copying, beside lines of comments. Parsed and written here; files are
//! opened elsewhere.
//!
//! ```text
//! # A key of Combseal. Who reads it opens what it sealed; without it nobody does.
//! # made: 2026-11-22T20:55:57Z
//! COMBSEAL-KEY-1QQQSYQCYQ5RQWZQFPG9SCRGWPUGPZYSNZS23V9CCRYDPK8QARC0SD7QHGH
//! ```
//!
//! Bech32m was made for keys that people copy: no two of its characters look alike, upper and
//! lower case mean the same, and it finds any four wrong characters in a line of this length.
//! What goes before its separator, the last `1`, says what the line is, so that another kind
//! of key, or a later form of this one, cannot be taken for it.
//!
//! The key's bits meet no table and no branch: characters are found by looking at all 32 of the
//! alphabet. What a line shows by failing is where it fails: at a character that is none of the
//! alphabet's.

use super::error::Error;
use super::secret::random;
use alloc::string::String;
use core::fmt;
use zeroize::{Zeroize, Zeroizing};

/// Bytes in a key.
pub const KEY_LEN: usize = 32;

/// What a key's line begins with, before the separator. In upper case it is the same.
const NAME: &[u8] = b"combseal-key-";
/// Characters that carry the key, five bits each; the last has four bits to spare, all zero.
const DATA: usize = (KEY_LEN * 8).div_ceil(5);
/// Characters of the checksum.
const CHECK: usize = 6;
/// Characters in the line.
const LINE: usize = NAME.len() + 1 + DATA + CHECK;
/// Bech32's alphabet (BIP 173): the character for each five bits.
const ALPHABET: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/// What is added to the checksum in Bech32m (BIP 350).
const BECH32M: u32 = 0x2bc8_30a3;

/// A key for sealed files, as a key file holds it. Wiped when dropped, never shown by `Debug`.
pub struct KeyFile(Zeroizing<[u8; KEY_LEN]>);

/// Why a text is no key file. Lines are counted from 1, characters of a line too; nothing of the
/// key is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyFileError {
    /// There is no line but comments and blank ones.
    NoKey,
    /// There is a second key in this line: a key file has one.
    SecondKey {
        /// Where it is.
        line: usize,
    },
    /// The line does not begin as a key's does.
    NotAKey {
        /// Where it is.
        line: usize,
    },
    /// The line begins as a key's does, and is too short or too long.
    Length {
        /// Where it is.
        line: usize,
        /// How many characters it has.
        found: usize,
        /// How many characters a key's line has.
        expected: usize,
    },
    /// A character that is none of the alphabet's, or upper and lower case in one line.
    Character {
        /// Where it is.
        line: usize,
        /// The character's place in the line.
        place: usize,
    },
    /// The checksum is wrong: one or more characters are not what was written.
    Checksum {
        /// Where it is.
        line: usize,
    },
}

impl fmt::Display for KeyFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKey => f.write_str("there is no key in it"),
            Self::SecondKey { line } => write!(f, "line {line} is a second key; a key file has one"),
            Self::NotAKey { line } => {
                write!(f, "line {line} is neither a key (COMBSEAL-KEY-1...) nor a comment (# ...)")
            }
            Self::Length { line, found, expected } => {
                write!(f, "the key in line {line} has {found} characters, not {expected}")
            }
            Self::Character { line, place } => {
                write!(f, "character {place} of line {line} is none that a key has there")
            }
            Self::Checksum { line } => write!(f, "the key in line {line} was not copied right: its checksum is wrong"),
        }
    }
}

impl core::error::Error for KeyFileError {}

impl fmt::Debug for KeyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyFile(..)")
    }
}

impl KeyFile {
    /// A key of these bytes, which must be as good as random: [`to_text`](Self::to_text) writes
    /// them down and [`bytes`](Self::bytes) gives them back.
    pub fn new(bytes: &[u8; KEY_LEN]) -> Self {
        Self(Zeroizing::new(*bytes))
    }

    /// A new key, of the operating system's random bytes.
    ///
    /// # Errors
    /// [`Error::Random`].
    pub fn generate() -> Result<Self, Error> {
        let mut it = Self(Zeroizing::new([0; KEY_LEN]));
        random(&mut *it.0)?;
        Ok(it)
    }

    /// The key, 32 bytes.
    pub fn bytes(&self) -> &[u8; KEY_LEN] {
        &self.0
    }

    /// Reads a key file's text: one key's line; lines that begin with `#`, and blank ones, are
    /// skipped. Lines end in LF or CR LF, and spaces around them do not count.
    ///
    /// # Errors
    /// What is wrong with the text, and where: [`KeyFileError`].
    pub fn parse(text: &[u8]) -> Result<Self, KeyFileError> {
        let mut found = None;
        for (i, line) in text.split(|&c| c == b'\n').enumerate() {
            let (line, number) = (line.trim_ascii(), i + 1);
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            if found.is_some() {
                return Err(KeyFileError::SecondKey { line: number });
            }
            found = Some(Self::parse_line(line, number)?);
        }
        found.ok_or(KeyFileError::NoKey)
    }

    /// The key of its line, which is line `number` of the text.
    fn parse_line(line: &[u8], number: usize) -> Result<Self, KeyFileError> {
        let begins = |name: &[u8]| line.len() > NAME.len() && line.starts_with(name) && line[NAME.len()] == b'1';
        let upper = begins(&NAME.to_ascii_uppercase());
        if !upper && !begins(NAME) {
            return Err(KeyFileError::NotAKey { line: number });
        }
        if line.len() != LINE {
            return Err(KeyFileError::Length { line: number, found: line.len(), expected: LINE });
        }
        let mut symbols = Zeroizing::new([0u8; DATA + CHECK]);
        for (i, (symbol, &c)) in symbols.iter_mut().zip(&line[NAME.len() + 1..]).enumerate() {
            let (value, known) = decode(c, upper);
            if !known {
                return Err(KeyFileError::Character { line: number, place: NAME.len() + 2 + i });
            }
            *symbol = value;
        }
        let mut key = Self(Zeroizing::new([0; KEY_LEN]));
        let spare = regroup(&symbols[..DATA], &mut *key.0);
        let sum = checksum(NAME, symbols.iter().copied()) ^ BECH32M;
        // One decision for both: bits to spare that are not zero were never written by this.
        if sum | u32::from(spare) != 0 {
            return Err(KeyFileError::Checksum { line: number });
        }
        Ok(key)
    }

    /// The key's file: each of `comments` in a line behind `#` (control characters in them
    /// become spaces), and the key's line, in upper case. Wiped when dropped.
    pub fn to_text(&self, comments: &[&str]) -> Zeroizing<String> {
        let about: usize = comments.iter().map(|c| c.len() + 3).sum();
        // Room from the start: a string that grows leaves copies behind.
        let mut text = Zeroizing::new(String::with_capacity(about + LINE + 1));
        for comment in comments {
            text.push_str("# ");
            text.extend(comment.chars().map(|c| if c.is_control() { ' ' } else { c }));
            text.push('\n');
        }
        let mut symbols = Zeroizing::new([0u8; DATA + CHECK]);
        spread(&*self.0, &mut symbols[..DATA]);
        let sum = checksum(NAME, symbols.iter().copied()) ^ BECH32M;
        for (i, symbol) in symbols[DATA..].iter_mut().enumerate() {
            *symbol = (sum >> (5 * (CHECK - 1 - i))) as u8 & 31;
        }
        text.extend(NAME.iter().map(|c| char::from(c.to_ascii_uppercase())));
        text.push('1');
        text.extend(symbols.iter().map(|&symbol| char::from(encode(symbol))));
        text.push('\n');
        text
    }
}

/// All ones if `a` and `b` are the same, else zero.
fn same(a: u8, b: u8) -> u8 {
    (u32::from(a ^ b).wrapping_sub(1) >> 8) as u8
}

/// The five bits that `c` stands for in a line of that case, and whether it stands for any.
fn decode(c: u8, upper: bool) -> (u8, bool) {
    let (mut value, mut known) = (0, 0);
    for (i, s) in (0u8..).zip(ALPHABET) {
        // The alphabet's letters have bit 6, its digits do not; a letter's bit 5 is its case.
        let s = if upper { s & !((s & 0x40) >> 1) } else { *s };
        let same = same(s, c);
        value |= i & same;
        known |= same;
    }
    (value, known != 0)
}

/// The character, in upper case, for five bits.
fn encode(symbol: u8) -> u8 {
    (0u8..).zip(ALPHABET).fold(0, |c, (i, s)| c | ((s & !((s & 0x40) >> 1)) & same(i, symbol)))
}

/// Bytes to groups of five bits, the first bits first; the last group is filled with zeros.
fn spread(bytes: &[u8], symbols: &mut [u8]) {
    for (i, symbol) in symbols.iter_mut().enumerate() {
        let (byte, bit) = (i * 5 / 8, i * 5 % 8);
        let next = bytes.get(byte + 1).copied().unwrap_or(0);
        let two = u16::from_be_bytes([bytes[byte], next]);
        *symbol = (two >> (11 - bit)) as u8 & 31;
    }
}

/// Groups of five bits to bytes; returns the bits that are left over.
fn regroup(symbols: &[u8], bytes: &mut [u8]) -> u8 {
    bytes.zeroize();
    let mut spare = 0;
    for (i, &symbol) in symbols.iter().enumerate() {
        let (byte, bit) = (i * 5 / 8, i * 5 % 8);
        let [first, second] = (u16::from(symbol) << (11 - bit)).to_be_bytes();
        bytes[byte] |= first;
        match bytes.get_mut(byte + 1) {
            Some(next) => *next |= second,
            None => spare |= second,
        }
    }
    spare
}

/// Bech32's checksum over a name and the symbols behind it, the six of the checksum included:
/// the remainder of a division by the code's generator (BIP 173).
fn checksum(name: &[u8], symbols: impl Iterator<Item = u8>) -> u32 {
    const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    let of_name = name.iter().map(|c| c >> 5).chain([0]).chain(name.iter().map(|c| c & 31));
    of_name.chain(symbols).fold(1, |sum, symbol| {
        let top = sum >> 25;
        let shifted = (sum & 0x01ff_ffff) << 5 ^ u32::from(symbol);
        GENERATOR.iter().enumerate().fold(shifted, |sum, (i, g)| sum ^ g & 0u32.wrapping_sub(top >> i & 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    /// The valid strings of BIP 350 that have a name, and each with one character changed.
    #[test]
    fn bip_350() {
        for text in [
            "A1LQFN3A",
            "a1lqfn3a",
            "an83characterlonghumanreadablepartthatcontainsthetheexcludedcharactersbioandnumber11sg7hg6",
            "abcdef1l7aum6echk45nj3s0wdvt2fg8x9yrzpqzd3ryx",
            "split1checkupstagehandshakeupstreamerranterredcaperredlc445v",
            "?1v759aa",
        ] {
            let separator = text.rfind('1').unwrap();
            let upper = text.starts_with('A');
            let name = text[..separator].to_lowercase();
            let symbols: Vec<u8> = text.as_bytes()[separator + 1..]
                .iter()
                .map(|&c| {
                    let (value, known) = decode(c, upper);
                    assert!(known, "{text}: {c}");
                    value
                })
                .collect();
            assert_eq!(checksum(name.as_bytes(), symbols.iter().copied()), BECH32M, "{text}");
            for i in 0..symbols.len() {
                let mut wrong = symbols.clone();
                wrong[i] ^= 1 + i as u8 % 31;
                assert_ne!(checksum(name.as_bytes(), wrong.iter().copied()), BECH32M, "{text} {i}");
            }
        }
    }

    fn counting() -> [u8; KEY_LEN] {
        core::array::from_fn(|i| i as u8)
    }

    /// The line is fixed for ever: keys must be read by every later version.
    #[test]
    fn known_line() {
        let text = KeyFile::new(&counting()).to_text(&["first", "tab\tand\nline"]);
        let expected = "# first\n# tab and line\n\
            COMBSEAL-KEY-1QQQSYQCYQ5RQWZQFPG9SCRGWPUGPZYSNZS23V9CCRYDPK8QARC0SD7QHGH\n";
        assert_eq!(*text, expected);
        assert_eq!(KeyFile::parse(text.as_bytes()).unwrap().bytes(), &counting());
    }

    /// Every bit of a key has its place in the line.
    #[test]
    fn every_bit() {
        for bit in 0..KEY_LEN * 8 {
            let mut key = [0; KEY_LEN];
            key[bit / 8] = 0x80 >> (bit % 8);
            let text = KeyFile::new(&key).to_text(&[]);
            assert_eq!(text.len(), LINE + 1);
            let place = NAME.len() + 1 + bit / 5;
            let zero = KeyFile::new(&[0; KEY_LEN]).to_text(&[]);
            let differ: Vec<usize> =
                (0..NAME.len() + 1 + DATA).filter(|&i| text.as_bytes()[i] != zero.as_bytes()[i]).collect();
            assert_eq!(differ, [place], "bit {bit}");
            assert_eq!(KeyFile::parse(text.as_bytes()).unwrap().bytes(), &key);
            let lower = text.to_ascii_lowercase();
            assert_eq!(KeyFile::parse(lower.as_bytes()).unwrap().bytes(), &key);
        }
    }

    /// Any other character at any place, the separator and the name included, is refused.
    #[test]
    fn every_character() {
        let text = KeyFile::new(&counting()).to_text(&[]);
        let line = text.trim_end().as_bytes();
        for i in 0..line.len() {
            for c in (0..=255u8).filter(|&c| c != line[i]) {
                let mut wrong = line.to_vec();
                wrong[i] = c;
                let error = KeyFile::parse(&wrong).unwrap_err();
                let known = decode(c, true).1;
                let expected = match i {
                    // A comment; white space, which is cut off and leaves no key's beginning; two lines.
                    0 if c == b'#' => KeyFileError::NoKey,
                    _ if c == b'\n' && i == 0 => KeyFileError::NotAKey { line: 2 },
                    _ if c == b'\n' && i > NAME.len() => KeyFileError::Length { line: 1, found: i, expected: LINE },
                    _ if i <= NAME.len() => KeyFileError::NotAKey { line: 1 },
                    _ if i == LINE - 1 && c.is_ascii_whitespace() => {
                        KeyFileError::Length { line: 1, found: LINE - 1, expected: LINE }
                    }
                    _ if known => KeyFileError::Checksum { line: 1 },
                    _ => KeyFileError::Character { line: 1, place: i + 1 },
                };
                assert_eq!(error, expected, "{i} {c}");
            }
        }
    }

    /// Comments, blank lines, ends of lines; and what is no key file.
    #[test]
    fn texts() {
        let one = KeyFile::new(&counting()).to_text(&[]);
        let line = one.trim_end();
        for text in [
            line.to_string(),
            ["# comment\r\n\r\n  ", line, " \r\n#another"].concat(),
            ["\n\n\n", line, "\n\n"].concat(),
        ] {
            assert_eq!(KeyFile::parse(text.as_bytes()).unwrap().bytes(), &counting(), "{text:?}");
        }
        let error = |text: &str| KeyFile::parse(text.as_bytes()).unwrap_err();
        assert_eq!(error(""), KeyFileError::NoKey);
        assert_eq!(error("# COMBSEAL-KEY-1\n"), KeyFileError::NoKey);
        assert_eq!(error(&[line, "\n", line].concat()), KeyFileError::SecondKey { line: 2 });
        assert_eq!(error(&[line, "\nanything"].concat()), KeyFileError::SecondKey { line: 2 });
        assert_eq!(error("\nAGE-SECRET-KEY-1QQ"), KeyFileError::NotAKey { line: 2 });
        assert_eq!(error("combseal-key-"), KeyFileError::NotAKey { line: 1 });
        assert_eq!(error("combseal-key-1"), KeyFileError::Length { line: 1, found: 14, expected: LINE });
        assert_eq!(error(&[line, "Q"].concat()), KeyFileError::Length { line: 1, found: LINE + 1, expected: LINE });
        let mixed = [&line[..30], &line[30..].to_lowercase()].concat();
        assert!(matches!(error(&mixed), KeyFileError::Character { line: 1, place: 31.. }));
        // A right checksum over bits to spare that are not zero.
        let mut symbols = [0u8; DATA + CHECK];
        spread(&counting(), &mut symbols[..DATA]);
        symbols[DATA - 1] |= 1;
        let sum = checksum(NAME, symbols.iter().copied()) ^ BECH32M;
        for i in 0..CHECK {
            symbols[DATA + i] = (sum >> (5 * (CHECK - 1 - i))) as u8 & 31;
        }
        assert_eq!(checksum(NAME, symbols.iter().copied()), BECH32M);
        let spare: String = "COMBSEAL-KEY-1".chars().chain(symbols.map(|s| char::from(encode(s)))).collect();
        assert_eq!(error(&spare), KeyFileError::Checksum { line: 1 });
    }

    #[test]
    fn generated_keys_differ() {
        let (one, two) = (KeyFile::generate().unwrap(), KeyFile::generate().unwrap());
        assert!(one.bytes() != two.bytes() && one.bytes() != &[0; KEY_LEN]);
    }

    #[test]
    fn debug_hides() {
        let key = KeyFile::new(&[0xab; KEY_LEN]);
        assert_eq!(alloc::format!("{key:?}"), "KeyFile(..)");
    }
}
