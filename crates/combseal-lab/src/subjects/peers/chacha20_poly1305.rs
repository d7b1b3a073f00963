//! RustCrypto's ChaCha20-Poly1305, and its variant with long nonces.

use super::rustcrypto::implementation;
use crate::subjects::implementation::Implementation;
use crate::subjects::scheme::Scheme;
use chacha20poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};

const NAME: &str = "chacha20poly1305 0.11.0";

pub(super) fn implementations() -> [Implementation; 2] {
    [
        implementation::<ChaCha20Poly1305>(Scheme::of("chacha20-poly1305"), 256, NAME),
        implementation::<XChaCha20Poly1305>(Scheme::of("xchacha20-poly1305"), 256, NAME),
    ]
}
