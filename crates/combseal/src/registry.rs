//! Every scheme by value: for those who choose at run time. One line a scheme.

use crate::aead::{Aead, Cache, Error, Limits, Rare, Tag};
use crate::cpu::{Aes, Aes128, Aes192, Aes256, Answer, Cpu};
#[cfg(feature = "alloc")]
use crate::lanes::MAX_LANES;
use crate::lanes::{Destination, InOut, Source};
use crate::modes::aegis::{Aegis128, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4};
use crate::modes::chacha20_poly1305::{ChaCha20Poly1305, XChaCha20Poly1305};
use crate::modes::{ccm::Ccm, eax::Eax, gcm::Gcm, gcm_siv::GcmSiv, ocb3::Ocb3, siv::Siv};
#[cfg(feature = "alloc")]
use crate::modes::{
    many::{Group, Holds, Job, Many, Tagging},
    walk::Ring,
};
use crate::wipe::Wipe;

macro_rules! registry {
    ($($variant:ident = $key:ty, $name:literal, key $key_len:literal, nonce $nonce:literal, tags [$($tag:literal),*];)*) => {
        /// An authenticated-encryption scheme.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Algorithm {
            $(#[doc = concat!($name, ": ", stringify!($key_len), "-byte keys, ", stringify!($nonce), "-byte nonces as a rule.")] $variant,)*
        }

        impl Algorithm {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name, as in `"OCB3-AES-128"`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
            /// Bytes in a key.
            pub fn key_len(self) -> usize {
                match self { $(Self::$variant => $key_len,)* }
            }
            /// Bytes in a nonce as a rule; the schemes' docs say what else they take.
            pub fn nonce_len(self) -> usize {
                match self { $(Self::$variant => $nonce,)* }
            }
            /// The tags' lengths in bytes that `Key::build` takes, the usual one first.
            pub fn tag_lens(self) -> &'static [usize] {
                match self { $(Self::$variant => &[$($tag),*],)* }
            }
        }

        /// A key of any scheme, chosen at run time.
        ///
        /// One `match` more a call than the typed key, and compiled once, in this
        /// crate, rather than in each that uses it.
        pub struct Key(Inner);

        #[allow(clippy::large_enum_variant)]
        enum Inner {
            $($variant($key),)*
        }

        impl Key {
            /// Expands `key` for the tier `cpu`; tags have `tag_len` bytes.
            ///
            /// # Errors
            /// [`Error::KeyLength`], [`Error::TagLength`].
            pub fn build(cpu: Cpu, algorithm: Algorithm, key: &[u8], tag_len: usize) -> Result<Self, Error> {
                Ok(Self(match algorithm {
                    $(Algorithm::$variant => Inner::$variant(<$key>::build(cpu, key, tag_len)?),)*
                }))
            }

            /// The scheme.
            pub fn algorithm(&self) -> Algorithm {
                match self.0 { $(Inner::$variant(_) => Algorithm::$variant,)* }
            }

            /// Whether the scheme's messages had better go side by side.
            #[cfg(feature = "alloc")]
            #[inline]
            pub(crate) fn together(&self) -> bool {
                match self.0 { $(Inner::$variant(_) => <$key as Many>::TOGETHER,)* }
            }

            /// Does jobs of this key's scheme, tier and direction, at most 16 of them,
            /// side by side.
            #[cfg(feature = "alloc")]
            pub(crate) fn many(&self, jobs: &[&Job<'_, Key>], ring: &mut Ring) {
                match self.0 {
                    $(Inner::$variant(_) if <$key as Many>::TOGETHER => {
                        many::<$key>(jobs, ring);
                    })*
                    _ => jobs.iter().for_each(|job| job.alone(job.key, None)),
                }
            }

            /// Does a row of jobs of this key's scheme, tier and direction, one after the
            /// other.
            #[cfg(feature = "alloc")]
            pub(crate) fn row(&self, jobs: &mut [Job<'_, Key>], open: bool, cache: Option<&mut Cache>) {
                match self.0 {
                    $(Inner::$variant(_) => <$key as Many>::row(jobs, open, cache),)*
                }
            }

            /// The scheme's place in [`Algorithm::ALL`].
            #[cfg(feature = "alloc")]
            #[inline]
            pub(crate) fn place(&self) -> usize {
                self.algorithm() as usize
            }

            /// Whether a sealed message carries its tag before the ciphertext.
            fn tag_first(&self) -> bool {
                match self.0 { $(Inner::$variant(_) => <$key as Aead>::TAG_FIRST,)* }
            }
        }

        $(#[cfg(feature = "alloc")]
        impl Holds<$key> for Key {
            #[inline(always)]
            fn held(&self) -> Option<&$key> {
                if let Inner::$variant(key) = &self.0 { Some(key) } else { None }
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
                let io = InOut::join(src, dst);
                match &self.0 { $(Inner::$variant(k) => k.seal_raw(cache, nonce, ad, io, rare),)* }
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
                let io = InOut::join(src, dst);
                match &self.0 { $(Inner::$variant(k) => k.open_raw(cache, nonce, ad, io, tag),)* }
            }
        }

        impl Aead for Key {
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
            fn name(&self) -> &'static str {
                self.algorithm().name()
            }
            fn tag_len(&self) -> usize {
                match &self.0 { $(Inner::$variant(k) => k.tag_len(),)* }
            }
            fn is_tag_first(&self) -> bool {
                self.tag_first()
            }
            fn nonce_len(&self) -> usize {
                match &self.0 { $(Inner::$variant(k) => k.nonce_len(),)* }
            }
            fn limits(&self) -> Limits {
                match &self.0 { $(Inner::$variant(k) => k.limits(),)* }
            }
            fn cpu(&self) -> Cpu {
                match &self.0 { $(Inner::$variant(k) => k.cpu(),)* }
            }
        }
    };
}

registry! {
    Ocb3Aes128 = Ocb3<Aes128>, "OCB3-AES-128", key 16, nonce 12, tags [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
    Ocb3Aes192 = Ocb3<Aes192>, "OCB3-AES-192", key 24, nonce 12, tags [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
    Ocb3Aes256 = Ocb3<Aes256>, "OCB3-AES-256", key 32, nonce 12, tags [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
    GcmAes128 = Gcm<Aes128>, "AES-128-GCM", key 16, nonce 12, tags [16, 15, 14, 13, 12];
    GcmAes192 = Gcm<Aes192>, "AES-192-GCM", key 24, nonce 12, tags [16, 15, 14, 13, 12];
    GcmAes256 = Gcm<Aes256>, "AES-256-GCM", key 32, nonce 12, tags [16, 15, 14, 13, 12];
    GcmSivAes128 = GcmSiv<Aes128>, "AES-128-GCM-SIV", key 16, nonce 12, tags [16];
    GcmSivAes256 = GcmSiv<Aes256>, "AES-256-GCM-SIV", key 32, nonce 12, tags [16];
    CcmAes128 = Ccm<Aes128>, "AES-128-CCM", key 16, nonce 12, tags [16, 14, 12, 10, 8, 6, 4];
    CcmAes192 = Ccm<Aes192>, "AES-192-CCM", key 24, nonce 12, tags [16, 14, 12, 10, 8, 6, 4];
    CcmAes256 = Ccm<Aes256>, "AES-256-CCM", key 32, nonce 12, tags [16, 14, 12, 10, 8, 6, 4];
    EaxAes128 = Eax<Aes128>, "AES-128-EAX", key 16, nonce 16, tags [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
    EaxAes192 = Eax<Aes192>, "AES-192-EAX", key 24, nonce 16, tags [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
    EaxAes256 = Eax<Aes256>, "AES-256-EAX", key 32, nonce 16, tags [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
    SivAes128 = Siv<Aes128>, "AES-128-SIV", key 32, nonce 16, tags [16];
    SivAes192 = Siv<Aes192>, "AES-192-SIV", key 48, nonce 16, tags [16];
    SivAes256 = Siv<Aes256>, "AES-256-SIV", key 64, nonce 16, tags [16];
    Aegis128 = Aegis128, "AEGIS-128", key 16, nonce 16, tags [16];
    Aegis128L = Aegis128L, "AEGIS-128L", key 16, nonce 16, tags [16, 32];
    Aegis128X2 = Aegis128X2, "AEGIS-128X2", key 16, nonce 16, tags [16, 32];
    Aegis128X4 = Aegis128X4, "AEGIS-128X4", key 16, nonce 16, tags [16, 32];
    Aegis256 = Aegis256, "AEGIS-256", key 32, nonce 32, tags [16, 32];
    Aegis256X2 = Aegis256X2, "AEGIS-256X2", key 32, nonce 32, tags [16, 32];
    Aegis256X4 = Aegis256X4, "AEGIS-256X4", key 32, nonce 32, tags [16, 32];
    ChaCha20Poly1305 = ChaCha20Poly1305, "ChaCha20-Poly1305", key 32, nonce 12, tags [16];
    XChaCha20Poly1305 = XChaCha20Poly1305, "XChaCha20-Poly1305", key 32, nonce 24, tags [16];
}

/// Jobs of the scheme `K`: those whose lengths are not legal are refused, the
/// others done.
#[cfg(feature = "alloc")]
fn many<K: Many>(jobs: &[&Job<'_, Key>], ring: &mut Ring)
where
    Key: Holds<K>,
{
    let Some(first) = jobs.first().and_then(|j| j.key.held()) else { return };
    let (mut good, mut keys) = ([jobs[0]; MAX_LANES], [first; MAX_LANES]);
    let mut n = 0;
    for job in jobs {
        let Some(key) = job.key.held() else { continue };
        let tag = match &job.tag {
            Tagging::Seal(tag) => {
                let it = tag.take();
                let len = it.len();
                tag.set(it);
                len
            }
            Tagging::Open(tag) => tag.len(),
        };
        let admitted =
            if tag == key.tag_len() { key.admits(job.nonce, job.ad, job.len) } else { Err(Error::TagLength) };
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

/// A scheme's rule that [`Key::hazmat_build`] relaxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relaxed {
    /// OCB3 with nonces of fewer than 6 bytes, which break it: see
    /// [`Ocb3::hazmat_allow_short_nonces`].
    ShortNonces,
    /// The form of FSE 2011, with short nonces too: see [`Ocb3::build_fse2011`].
    Fse2011,
    /// GCM with tags of 4 and 8 bytes: see [`Gcm::hazmat_build_short_tag`].
    ShortTags,
}

impl Key {
    /// As [`build`](Self::build), with a rule of the scheme relaxed.
    ///
    /// # Errors
    /// Those of [`build`](Self::build); [`Error::KeyLength`] if the scheme has no such rule.
    pub fn hazmat_build(
        cpu: Cpu,
        algorithm: Algorithm,
        key: &[u8],
        tag_len: usize,
        rule: Relaxed,
    ) -> Result<Self, Error> {
        fn ocb3<A: Aes>(cpu: Cpu, key: &[u8], tag_len: usize, rule: Relaxed) -> Result<Ocb3<A>, Error> {
            let mut key = match rule {
                Relaxed::Fse2011 => Ocb3::build_fse2011(cpu, key, tag_len)?,
                _ => Ocb3::build(cpu, key, tag_len)?,
            };
            key.hazmat_allow_short_nonces();
            Ok(key)
        }
        if (rule == Relaxed::ShortTags) != algorithm.name().ends_with("-GCM") {
            return Err(Error::KeyLength);
        }
        Ok(Self(match algorithm {
            Algorithm::Ocb3Aes128 => Inner::Ocb3Aes128(ocb3(cpu, key, tag_len, rule)?),
            Algorithm::Ocb3Aes192 => Inner::Ocb3Aes192(ocb3(cpu, key, tag_len, rule)?),
            Algorithm::Ocb3Aes256 => Inner::Ocb3Aes256(ocb3(cpu, key, tag_len, rule)?),
            Algorithm::GcmAes128 => Inner::GcmAes128(Gcm::hazmat_build_short_tag(cpu, key, tag_len)?),
            Algorithm::GcmAes192 => Inner::GcmAes192(Gcm::hazmat_build_short_tag(cpu, key, tag_len)?),
            Algorithm::GcmAes256 => Inner::GcmAes256(Gcm::hazmat_build_short_tag(cpu, key, tag_len)?),
            _ => return Err(Error::KeyLength),
        }))
    }

    /// Seals `buf` in place with a list of associated strings: SIV only.
    ///
    /// # Errors
    /// [`Error::AdTooLong`] if the scheme takes no lists, or fewer strings.
    pub fn seal_vectored(&self, ads: &[&[u8]], buf: &mut [u8]) -> Result<Tag, Error> {
        match &self.0 {
            Inner::SivAes128(k) => k.seal_vectored(ads, buf),
            Inner::SivAes192(k) => k.seal_vectored(ads, buf),
            Inner::SivAes256(k) => k.seal_vectored(ads, buf),
            _ => Err(Error::AdTooLong),
        }
    }

    /// Opens what [`seal_vectored`](Self::seal_vectored) sealed. On failure `buf` is zeroed.
    ///
    /// # Errors
    /// [`Error::Forged`], [`Error::TagLength`] and those of `seal_vectored`.
    pub fn open_vectored(&self, ads: &[&[u8]], buf: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        match &self.0 {
            Inner::SivAes128(k) => k.open_vectored(ads, buf, tag),
            Inner::SivAes192(k) => k.open_vectored(ads, buf, tag),
            Inner::SivAes256(k) => k.open_vectored(ads, buf, tag),
            _ => {
                buf.wipe();
                Err(Error::AdTooLong)
            }
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
}
