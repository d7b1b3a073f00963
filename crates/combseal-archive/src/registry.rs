//! Every scheme of the archive by name, and its key by value: a scheme is a file of
//! `schemes/` and a line here.

use crate::about::About;
use crate::archived::{Archived, Job, Work, wipe};
use crate::models::runs_on;
use crate::schemes::*;
use combseal::internals::InOut;
use combseal::internals::lockstep::LaneKeys;
use combseal::internals::plan::MAX_LANES;
use combseal::{Cpu, Error};

macro_rules! registry {
    ($($variant:ident = $key:ty,)*) => {
        /// A scheme of the archive, with its version and size of key.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Scheme {
            $(
                #[doc = concat!("`", stringify!($variant), "`: [`about`](Self::about) has its name, source and status.")]
                $variant,
            )*
        }

        impl Scheme {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// What is known of it.
            pub fn about(self) -> &'static About {
                match self { $(Self::$variant => <$key as Archived>::ABOUT,)* }
            }

            /// How many bytes sealing adds to a message of `len` bytes.
            pub fn tail_len(self, len: usize) -> usize {
                match self { $(Self::$variant => <$key as Archived>::tail_len(len),)* }
            }

            /// Bytes in a key's context.
            pub fn context_len(self) -> usize {
                match self { $(Self::$variant => size_of::<$key>(),)* }
            }

            /// Whether its messages go side by side in a [`Batch`](crate::Batch): the scheme
            /// is serial, and gains by it.
            pub fn is_serial(self) -> bool {
                match self { $(Self::$variant => <$key as Archived>::SERIAL,)* }
            }
        }

        /// What a [`Key`] holds.
        enum Held {
            $($variant(Box<$key>),)*
        }

        impl Held {
            fn new(scheme: Scheme, cpu: Cpu, key: &[u8]) -> Self {
                match scheme { $(Scheme::$variant => Self::$variant(Box::new(<$key as Archived>::build(cpu, key))),)* }
            }

            // Inlined, as all that it calls: see `Archived::seal`.
            #[inline(always)]
            fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
                match self { $(Self::$variant(key) => key.seal(nonce, ad, io, tail),)* }
            }

            #[inline(always)]
            fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
                match self { $(Self::$variant(key) => key.open(nonce, ad, io, tail),)* }
            }

            fn group(&self, jobs: &[(&Key, &Job<'_>)], open: bool, lane_keys: &mut LaneKeys) {
                match self {
                    $(Self::$variant(first) => {
                        let mut group: [Work<'_, '_, $key>; MAX_LANES] =
                            [Work { key: &**first, job: jobs[0].1 }; MAX_LANES];
                        for (to, (from, job)) in group.iter_mut().zip(jobs) {
                            let Self::$variant(key) = &from.held else {
                                unreachable!("a group has jobs of one scheme")
                            };
                            *to = Work { key: &**key, job: *job };
                        }
                        <$key as Archived>::group(&group[..jobs.len()], open, lane_keys);
                    })*
                }
            }
        }
    };
}

registry! {
    ClocV1 = cloc::Cloc<1, 12>,
    ClocV1Nonce8 = cloc::Cloc<1, 8>,
    ClocV3 = cloc::Cloc<3, 12>,
    SilcV1 = silc::Silc<1, 12>,
    SilcV1Nonce8 = silc::Silc<1, 8>,
    SilcV3 = silc::Silc<3, 12>,
    Jambu = jambu::Jambu,
    OtrParallelV1 = otr::Otr<1, false>,
    OtrParallelV2 = otr::Otr<2, false>,
    OtrParallelV3 = otr::Otr<3, false>,
    OtrSerialV1 = otr::Otr<1, true>,
    OtrSerialV2 = otr::Otr<2, true>,
    OtrSerialV3 = otr::Otr<3, true>,
    CbcHmac = etm::CbcHmac,
    CopaV1 = copa::Copa<1>,
    CopaV2 = copa::Copa<2>,
    Colm0 = colm::Colm<0>,
    Colm127 = colm::Colm<1>,
    Colm127Mask3L = colm::Colm<2>,
    DeoxysII128 = deoxys_ii::DeoxysII,
    PoetV1 = poet::V1,
    PoetV2 = poet::V2,
    CwcAes128 = cwc::Cwc<combseal::Aes128>,
    CwcAes256 = cwc::Cwc<combseal::Aes256>,
    Julius = julius::Julius<false>,
    JuliusAsCoded = julius::Julius<true>,
    McoeD = mcoe::Mcoe<mcoe::D>,
    McoeG = mcoe::Mcoe<mcoe::G<false>>,
    McoeGBothMasks = mcoe::Mcoe<mcoe::G<true>>,
    McoeX = mcoe::Mcoe<mcoe::X>,
    Ocb1 = ocb1::Ocb1,
    Ocb2 = ocb2::Ocb2,
}

impl Scheme {
    /// The scheme of that name, upper or lower case.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|scheme| scheme.about().name.eq_ignore_ascii_case(name))
    }

    /// Whether it takes a nonce, associated data and a message of so many bytes.
    ///
    /// # Errors
    /// [`Error::NonceLength`], [`Error::MessageTooLong`], [`Error::AdTooLong`].
    pub fn check(self, nonce: usize, ad: u64, message: u64) -> Result<(), Error> {
        let about = self.about();
        if nonce != about.nonce_len {
            Err(Error::NonceLength)
        } else if message > about.longest {
            Err(Error::MessageTooLong)
        } else if ad > about.longest_ad {
            Err(Error::AdTooLong)
        } else {
            Ok(())
        }
    }
}

/// A key of any scheme of the archive.
///
/// A sealed message is the message's bytes, enciphered, and a tail: the tag, and what else the
/// scheme adds. Lengths are in bytes.
pub struct Key {
    scheme: Scheme,
    cpu: Cpu,
    held: Held,
}

impl Key {
    /// Expands `key` for the best tier of this machine.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn new(scheme: Scheme, key: &[u8]) -> Result<Self, Error> {
        Self::build(Cpu::detect(), scheme, key)
    }

    /// Expands `key` for the tier `cpu`: a real one, or with the feature `models` any.
    ///
    /// # Errors
    /// [`Error::KeyLength`]; [`Error::Unsupported`] where [`runs_on`] says no.
    pub fn build(cpu: Cpu, scheme: Scheme, key: &[u8]) -> Result<Self, Error> {
        if !runs_on(cpu) {
            return Err(Error::Unsupported);
        }
        if key.len() != scheme.about().key_len {
            return Err(Error::KeyLength);
        }
        Ok(Self { scheme, cpu, held: Held::new(scheme, cpu, key) })
    }

    /// The scheme.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The CPU tier that this key works on.
    pub fn cpu(&self) -> Cpu {
        self.cpu
    }

    /// How long a message of `len` bytes is once it is sealed; `usize::MAX` if that is no length.
    pub fn sealed_len(&self, len: usize) -> usize {
        len.saturating_add(self.scheme.tail_len(len))
    }

    /// Whether the scheme takes these lengths.
    pub(crate) fn check(&self, nonce: &[u8], ad: &[u8], len: usize, tail: usize) -> Result<(), Error> {
        self.scheme.check(nonce.len(), ad.len() as u64, len as u64)?;
        if tail == self.scheme.tail_len(len) { Ok(()) } else { Err(Error::TagLength) }
    }

    /// Seals `buf` in place; what sealing adds is written to `tail`.
    ///
    /// # Errors
    /// [`Error::NonceLength`], [`Error::MessageTooLong`], [`Error::AdTooLong`];
    /// [`Error::TagLength`] if `tail` is not as long as [`Scheme::tail_len`] says. Nothing was
    /// touched then.
    pub fn seal_in_place(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tail: &mut [u8]) -> Result<(), Error> {
        self.check(nonce, ad, buf.len(), tail.len())?;
        self.held.seal(nonce, ad, InOut::in_place(buf), tail);
        Ok(())
    }

    /// Opens `buf` in place.
    ///
    /// # Errors
    /// [`Error::Forged`], and `buf` is zero; those of [`seal_in_place`](Self::seal_in_place),
    /// and it is as it was.
    pub fn open_in_place(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tail: &[u8]) -> Result<(), Error> {
        self.check(nonce, ad, buf.len(), tail.len())?;
        self.opened(nonce, ad, InOut::in_place(buf), tail)
    }

    /// Seals `message` into a new vector.
    ///
    /// # Errors
    /// As [`seal_in_place`](Self::seal_in_place).
    pub fn seal(&self, nonce: &[u8], ad: &[u8], message: &[u8]) -> Result<Vec<u8>, Error> {
        let tail = self.scheme.tail_len(message.len());
        self.check(nonce, ad, message.len(), tail)?;
        let mut out = vec![0; message.len() + tail];
        let (body, tail) = out.split_at_mut(message.len());
        let io = InOut::separate(message, body).ok_or(Error::BufferLength)?;
        self.held.seal(nonce, ad, io, tail);
        Ok(out)
    }

    /// Opens a sealed message of `len` bytes into a new vector. (Not every scheme's sealed
    /// messages tell how long the message was.)
    ///
    /// # Errors
    /// As [`open_in_place`](Self::open_in_place); [`Error::BufferLength`] if no message of
    /// `len` bytes is sealed to as many bytes.
    pub fn open(&self, nonce: &[u8], ad: &[u8], sealed: &[u8], len: usize) -> Result<Vec<u8>, Error> {
        if len > sealed.len() || self.sealed_len(len) != sealed.len() {
            return Err(Error::BufferLength);
        }
        let (body, tail) = sealed.split_at(len);
        self.check(nonce, ad, len, tail.len())?;
        let mut out = vec![0; len];
        let io = InOut::separate(body, &mut out).ok_or(Error::BufferLength)?;
        self.opened(nonce, ad, io, tail)?;
        Ok(out)
    }

    #[inline(always)]
    fn opened(&self, nonce: &[u8], ad: &[u8], mut io: InOut<'_>, tail: &[u8]) -> Result<(), Error> {
        if self.held.open(nonce, ad, io.reborrow(), tail) {
            return Ok(());
        }
        wipe(io);
        Err(Error::Forged)
    }

    /// Does jobs of this key's scheme, tier and one direction side by side: at most 16, none
    /// with more blocks than the one before it.
    pub(crate) fn group(&self, jobs: &[(&Key, &Job<'_>)], open: bool, lane_keys: &mut LaneKeys) {
        self.held.group(jobs, open, lane_keys);
    }
}
