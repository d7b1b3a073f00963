//! Every scheme by value: for those who choose at run time. One line a scheme.
//!
//! `unsafe` here is two things: a key's room is taken for the key that `filled` put there,
//! as the mark at its end tells, and a message that was passed in two halves is joined.
#![allow(unsafe_code)]

use crate::aead::{Aead, Error, Limits, Tag};
use crate::cpu::{Aes128, Aes192, Aes256, Answer, Cpu};
use crate::memory::blank::{Blank, Room, erase};
#[cfg(feature = "alloc")]
use crate::pipeline::lanes::MAX_LANES;
use crate::pipeline::lanes::{Destination, InOut, Source};
#[cfg(feature = "alloc")]
use crate::pipeline::{
    jobs::{Group, Holds, Job, Many, Tagging},
    walk::Ring,
};
use crate::scheme::{self, Cache, Keyed, Rare, Relaxed, Scheme};
#[cfg(feature = "aegis")]
use crate::schemes::aegis::{Aegis128, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4};
#[cfg(feature = "ccm")]
use crate::schemes::ccm::Ccm;
#[cfg(feature = "chacha20-poly1305")]
use crate::schemes::chacha20_poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
#[cfg(feature = "eax")]
use crate::schemes::eax::Eax;
#[cfg(feature = "gcm")]
use crate::schemes::gcm::Gcm;
#[cfg(feature = "gcm-siv")]
use crate::schemes::gcm_siv::GcmSiv;
#[cfg(feature = "ocb3")]
use crate::schemes::ocb3::Ocb3;
#[cfg(feature = "siv")]
use crate::schemes::siv::Siv;

macro_rules! registry {
    ($($(#[$cfg:meta])* $variant:ident = $key:ty, $name:literal, key $key_len:literal, nonce $nonce:literal, tags [$($tag:literal),*];)*) => {
        /// An authenticated-encryption scheme.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Algorithm {
            $($(#[$cfg])* #[doc = concat!($name, ": ", stringify!($key_len), "-byte keys, ", stringify!($nonce), "-byte nonces as a rule.")] $variant,)*
        }

        impl Algorithm {
            /// All of them.
            pub const ALL: &'static [Self] = &[$($(#[$cfg])* Self::$variant),*];

            /// The name, as in `"OCB3-AES-128"`.
            pub fn name(self) -> &'static str {
                match self { $($(#[$cfg])* Self::$variant => $name,)* }
            }
            /// Bytes in a key.
            pub fn key_len(self) -> usize {
                match self { $($(#[$cfg])* Self::$variant => $key_len,)* }
            }
            /// Bytes in a nonce as a rule; the schemes' docs say what else they take.
            pub fn nonce_len(self) -> usize {
                match self { $($(#[$cfg])* Self::$variant => $nonce,)* }
            }
            /// The tags' lengths in bytes that `Key::build` takes, the usual one first: none
            /// under 8, nor those that the scheme's standard ties to conditions (GCM's
            /// under 12). Shorter ones have a hazmat name: [`Key::hazmat_build`].
            pub fn tag_lens(self) -> &'static [usize] {
                match self { $($(#[$cfg])* Self::$variant => &[$($tag),*],)* }
            }
            /// The shorter ones, in bytes, that [`Key::hazmat_build`] takes besides.
            pub fn short_tag_lens(self) -> &'static [usize] {
                match self { $($(#[$cfg])* Self::$variant => <$key as Keyed>::SHORT_TAGS,)* }
            }
        }

        /// Bytes for the largest key, and behind its last field one more.
        const LARGEST: usize = {
            let (sizes, mut most, mut i) = ([$($(#[$cfg])* (size_of::<$key>(), <$key as Keyed>::END + 1)),*], 0, 0);
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
            $($(#[$cfg])* $variant(&'a $key),)*
        }

        impl Key {
            /// Expands `key` for the tier `cpu`; tags have `tag_len` bytes, nonces the
            /// scheme's usual length.
            ///
            /// # Errors
            /// [`Error::KeyLength`], [`Error::TagLength`].
            pub fn build(cpu: Cpu, algorithm: Algorithm, key: &[u8], tag_len: usize) -> Result<Self, Error> {
                match algorithm {
                    $($(#[$cfg])* Algorithm::$variant => <$key as Keyed>::takes(key.len(), tag_len)?,)*
                }
                Ok(Self::filled(cpu, algorithm, key, tag_len))
            }

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
                let short_tags = rules.contains(&Relaxed::ShortTags);
                match algorithm {
                    $($(#[$cfg])* Algorithm::$variant => scheme::takes_relaxed::<$key>(key.len(), tag_len, short_tags)?,)*
                }
                let mut it = Self::filled(cpu, algorithm, key, tag_len);
                for &rule in rules.iter().filter(|&&rule| rule != Relaxed::ShortTags) {
                    match algorithm {
                        // SAFETY: as in `held`.
                        $($(#[$cfg])* Algorithm::$variant => unsafe { it.0.get_mut::<$key>() }.relax(rule)?,)*
                    }
                }
                Ok(it)
            }

            /// The same as `build` of lengths that are known to be right.
            #[inline(always)]
            fn filled(cpu: Cpu, algorithm: Algorithm, key: &[u8], tag_len: usize) -> Self {
                crate::memory::blank::filled(|it: &mut Self| match algorithm {
                    $($(#[$cfg])* Algorithm::$variant => {
                        let mark = Algorithm::$variant as u8;
                        it.0.begin::<$key>(<$key as Keyed>::END, mark, |at| at.fill(cpu, key, tag_len));
                    })*
                })
            }

            /// The scheme's own key.
            #[inline(always)]
            fn held(&self) -> Held<'_> {
                match self.algorithm() {
                    // SAFETY: `filled` began this key for that algorithm; neither changes.
                    $($(#[$cfg])* Algorithm::$variant => Held::$variant(unsafe { self.0.get::<$key>() }),)*
                }
            }

            /// The scheme.
            #[inline]
            pub fn algorithm(&self) -> Algorithm {
                // SAFETY: the mark is an algorithm's number, as `filled` left it.
                unsafe { core::mem::transmute::<u8, Algorithm>(self.0.mark()) }
            }

            /// From now on nonces have `len` bytes: OCB3 takes 6 to 15, GCM 8 and more, CCM 7
            /// to 13, EAX 8 and more, SIV any; the others have one length. To be called
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
                    $($(#[$cfg])* Algorithm::$variant => {
                        // SAFETY: as in `held`.
                        unsafe { self.0.get_mut::<$key>() }.set_nonce_len(len)
                    })*
                }
            }

            /// Whether the scheme's messages had better go side by side.
            #[cfg(feature = "alloc")]
            #[inline]
            pub(crate) fn together(&self) -> bool {
                match self.algorithm() { $($(#[$cfg])* Algorithm::$variant => <$key as Many>::TOGETHER,)* }
            }

            /// Does jobs of this key's scheme, tier and direction, at most 16 of them,
            /// side by side.
            #[cfg(feature = "alloc")]
            pub(crate) fn many(&self, jobs: &[&Job<'_, Key>], ring: &mut Ring) {
                match self.algorithm() {
                    $($(#[$cfg])* Algorithm::$variant if <$key as Many>::TOGETHER => {
                        many::<$key>(jobs, ring);
                    })*
                    _ => jobs.iter().for_each(|job| job.alone(job.key, None)),
                }
            }

            /// Does a row of jobs of this key's scheme, tier and direction, one after the
            /// other.
            #[cfg(feature = "alloc")]
            pub(crate) fn row(&self, jobs: &mut [Job<'_, Key>], open: bool, cache: Option<&mut Cache>) {
                match self.algorithm() {
                    $($(#[$cfg])* Algorithm::$variant => <$key as Many>::row(jobs, open, cache),)*
                }
            }

            /// The scheme's place in [`Algorithm::ALL`].
            #[cfg(feature = "alloc")]
            #[inline]
            pub(crate) fn place(&self) -> usize {
                self.0.mark().into()
            }

            /// Whether a sealed message carries its tag before the ciphertext.
            fn tag_first(&self) -> bool {
                match self.algorithm() { $($(#[$cfg])* Algorithm::$variant => <$key as Aead>::TAG_FIRST,)* }
            }
        }

        $($(#[$cfg])*
        #[cfg(feature = "alloc")]
        impl Holds<$key> for Key {
            #[inline(always)]
            fn held(&self) -> Option<&$key> {
                if let Held::$variant(key) = Key::held(self) { Some(key) } else { None }
            }
        })*

        impl Key {
            #[inline(never)]
            fn seal_parts(
                &self,
                cache: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                src: Source<'_>,
                dst: Destination<'_>,
                rare: &mut Rare,
            ) -> Answer {
                // SAFETY: `seal_raw` below split one message into these.
                let io = unsafe { InOut::join(src, dst) };
                match self.held() { $($(#[$cfg])* Held::$variant(k) => k.seal_raw(cache, nonce, ad, io, rare),)* }
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
            ) -> Result<bool, Error> {
                // SAFETY: `open_raw` below split one message into these.
                let io = unsafe { InOut::join(src, dst) };
                match self.held() { $($(#[$cfg])* Held::$variant(k) => k.open_raw(cache, nonce, ad, io, tag),)* }
            }
        }

        impl Scheme for Key {
            #[inline]
            fn allows_repeats(&self) -> bool {
                self.algorithm().allows_repeats()
            }
            #[inline]
            fn check(&self, nonce: &[u8], ad: &[u8], len: usize) -> Result<(), Error> {
                match self.held() { $($(#[$cfg])* Held::$variant(k) => k.check(nonce, ad, len),)* }
            }
            #[inline(always)]
            fn seal_raw(
                &self,
                cache: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                io: InOut<'_>,
                rare: &mut Rare,
            ) -> Answer {
                let (src, dst) = io.split();
                self.seal_parts(cache, nonce, ad, src, dst, rare)
            }
            #[inline(always)]
            fn open_raw(
                &self,
                cache: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                io: InOut<'_>,
                tag: &[u8],
            ) -> Result<bool, Error> {
                let (src, dst) = io.split();
                self.open_parts(cache, nonce, ad, src, dst, tag)
            }
        }

        impl Aead for Key {
            fn name(&self) -> &'static str {
                self.algorithm().name()
            }
            fn tag_len(&self) -> usize {
                match self.held() { $($(#[$cfg])* Held::$variant(k) => k.tag_len(),)* }
            }
            fn is_tag_first(&self) -> bool {
                self.tag_first()
            }
            fn nonce_len(&self) -> usize {
                match self.held() { $($(#[$cfg])* Held::$variant(k) => k.nonce_len(),)* }
            }
            fn limits(&self) -> Limits {
                match self.held() { $($(#[$cfg])* Held::$variant(k) => k.limits(),)* }
            }
            fn cpu(&self) -> Cpu {
                match self.held() { $($(#[$cfg])* Held::$variant(k) => k.cpu(),)* }
            }
        }
    };
}

registry! {
    #[cfg(feature = "ocb3")]
    Ocb3Aes128 = Ocb3<Aes128>, "OCB3-AES-128", key 16, nonce 12, tags [16, 15, 14, 13, 12, 11, 10, 9, 8];
    #[cfg(feature = "ocb3")]
    Ocb3Aes192 = Ocb3<Aes192>, "OCB3-AES-192", key 24, nonce 12, tags [16, 15, 14, 13, 12, 11, 10, 9, 8];
    #[cfg(feature = "ocb3")]
    Ocb3Aes256 = Ocb3<Aes256>, "OCB3-AES-256", key 32, nonce 12, tags [16, 15, 14, 13, 12, 11, 10, 9, 8];
    #[cfg(feature = "gcm")]
    GcmAes128 = Gcm<Aes128>, "AES-128-GCM", key 16, nonce 12, tags [16, 15, 14, 13, 12];
    #[cfg(feature = "gcm")]
    GcmAes192 = Gcm<Aes192>, "AES-192-GCM", key 24, nonce 12, tags [16, 15, 14, 13, 12];
    #[cfg(feature = "gcm")]
    GcmAes256 = Gcm<Aes256>, "AES-256-GCM", key 32, nonce 12, tags [16, 15, 14, 13, 12];
    #[cfg(feature = "gcm-siv")]
    GcmSivAes128 = GcmSiv<Aes128>, "AES-128-GCM-SIV", key 16, nonce 12, tags [16];
    #[cfg(feature = "gcm-siv")]
    GcmSivAes256 = GcmSiv<Aes256>, "AES-256-GCM-SIV", key 32, nonce 12, tags [16];
    #[cfg(feature = "ccm")]
    CcmAes128 = Ccm<Aes128>, "AES-128-CCM", key 16, nonce 12, tags [16, 14, 12, 10, 8];
    #[cfg(feature = "ccm")]
    CcmAes192 = Ccm<Aes192>, "AES-192-CCM", key 24, nonce 12, tags [16, 14, 12, 10, 8];
    #[cfg(feature = "ccm")]
    CcmAes256 = Ccm<Aes256>, "AES-256-CCM", key 32, nonce 12, tags [16, 14, 12, 10, 8];
    #[cfg(feature = "eax")]
    EaxAes128 = Eax<Aes128>, "AES-128-EAX", key 16, nonce 16, tags [16, 15, 14, 13, 12, 11, 10, 9, 8];
    #[cfg(feature = "eax")]
    EaxAes192 = Eax<Aes192>, "AES-192-EAX", key 24, nonce 16, tags [16, 15, 14, 13, 12, 11, 10, 9, 8];
    #[cfg(feature = "eax")]
    EaxAes256 = Eax<Aes256>, "AES-256-EAX", key 32, nonce 16, tags [16, 15, 14, 13, 12, 11, 10, 9, 8];
    #[cfg(feature = "siv")]
    SivAes128 = Siv<Aes128>, "AES-128-SIV", key 32, nonce 16, tags [16];
    #[cfg(feature = "siv")]
    SivAes192 = Siv<Aes192>, "AES-192-SIV", key 48, nonce 16, tags [16];
    #[cfg(feature = "siv")]
    SivAes256 = Siv<Aes256>, "AES-256-SIV", key 64, nonce 16, tags [16];
    #[cfg(feature = "aegis")]
    Aegis128 = Aegis128, "AEGIS-128", key 16, nonce 16, tags [16];
    #[cfg(feature = "aegis")]
    Aegis128L = Aegis128L, "AEGIS-128L", key 16, nonce 16, tags [16, 32];
    #[cfg(feature = "aegis")]
    Aegis128X2 = Aegis128X2, "AEGIS-128X2", key 16, nonce 16, tags [16, 32];
    #[cfg(feature = "aegis")]
    Aegis128X4 = Aegis128X4, "AEGIS-128X4", key 16, nonce 16, tags [16, 32];
    #[cfg(feature = "aegis")]
    Aegis256 = Aegis256, "AEGIS-256", key 32, nonce 32, tags [16, 32];
    #[cfg(feature = "aegis")]
    Aegis256X2 = Aegis256X2, "AEGIS-256X2", key 32, nonce 32, tags [16, 32];
    #[cfg(feature = "aegis")]
    Aegis256X4 = Aegis256X4, "AEGIS-256X4", key 32, nonce 32, tags [16, 32];
    #[cfg(feature = "chacha20-poly1305")]
    ChaCha20Poly1305 = ChaCha20Poly1305, "ChaCha20-Poly1305", key 32, nonce 12, tags [16];
    #[cfg(feature = "chacha20-poly1305")]
    XChaCha20Poly1305 = XChaCha20Poly1305, "XChaCha20-Poly1305", key 32, nonce 24, tags [16];
}

/// A key of any scheme, chosen at run time.
///
/// One `match` more a call than the typed key, and compiled once, in this crate, rather
/// than in each that uses it.
pub struct Key(Room<LARGEST>);

// SAFETY: it is a room and nothing besides.
unsafe impl Blank for Key {}

impl Drop for Key {
    /// Erases all of it. The key in the room has nothing else to drop.
    fn drop(&mut self) {
        erase(self);
    }
}

/// Jobs of the scheme `K`: those whose lengths are not legal are refused, the
/// others done.
#[cfg(feature = "alloc")]
fn many<K: Many>(jobs: &[&Job<'_, Key>], ring: &mut Ring)
where
    Key: Holds<K>,
{
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
        let admitted = if tag == key.tag_len() { key.check(job.nonce, job.ad, job.len) } else { Err(Error::TagLength) };
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
    let group = Group { jobs: &good[..n], keys: &keys[..n], cpu: first.cpu() };
    K::group(&group, good[0].opens(), ring);
}

impl Algorithm {
    /// The scheme of that name, upper or lower case.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|a| a.name().eq_ignore_ascii_case(name))
    }

    /// Whether a repeated nonce shows no more than that a whole message was repeated (SIV,
    /// GCM-SIV), so that a [`Batch`](crate::Batch) does not refuse it.
    #[inline]
    pub fn allows_repeats(self) -> bool {
        match self {
            #[cfg(feature = "gcm-siv")]
            Self::GcmSivAes128 | Self::GcmSivAes256 => true,
            #[cfg(feature = "siv")]
            Self::SivAes128 | Self::SivAes192 | Self::SivAes256 => true,
            _ => false,
        }
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
}

impl Key {
    /// Seals `buf` in place with a list of associated strings: SIV only.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the scheme takes no lists; [`Error::AdTooLong`] if there
    /// are more strings than it takes.
    pub fn seal_vectored(&self, ads: &[&[u8]], buf: &mut [u8]) -> Result<Tag, Error> {
        match self.held() {
            #[cfg(feature = "siv")]
            Held::SivAes128(k) => k.seal_vectored(ads, buf),
            #[cfg(feature = "siv")]
            Held::SivAes192(k) => k.seal_vectored(ads, buf),
            #[cfg(feature = "siv")]
            Held::SivAes256(k) => k.seal_vectored(ads, buf),
            _ => Err(Error::Unsupported),
        }
    }

    /// Opens what [`seal_vectored`](Self::seal_vectored) sealed.
    ///
    /// # Errors
    /// [`Error::Forged`], and `buf` is zero; [`Error::TagLength`] and those of
    /// `seal_vectored`, and `buf` is as it was.
    pub fn open_vectored(&self, ads: &[&[u8]], buf: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        match self.held() {
            #[cfg(feature = "siv")]
            Held::SivAes128(k) => k.open_vectored(ads, buf, tag),
            #[cfg(feature = "siv")]
            Held::SivAes192(k) => k.open_vectored(ads, buf, tag),
            #[cfg(feature = "siv")]
            Held::SivAes256(k) => k.open_vectored(ads, buf, tag),
            _ => Err(Error::Unsupported),
        }
    }
}

impl core::fmt::Debug for Key {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Key").field(&self.algorithm()).finish()
    }
}

impl core::fmt::Display for Algorithm {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table says of each scheme what its key says.
    #[test]
    fn table_is_true() {
        for &a in Algorithm::ALL {
            assert_eq!(Algorithm::by_name(&a.name().to_lowercase()), Some(a));
            let bytes = [7; 64];
            for n in 0..=64 {
                assert_eq!(
                    Key::build(Cpu::detect(), a, &bytes[..n], a.tag_lens()[0]).is_ok(),
                    n == a.key_len(),
                    "{a} {n}"
                );
            }
            for n in 0..=40 {
                let key = Key::build(Cpu::detect(), a, &bytes[..a.key_len()], n);
                assert_eq!(key.is_ok(), a.tag_lens().contains(&n), "{a} {n}");
                let Ok(key) = key else { continue };
                assert_eq!((key.name(), key.tag_len(), key.nonce_len()), (a.name(), n, a.nonce_len()), "{a}");
                let nonce = &bytes[..a.nonce_len()];
                let sealed = key.seal(nonce, b"ad", b"message").unwrap();
                assert_eq!(sealed.len(), 7 + n);
                assert_eq!(key.open(nonce, b"ad", &sealed).unwrap(), b"message");
            }
        }
    }
    /// Short tags, short nonces and the form of FSE 2011 need a hazmat name, and a scheme
    /// that has no such rule says so.
    #[test]
    fn hazmat_rules() {
        let (cpu, bytes) = (Cpu::detect(), [7; 64]);
        for &a in Algorithm::ALL {
            let key = &bytes[..a.key_len()];
            let build = |tag_len, rules: &[Relaxed]| Key::hazmat_build(cpu, a, key, tag_len, rules);
            let (ocb3, usual) = (a.name().starts_with("OCB3"), a.tag_lens()[0]);
            let gcm = a.name().ends_with("-GCM");
            let short: &[usize] = match a.name() {
                name if ocb3 || name.ends_with("EAX") => &[1, 2, 3, 4, 5, 6, 7],
                name if name.ends_with("CCM") => &[4, 6],
                _ if gcm => &[4, 8],
                _ => &[],
            };
            assert_eq!(
                {
                    let mut it = a.short_tag_lens().to_vec();
                    it.reverse();
                    it
                },
                short,
                "{a}"
            );
            for n in 0..=40 {
                let (usual, hazmat) = (a.tag_lens().contains(&n), short.contains(&n));
                assert_eq!(Key::build(cpu, a, key, n).is_ok(), usual, "{a} {n}");
                assert_eq!(build(n, &[]).is_ok(), usual, "{a} {n}");
                match build(n, &[Relaxed::ShortTags]) {
                    Ok(key) => assert!((usual || hazmat) && !short.is_empty() && key.tag_len() == n, "{a} {n}"),
                    Err(Error::Unsupported) => assert!(short.is_empty(), "{a}"),
                    Err(e) => assert!(e == Error::TagLength && !usual && !hazmat, "{a} {n}"),
                }
            }
            let error = |rule| build(usual, &[rule]).err();
            let shorts = ocb3 || gcm || a.name().ends_with("EAX");
            assert_eq!(error(Relaxed::Fse2011), (!ocb3).then_some(Error::Unsupported), "{a}");
            assert_eq!(error(Relaxed::ShortNonces), (!shorts).then_some(Error::Unsupported), "{a}");
            if shorts {
                assert_eq!(Key::build(cpu, a, key, usual).unwrap().set_nonce_len(5), Err(Error::NonceLength));
                let mut key = build(usual, &[Relaxed::ShortNonces]).unwrap();
                key.set_nonce_len(5).unwrap();
                assert_eq!(key.nonce_len(), 5);
                key.seal(b"five!", b"", b"").unwrap();
            }
            assert_eq!(Key::hazmat_build(cpu, a, &bytes[..5], usual, &[]).err(), Some(Error::KeyLength));
            if !a.name().ends_with("SIV") || a.name().ends_with("GCM-SIV") {
                let key = Key::build(cpu, a, key, usual).unwrap();
                let mut buf = *b"as it was";
                assert_eq!(key.seal_vectored(&[b"ad"], &mut buf), Err(Error::Unsupported), "{a}");
                assert_eq!(key.open_vectored(&[b"ad"], &mut buf, &[0; 16]), Err(Error::Unsupported), "{a}");
                assert_eq!(&buf, b"as it was");
            }
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
