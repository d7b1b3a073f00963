//! AES-128-OTR versions 1, 2 and 3, each with parallel and with serial associated data: nonces of 1 to 15 bytes, 16-byte
//! tag. A two-round Feistel cipher over pairs of blocks; AES is only ever run forwards.
//!
//! Source: Minematsu, "Parallelizable rate-1 authenticated encryption from pseudorandom functions", EUROCRYPT 2014; the
//! same author's AES-OTR in the CAESAR competition. Version 1 is round 1 (2014) and the paper's mode with associated
//! data, version 2 is round 2 (2015), version 3 is round 3 (2016; 3.1 is the same function).
//! Status: a third-round candidate of CAESAR that was not chosen. Bost and Sanders (ASIACRYPT 2016) found that the masks
//! of versions 1 and 2 collide in many fields, which gives forgeries there; the designer's proof is for particular
//! fields. Version 3 changed the masks.
//! Kept for: "Comb to Pipeline" (Bogdanov, Lauridsen and Tischhauser, 2014), which measures it, and as the mode with
//! OCB's structure that needs no inverse of the block cipher.
//!
//! Blocks are big-endian integers in GF(2^128).

use super::*;

/// Which version; they differ in the format of the nonce and in the masks.
#[derive(Clone, Copy, PartialEq)]
pub enum Version {
    V1,
    V2,
    V3,
}

/// How the associated data is processed.
#[derive(Clone, Copy, PartialEq)]
pub enum Ad {
    Parallel,
    Serial,
}

/// TA from associated data; zero if there is none.
fn associated(aes: &Aes, version: Version, kind: Ad, ad: &[u8]) -> Block {
    if ad.is_empty() {
        return ZERO;
    }
    let q = aes.e(ZERO);
    let a = blocks(ad);
    let (last, before) = a.split_last().unwrap();
    let full = last.len() == 16;
    match (kind, version) {
        // CMAC, but with the constants of a full and of a short last block swapped.
        (Ad::Serial, _) => {
            let mut c = ZERO;
            for a_i in before {
                c = aes.e(xor([c, block(a_i)]));
            }
            aes.e(xor([c, ozp(last), if full { quadruple(q) } else { dbl(q) }]))
        }
        (Ad::Parallel, Version::V1 | Version::V2) => {
            let (mut mask, mut s) = (quadruple(q), ZERO);
            for a_i in before {
                s = xor([s, aes.e(xor([mask, block(a_i)]))]);
                mask = dbl(mask);
            }
            aes.e(xor([s, ozp(last), mask, if full { dbl(q) } else { q }]))
        }
        (Ad::Parallel, Version::V3) => {
            let (mut mask, mut s) = (q, ZERO);
            for a_i in before {
                s = xor([s, aes.e(xor([mask, block(a_i)]))]);
                mask = dbl(mask);
            }
            aes.e(xor([s, ozp(last), if full { triple(triple(mask)) } else { triple(mask) }]))
        }
    }
}

/// d from the nonce, and from TA if the associated data is serial.
fn delta(aes: &Aes, version: Version, kind: Ad, nonce: &[u8], ta: Block) -> Block {
    let formatted = match version {
        Version::V1 => ozp(nonce),
        // The first 7 bits are the tag's length in bits modulo 128: zero.
        Version::V2 | Version::V3 => right_aligned(&[&[0x01], nonce].concat()),
    };
    let mut d = aes.e(formatted);
    if kind == Ad::Serial {
        d = xor([d, ta]);
        if version == Version::V3 {
            d = dbl(d);
        }
    }
    d
}

/// The masks F and G of the first and of the second Feistel round, chunk by chunk.
struct Masks {
    version: Version,
    d: Block,
    f: Block,
    g: Block,
}

impl Masks {
    fn first(version: Version, d: Block) -> Masks {
        match version {
            Version::V1 | Version::V2 => Masks { version, d, f: quadruple(d), g: xor([quadruple(d), d]) },
            Version::V3 => Masks { version, d, f: d, g: triple(d) },
        }
    }

    fn next(&self) -> Masks {
        let Masks { version, d, f, g } = *self;
        match version {
            Version::V1 | Version::V2 => Masks { version, d, f: dbl(f), g: xor([dbl(f), d]) },
            Version::V3 => Masks { version, d, f: xor([f, g]), g: dbl(g) },
        }
    }
}

/// TE from the checksum S and the mask La of the last chunk. `full`: no block of the message is short, and there is one.
fn checksum_tag(aes: &Aes, version: Version, d: Block, s: Block, la: Block, full: bool) -> Block {
    match version {
        Version::V1 | Version::V2 => aes.e(xor([s, triple(la), if full { d } else { ZERO }])),
        Version::V3 => aes.e(xor([s, if full { sevenfold(la) } else { triple(triple(la)) }])),
    }
}

/// The message in chunks of 32 bytes and a last one of 1 to 32, or of 0 if the message is empty.
fn chunks(x: &[u8]) -> (Vec<&[u8]>, &[u8]) {
    let mut chunks: Vec<&[u8]> = x.chunks(32).collect();
    let last = chunks.pop().unwrap_or(&[]);
    (chunks, last)
}

/// Gives ciphertext and TE.
fn encrypt(aes: &Aes, version: Version, d: Block, msg: &[u8]) -> (Vec<u8>, Block) {
    let (before, last) = chunks(msg);
    let mut masks = Masks::first(version, d);
    let (mut s, mut ct) = (ZERO, Vec::new());
    for chunk in before {
        let (x, y) = (block(&chunk[..16]), block(&chunk[16..]));
        let c_0 = xor([aes.e(xor([masks.f, x])), y]);
        let c_1 = xor([aes.e(xor([masks.g, c_0])), x]);
        ct.extend([c_0, c_1].concat());
        s = xor([s, y]);
        masks = masks.next();
    }
    let la;
    if last.len() <= 16 {
        let z = aes.e(masks.f);
        ct.extend(xor_bytes(last, &z));
        s = xor([s, ozp(last)]);
        la = masks.f;
    } else {
        // The two halves of the output are swapped against those of the other chunks.
        let (x, y) = (block(&last[..16]), &last[16..]);
        let z = aes.e(xor([masks.f, x]));
        let c_1 = xor_bytes(y, &z);
        let w = ozp(&c_1);
        let c_0 = xor([aes.e(xor([masks.g, w])), x]);
        ct.extend(c_0);
        ct.extend(c_1);
        s = xor([s, w, z]);
        la = masks.g;
    }
    let full = last.len() == 16 || last.len() == 32;
    (ct, checksum_tag(aes, version, d, s, la, full))
}

/// Gives the message and TE.
fn decrypt(aes: &Aes, version: Version, d: Block, ct: &[u8]) -> (Vec<u8>, Block) {
    let (before, last) = chunks(ct);
    let mut masks = Masks::first(version, d);
    let (mut s, mut msg) = (ZERO, Vec::new());
    for chunk in before {
        let (c_0, c_1) = (block(&chunk[..16]), block(&chunk[16..]));
        let x = xor([aes.e(xor([masks.g, c_0])), c_1]);
        let y = xor([aes.e(xor([masks.f, x])), c_0]);
        msg.extend([x, y].concat());
        s = xor([s, y]);
        masks = masks.next();
    }
    let la;
    if last.len() <= 16 {
        let z = aes.e(masks.f);
        let m = xor_bytes(last, &z);
        s = xor([s, ozp(&m)]);
        msg.extend(m);
        la = masks.f;
    } else {
        let (c_0, c_1) = (block(&last[..16]), &last[16..]);
        let w = ozp(c_1);
        let x = xor([aes.e(xor([masks.g, w])), c_0]);
        let z = aes.e(xor([masks.f, x]));
        msg.extend(x);
        msg.extend(xor_bytes(c_1, &z));
        s = xor([s, w, z]);
        la = masks.g;
    }
    let full = last.len() == 16 || last.len() == 32;
    (msg, checksum_tag(aes, version, d, s, la, full))
}

/// The tag from TE and TA.
fn tag(kind: Ad, te: Block, ta: Block) -> Block {
    match kind {
        Ad::Parallel => xor([te, ta]),
        Ad::Serial => te,
    }
}

/// Gives ciphertext and tag. Panics if the key does not have 16 bytes or the nonce not 1 to 15.
pub fn seal(version: Version, kind: Ad, key: &[u8], nonce: &[u8], ad: &[u8], msg: &[u8]) -> (Vec<u8>, Vec<u8>) {
    assert!(key.len() == 16 && (1..=15).contains(&nonce.len()));
    let aes = Aes::new(key);
    let ta = associated(&aes, version, kind, ad);
    let d = delta(&aes, version, kind, nonce, ta);
    let (ct, te) = encrypt(&aes, version, d, msg);
    (ct, tag(kind, te, ta).to_vec())
}

/// Gives the message, or nothing for a forgery.
pub fn open(
    version: Version,
    kind: Ad,
    key: &[u8],
    nonce: &[u8],
    ad: &[u8],
    ct: &[u8],
    received: &[u8],
) -> Option<Vec<u8>> {
    if key.len() != 16 || !(1..=15).contains(&nonce.len()) {
        return None;
    }
    let aes = Aes::new(key);
    let ta = associated(&aes, version, kind, ad);
    let d = delta(&aes, version, kind, nonce, ta);
    let (msg, te) = decrypt(&aes, version, d, ct);
    (received == tag(kind, te, ta)).then_some(msg)
}

fn known_answers(file: &str, version: Version, kind: Ad) {
    check(
        file,
        |key, nonce, ad, msg| seal(version, kind, key, nonce, ad, msg),
        |key, nonce, ad, ct, tag| open(version, kind, key, nonce, ad, ct, tag),
    );
}

#[test]
fn known_answers_parallel() {
    known_answers("aes128otrpv1", Version::V1, Ad::Parallel);
    known_answers("aes128otrpv2", Version::V2, Ad::Parallel);
    known_answers("aes128otrpv3", Version::V3, Ad::Parallel);
}

#[test]
fn known_answers_serial() {
    known_answers("aes128otrsv1", Version::V1, Ad::Serial);
    known_answers("aes128otrsv2", Version::V2, Ad::Serial);
    known_answers("aes128otrsv3", Version::V3, Ad::Serial);
}
