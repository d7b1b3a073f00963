//! RustCrypto's CCM, with a 16-byte tag and a 12-byte nonce.

use super::rustcrypto::implementation;
use crate::subjects::implementation::Implementation;
use crate::subjects::scheme::Scheme;
use aes::{Aes128, Aes256};
use ccm::Ccm;
use ccm::consts::{U12, U16};

const NAME: &str = "ccm 0.6.1";

pub(super) fn implementations() -> [Implementation; 2] {
    [
        implementation::<Ccm<Aes128, U16, U12>>(Scheme::of("ccm"), 128, NAME),
        implementation::<Ccm<Aes256, U16, U12>>(Scheme::of("ccm"), 256, NAME),
    ]
}
