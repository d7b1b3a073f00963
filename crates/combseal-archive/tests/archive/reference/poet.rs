//! POET with full AES-128 in its hash layers, versions 1 and 2, without intermediate tags.
//!
//! Source: Farzaneh Abed, Scott Fluhrer, Christian Forler, Eik List, Stefan Lucks, David McGrew and Jakob Wenzel,
//! "Pipelineable On-Line Encryption", FSE 2014; The POET Family of On-Line Authenticated Encryption Schemes, v1 and v2
//! (2014, 2015), submissions to CAESAR. This is what the codes `aes128poetv1aes128` and `aes128poetv2aes128` in
//! SUPERCOP compute, revisions that differ from the paper.
//!
//! Status: superseded, not standardised. The authentication of FSE 2014's version breaks with a single query (Jian Guo,
//! Jérémy Jean, Thomas Peyrin and Lei Wang, ePrint 2014/197); its authors repaired it. Mridul Nandi (ASIACRYPT 2014)
//! shows that not every hash makes POET secure; his attacks do not reach the submission's. The variant that hashes with
//! multiplications in GF(2^128) has too many weak keys (Mohamed Ahmed Abdelraheem, Andrey Bogdanov and Elmar
//! Tischhauser, ePrint 2014/226) and was withdrawn; it is not here. In the second round of CAESAR, not in the third.
//!
//! Kept for: Bogdanov, Lauridsen and Tischhauser (2014), who measured it as a mode of three AES calls a block in
//! chains, to which the comb gives much.
//!
//! Names as in the text: Ft and Fb are the hash functions of the top and bottom layers, tau is the header's tag, X and
//! Y are the input and the output of the block cipher in the last block. The field is in the bit order of `gdbl`.

use super::{Aes, Block, ZERO, block, blocks, blocks_at_least_one, gdbl, integer, ozp, pad10, xor};

#[derive(Clone, Copy, PartialEq)]
pub enum Version {
    V1,
    V2,
}
use Version::{V1, V2};

/// What is made of the user's key.
struct Keys {
    version: Version,
    cipher: Aes,
    l: Block,
    top: Aes,
    bottom: Aes,
    /// TM, the mask of the tag. Version 2 has none and takes tau.
    tm: Block,
}

impl Keys {
    fn new(version: Version, key: &[u8]) -> Keys {
        let k = |i: usize| Aes::new(key).e(integer(i));
        Keys {
            version,
            cipher: Aes::new(&k(0)),
            l: k(1),
            top: Aes::new(&k(2)),
            bottom: Aes::new(&k(if version == V1 { 3 } else { 2 })),
            tm: k(4),
        }
    }

    fn e(&self, x: Block) -> Block {
        self.cipher.e(x)
    }

    fn d(&self, y: Block) -> Block {
        self.cipher.d(y)
    }

    fn ft(&self, x: Block) -> Block {
        self.top.e(x)
    }

    fn fb(&self, y: Block) -> Block {
        self.bottom.e(y)
    }

    /// tau, from the header: the associated data, then the nonce.
    fn header(&self, nonce: &[u8], ad: &[u8]) -> Block {
        let header = [ad, nonce].concat();
        match self.version {
            V1 => self.header_v1(&header),
            V2 => self.header_v2(&header),
        }
    }

    fn header_v1(&self, header: &[u8]) -> Block {
        let header = blocks(header);
        let (last, before) = header.split_last().expect("a nonce is not empty");
        let mut m = self.l;
        let mut t = ZERO;
        for h_i in before {
            t = xor([t, self.e(xor([block(h_i), m]))]);
            m = gdbl(m);
        }
        let m3 = xor([gdbl(m), m]);
        let m5 = xor([gdbl(gdbl(m)), m]);
        let m = if last.len() == 16 { m3 } else { m5 };
        self.e(xor([t, ozp(last), m]))
    }

    fn header_v2(&self, header: &[u8]) -> Block {
        let (full, rest) = header.split_at(header.len() / 16 * 16);
        let mut m = self.l;
        // The block of parameters is zero where there are no intermediate tags.
        let parameters = ZERO;
        let mut t = self.e(xor([m, parameters]));
        m = gdbl(m);
        for h_i in blocks(full) {
            t = xor([t, self.e(xor([block(h_i), m]))]);
            m = gdbl(m);
        }
        t = xor([t, self.e(xor([pad10(rest), m]))]);
        self.e(t)
    }

    /// X and Y before the first block.
    fn start(&self, tau: Block) -> (Block, Block) {
        let (x, mut y) = (tau, tau);
        if self.version == V2 {
            y[15] ^= 1;
        }
        (x, y)
    }

    /// S, the encrypted length of the message. The length is in bits, little-endian.
    fn s(&self, msg_len: usize) -> Block {
        let mut length = ZERO;
        length[..8].copy_from_slice(&(8 * msg_len as u64).to_le_bytes());
        self.e(length)
    }

    /// F, of which the tag's second part is taken.
    fn finish(&self, x: Block, y: Block, tau: Block) -> Block {
        match self.version {
            V1 => {
                let x = xor([self.ft(x), tau, self.tm]);
                xor([self.e(x), self.fb(y), self.tm])
            }
            V2 => {
                let x = xor([self.ft(x), tau]);
                xor([self.e(x), self.fb(y), tau])
            }
        }
    }
}

/// Ciphertext and tag. Panics if key or nonce have not 16 bytes.
pub fn seal(version: Version, key: &[u8], nonce: &[u8], ad: &[u8], msg: &[u8]) -> (Vec<u8>, Vec<u8>) {
    assert!(key.len() == 16 && nonce.len() == 16);
    let keys = Keys::new(version, key);
    let tau = keys.header(nonce, ad);
    let s = keys.s(msg.len());
    let (mut x, mut y) = keys.start(tau);
    let m = blocks_at_least_one(msg);
    let (last, before) = m.split_last().expect("there is a last block");
    let mut ct = Vec::new();
    for m_i in before {
        x = xor([keys.ft(x), block(m_i)]);
        let z = keys.e(x);
        ct.extend(xor([z, keys.fb(y)]));
        y = z;
    }
    let r = last.len();
    let p = block(&[last, &tau[..16 - r]].concat());
    x = xor([keys.ft(x), p, s]);
    let z = keys.e(x);
    let w = xor([z, keys.fb(y), s]);
    y = z;
    ct.extend(&w[..r]);
    let f = keys.finish(x, y, tau);
    (ct, [&w[r..], &f[..r]].concat())
}

/// The message, or nothing for a forgery.
fn open(version: Version, key: &[u8], nonce: &[u8], ad: &[u8], ct: &[u8], tag: &[u8]) -> Option<Vec<u8>> {
    if key.len() != 16 || nonce.len() != 16 || tag.len() != 16 {
        return None;
    }
    let keys = Keys::new(version, key);
    let tau = keys.header(nonce, ad);
    let s = keys.s(ct.len());
    let (mut x, mut y) = keys.start(tau);
    let c = blocks_at_least_one(ct);
    let (last, before) = c.split_last().expect("there is a last block");
    let mut msg = Vec::new();
    for c_i in before {
        let z = xor([keys.fb(y), block(c_i)]);
        let w = keys.d(z);
        msg.extend(xor([w, keys.ft(x)]));
        (x, y) = (w, z);
    }
    let r = last.len();
    let (tag1, tag2) = tag.split_at(16 - r);
    let z = xor([keys.fb(y), s, block(&[last, tag1].concat())]);
    let w = keys.d(z);
    let p = xor([w, keys.ft(x), s]);
    (x, y) = (w, z);
    msg.extend(&p[..r]);
    let f = keys.finish(x, y, tau);
    (p[r..] == tau[..16 - r] && f[..r] == *tag2).then_some(msg)
}

#[test]
fn known_answers_of_v1() {
    super::check("aes128poetv1aes128", |k, n, a, m| seal(V1, k, n, a, m), |k, n, a, c, t| open(V1, k, n, a, c, t));
}

#[test]
fn known_answers_of_v2() {
    super::check("aes128poetv2aes128", |k, n, a, m| seal(V2, k, n, a, m), |k, n, a, c, t| open(V2, k, n, a, c, t));
}

#[test]
fn strings_of_any_length_are_refused() {
    for version in [V1, V2] {
        for len in 0..70 {
            for tag_len in [0, 1, 15, 16, 17, 32] {
                assert_eq!(open(version, &[1; 16], &[2; 16], b"data", &vec![7; len], &vec![9; tag_len]), None);
            }
        }
    }
}
