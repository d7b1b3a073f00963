//! One file a mode: its kernels, generic over the backend, and its key type.

pub mod aegis;
#[cfg(feature = "alloc")]
pub mod cbc;
#[cfg(feature = "alloc")]
pub mod cbc_mac;
pub mod ccm;
#[cfg(feature = "alloc")]
pub mod cfb;
pub mod chacha20_poly1305;
mod chain;
pub mod cmac;
pub mod ctr;
pub mod eax;
pub mod gcm;
pub mod gcm_siv;
#[cfg(feature = "alloc")]
pub(crate) mod many;
pub mod ocb3;
#[cfg(feature = "alloc")]
pub mod ofb;
#[cfg(feature = "alloc")]
pub(crate) mod plain;
pub(crate) mod polyval;
#[cfg(feature = "alloc")]
pub(crate) mod row;
pub mod siv;
#[cfg(feature = "alloc")]
pub(crate) mod strands;
#[cfg(feature = "alloc")]
pub(crate) mod walk;

/// What every keyed type has besides its scheme: a `Debug` that shows nothing
/// of the key, and a `Drop` that wipes the fields named.
macro_rules! secret {
    ($name:ident<$a:ident>, $($field:ident),+) => {
        impl<$a: crate::cpu::Aes> Drop for $name<$a> {
            fn drop(&mut self) {
                $(crate::wipe::Wipe::wipe(&mut self.$field);)+
            }
        }
        impl<$a: crate::cpu::Aes> core::fmt::Debug for $name<$a> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).field("aes", &$a::NAME).finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use secret;
