//! RustCrypto's EAX.

use super::rustcrypto::implementation;
use crate::subjects::implementation::Implementation;
use crate::subjects::scheme::Scheme;
use aes::{Aes128, Aes256};
use eax::Eax;

const NAME: &str = "eax 0.6.1";

pub(super) fn implementations() -> [Implementation; 2] {
    [
        implementation::<Eax<Aes128>>(Scheme::of("eax"), 128, NAME),
        implementation::<Eax<Aes256>>(Scheme::of("eax"), 256, NAME),
    ]
}
