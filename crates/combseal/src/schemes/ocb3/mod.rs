//! OCB3: RFC 7253; Krovetz and Rogaway, "The Design and Evolution of OCB"
//! (2021), Fig. 1; and the form of FSE 2011.
//!
//! Here are the description, the constructors and the doors; `key` is the struct, `masks` what
//! offsets are made of, `nonce` makes the first offset. The `kernel`s go over a message in a
//! `walk`: by the `group`, then to the end in one `pass` (`seal`, `open`; `edge` has what is
//! less than a register), and `hash` associated data. `threads` takes one long message in
//! `piece`s over several threads, `parts` one that comes so; `theta` is the slow reference.

#[cfg(feature = "alloc")]
mod column;
mod edge;
mod group;
mod hash;
mod kernel;
mod key;
mod masks;
mod nonce;
mod open;
mod parts;
mod pass;
#[cfg(feature = "rayon")]
mod piece;
mod seal;
pub mod theta;
#[cfg(feature = "rayon")]
mod threads;
mod walk;

pub use key::Ocb3;
pub use nonce::Cache;

use crate::cpu::{Aes, Backend, Block, Cpu, Enc, InOut, Kernel, ReturnedBlock};
use crate::interface::aead::Aead;
use crate::interface::description::{Description, Limits, RepeatedNonce};
use crate::interface::error::Error;
use crate::interface::parts::Progress;
use crate::interface::scheme::{self, Keyed, Parted, Raw, Relaxed, Scheme, Settings};
use crate::memory::wipe::Wipe;
#[cfg(feature = "alloc")]
use crate::pipeline::column::{Column, Nonce, Source, Takes};
#[cfg(feature = "alloc")]
use crate::pipeline::holds::Holds;
#[cfg(feature = "alloc")]
use crate::pipeline::jobs::Many;
#[cfg(feature = "alloc")]
use crate::pipeline::run::Run;
#[cfg(feature = "alloc")]
use core::marker::PhantomData;
use kernel::Message;
use key::Material;

impl<A: Aes> Ocb3<A> {
    scheme::constructors! {
        new A::Key, "16 (`Aes128`), 24 (`Aes192`) or 32 (`Aes256`)";
        tags "8 to 16";
        nonces "6 to 15; 15 in OpenPGP (RFC 9580), say";
    }

    /// With tags of 1 to 7 bytes too. A tag of `t` bits is guessed once in `2^t` tries,
    /// so keep count of forgeries and change the key.
    ///
    /// # Errors
    /// [`Error::KeyLength`]; [`Error::TagLength`] unless `tag_len` is 1 to 16.
    pub fn hazmat_build_short_tag(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Self, Error> {
        scheme::build_short_tag(cpu, key, tag_len)
    }

    /// The form of Krovetz and Rogaway (FSE 2011), Fig. 3: the tag's length is
    /// not in the nonce block, so that a short tag is a cut-off long one, and **who has a
    /// long tag has the shorter ones of the same message**. With 16-byte tags it is
    /// RFC 7253. For test vectors and old data only; under one key, use one tag length.
    ///
    /// # Errors
    /// As [`hazmat_build_short_tag`](Self::hazmat_build_short_tag).
    pub fn hazmat_build_fse2011(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Self, Error> {
        let mut it = Self::hazmat_build_short_tag(cpu, key, tag_len)?;
        it.relax(Relaxed::Fse2011)?;
        Ok(it)
    }

    /// Lets [`set_nonce_len`](Self::set_nonce_len) take fewer than 6 bytes too, down to
    /// none. **The empty nonce breaks the mode** (Liénardy and Lafitte, "A weakness in OCB3
    /// used with short nonces allowing for a break of authenticity and confidentiality",
    /// 2023): with 16-byte tags, and in the form of FSE 2011 with any, its Ktop is E(0), and for
    /// one key in four the tag of the empty message then is the constant that every offset of
    /// the key is made of. After that, messages under other nonces are forged too. The paper's
    /// bound is 6 *bits*, and of nonces in whole bytes only the empty one is below it; those of
    /// 1 to 5 bytes are only too few for the 2^48 messages that a key may seal. For test
    /// vectors and old data only. `combseal analyze short-nonces` runs the attack.
    pub fn hazmat_allow_short_nonces(&mut self) {
        Keyed::allow_short_nonces(self);
    }

    /// HASH(A), from the cache if it is there; zero for none. `hash` is zero.
    #[inline(always)]
    fn hash(&self, cache: Option<&mut Cache>, ad: &[u8], hash: &mut Block) {
        if !ad.is_empty() {
            self.hash_some(cache, ad, hash);
        }
    }

    #[inline(never)]
    fn hash_some(&self, cache: Option<&mut Cache>, ad: &[u8], hash: &mut Block) {
        match cache {
            Some(cache) => cache.hash(ad, hash, |hash| {
                self.key.settings.cpu.run_prebuilt::<HashAd, A>(kernel::Hash { key: &self.key, ad, hash })
            }),
            None => self.key.settings.cpu.run_prebuilt::<HashAd, A>(kernel::Hash { key: &self.key, ad, hash }),
        }
    }

    /// Why `check` refuses, if it does.
    #[cold]
    #[inline(never)]
    fn complaint(&self, nonce: &[u8], ad: &[u8], len: usize) -> Result<(), Error> {
        if !self.key.settings.takes(nonce) {
            Err(Error::NonceLength)
        } else if len as u64 > MESSAGE {
            Err(Error::MessageTooLong)
        } else if ad.len() as u64 > MESSAGE {
            Err(Error::AdTooLong)
        } else {
            Ok(())
        }
    }
}

impl<A: Aes> Keyed for Ocb3<A> {
    const DESCRIPTION: &'static Description = &Description {
        name: match A::KEY_LEN {
            16 => "OCB3-AES-128",
            24 => "OCB3-AES-192",
            _ => "OCB3-AES-256",
        },
        family: "ocb3",
        key_len: A::KEY_LEN,
        key_bits: 8 * A::KEY_LEN as u32,
        nonce_lens: 6..=15,
        shortest_nonce: 0,
        tag_lens: &[16, 15, 14, 13, 12, 11, 10, 9, 8],
        short_tag_lens: &[7, 6, 5, 4, 3, 2, 1],
        limits: Limits { message: MESSAGE, ad: MESSAGE, key_blocks: 1 << 48, key_messages: 1 << 48 },
        limits_source: "RFC 7253, sect. 5: 2^48 blocks a key, for an advantage of about 2^-32; by Theorem 1 of \
            Krovetz and Rogaway (2021), 6 s^2 / 2^128 for s blocks, it is 2^-29.4",
        source: "RFC 7253; Krovetz and Rogaway 2021",
        standard: Some("RFC 7253"),
        repeated_nonce: RepeatedNonce::BothAndForgeries,
        ..Description::USUAL
    };

    const END: usize = core::mem::offset_of!(Self, key.named_tag_bits) + 1;

    #[inline(always)]
    fn settings_mut(&mut self) -> &mut Settings {
        &mut self.key.settings
    }

    #[inline(always)]
    fn fill(&mut self, key: &[u8]) {
        self.key.named_tag_bits = (8 * self.key.settings.tag_len() % 128) as u8;
        self.key.settings.cpu.run_prebuilt::<SetUp, A>(Setup { key, into: &mut self.key });
    }

    fn relax_own(&mut self, rule: Relaxed) -> Result<(), Error> {
        match rule {
            Relaxed::Fse2011 => self.key.named_tag_bits = 0,
            _ => return Err(Error::Unsupported),
        }
        Ok(())
    }
}

crate::cpu::prebuilt! {
    SealShort<'a, A> = kernel::Seal<'a, A::Enc, false> => ReturnedBlock, [128 192 = 256];
    SealLong<'a, A> = kernel::Seal<'a, A::Enc, true> => ReturnedBlock, [128 192 = 256];
    OpenShort<'a, A> = kernel::Open<'a, A::Enc, false> => ReturnedBlock, [128 192 = 256];
    OpenLong<'a, A> = kernel::Open<'a, A::Enc, true> => ReturnedBlock, [128 192 = 256];
    HashAd<'a, A> = kernel::Hash<'a, A::Enc> => (), [128 192 = 256];
    SetUp<'a, A> = Setup<'a, A> => (), [128 192 256];
    BeginParts<'a, A> = parts::Begin<'a, A::Enc> => (), [128 192 = 256];
    SealPart<'a, A> = parts::Part<'a, A::Enc, true> => (), [128 192 = 256];
    OpenPart<'a, A> = parts::Part<'a, A::Enc, false> => (), [128 192 = 256];
    SealEnd<'a, A> = parts::End<'a, A::Enc, true> => ReturnedBlock, [128 192 = 256];
    OpenEnd<'a, A> = parts::End<'a, A::Enc, false> => ReturnedBlock, [128 192 = 256];
}

/// HASH(A) on the stack, where it must not lie across two cache lines either:
/// it is read right after it is written.
#[repr(align(16))]
struct Hash(Block);

/// RFC 7253, sect. 5: at most 2^48 blocks under one key, so in one message too.
const MESSAGE: u64 = 16 << 48;

/// Fills a key's schedules and masks.
struct Setup<'a, A: Aes> {
    key: &'a [u8],
    into: &'a mut Material<A::Enc>,
}
impl<A: Aes> Kernel for Setup<'_, A> {
    type Out = ();
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let one = b.one();
        one.expand::<A>(self.key, &mut self.into.enc);
        let mut x = [one.zero()];
        one.encrypt(&Enc(&self.into.enc), &mut x);
        one.invert::<A>(&self.into.enc, &mut self.into.dec);
        let mut star = [0; 16];
        one.store(&mut star, x[0]);
        self.into.masks.fill(&star);
        star.wipe();
    }
}

impl<A: Aes> Scheme for Ocb3<A> {
    type Cache = Cache;

    scheme::described!(key.settings);
    scheme::parted!();
}

impl<A: Aes> Parted for Ocb3<A> {
    const UNIT: usize = 16;

    fn begin(&self, nonce: &[u8], ad: &[u8], at: &mut Progress) {
        self.hash(None, ad, &mut at.blocks[parts::HASH]);
        let offset = &mut at.blocks[parts::OFFSET];
        self.key.settings.cpu.run_prebuilt::<BeginParts, A>(parts::Begin { key: &self.key, nonce, offset });
    }

    #[inline(always)]
    fn part(&self, at: &mut Progress, io: InOut<'_>, open: bool) {
        let (cpu, key, done) = (self.key.settings.cpu, &self.key, at.done() / 16);
        if open {
            cpu.run_prebuilt::<OpenPart, A>(parts::Part { key, at: &mut at.blocks, done, io });
        } else {
            cpu.run_prebuilt::<SealPart, A>(parts::Part { key, at: &mut at.blocks, done, io });
        }
    }

    fn end(&self, at: &mut Progress, io: InOut<'_>, open: bool) -> Block {
        let (cpu, key, at) = (self.key.settings.cpu, &self.key, &at.blocks);
        if open {
            cpu.run_prebuilt::<OpenEnd, A>(parts::End { key, at, io }).block()
        } else {
            cpu.run_prebuilt::<SealEnd, A>(parts::End { key, at, io }).block()
        }
    }
}

impl<A: Aes> Raw for Ocb3<A> {
    /// Nonces of this key's length, messages within RFC 7253's bound.
    #[inline(always)]
    fn check(&self, nonce: &[u8], ad: &[u8], len: usize) -> Result<(), Error> {
        // Both lengths in one comparison, as a rule.
        let within = self.key.settings.takes(nonce) && (len | ad.len()) as u64 <= MESSAGE;
        if within { Ok(()) } else { self.complaint(nonce, ad, len) }
    }

    #[inline(always)]
    fn seal_raw(
        &self,
        cache: Option<&mut Cache>,
        nonce: &[u8],
        ad: &[u8],
        io: InOut<'_>,
        _: &mut Block,
    ) -> ReturnedBlock {
        let (mut hash, mut cache) = (Hash([0; 16]), cache);
        self.hash(cache.as_deref_mut(), ad, &mut hash.0);
        let (key, auth) = (&self.key, &hash.0);
        if kernel::is_short(io.len()) {
            self.key
                .settings
                .cpu
                .run_prebuilt::<SealShort, A>(kernel::Seal { message: Message { key, cache, nonce, io }, auth })
        } else {
            self.key
                .settings
                .cpu
                .run_prebuilt::<SealLong, A>(kernel::Seal { message: Message { key, cache, nonce, io }, auth })
        }
    }

    #[inline(always)]
    fn open_raw(&self, cache: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &[u8]) -> bool {
        let (mut hash, mut cache) = (Hash([0; 16]), cache);
        self.hash(cache.as_deref_mut(), ad, &mut hash.0);
        let (key, auth) = (&self.key, &hash.0);
        let difference = if kernel::is_short(io.len()) {
            self.key.settings.cpu.run_prebuilt::<OpenShort, A>(kernel::Open {
                message: Message { key, cache, nonce, io },
                auth,
                tag,
            })
        } else {
            self.key.settings.cpu.run_prebuilt::<OpenLong, A>(kernel::Open {
                message: Message { key, cache, nonce, io },
                auth,
                tag,
            })
        };
        difference.is_zero()
    }
}

impl<A: Aes> Aead for Ocb3<A> {}

#[cfg(feature = "alloc")]
impl<A: Aes> Many for Ocb3<A> {
    fn takes<J: Holds<Self>>(cpu: Cpu, it: &Column<'_, J>) -> Option<Takes> {
        if A::KEY_LEN == 24 || matches!(it.nonces, Nonce::None) {
            return None;
        }
        // From there on calls take less time, on an Emerald Rapids and with counter nonces; and all lanes take
        // as long as some eight calls.
        let most = match (it.keys, it.ads, cpu.blocks()) {
            (Source::One(_), Source::One(_), 1) => 48,
            (Source::One(_), Source::One(_), _) => 160,
            (Source::Each(_), Source::One(ad), 1) if ad.len() <= column::SHORT_AD => 16,
            (Source::Each(_), Source::One(ad), _) if ad.len() <= column::SHORT_AD => 64,
            _ => return None,
        };
        Some(Takes { most, fewest: 8 })
    }

    fn column<J: Holds<Self>>(run: Run<'_, '_, '_, J>, hash: &mut Option<Block>) {
        // No code for the size that hardly anyone uses.
        if const { A::KEY_LEN == 24 } {
            unreachable!("a column of OCB3-AES-192, which is taken job by job");
        }
        let auth: &Block = match hash {
            Some(hash) => hash,
            None => {
                let hash = hash.insert([0; 16]);
                if let (Some(key), Source::One(ad)) = (run.one_key::<Self>(), run.column.ads) {
                    key.hash(None, ad, hash);
                }
                hash
            }
        };
        let (cpu, of) = (run.cpu, PhantomData::<A>);
        if run.column.open {
            cpu.run(column::Short::<_, _, true> { run, auth, of });
        } else {
            cpu.run(column::Short::<_, _, false> { run, auth, of });
        }
    }
}

#[cfg(test)]
mod tests;
