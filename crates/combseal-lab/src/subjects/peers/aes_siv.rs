//! RustCrypto's SIV. Its key type holds the key's bytes alone, so each message expands them anew.

use super::rustcrypto::implementation;
use crate::subjects::implementation::Implementation;
use crate::subjects::scheme::Scheme;
use aes_siv::{Aes128SivAead, Aes256SivAead};

const NAME: &str = "aes-siv 0.8.0";

pub(super) fn implementations() -> [Implementation; 2] {
    [
        implementation::<Aes128SivAead>(Scheme::of("siv"), 128, NAME),
        implementation::<Aes256SivAead>(Scheme::of("siv"), 256, NAME),
    ]
}
