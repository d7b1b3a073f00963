//! COLM: COLM0, and COLM127 with its intermediate tags.
//!
//! Source: Elena Andreeva, Andrey Bogdanov, Nilanjan Datta, Atul Luykx, Bart Mennink, Mridul Nandi, Elmar Tischhauser
//! and Kan Yasuda, COLM v1, submission to CAESAR, 2016: COPA and ELmD merged.
//!
//! Status: not broken below the birthday bound, more than which it does not claim. In the final portfolio of CAESAR for
//! defence in depth, as the second choice after Deoxys-II. Forged in practical time when unverified plaintext is
//! released (Nilanjan Datta, Atul Luykx, Bart Mennink and Mridul Nandi, "Understanding RUP Integrity of COLM", ToSC
//! 2017). There are two COLM127: SUPERCOP's reference code, whose checksum is the published one, starts the masks of
//! associated data at 2*3L, one doubling later than COLM0; its code for AES-NI starts at 3L as COLM0 does, but writes
//! intermediate tags in another place and fails the checksum.
//!
//! Kept for: what became of COPA, and how a mode of two AES calls a block compares with it and with Deoxys-II.
//!
//! Names as in the text: L = E(0); W is what rho carries from block to block; `u` and `v` are the masks above and
//! below. The field is in the bit order of `dbl`.

use super::{Aes, Block, ZERO, block, blocks, blocks_at_least_one, dbl, ozp, pad10, sevenfold, triple, xor};

pub struct Colm {
    /// What stands behind the nonce in the first block.
    param: [u8; 8],
    /// The masks of the associated data start at 2*3L, not at 3L.
    late_mask: bool,
    /// Intermediate tags: one after so many blocks, and never more than so many.
    intermediate: Option<(usize, usize)>,
}

pub const COLM0: Colm = Colm { param: [0; 8], late_mask: false, intermediate: None };
/// As SUPERCOP's reference code has it.
pub const COLM127: Colm =
    Colm { param: [0x00, 0x7f, 0x80, 0, 0, 0, 0, 0], late_mask: true, intermediate: Some((127, 32)) };
/// With COLM0's first mask.
pub const COLM127_MASK_3L: Colm = Colm { late_mask: false, ..COLM127 };

/// What goes from block to block of a message.
struct Layers<'a> {
    aes: &'a Aes,
    w: Block,
    cs: Block,
    u: Block,
    v: Block,
}

impl Layers<'_> {
    /// The masks of the next block.
    fn double(&mut self) {
        self.u = dbl(self.u);
        self.v = dbl(self.v);
    }

    /// The masks of the last block: 7 times those before it, 7*7 times if it is incomplete.
    fn last_masks(&mut self, complete: bool) {
        for _ in 0..if complete { 1 } else { 2 } {
            self.u = sevenfold(self.u);
            self.v = sevenfold(self.v);
        }
    }

    fn seal_block(&mut self, m: Block) -> Block {
        let x = self.aes.e(xor([m, self.u]));
        // rho
        let y = xor([x, triple(self.w)]);
        self.w = xor([x, dbl(self.w)]);
        xor([self.aes.e(y), self.v])
    }

    fn open_block(&mut self, c: Block) -> Block {
        let y = self.aes.d(xor([c, self.v]));
        // rho's inverse
        let x = xor([y, triple(self.w)]);
        self.w = xor([y, self.w]);
        xor([self.aes.d(x), self.u])
    }

    /// The tag after the blocks so far; it changes nothing but the mask below.
    fn intermediate_tag(&mut self) -> Block {
        self.v = dbl(self.v);
        xor([self.aes.e(self.w), self.v])
    }
}

impl Colm {
    /// The state before the first block, from nonce and associated data.
    fn start<'a>(&self, aes: &'a Aes, nonce: &[u8], ad: &[u8]) -> Layers<'a> {
        let l = aes.e(ZERO);
        let mut m = if self.late_mask { dbl(triple(l)) } else { triple(l) };
        let first = block(&[nonce, &self.param[..]].concat());
        let mut w = aes.e(xor([first, m]));
        for a_i in blocks(ad) {
            m = if a_i.len() == 16 { dbl(m) } else { sevenfold(m) };
            w = xor([w, aes.e(xor([ozp(a_i), m]))]);
        }
        Layers { aes, w, cs: ZERO, u: l, v: triple(triple(l)) }
    }

    /// Whether an intermediate tag follows block i, counted from 1, which is not the last one.
    fn tag_follows(&self, i: usize) -> bool {
        self.intermediate.is_some_and(|(interval, most)| i.is_multiple_of(interval) && i / interval <= most)
    }

    /// The number of intermediate tags of a message.
    fn intermediate_tags(&self, msg_len: usize) -> usize {
        let blocks_before_last = msg_len.div_ceil(16).max(1) - 1;
        self.intermediate.map_or(0, |(interval, most)| (blocks_before_last / interval).min(most))
    }

    /// The message's length of an output's, if any message has such an output.
    fn msg_len(&self, output_len: usize) -> Option<usize> {
        let most = self.intermediate.map_or(0, |(_, most)| most);
        (0..=most).find_map(|tags| {
            let msg_len = output_len.checked_sub(16 + 16 * tags)?;
            (self.intermediate_tags(msg_len) == tags).then_some(msg_len)
        })
    }

    /// 16 bytes more than the message, and 16 for each intermediate tag. Panics if the key has not 16 bytes or the
    /// nonce not 8.
    pub fn seal(&self, key: &[u8], nonce: &[u8], ad: &[u8], msg: &[u8]) -> Vec<u8> {
        assert!(key.len() == 16 && nonce.len() == 8);
        let aes = Aes::new(key);
        let mut layers = self.start(&aes, nonce, ad);
        let m = blocks_at_least_one(msg);
        let (last, before) = m.split_last().expect("there is a last block");
        let mut output = Vec::new();
        for (i, m_i) in before.iter().enumerate() {
            layers.cs = xor([layers.cs, block(m_i)]);
            layers.double();
            output.extend(layers.seal_block(block(m_i)));
            if self.tag_follows(i + 1) {
                output.extend(layers.intermediate_tag());
            }
        }
        // The checksum of all blocks takes the place of the last one.
        layers.cs = xor([layers.cs, ozp(last)]);
        layers.last_masks(last.len() == 16);
        output.extend(layers.seal_block(layers.cs));
        layers.double();
        let t = layers.seal_block(layers.cs);
        output.extend(&t[..last.len()]);
        output
    }

    /// The message, or nothing for a forgery.
    fn open(&self, key: &[u8], nonce: &[u8], ad: &[u8], ct: &[u8]) -> Option<Vec<u8>> {
        if key.len() != 16 || nonce.len() != 8 {
            return None;
        }
        let msg_len = self.msg_len(ct.len())?;
        let last = msg_len.div_ceil(16).max(1);
        let last_len = msg_len - 16 * (last - 1);
        let aes = Aes::new(key);
        let mut layers = self.start(&aes, nonce, ad);
        let mut msg = Vec::new();
        let mut ct = ct;
        let mut true_tags = true;
        for i in 1..last {
            let (c_i, behind) = ct.split_at(16);
            ct = behind;
            layers.double();
            let m_i = layers.open_block(block(c_i));
            layers.cs = xor([layers.cs, m_i]);
            msg.extend(m_i);
            if self.tag_follows(i) {
                let (t_i, behind) = ct.split_at(16);
                ct = behind;
                true_tags &= t_i == layers.intermediate_tag();
            }
        }
        let (c, t_sent) = ct.split_at(16);
        layers.last_masks(last_len == 16);
        let cs = layers.open_block(block(c));
        let m = xor([cs, layers.cs]);
        layers.double();
        let t = layers.seal_block(cs);
        let true_padding = last_len == 16 || m == pad10(&m[..last_len]);
        msg.extend(&m[..last_len]);
        (true_tags && true_padding && t[..last_len] == *t_sent).then_some(msg)
    }
}

fn check(file: &str, colm: Colm) {
    super::check_whole(file, |k, n, a, m| colm.seal(k, n, a, m), |k, n, a, c| colm.open(k, n, a, c));
}

#[test]
fn known_answers_of_colm0() {
    check("colm0v1", COLM0);
}

#[test]
fn known_answers_of_colm127() {
    check("colm127v1", COLM127);
}

#[test]
fn known_answers_of_colm127_with_the_first_mask_3l() {
    check("colm127v1_mask3L", COLM127_MASK_3L);
}

/// The known answers have at most a few intermediate tags.
#[test]
fn no_more_than_32_intermediate_tags() {
    for (blocks, tags) in [(127, 0), (128, 1), (32 * 127, 31), (32 * 127 + 1, 32), (33 * 127 + 1, 32)] {
        let msg = vec![5; 16 * blocks];
        let ct = COLM127.seal(&[1; 16], &[2; 8], b"data", &msg);
        assert_eq!(ct.len(), msg.len() + 16 + 16 * tags);
        assert_eq!(COLM127.open(&[1; 16], &[2; 8], b"data", &ct), Some(msg));
    }
}

/// Every intermediate tag is looked at, the last of them too.
#[test]
fn a_forged_intermediate_tag_is_refused() {
    let ct = COLM127.seal(&[1; 16], &[2; 8], b"data", &[5; 16 * 2 * 127 + 9]);
    for tag_at in [16 * 127, 16 * (2 * 127 + 1)] {
        for i in tag_at..tag_at + 16 {
            let mut forged = ct.clone();
            forged[i] ^= 4;
            assert_eq!(COLM127.open(&[1; 16], &[2; 8], b"data", &forged), None);
        }
    }
}

#[test]
fn strings_of_any_length_are_refused() {
    // About the first two places of an intermediate tag, too, where some lengths belong to no message.
    for len in (0..100).chain(16 * 126..16 * 131).chain(16 * 254..16 * 260) {
        for colm in [COLM0, COLM127, COLM127_MASK_3L] {
            assert_eq!(colm.open(&[1; 16], &[2; 8], b"data", &vec![7; len]), None);
        }
    }
}
