//! Calls the doors of the library once. Without this the compiler would make no code for some kernels, or the linker
//! would not keep it. Not called, and so not read, are pieces of an OCB3 message over threads (feature `rayon`),
//! Poly1305 by itself (`internals`), and of `hazmat` CBC, CFB, OFB, CBC-MAC and ThetaCB3.

use combseal::cpu::Aes;
use combseal::hazmat::{ChaCha20, Cmac, Ctr, Ecb, Message, OpenUnverified};
use combseal::{
    Aead, Aes128, Aes192, Aes256, Algorithm, Columns, Cpu, Error, Key, NonceCounter, Nonces, Opener, SealParts, Sealer,
    Values,
};
use std::hint::black_box;

/// Calls every scheme.
///
/// # Errors
/// None, unless a scheme refuses lengths that it should take.
pub fn open_all() -> Result<(), Error> {
    let bytes = black_box([0; 64]);
    for &algorithm in Algorithm::ALL {
        let build = || Key::new(algorithm, &bytes[..algorithm.key_len()]);
        let key = build()?;
        let (nonce, mut buf) = (&bytes[..algorithm.nonce_len()], black_box([0; 32]));
        let tag = key.seal_in_place(nonce, b"", &mut buf)?;
        key.open_in_place(nonce, b"", &mut buf, tag.as_bytes())?;
        parts(&key, nonce)?;
        let counter = NonceCounter::new(&nonce[8..])?;
        let (nonce, tag) = Sealer::new(build()?, counter)?.seal_in_place(b"", &mut buf)?;
        columns(&key)?;
        Opener::new(key).open_in_place(nonce.as_ref(), b"", &mut buf, tag.as_bytes())?;
    }
    let mut blocks = black_box([[0; 64]; 2]);
    ChaCha20::build(black_box(Cpu::detect()), &bytes[..32])?.blocks(&[[0; 16]; 2], &mut blocks)?;
    black_box(blocks);
    hazmat::<Aes128>(&bytes)?;
    hazmat::<Aes192>(&bytes)?;
    hazmat::<Aes256>(&bytes)
}

/// A message in parts, where the scheme has such.
fn parts(key: &Key, nonce: &[u8]) -> Result<(), Error> {
    let (message, mut sealed, mut opened) = (black_box([0; 100]), [0; 200], [0; 200]);
    let mut it = match SealParts::new(key, nonce, b"") {
        Err(Error::Unsupported) => return Ok(()),
        it => it?,
    };
    let n = it.update(&message, &mut sealed)?;
    let (last, tag) = it.finish(&mut sealed[n..])?;
    let mut it = OpenUnverified::new(key, nonce, b"")?;
    let m = it.update(&sealed[..n + last], &mut opened)?;
    it.finish(tag.as_bytes(), &mut opened[m..])?;
    Ok(())
}

/// A column, of deterministic values where the scheme has such.
fn columns(key: &Key) -> Result<(), Error> {
    let (values, columns) = (black_box([0; 32]), Columns::new(key).ad(b"column"));
    let values = Values::fixed(&values, 16)?;
    let (mut sealed, mut opened, mut authentic) = ([0; 96], [0; 32], [0]);
    let sealed = &mut sealed[..columns.sealed_len(&values)?];
    let prefix = &[0; 24][..key.nonce_len() - 8];
    let mut counter = NonceCounter::new(prefix)?;
    let has_none = key.algorithm().description().tag_first;
    let nonces = if has_none { Nonces::none() } else { Nonces::counted(&mut counter) };
    let first = columns.seal(&values, nonces, sealed)?;
    let nonces = if has_none { Nonces::none() } else { Nonces::counted_from(prefix, first)? };
    columns.open(&Values::fixed(sealed, sealed.len() / 2)?, nonces, &mut opened, &mut authentic)
}

/// The modes that [`Key`] does not have.
fn hazmat<A: Aes>(bytes: &[u8]) -> Result<(), Error> {
    let key = &bytes[..A::KEY_LEN];
    let ctr = Ctr::<A>::build(black_box(Cpu::detect()), key)?;
    ctr.apply(&[0; 16], &mut black_box([0; 32]));
    Ctr::apply_many(&mut [Message::new(&ctr, &[0; 16], &mut black_box([0; 32]))]);
    let ecb = Ecb::<A>::build(black_box(Cpu::detect()), key)?;
    ecb.encrypt(&mut black_box([0; 32]))?;
    ecb.decrypt(&mut black_box([0; 32]))?;
    let _ = black_box(Cmac::<A>::build(black_box(Cpu::detect()), key, 16)?.tag(b""));
    Ok(())
}
