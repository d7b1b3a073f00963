//! OpenPGP's encrypted data (RFC 9580, 5.13.2): chunks under an AEAD of the message's own choice,
//! nonces of its length, each a prefix and the chunk's number, and a last tag over nothing that
//! says how much there was.
//!
//!     cargo run --release -p combseal --example openpgp

use combseal::{Aead, Algorithm, Error, Key, Nonce, NonceCounter, Sealer};

/// An AEAD's number in OpenPGP (RFC 9580, 9.6) with AES-128, and the length of its nonces.
const AEADS: [(u8, Algorithm, usize); 3] =
    [(1, Algorithm::EaxAes128, 16), (2, Algorithm::Ocb3Aes128, 15), (3, Algorithm::GcmAes128, 12)];

/// What the session key gives by HKDF: the message's key, and what its nonces begin with.
struct Derived {
    key: Key,
    prefix: Vec<u8>,
    /// What every chunk is authenticated with: packet and version, cipher, AEAD, chunks' length.
    header: [u8; 5],
    /// Bytes in a chunk but the last one.
    chunk: usize,
}

impl Derived {
    fn new(aead: u8, key: &[u8; 16], prefix: &[u8], chunk_size: u8) -> Result<Self, Error> {
        let Some(&(number, algorithm, nonce_len)) = AEADS.iter().find(|it| it.0 == aead) else {
            return Err(Error::UnknownName);
        };
        let mut key = Key::new(algorithm, key)?;
        key.set_nonce_len(nonce_len)?;
        // Tag 18 with the new format's bits; version 2; AES-128.
        let header = [0xd2, 2, 7, number, chunk_size];
        Ok(Self { key, prefix: prefix.to_vec(), header, chunk: 1 << (chunk_size + 6) })
    }

    /// The last tag's associated data: the header, and the plaintext's length.
    fn end(&self, len: usize) -> Vec<u8> {
        [&self.header[..], &(len as u64).to_be_bytes()].concat()
    }

    fn seal(&self, plaintext: &[u8]) -> Result<Vec<u8>, Error> {
        let mut sealer = Sealer::new(&self.key, NonceCounter::new(&self.prefix)?)?;
        let mut out = Vec::new();
        for chunk in plaintext.chunks(self.chunk) {
            let mut buf = chunk.to_vec();
            sealer.seal_buffer(&self.header, &mut buf)?;
            out.append(&mut buf);
        }
        let (_, tag) = sealer.seal_in_place(&self.end(plaintext.len()), &mut [])?;
        out.extend_from_slice(tag.as_bytes());
        Ok(out)
    }

    /// All of the plaintext or nothing.
    fn open(&self, sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let tag_len = self.key.tag_len();
        let Some(end) = sealed.len().checked_sub(tag_len) else { return Err(Error::BufferLength) };
        let (chunks, last) = sealed.split_at(end);
        let (mut out, mut number) = (Vec::new(), 0);
        for chunk in chunks.chunks(self.chunk + tag_len) {
            let nonce = Nonce::counted(&self.prefix, number)?;
            out.append(&mut self.key.open(&nonce, &self.header, chunk)?);
            number += 1;
        }
        let nonce = Nonce::counted(&self.prefix, number)?;
        self.key.open_in_place(&nonce, &self.end(out.len()), &mut [], last)?;
        Ok(out)
    }
}

fn main() -> Result<(), Error> {
    let plaintext: Vec<u8> = (0..10_000u32).map(|i| i as u8).collect();
    for (number, algorithm, nonce_len) in AEADS {
        // Chunks of 2^(6 + 6) = 4,096 bytes.
        let prefix = vec![3; nonce_len - 8];
        let message = Derived::new(number, &[7; 16], &prefix, 6)?;
        let sealed = message.seal(&plaintext)?;
        assert_eq!(sealed.len(), plaintext.len() + 4 * 16);
        assert_eq!(message.open(&sealed)?, plaintext);
        // A chunk that is missing, at the end too, and one that was changed.
        for damaged in
            [&sealed[4112..], &sealed[..2 * 4112], &[&sealed[..2 * 4112], &sealed[sealed.len() - 16..]].concat()]
        {
            assert_eq!(message.open(damaged), Err(Error::Forged));
        }
        println!("{algorithm}: {} bytes in chunks, nonces of {nonce_len}", plaintext.len());
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
