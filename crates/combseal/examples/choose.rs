//! A scheme that is chosen while the program runs, by a name from a configuration or a protocol.
//!
//!     cargo run --release -p combseal --example choose -- aes-256-gcm

use combseal::{Aead, Algorithm, Error, Key};

fn main() -> Result<(), Error> {
    let name = std::env::args().nth(1);
    seal_with(name.as_deref().unwrap_or("OCB3-AES-128"))
}

fn seal_with(name: &str) -> Result<(), Error> {
    // As it is called here, or as people and other libraries call it; an error names none.
    let algorithm: Algorithm = name.parse()?;
    let about = algorithm.description();
    println!("{algorithm}: keys of {} bytes, nonces of {:?}", about.key_len, about.nonce_lens);
    println!("a nonce that repeats gives away: {}", about.repeated_nonce);

    // Of the operating system's generator, or of a key derivation.
    let bytes = vec![7; algorithm.key_len()];
    let key = Key::new(algorithm, &bytes)?;
    // Never twice under one key: `Sealer` counts them.
    let nonce = vec![1; key.nonce_len()];
    let sealed = key.seal(&nonce, b"header", b"message")?;
    assert_eq!(sealed.len(), b"message".len() + key.tag_len());
    assert_eq!(key.open(&nonce, b"header", &sealed)?, b"message");
    println!("sealed on the tier {}", key.cpu().name());
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    assert_eq!(seal_with("rot13"), Err(Error::UnknownName));
    for &algorithm in Algorithm::ALL {
        seal_with(algorithm.name())?;
    }
    Ok(())
}
