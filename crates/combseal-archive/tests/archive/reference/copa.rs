//! AES-COPA, versions 1 and 2.
//!
//! Source: Elena Andreeva, Andrey Bogdanov, Atul Luykx, Bart Mennink, Elmar Tischhauser and Kan Yasuda,
//! "Parallelizable and Authenticated Online Ciphers", ASIACRYPT 2013; AES-COPA v1 (2014) and v2 (2015), submissions to
//! CAESAR. Where the text leaves something open, as the reference codes in SUPERCOP have it.
//!
//! Status: superseded. XLS, with which v1 treats a short last block, is no strong pseudorandom permutation (Mridul
//! Nandi, ASIACRYPT 2014), and v1 is forged with about 2^(n/3) queries (Nandi, ePrint 2015/444); v2 pads instead. Both
//! have almost universal forgeries at about the birthday bound, against the claim of full security (Jiqiang Lu, ASIACCS
//! 2017), and forgeries when unverified plaintext is released (Andreeva et al., ASIACRYPT 2014). In the second round of
//! CAESAR; then merged with ELmD to COLM.
//!
//! Kept for: one of the modes for repeated nonces that Bogdanov, Lauridsen and Tischhauser measured in 2014, parallel
//! and with two AES calls a block, to which they compare POET under the comb; and to see what COLM changed.
//!
//! Names as in the text: L = E(0); V stands for nonce and associated data; `s` is what links the two layers of block
//! cipher calls, `up` and `down` are their masks. The field is in the bit order of `dbl`.

use super::{Aes, Block, ZERO, block, blocks, dbl, pad10, sevenfold, triple, xor};

/// V, from associated data and nonce: PMAC of both, one string.
fn associated(aes: &Aes, nonce: &[u8], ad: &[u8]) -> Block {
    let x = [ad, nonce].concat();
    let x = blocks(&x);
    let (last, before) = x.split_last().expect("a nonce is not empty");
    let mut d = triple(triple(triple(aes.e(ZERO))));
    let mut v = ZERO;
    for x_i in before {
        v = xor([v, aes.e(xor([block(x_i), d]))]);
        d = dbl(d);
    }
    if last.len() == 16 {
        aes.e(xor([v, triple(d), block(last)]))
    } else {
        aes.e(xor([v, triple(triple(d)), pad10(last)]))
    }
}

/// What goes from block to block of a message.
struct Layers<'a> {
    aes: &'a Aes,
    s: Block,
    sigma: Block,
    up: Block,
    down: Block,
}

impl Layers<'_> {
    /// Before the first block.
    fn new(aes: &Aes, v: Block) -> Layers<'_> {
        let l = aes.e(ZERO);
        Layers { aes, s: xor([l, v]), sigma: ZERO, up: triple(l), down: dbl(l) }
    }

    /// The masks of the next block.
    fn double(&mut self) {
        self.up = dbl(self.up);
        self.down = dbl(self.down);
    }

    fn seal_block(&mut self, m: Block) -> Block {
        self.sigma = xor([self.sigma, m]);
        self.s = xor([self.aes.e(xor([m, self.up])), self.s]);
        xor([self.aes.e(self.s), self.down])
    }

    fn open_block(&mut self, c: Block) -> Block {
        let s = self.aes.d(xor([c, self.down]));
        let m = xor([self.aes.d(xor([s, self.s])), self.up]);
        self.sigma = xor([self.sigma, m]);
        self.s = s;
        m
    }

    /// Whole blocks.
    fn seal_blocks(&mut self, m: &[u8]) -> Vec<u8> {
        let mut c = Vec::new();
        for (i, m_i) in blocks(m).into_iter().enumerate() {
            if i > 0 {
                self.double();
            }
            c.extend(self.seal_block(block(m_i)));
        }
        c
    }

    /// Whole blocks.
    fn open_blocks(&mut self, c: &[u8]) -> Vec<u8> {
        let mut m = Vec::new();
        for (i, c_i) in blocks(c).into_iter().enumerate() {
            if i > 0 {
                self.double();
            }
            m.extend(self.open_block(block(c_i)));
        }
        m
    }
}

/// E( E(x) ^ S ), the tag before its mask.
fn tag(aes: &Aes, x: Block, s: Block) -> Block {
    aes.e(xor([aes.e(x), s]))
}

/// Version 1.
pub mod v1 {
    use super::*;

    /// The message and 16 bytes more. Panics if key or nonce have not 16 bytes.
    pub fn seal(key: &[u8], nonce: &[u8], ad: &[u8], msg: &[u8]) -> Vec<u8> {
        assert!(key.len() == 16 && nonce.len() == 16);
        let aes = Aes::new(key);
        let v = associated(&aes, nonce, ad);
        if msg.len() < 16 {
            return seal_short(&aes, v, msg);
        }
        let (full, rest) = msg.split_at(msg.len() / 16 * 16);
        let mut layers = Layers::new(&aes, v);
        let mut output = layers.seal_blocks(full);
        let d1 = d1(&aes, full.len() / 16);
        let t = tag_of_full_blocks(&layers, d1);
        if rest.is_empty() {
            output.extend(t);
        } else {
            output.extend(xls(|x| aes.e(x), d1, &[rest, &t[..]].concat()));
        }
        output
    }

    /// The message, or nothing for a forgery.
    pub fn open(key: &[u8], nonce: &[u8], ad: &[u8], ct: &[u8]) -> Option<Vec<u8>> {
        if key.len() != 16 || nonce.len() != 16 || ct.len() < 16 {
            return None;
        }
        let aes = Aes::new(key);
        let v = associated(&aes, nonce, ad);
        let msg_len = ct.len() - 16;
        if msg_len < 16 {
            return open_short(&aes, v, ct);
        }
        let (full, end) = ct.split_at(msg_len / 16 * 16);
        let mut layers = Layers::new(&aes, v);
        let mut msg = layers.open_blocks(full);
        let d1 = d1(&aes, full.len() / 16);
        let end = if end.len() == 16 { end.to_vec() } else { xls(|x| aes.d(x), d1, end) };
        let (rest, t) = end.split_at(end.len() - 16);
        msg.extend(rest);
        (t == tag_of_full_blocks(&layers, d1)).then_some(msg)
    }

    /// D1 = 2^(m-1) L, where m is the number of full blocks, at least 1.
    fn d1(aes: &Aes, m: usize) -> Block {
        let mut d1 = aes.e(ZERO);
        for _ in 1..m {
            d1 = dbl(d1);
        }
        d1
    }

    fn tag_of_full_blocks(layers: &Layers, d1: Block) -> Block {
        let t = tag(layers.aes, xor([layers.sigma, triple(triple(d1))]), layers.s);
        xor([t, sevenfold(d1)])
    }

    /// XLS (Ristenpart and Rogaway, FSE 2007) of a string of 16 + s bytes, 0 < s < 16. With the cipher's decryption
    /// for `e` it is its own inverse.
    fn xls(e: impl Fn(Block) -> Block, d1: Block, string: &[u8]) -> Vec<u8> {
        let s = string.len() - 16;
        let w1 = sevenfold(sevenfold(d1));
        let w2 = triple(w1);
        let masked = |string: &mut Vec<u8>, w: Block| {
            let b = xor([e(xor([block(&string[..16]), w])), w]);
            string[..16].copy_from_slice(&b);
        };
        let mut string = string.to_vec();
        masked(&mut string, w2);
        mix(&mut string, s);
        string[16 - s] ^= 0x80;
        masked(&mut string, w1);
        string[16 - s] ^= 0x80;
        mix(&mut string, s);
        masked(&mut string, w2);
        string
    }

    /// Mixes the last two strings of s bytes: both get their sum, rotated to the left by one bit, added.
    fn mix(string: &mut [u8], s: usize) {
        let (x, y) = string[16 - s..].split_at_mut(s);
        let sum: Vec<u8> = (0..s).map(|i| x[i] ^ y[i]).collect();
        for i in 0..s {
            let r = sum[i] << 1 | sum[(i + 1) % s] >> 7;
            x[i] ^= r;
            y[i] ^= r;
        }
    }

    /// The mask of messages under 16 bytes: 3^6 L.
    fn q(aes: &Aes) -> Block {
        let mut q = aes.e(ZERO);
        for _ in 0..6 {
            q = triple(q);
        }
        q
    }

    /// Tag splitting, for a message under 16 bytes: its padding takes a part of the tag's place.
    fn seal_short(aes: &Aes, v: Block, msg: &[u8]) -> Vec<u8> {
        let q = q(aes);
        let p = pad10(msg);
        let s = xor([aes.e(xor([p, triple(q)])), q, v]);
        let c = xor([aes.e(s), dbl(q)]);
        let t = xor([tag(aes, xor([p, triple(triple(q))]), s), sevenfold(q)]);
        [&c[..], &t[..msg.len()]].concat()
    }

    fn open_short(aes: &Aes, v: Block, ct: &[u8]) -> Option<Vec<u8>> {
        let q = q(aes);
        let (c, t_sent) = ct.split_at(16);
        let msg_len = t_sent.len();
        let s = aes.d(xor([block(c), dbl(q)]));
        let p = xor([aes.d(xor([s, v, q])), triple(q)]);
        let t = xor([tag(aes, xor([p, triple(triple(q))]), s), sevenfold(q)]);
        let msg = &p[..msg_len];
        (p == pad10(msg) && t[..msg_len] == *t_sent).then(|| msg.to_vec())
    }
}

/// Version 2.
pub mod v2 {
    use super::*;

    /// Whole blocks, the tag, and a byte that says whether the last block was padded. Panics if key or nonce have not
    /// 16 bytes.
    pub fn seal(key: &[u8], nonce: &[u8], ad: &[u8], msg: &[u8]) -> Vec<u8> {
        assert!(key.len() == 16 && nonce.len() == 16);
        let aes = Aes::new(key);
        let mut layers = Layers::new(&aes, associated(&aes, nonce, ad));
        let (full, rest) = msg.split_at(msg.len() / 16 * 16);
        let padded = msg.is_empty() || !rest.is_empty();
        let mut output = layers.seal_blocks(full);
        if padded {
            masks_of_padded_block(&mut layers, full);
            output.extend(layers.seal_block(pad10(rest)));
        }
        output.extend(tag_of_all_blocks(&layers));
        output.push(padded as u8);
        output
    }

    /// The message, or nothing for a forgery.
    pub fn open(key: &[u8], nonce: &[u8], ad: &[u8], ct: &[u8]) -> Option<Vec<u8>> {
        // At least a block, the tag and the flag.
        if key.len() != 16 || nonce.len() != 16 || ct.len() < 33 || ct.len() % 16 != 1 {
            return None;
        }
        let (c, end) = ct.split_at(ct.len() - 17);
        let (t, flag) = end.split_at(16);
        let padded = match flag {
            [0] => false,
            [1] => true,
            _ => return None,
        };
        let aes = Aes::new(key);
        let mut layers = Layers::new(&aes, associated(&aes, nonce, ad));
        let (full, last) = c.split_at(if padded { c.len() - 16 } else { c.len() });
        let mut msg = layers.open_blocks(full);
        if padded {
            masks_of_padded_block(&mut layers, full);
            let p = layers.open_block(block(last));
            // The last byte that is not zero has to be the padding's 0x80.
            let rest_len = p.iter().rposition(|&byte| byte != 0)?;
            if p[rest_len] != 0x80 {
                return None;
            }
            msg.extend(&p[..rest_len]);
        }
        (t == tag_of_all_blocks(&layers)).then_some(msg)
    }

    /// One doubling if there were full blocks before; the upper mask times 7 in any case.
    fn masks_of_padded_block(layers: &mut Layers, full: &[u8]) {
        if !full.is_empty() {
            layers.double();
        }
        layers.up = sevenfold(layers.up);
    }

    fn tag_of_all_blocks(layers: &Layers) -> Block {
        let t = tag(layers.aes, xor([layers.sigma, triple(layers.up)]), layers.s);
        xor([t, sevenfold(layers.down)])
    }
}

#[test]
fn known_answers_of_v1() {
    super::check_whole("aescopav1", v1::seal, v1::open);
}

#[test]
fn known_answers_of_v2() {
    super::check_whole("aescopav2", v2::seal, v2::open);
}

#[test]
fn strings_of_any_length_are_refused() {
    for len in 0..100 {
        for end in [0, 1, 2] {
            let mut ct = vec![7; len];
            ct.extend([end]);
            assert_eq!(v1::open(&[1; 16], &[2; 16], b"data", &ct), None);
            assert_eq!(v2::open(&[1; 16], &[2; 16], b"data", &ct), None);
        }
    }
    assert_eq!(v1::open(&[1; 16], &[2; 16], b"data", b""), None);
    assert_eq!(v2::open(&[1; 16], &[2; 16], b"data", b""), None);
}
