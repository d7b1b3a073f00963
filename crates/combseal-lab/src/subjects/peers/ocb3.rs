//! RustCrypto's OCB3, which calls the cipher for one block after another.

use super::rustcrypto::implementation;
use crate::subjects::implementation::Implementation;
use crate::subjects::scheme::Scheme;
use aes::{Aes128, Aes256};
use ocb3::Ocb3;

const NAME: &str = "ocb3 0.2.0";

pub(super) fn implementations() -> [Implementation; 2] {
    [
        implementation::<Ocb3<Aes128>>(Scheme::of("ocb3"), 128, NAME),
        implementation::<Ocb3<Aes256>>(Scheme::of("ocb3"), 256, NAME),
    ]
}
