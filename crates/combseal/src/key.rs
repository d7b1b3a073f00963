//! Every scheme by value: for those who choose at run time.
//!
//! `unsafe` here is three things: a key's room is taken for the key that `filled` put there,
//! as the mark at its end tells; the mark, less a bit, is taken for the algorithm that it was made of; and a
//! message that was passed in two halves is joined.
#![allow(unsafe_code)]

use crate::cpu::{Block, Cpu, Destination, InOut, ReturnedBlock, Source};
use crate::interface::aead::Aead;
use crate::interface::description::{Description, Limits};
use crate::interface::error::Error;
use crate::interface::parts::Progress;
use crate::interface::scheme::{self, Keyed, Relaxed, Scheme, SealExtra, Settings};
use crate::interface::tag::Tag;
use crate::memory::blank::{Blank, Room, erase};
#[cfg(feature = "alloc")]
use crate::pipeline::{
    column::{Column, Takes},
    holds::Holds,
    jobs::{Job, Many, SideBySide, Tagging},
    lockstep::LaneKeys,
    plan::MAX_LANES,
    run::Run,
};
use crate::schemes::every_scheme;

#[cfg(feature = "internals")]
pub(crate) mod inlined;

macro_rules! registry {
    ($($feature:literal $family:ident [$($type:ident)*] { $($variant:ident = $key:ty,)* })*) => {
        /// An authenticated-encryption scheme, with its size of key.
        ///
        /// There are those whose families were chosen as features of this crate: all, as a
        /// rule.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Algorithm {
            $($(
                #[cfg(feature = $feature)]
                #[doc = concat!("`", stringify!($variant), "`: [`description`](Self::description) has its name, lengths and limits.")]
                $variant,
            )*)*
        }

        /// The keys' types, by the schemes' names.
        mod keys {
            #[allow(unused_imports)]
            use crate::cpu::{Aes128, Aes192, Aes256};
            use crate::schemes::*;
            $($(#[cfg(feature = $feature)] pub type $variant = $key;)*)*
        }

        impl Algorithm {
            /// All of them.
            pub const ALL: &'static [Self] = &[$($(#[cfg(feature = $feature)] Self::$variant,)*)*];

            /// What is known of it: its lengths, limits, standards.
            pub fn description(self) -> &'static Description {
                match self { $($(#[cfg(feature = $feature)] Self::$variant => <keys::$variant as Keyed>::DESCRIPTION,)*)* }
            }

            /// Whether a repeated nonce shows no more than that a whole message was repeated (SIV,
            /// GCM-SIV), so that a [`Batch`](crate::Batch) does not refuse it.
            #[inline]
            pub fn allows_repeats(self) -> bool {
                match self {
                    $($(#[cfg(feature = $feature)] Self::$variant => <keys::$variant as Keyed>::DESCRIPTION.allows_repeats(),)*)*
                }
            }
        }

        const _: () = assert!(Algorithm::ALL.len() <= TOGETHER as usize);

        /// Bytes for the largest key, and behind its last field one more.
        const LARGEST: usize = {
            let sizes = [
                $($(#[cfg(feature = $feature)] (size_of::<keys::$variant>(), <keys::$variant as Keyed>::END + 1),)*)*
            ];
            let (mut most, mut i) = (0, 0);
            while i < sizes.len() {
                let (size, end) = sizes[i];
                let both = if size > end { size } else { end };
                most = if both > most { both } else { most };
                i += 1;
            }
            most.next_multiple_of(64)
        };

        /// What a [`Key`] holds.
        enum Held<'a> {
            $($(#[cfg(feature = $feature)] $variant(&'a keys::$variant),)*)*
        }

        /// What the schemes keep from one message to the next, a family each.
        #[derive(Default)]
        pub struct Cache {
            $(#[cfg(feature = $feature)] $family: crate::schemes::$family::Cache,)*
        }

        impl Cache {
            /// Forgets all of one key, before another's turn.
            #[cfg(feature = "alloc")]
            #[inline]
            pub(crate) fn forget(&mut self) {
                $(#[cfg(feature = $feature)] crate::interface::scheme::Forget::forget(&mut self.$family);)*
            }
        }

        impl Key {
            /// As [`build`](Self::build), with rules of the scheme relaxed.
            ///
            /// # Errors
            /// Those of [`build`](Self::build); [`Error::Unsupported`] if the scheme has no
            /// such rule.
            pub fn hazmat_build(
                cpu: Cpu,
                algorithm: Algorithm,
                key: &[u8],
                tag_len: usize,
                rules: &[Relaxed],
            ) -> Result<Self, Error> {
                scheme::admit(algorithm.description(), key.len(), tag_len, rules.contains(&Relaxed::ShortTags))?;
                let mut it = Self::filled(cpu, algorithm, key, tag_len);
                for &rule in rules.iter().filter(|&&rule| rule != Relaxed::ShortTags) {
                    match algorithm {
                        // SAFETY: as in `held`.
                        $($(#[cfg(feature = $feature)] Algorithm::$variant => unsafe { it.0.get_mut::<keys::$variant>() }.relax(rule)?,)*)*
                    }
                }
                Ok(it)
            }

            /// The same as `build` of lengths that are known to be right.
            #[inline(always)]
            fn filled(cpu: Cpu, algorithm: Algorithm, key: &[u8], tag_len: usize) -> Self {
                crate::memory::blank::filled(|it: &mut Self| match algorithm {
                    $($(#[cfg(feature = $feature)] Algorithm::$variant => {
                        #[cfg(feature = "alloc")]
                        let together = <keys::$variant as Many>::together(cpu);
                        #[cfg(not(feature = "alloc"))]
                        let together = false;
                        let mark = Algorithm::$variant as u8 | if together { TOGETHER } else { 0 };
                        it.0.begin::<keys::$variant>(<keys::$variant as Keyed>::END, mark, |at| at.begin(cpu, key, tag_len));
                    })*)*
                })
            }

            /// The scheme's own key.
            #[inline(always)]
            fn held(&self) -> Held<'_> {
                match self.algorithm() {
                    // SAFETY: `filled` began this key for that algorithm; neither changes.
                    $($(#[cfg(feature = $feature)] Algorithm::$variant => Held::$variant(unsafe { self.0.get::<keys::$variant>() }),)*)*
                }
            }

            /// From now on nonces have `len` bytes, of those in
            /// [`Description::nonce_lens`]: OCB3 takes 6 to 15, GCM 8 and more, CCM 7
            /// to 13, EAX 8 and more, SIV any below 2^32; the others have one length. To be called
            /// before the key is shared.
            ///
            /// SIV takes a nonce of no bytes as a string of its own, after the associated
            /// data. Where RFC 5297 speaks of no nonce it has no such string: that is
            /// [`seal_vectored`](Self::seal_vectored) with the associated data alone.
            ///
            /// # Errors
            /// [`Error::NonceLength`] if the scheme does not take that; nothing has
            /// changed then.
            pub fn set_nonce_len(&mut self, len: usize) -> Result<(), Error> {
                match self.algorithm() {
                    $($(#[cfg(feature = $feature)] Algorithm::$variant => {
                        // SAFETY: as in `held`.
                        unsafe { self.0.get_mut::<keys::$variant>() }.set_nonce_len(len)
                    })*)*
                }
            }

            /// How many messages go side by side.
            #[cfg(feature = "alloc")]
            pub(crate) fn lanes(&self) -> usize {
                match self.algorithm() {
                    $($(#[cfg(feature = $feature)] Algorithm::$variant => <keys::$variant as Many>::lanes(self.cpu()),)*)*
                }
            }

            /// Does jobs of this key's scheme, tier and direction, at most 16 of them,
            /// side by side.
            #[cfg(feature = "alloc")]
            pub(crate) fn many(&self, jobs: &[&Job<'_, Key>], lane_keys: &mut LaneKeys) {
                match self.algorithm() {
                    $($(#[cfg(feature = $feature)] Algorithm::$variant => many::<keys::$variant>(jobs, lane_keys),)*)*
                }
            }

            /// Which messages of a column this key's scheme takes a lane each: none on tiers without AES
            /// instructions, nor on pretended ones, for which these kernels are not made.
            #[cfg(feature = "alloc")]
            pub(crate) fn takes(&self, column: &Column<'_, Key>) -> Option<Takes> {
                if !self.cpu().is_hardware() || self.cpu().is_pretended() {
                    return None;
                }
                match self.algorithm() {
                    $($(#[cfg(feature = $feature)] Algorithm::$variant => {
                        <keys::$variant as Many>::takes(self.cpu(), column)
                    })*)*
                }
            }

            /// Does a run of a column whose keys are of this key's scheme and tier; `hash` is the
            /// column's, as [`Many::column`] has it.
            #[cfg(feature = "alloc")]
            pub(crate) fn column(&self, run: Run<'_, '_, '_, Key>, hash: &mut Option<Block>) {
                match self.algorithm() {
                    $($(#[cfg(feature = $feature)] Algorithm::$variant => <keys::$variant as Many>::column(run, hash),)*)*
                }
            }

            #[inline(never)]
            fn seal_parts(
                &self,
                cache: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                src: Source<'_>,
                dst: Destination<'_>,
                extra: &mut SealExtra,
            ) -> ReturnedBlock {
                // SAFETY: `seal_checked` below split one message into these.
                let io = unsafe { InOut::join(src, dst) };
                match self.held() {
                    $($(#[cfg(feature = $feature)] Held::$variant(k) => {
                        k.seal_checked(cache.map(|all| &mut all.$family), nonce, ad, io, extra)
                    })*)*
                }
            }

            #[inline(never)]
            fn open_parts(
                &self,
                cache: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                src: Source<'_>,
                dst: Destination<'_>,
                tag: &[u8],
            ) -> Result<(), Error> {
                // SAFETY: `open_checked` below split one message into these.
                let io = unsafe { InOut::join(src, dst) };
                match self.held() {
                    $($(#[cfg(feature = $feature)] Held::$variant(k) => {
                        k.open_checked(cache.map(|all| &mut all.$family), nonce, ad, io, tag)
                    })*)*
                }
            }
        }

        $($(
            #[cfg(all(feature = $feature, feature = "alloc"))]
            impl Holds<keys::$variant> for Key {
                #[inline(always)]
                fn held(&self) -> Option<&keys::$variant> {
                    #[allow(irrefutable_let_patterns)]
                    if let Held::$variant(key) = Key::held(self) { Some(key) } else { None }
                }
            }
        )*)*

        /// `$then` of the scheme's own key, `$it`.
        macro_rules! own {
            ($key_value:expr, $it:ident => $then:expr) => {
                match $key_value.held() { $($(#[cfg(feature = $feature)] Held::$variant($it) => $then,)*)* }
            };
        }
    };
}
every_scheme!(registry);

/// The bit of a key's mark that no algorithm's number has: whether messages of the scheme go side by side on the key's
/// tier, which a batch asks for each message.
const TOGETHER: u8 = 1 << 7;

/// A key of any scheme, chosen at run time.
///
/// One `match` more per call than the typed key.
pub struct Key(Room<LARGEST>);

// SAFETY: it is a room and nothing besides.
unsafe impl Blank for Key {}

impl Drop for Key {
    /// Erases all of it. The scheme's own key that it holds has nothing else to drop.
    fn drop(&mut self) {
        erase(self);
    }
}

impl Key {
    /// [`Scheme::do_part`] of a message that goes by registers: by memory it would be read there
    /// before it has reached the cache, and a part would not begin before all of the part before
    /// it is done (OCB3: some 50 cycles a part).
    ///
    /// # Safety
    /// `src` and `dst` are those that one message was split into.
    #[inline(never)]
    unsafe fn part(&self, at: &mut Progress, src: Source<'_>, dst: Destination<'_>, open: bool) {
        // SAFETY: the caller promises it.
        let io = unsafe { InOut::join(src, dst) };
        own!(self, key => key.do_part(at, io, open))
    }
}

impl Scheme for Key {
    type Cache = Cache;

    #[inline]
    fn about(&self) -> &'static Description {
        self.algorithm().description()
    }
    #[inline]
    fn settings(&self) -> &Settings {
        own!(self, key => key.settings())
    }
    fn allowed(&self) -> Limits {
        own!(self, key => key.allowed())
    }
    #[inline]
    fn allows_repeats(&self) -> bool {
        self.algorithm().allows_repeats()
    }
    #[inline(always)]
    fn seal_checked(
        &self,
        cache: Option<&mut Cache>,
        nonce: &[u8],
        ad: &[u8],
        io: InOut<'_>,
        extra: &mut SealExtra,
    ) -> ReturnedBlock {
        let (src, dst) = io.split();
        self.seal_parts(cache, nonce, ad, src, dst, extra)
    }
    #[inline(always)]
    fn open_checked(
        &self,
        cache: Option<&mut Cache>,
        nonce: &[u8],
        ad: &[u8],
        io: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        let (src, dst) = io.split();
        self.open_parts(cache, nonce, ad, src, dst, tag)
    }
    fn part_unit(&self) -> Result<usize, Error> {
        own!(self, key => key.part_unit())
    }
    fn begin_parts(&self, nonce: &[u8], ad: &[u8], at: &mut Progress) -> Result<(), Error> {
        own!(self, key => key.begin_parts(nonce, ad, at))
    }
    #[inline(always)]
    fn do_part(&self, at: &mut Progress, io: InOut<'_>, open: bool) {
        let (src, dst) = io.split();
        // SAFETY: both are of `io`.
        unsafe { self.part(at, src, dst, open) }
    }
    fn end_parts(&self, at: &mut Progress, io: InOut<'_>, open: bool) -> Block {
        own!(self, key => key.end_parts(at, io, open))
    }
    fn seal_strings(&self, ads: &[&[u8]], buf: &mut [u8]) -> Result<Tag, Error> {
        own!(self, key => key.seal_strings(ads, buf))
    }
    fn open_strings(&self, ads: &[&[u8]], buf: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        own!(self, key => key.open_strings(ads, buf, tag))
    }
}

impl Aead for Key {}

/// Jobs of the scheme `K`: those whose lengths are not legal are refused, the
/// others done.
#[cfg(feature = "alloc")]
fn many<K: Many>(jobs: &[&Job<'_, Key>], lane_keys: &mut LaneKeys)
where
    Key: Holds<K>,
{
    if !K::TOGETHER {
        return jobs.iter().for_each(|job| job.alone(job.key, None));
    }
    let Some(first) = jobs.first().and_then(|j| Holds::<K>::held(j.key)) else {
        unreachable!("a group has jobs, and of one scheme")
    };
    let (mut good, mut keys) = ([jobs[0]; MAX_LANES], [first; MAX_LANES]);
    let mut n = 0;
    for job in jobs {
        let Some(key) = Holds::<K>::held(job.key) else { unreachable!("a group has jobs of one scheme") };
        let tag = match &job.tag {
            Tagging::Seal(tag) => {
                let it = tag.take();
                let len = it.len();
                tag.set(it);
                len
            }
            Tagging::Open(tag) => tag.len(),
        };
        let admitted = if tag == key.settings().tag_len() {
            key.check(&job.nonce, job.ad, job.len)
        } else {
            Err(Error::TagLength)
        };
        if let Err(why) = admitted {
            job.refuse(why);
            continue;
        }
        (good[n], keys[n]) = (*job, key);
        n += 1;
    }
    if n == 0 {
        return;
    }
    let group = SideBySide { jobs: &good[..n], keys: &keys[..n], cpu: first.settings().cpu };
    K::side_by_side(&group, good[0].opens(), lane_keys);
}

impl Algorithm {
    /// The name, as in `"OCB3-AES-128"`.
    pub fn name(self) -> &'static str {
        self.description().name
    }
    /// Bytes in a key.
    pub fn key_len(self) -> usize {
        self.description().key_len
    }
    /// Bytes in a nonce as a rule; [`Description::nonce_lens`] has the others.
    pub fn nonce_len(self) -> usize {
        self.description().nonce_len
    }
    /// The tags' lengths in bytes that `Key::build` takes, the usual one first: none
    /// under 8, nor those that the scheme's standard ties to conditions (GCM's
    /// under 12). Shorter ones have a hazmat name: [`Key::hazmat_build`].
    pub fn tag_lens(self) -> &'static [usize] {
        self.description().tag_lens
    }
    /// The shorter ones, in bytes, that [`Key::hazmat_build`] takes besides.
    pub fn short_tag_lens(self) -> &'static [usize] {
        self.description().short_tag_lens
    }

    /// The scheme of that name, as [`name`](Self::name) says it or as people type it: in upper or
    /// lower case, with or without hyphens, underscores and spaces, the parts of AES modes in any
    /// usual order (`AES-256-OCB`, `aes-256-gcm`, `AES_GCM_256`, `chacha20poly1305`), IANA's AEAD
    /// names too (`AEAD_AES_128_GCM`, `AEAD_AES_SIV_CMAC_256`) as long as they mean the usual
    /// lengths of tags and nonces; JOSE's (`A256GCM`, `C20P`), OpenSSL's long ones (`id-aes256-GCM`) and
    /// those of libsodium's users (`chacha20-ietf-poly1305`). A mode of AES needs the key's bits: `gcm` alone is none.
    /// Of SIV, which has two AES keys, `SIV-AES-128` and `AES-SIV-128` count the bits of one, `AEAD_AES_SIV_CMAC_256` those of
    /// both, and all three are one scheme. Names of TLS's suites and of OpenSSH's ciphers are not understood, since they say more than
    /// a scheme.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|a| a.is_called(name))
    }

    /// Whether this is one of its names.
    fn is_called(self, name: &str) -> bool {
        fn plain(name: &str) -> impl Iterator<Item = u8> {
            name.bytes().filter(u8::is_ascii_alphanumeric).map(|b| b.to_ascii_lowercase())
        }
        let is = |parts: &[&str]| {
            let known = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_ /".contains(&b));
            let all = || parts.iter().flat_map(|part| plain(part));
            known(name) && (plain(name).eq(all()) || plain(name).eq(plain("aead").chain(all())))
        };
        let about = self.description();
        if is(&[about.name]) {
            return true;
        }
        if !about.name.contains("AES") {
            // Libsodium has one with a shorter nonce besides, so that this one is called after the RFC.
            let chacha20 = about.name.split_once("-Poly1305");
            return chacha20.is_some_and(|(cipher, _)| {
                is(&[cipher, "ietf", "poly1305"]) || is(&[if cipher == "ChaCha20" { "c20p" } else { "xc20p" }])
            });
        }
        // Of SIV's two AES keys the name has the bits of one, and RFC 5297's those of both.
        let (bits, both) = match about.key_bits {
            128 => ("128", "256"),
            192 => ("192", "384"),
            _ => ("256", "512"),
        };
        let mode = about.family;
        let modes: &[&str] = if mode == "ocb3" { &["ocb3", "ocb"] } else { &[mode] };
        modes.iter().any(|mode| is(&["aes", bits, mode]) || is(&[mode, "aes", bits]) || is(&["aes", mode, bits]))
            || mode == "gcm" && is(&["a", bits, "gcm"])
            || matches!(mode, "gcm" | "ccm") && is(&["id", "aes", bits, mode])
            || mode == "siv" && is(&["aes", "siv", "cmac", both])
            || mode == "ocb3" && is(&["aes", bits, "ocb", "taglen", "128"])
    }
}

impl Key {
    /// Expands `key` for the best tier of this machine; tags have the scheme's usual length.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn new(algorithm: Algorithm, key: &[u8]) -> Result<Self, Error> {
        Self::build(Cpu::detect(), algorithm, key, algorithm.tag_lens()[0])
    }

    /// The same with tags of `tag_len` bytes, one of [`Algorithm::tag_lens`].
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::TagLength`].
    pub fn with_tag_len(algorithm: Algorithm, key: &[u8], tag_len: usize) -> Result<Self, Error> {
        Self::build(Cpu::detect(), algorithm, key, tag_len)
    }

    /// Expands `key` for the tier `cpu`; tags have `tag_len` bytes, nonces the
    /// scheme's usual length.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::TagLength`].
    pub fn build(cpu: Cpu, algorithm: Algorithm, key: &[u8], tag_len: usize) -> Result<Self, Error> {
        scheme::admit(algorithm.description(), key.len(), tag_len, false)?;
        Ok(Self::filled(cpu, algorithm, key, tag_len))
    }

    /// The scheme.
    #[inline]
    pub fn algorithm(&self) -> Algorithm {
        // SAFETY: but for one bit, the mark is an algorithm's number, as `filled` left it.
        unsafe { core::mem::transmute::<u8, Algorithm>(self.0.mark() & !TOGETHER) }
    }

    /// The key's place in memory: as long as keys are borrowed, no two have the same.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn address(&self) -> usize {
        core::ptr::from_ref(self).addr()
    }

    /// The scheme's place in [`Algorithm::ALL`].
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn place(&self) -> usize {
        (self.0.mark() & !TOGETHER).into()
    }

    /// Whether the scheme's messages had better go side by side on this tier.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn together(&self) -> bool {
        self.0.mark() & TOGETHER != 0
    }

    /// Seals `buf` in place with a list of associated strings: SIV only.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the scheme takes no lists; [`Error::AdTooLong`] if there
    /// are more strings than it takes.
    pub fn seal_vectored(&self, ads: &[&[u8]], buf: &mut [u8]) -> Result<Tag, Error> {
        self.seal_strings(ads, buf)
    }

    /// Opens what [`seal_vectored`](Self::seal_vectored) sealed.
    ///
    /// # Errors
    /// [`Error::Forged`], and `buf` is zero; [`Error::TagLength`] and those of
    /// `seal_vectored`, and `buf` is as it was.
    pub fn open_vectored(&self, ads: &[&[u8]], buf: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        self.open_strings(ads, buf, tag)
    }
}

impl core::fmt::Debug for Key {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Key").field(&self.algorithm()).finish()
    }
}

impl core::str::FromStr for Algorithm {
    type Err = Error;
    /// As [`by_name`](Self::by_name); [`Error::UnknownName`] if there is none.
    fn from_str(name: &str) -> Result<Self, Error> {
        Self::by_name(name).ok_or(Error::UnknownName)
    }
}

impl core::fmt::Display for Algorithm {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(all(test, feature = "schemes"))]
mod tests {
    use super::*;
    use crate::cpu::Aes256;
    use crate::schemes::gcm::Gcm;

    /// Names as people type them; each says one scheme.
    #[test]
    fn names() {
        use Algorithm::*;
        for (algorithm, names) in [
            (Ocb3Aes256, &["AES-256-OCB", "aes256ocb3", "ocb-aes-256", "AEAD_AES_256_OCB_TAGLEN128"][..]),
            (
                GcmAes256,
                &[
                    "aes-256-gcm",
                    "AES_256_GCM",
                    "aes gcm 256",
                    "AEAD_AES_256_GCM",
                    "gcm-aes-256",
                    "A256GCM",
                    "id-aes256-GCM",
                ],
            ),
            (GcmSivAes128, &["AES-128-GCM-SIV", "aes128gcmsiv", "AEAD_AES_128_GCM_SIV", "aes-gcm-siv-128"]),
            (SivAes128, &["AES-128-SIV", "AEAD_AES_SIV_CMAC_256", "aes-siv-128"]),
            (SivAes256, &["AES-256-SIV", "AEAD_AES_SIV_CMAC_512"]),
            (CcmAes192, &["aes-192-ccm", "AES_192_CCM", "id-aes192-CCM"]),
            (
                ChaCha20Poly1305,
                &[
                    "chacha20poly1305",
                    "ChaCha20-Poly1305",
                    "CHACHA20_POLY1305",
                    "AEAD_CHACHA20_POLY1305",
                    "chacha20-ietf-poly1305",
                    "C20P",
                ],
            ),
            (XChaCha20Poly1305, &["xchacha20poly1305", "XChaCha20-Poly1305", "xchacha20-ietf-poly1305", "XC20P"]),
            (Aegis128L, &["aegis128l", "AEGIS-128L", "aegis_128l"]),
        ] {
            for name in names {
                let called: Vec<_> = Algorithm::ALL.iter().filter(|a| a.is_called(name)).collect();
                assert_eq!(called, [&algorithm], "{name}");
                assert_eq!(name.parse(), Ok(algorithm));
            }
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        for name in [
            "",
            "aead",
            "aes",
            "aes-256",
            "aes-256-cbc",
            "gcm",
            "256",
            "AES-128-GCM!",
            "aes-128-gcm-siv2",
            "ä",
            "A256CCM",
            "id-aes256-OCB",
            "aegis-ietf-128l",
        ] {
            assert_eq!(name.parse::<Algorithm>(), Err(Error::UnknownName), "{name}");
        }
    }

    /// A key is no longer than the largest scheme's own: its mark costs no cache line.
    #[test]
    fn marks() {
        assert_eq!(size_of::<Key>(), size_of::<Gcm<Aes256>>());
        for (i, &a) in Algorithm::ALL.iter().enumerate() {
            let key = Key::new(a, &[0xff; 64][..a.key_len()]).unwrap();
            assert_eq!((key.algorithm(), key.place()), (a, i));
        }
    }

    /// A `Key` and its scheme's own key agree on what may repeat.
    #[test]
    fn repeats() {
        for &a in Algorithm::ALL {
            let key = Key::new(a, &[7; 64][..a.key_len()]).unwrap();
            assert_eq!(key.allows_repeats(), a.allows_repeats(), "{a}");
            macro_rules! own {
                ($($variant:ident)*) => {
                    match key.held() { $(Held::$variant(k) => k.allows_repeats(),)* _ => false }
                };
            }
            let own = own!(GcmSivAes128 GcmSivAes256 SivAes128 SivAes192 SivAes256);
            assert_eq!(own, a.allows_repeats(), "{a}");
        }
    }
}
