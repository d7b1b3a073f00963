//! Calls every door of the library once. Without this the compiler would make no code for some
//! kernels, or the linker would not keep it.

use combseal::cpu::Aes;
use combseal::hazmat::{Cmac, Ctr, Ecb};
use combseal::{Aead, Aes128, Aes192, Aes256, Algorithm, Cpu, Error, Key, NonceCounter, Opener, Sealer};
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
        let counter = NonceCounter::new(&nonce[8..])?;
        let (nonce, tag) = Sealer::new(build()?, counter)?.seal_in_place(b"", &mut buf)?;
        Opener::new(key).open_in_place(nonce.as_ref(), b"", &mut buf, tag.as_bytes())?;
    }
    hazmat::<Aes128>(&bytes)?;
    hazmat::<Aes192>(&bytes)?;
    hazmat::<Aes256>(&bytes)
}

/// The modes that [`Key`] does not have.
fn hazmat<A: Aes>(bytes: &[u8]) -> Result<(), Error> {
    let key = &bytes[..A::KEY_LEN];
    Ctr::<A>::build(black_box(Cpu::detect()), key)?.apply(&[0; 16], &mut black_box([0; 32]));
    let ecb = Ecb::<A>::build(black_box(Cpu::detect()), key)?;
    ecb.encrypt(&mut black_box([0; 32]))?;
    ecb.decrypt(&mut black_box([0; 32]))?;
    let _ = black_box(Cmac::<A>::build(black_box(Cpu::detect()), key, 16)?.tag(b""));
    Ok(())
}
