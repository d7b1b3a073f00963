//! RustCrypto's GCM-SIV.

use super::rustcrypto::implementation;
use crate::subjects::implementation::Implementation;
use crate::subjects::scheme::Scheme;
use aes_gcm_siv::{Aes128GcmSiv, Aes256GcmSiv};

const NAME: &str = "aes-gcm-siv 0.12.1";

pub(super) fn implementations() -> [Implementation; 2] {
    [
        implementation::<Aes128GcmSiv>(Scheme::of("gcm-siv"), 128, NAME),
        implementation::<Aes256GcmSiv>(Scheme::of("gcm-siv"), 256, NAME),
    ]
}
