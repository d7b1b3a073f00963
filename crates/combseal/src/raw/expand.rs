//! The key schedule by itself, as a kernel, and the keys of raw modes, which are round keys and
//! nothing more.

use crate::cpu::{Aes, Backend, Kernel};

/// The key schedule alone.
pub(crate) struct Expand<'a, A: Aes> {
    pub key: &'a [u8],
    pub enc: &'a mut A::Enc,
}
impl<A: Aes> Kernel for Expand<'_, A> {
    type Out = ();
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        b.expand::<A>(self.key, self.enc);
    }
}

/// The round keys of the inverse cipher.
pub(crate) struct Invert<'a, A: Aes> {
    pub enc: &'a A::Enc,
    pub dec: &'a mut A::Dec,
}
impl<A: Aes> Kernel for Invert<'_, A> {
    type Out = ();
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        b.invert::<A>(self.enc, self.dec);
    }
}

/// Declares a raw mode's key type: the round keys of the cipher or, with `both ways`, those of
/// its inverse too.
macro_rules! raw_key {
    ($(#[$doc:meta])* $name:ident) => {
        crate::raw::expand::raw_key!(@ $(#[$doc])* $name { enc });
        impl<A: crate::cpu::Aes> $name<A> {
            fn expanded(cpu: crate::cpu::Cpu, key: &[u8]) -> Self {
                crate::memory::blank::filled(|it: &mut Self| {
                    it.cpu = cpu;
                    cpu.run(crate::raw::expand::Expand::<A> { key, enc: &mut it.enc });
                })
            }
        }
    };
    ($(#[$doc:meta])* $name:ident both ways) => {
        crate::raw::expand::raw_key!(@ $(#[$doc])* $name { enc, dec: Dec });
        impl<A: crate::cpu::Aes> $name<A> {
            fn expanded(cpu: crate::cpu::Cpu, key: &[u8]) -> Self {
                crate::memory::blank::filled(|it: &mut Self| {
                    it.cpu = cpu;
                    cpu.run(crate::raw::expand::Expand::<A> { key, enc: &mut it.enc });
                    cpu.run(crate::raw::expand::Invert::<A> { enc: &it.enc, dec: &mut it.dec });
                })
            }
        }
    };
    (@ $(#[$doc:meta])* $name:ident { enc $(, $dec:ident: $schedule:ident)? }) => {
        $(#[$doc])*
        // Aligned, and the inverse's round keys before the cipher's, so that none is read across two cache lines.
        #[repr(C, align(16))]
        pub struct $name<A: crate::cpu::Aes> {
            $($dec: A::$schedule,)?
            enc: A::Enc,
            cpu: crate::cpu::Cpu,
        }
        crate::memory::blank::secret!($name<A: Aes> { $($dec,)? enc, cpu });

        impl<A: crate::cpu::Aes> $name<A> {
            /// Expands `key` for the best tier of this machine.
            pub fn new(key: &A::Key) -> Self {
                Self::expanded(crate::cpu::Cpu::detect(), key.as_ref())
            }

            /// Expands `key`, of 16, 24 or 32 bytes as `A` has it, for the tier `cpu`.
            ///
            /// # Errors
            /// [`Error::KeyLength`](crate::Error::KeyLength).
            pub fn build(cpu: crate::cpu::Cpu, key: &[u8]) -> Result<Self, crate::interface::error::Error> {
                if key.len() != A::KEY_LEN {
                    return Err(crate::interface::error::Error::KeyLength);
                }
                Ok(Self::expanded(cpu, key))
            }

            /// The CPU tier that this key works on.
            pub fn cpu(&self) -> crate::cpu::Cpu {
                self.cpu
            }
        }
    };
}
pub(crate) use raw_key;
