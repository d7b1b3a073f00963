//! Calls every door of the library once, so that the compiler makes code for
//! each kernel and the linker keeps it.

use combseal::cpu::Aes;
use combseal::hazmat::Ctr;
use combseal::{Aead, Aes128, Aes192, Aes256, Cpu, Error, NonceCounter, Ocb3, Opener, Sealer};
use combseal::{Aegis128, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4};
use std::hint::black_box;

/// A scheme with one size of key.
macro_rules! one {
    ($($x:ident $key_len:literal;)*) => {$(
        aead(|| $x::build(black_box(Cpu::detect()), &black_box([0; $key_len]), 16))?;
    )*};
}

/// Every scheme.
///
/// # Errors
/// None, unless a scheme refuses lengths that it should take.
pub fn open_all() -> Result<(), Error> {
    by_aes::<Aes128>()?;
    by_aes::<Aes192>()?;
    by_aes::<Aes256>()?;
    one! {
        Aegis128 16; Aegis128L 16; Aegis128X2 16; Aegis128X4 16;
        Aegis256 32; Aegis256X2 32; Aegis256X4 32;
    }
    Ok(())
}

/// The schemes over the AES of size `A`.
fn by_aes<A: Aes>() -> Result<(), Error> {
    let key = &black_box([0; 64])[..A::KEY_LEN];
    aead(|| Ocb3::<A>::build(black_box(Cpu::detect()), key, 16))?;
    Ctr::<A>::build(black_box(Cpu::detect()), key)?.apply(&[0; 16], &mut black_box([0; 32]));
    Ok(())
}

/// A scheme: sealing and opening, alone and by a sender and a receiver.
fn aead<A: Aead>(build: impl Fn() -> Result<A, Error>) -> Result<(), Error> {
    let key = build()?;
    let (nonce, mut buf) = (vec![0; key.nonce_len()], black_box([0; 32]));
    let tag = key.seal_in_place(&nonce, b"", &mut buf)?;
    key.open_in_place(&nonce, b"", &mut buf, &tag)?;
    let (nonce, tag) = Sealer::new(build()?, NonceCounter::new(b"")?)?.seal_in_place(b"", &mut buf)?;
    Opener::new(key).open_in_place(nonce.as_ref(), b"", &mut buf, &tag)
}
