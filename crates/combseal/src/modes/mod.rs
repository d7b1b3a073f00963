//! One file a mode: its kernels, generic over the backend, and its key type.

pub mod ctr;
pub mod gcm;
pub mod gcm_siv;
pub mod ocb3;
pub(crate) mod polyval;

/// What every keyed type has besides its scheme: a `Debug` that shows nothing
/// of the key, and a `Drop` that wipes the fields named.
macro_rules! secret {
    ($name:ident<$a:ident>, $($field:ident),+) => {
        impl<$a: crate::cpu::Aes> Drop for $name<$a> {
            fn drop(&mut self) {
                $(zeroize::Zeroize::zeroize(&mut self.$field);)+
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
