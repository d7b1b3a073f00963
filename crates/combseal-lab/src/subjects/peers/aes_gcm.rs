//! RustCrypto's GCM, which runs counter mode and GHASH as two passes over the message.

use super::rustcrypto::implementation;
use crate::subjects::implementation::Implementation;
use crate::subjects::scheme::Scheme;
use aes_gcm::{Aes128Gcm, Aes256Gcm};

const NAME: &str = "aes-gcm 0.11.1";

pub(super) fn implementations() -> [Implementation; 2] {
    [
        implementation::<Aes128Gcm>(Scheme::of("gcm"), 128, NAME),
        implementation::<Aes256Gcm>(Scheme::of("gcm"), 256, NAME),
    ]
}
