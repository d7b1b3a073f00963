//! Records that are sealed again and again by machines that share nothing but a key, where nobody
//! can promise that no nonce repeats: GCM-SIV with random nonces, and SIV without any, whose
//! tokens a database can look up.
//!
//!     cargo run --release -p combseal --example records

use combseal::{Aead, Algorithm, Error, Key};

/// A record with its nonce before it and the tag behind. A nonce that comes twice shows whether
/// the two records are equal, and no more (RFC 8452).
fn seal(key: &Key, nonce: &[u8; 12], name: &[u8], record: &[u8]) -> Result<Vec<u8>, Error> {
    let mut out = nonce.to_vec();
    out.extend(key.seal(nonce, name, record)?);
    Ok(out)
}

fn open(key: &Key, name: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
    let (nonce, sealed) = sealed.split_first_chunk::<12>().ok_or(Error::BufferLength)?;
    key.open(nonce, name, sealed)
}

fn main() -> Result<(), Error> {
    let key = Key::new(Algorithm::GcmSivAes256, &[7; 32])?;
    // Of the operating system's generator, as a rule. A virtual machine that was copied while it
    // ran may give the same again.
    let nonce = [5; 12];
    let first = seal(&key, &nonce, b"customers/17", b"Ada Lovelace")?;
    let second = seal(&key, &nonce, b"customers/17", b"Ada King")?;
    assert_eq!(open(&key, b"customers/17", &first)?, b"Ada Lovelace");
    assert_eq!(open(&key, b"customers/17", &second)?, b"Ada King");
    // The name is authenticated: a record does not open in another's place.
    assert_eq!(open(&key, b"customers/18", &first), Err(Error::Forged));

    // The same value has the same token, so that it can be looked up and joined on; so whoever sees
    // the tokens sees which are equal, and how often each occurs (RFC 5297, 2.6).
    let mut tokens = Key::new(Algorithm::SivAes128, &[9; 32])?;
    tokens.set_nonce_len(0)?;
    let token = tokens.seal(b"", b"customers.name", b"Ada Lovelace")?;
    assert_eq!(token, tokens.seal(b"", b"customers.name", b"Ada Lovelace")?);
    assert_ne!(token, tokens.seal(b"", b"suppliers.name", b"Ada Lovelace")?);
    assert_eq!(tokens.open(b"", b"customers.name", &token)?, b"Ada Lovelace");
    println!("two records under one nonce, and a token of {} bytes", token.len());
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
