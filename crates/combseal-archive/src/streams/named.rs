//! A cipher or a system by value: what the registry's lists are made of. Every length is checked
//! here, so that ciphers and systems are only given what they take.

use super::about::About;
use super::cipher::{Cipher, Stream};
use super::side_by_side::SideBySide;
use super::system::{System, TAG};
use super::with_poly1305::WithPoly1305;
use crate::models::runs_on;
use combseal::internals::Wipe;
use combseal::{Cpu, Error};
use std::any::Any;

/// Bytes in the longest message and the longest associated data: what the shortest counter of these
/// ciphers goes round (eSTREAM's counter mode has 2^32 blocks of the AES), less a block.
pub const LONGEST: u64 = (1 << 36) - 16;

/// A cipher of the archive in one of its tunings.
pub struct StreamCipher {
    about: &'static About,
    context_len: usize,
    build: fn(Cpu, &[u8]) -> Box<dyn AnyCipher>,
    together: Option<Together<StreamsTogether>>,
}

/// Does messages of one cipher, all of which have its keys.
pub(super) type StreamsTogether = fn(Cpu, &mut [StreamJob<'_>]);
/// Does packets of one system likewise; opens them, if told so.
pub(super) type PacketsTogether = fn(Cpu, &mut [SystemJob<'_>], bool);

/// How several messages go side by side.
struct Together<F> {
    group: usize,
    lanes: &'static str,
    run: F,
}

impl StreamCipher {
    /// The entry of a cipher.
    pub(super) const fn of<C: Cipher + 'static>() -> Self {
        Self {
            about: C::ABOUT,
            context_len: size_of::<C>(),
            build: |cpu, key| Box::new(C::expand(cpu, key)),
            together: None,
        }
    }

    /// The entry of a cipher with a kernel for several messages.
    pub(super) const fn side_by_side<C: SideBySide + 'static>(run: StreamsTogether) -> Self {
        let together = Together { group: C::GROUP, lanes: C::LANES, run };
        Self { together: Some(together), ..Self::of::<C>() }
    }

    /// What is known of it.
    pub fn about(&self) -> &'static About {
        self.about
    }

    /// Bytes in an expanded key.
    pub fn context_len(&self) -> usize {
        self.context_len
    }

    /// How many messages `together::xor_many` puts side by side, and how, in a few words; nothing where it
    /// does one after the other.
    pub fn lanes(&self) -> Option<(usize, &'static str)> {
        self.together.as_ref().map(|together| (together.group, together.lanes))
    }
}

impl StreamCipher {
    /// What does several messages.
    pub(super) fn together(&self) -> Option<StreamsTogether> {
        self.together.as_ref().map(|together| together.run)
    }
}

impl std::fmt::Debug for StreamCipher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.about.name, self.about.tuning)
    }
}

/// A cipher's expanded key, whichever cipher it is.
pub(super) trait AnyCipher: Send + Sync {
    fn xor(&self, nonce: &[u8], data: &mut [u8]);
    fn stream<'k>(&'k self, nonce: &[u8]) -> Box<dyn Pieces + 'k>;
    fn as_any(&self) -> &dyn Any;
}

impl<C: Cipher + 'static> AnyCipher for C {
    fn xor(&self, nonce: &[u8], data: &mut [u8]) {
        Stream::new(self, nonce).xor(data);
    }

    fn stream<'k>(&'k self, nonce: &[u8]) -> Box<dyn Pieces + 'k> {
        Box::new(Stream::new(self, nonce))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A key stream under way, whichever cipher makes it.
pub(super) trait Pieces {
    fn xor(&mut self, data: &mut [u8]);
}

impl<C: Cipher> Pieces for Stream<'_, C> {
    fn xor(&mut self, data: &mut [u8]) {
        Stream::xor(self, data);
    }
}

/// An expanded key of a stream cipher. It encrypts without authenticating.
pub struct StreamKey {
    cipher: &'static StreamCipher,
    pub(super) cpu: Cpu,
    pub(super) key: Box<dyn AnyCipher>,
}

impl StreamKey {
    /// Expands `key` for the tier `cpu`: a real one, or with the feature `models` any.
    ///
    /// # Errors
    /// [`Error::KeyLength`]; [`Error::Unsupported`] where [`runs_on`] says no.
    pub fn build(cpu: Cpu, cipher: &'static StreamCipher, key: &[u8]) -> Result<Self, Error> {
        if !runs_on(cpu) {
            return Err(Error::Unsupported);
        }
        if !cipher.about.key_lens.contains(&key.len()) {
            return Err(Error::KeyLength);
        }
        Ok(Self { cipher, cpu, key: (cipher.build)(cpu, key) })
    }

    /// The cipher.
    pub fn cipher(&self) -> &'static StreamCipher {
        self.cipher
    }

    pub(super) fn check(&self, nonce: &[u8], len: usize) -> Result<(), Error> {
        if !self.cipher.about.nonce_lens.contains(&nonce.len()) {
            Err(Error::NonceLength)
        } else if len as u64 > LONGEST {
            Err(Error::MessageTooLong)
        } else {
            Ok(())
        }
    }

    /// XORs the beginning of the key stream of `nonce` into `data`.
    ///
    /// # Errors
    /// [`Error::NonceLength`], [`Error::MessageTooLong`]; nothing was touched then.
    pub fn xor(&self, nonce: &[u8], data: &mut [u8]) -> Result<(), Error> {
        self.check(nonce, data.len())?;
        self.key.xor(nonce, data);
        Ok(())
    }

    /// The key stream of `nonce`, to be taken in pieces.
    ///
    /// # Errors
    /// [`Error::NonceLength`].
    pub fn stream(&self, nonce: &[u8]) -> Result<KeyStream<'_>, Error> {
        self.check(nonce, 0)?;
        Ok(KeyStream { pieces: self.key.stream(nonce), left: LONGEST })
    }
}

/// A key stream that is taken in pieces.
pub struct KeyStream<'k> {
    pieces: Box<dyn Pieces + 'k>,
    left: u64,
}

impl KeyStream<'_> {
    /// XORs the next bytes of the key stream into `data`.
    ///
    /// # Errors
    /// [`Error::MessageTooLong`] once it has given [`LONGEST`] bytes; nothing was touched then.
    pub fn xor(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.left = self.left.checked_sub(data.len() as u64).ok_or(Error::MessageTooLong)?;
        self.pieces.xor(data);
        Ok(())
    }
}

/// One message of many, for `together::xor_many`.
pub struct StreamJob<'a> {
    /// Its key.
    pub key: &'a StreamKey,
    /// Its nonce.
    pub nonce: &'a [u8],
    /// The first sixteen bytes of its key stream, once it is done.
    pub first: [u8; 16],
    /// The message, into which the key stream from byte 16 on is XORed.
    pub data: &'a mut [u8],
}

/// A system of the archive: a cipher in one of its tunings, and what authenticates.
pub struct StreamSystem {
    name: &'static str,
    about: &'static About,
    takes_ad: bool,
    /// Bytes of the key that are Poly1305's, in front of the cipher's.
    mac_key_len: usize,
    context_len: usize,
    build: fn(Cpu, &[u8]) -> Box<dyn AnySystem>,
    together: Option<Together<PacketsTogether>>,
}

impl StreamSystem {
    /// The entry of a system whose key is `mac_key_len` bytes longer than its cipher's.
    pub(super) const fn of<S: System + 'static>(name: &'static str, mac_key_len: usize) -> Self {
        Self {
            name,
            about: S::ABOUT,
            takes_ad: S::TAKES_AD,
            mac_key_len,
            context_len: size_of::<S>(),
            build: |cpu, key| Box::new(S::expand(cpu, key)),
            together: None,
        }
    }

    /// The same of a cipher with Poly1305 that has a kernel for several messages.
    pub(super) const fn side_by_side<C: SideBySide + 'static>(
        name: &'static str,
        mac_key_len: usize,
        run: PacketsTogether,
    ) -> Self {
        let together = Together { group: C::GROUP, lanes: C::LANES, run };
        Self { together: Some(together), ..Self::of::<WithPoly1305<C>>(name, mac_key_len) }
    }

    /// How many packets `together::encrypt_many` puts side by side, and how, in a few
    /// words; nothing where it does one after the other.
    pub fn lanes(&self) -> Option<(usize, &'static str)> {
        self.together.as_ref().map(|together| (together.group, together.lanes))
    }

    /// What does several packets.
    pub(super) fn together(&self) -> Option<PacketsTogether> {
        self.together.as_ref().map(|together| together.run)
    }

    /// The name, as in `"hc-128-poly1305"`: that of its known answers too.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What is known of its cipher; how this tuning does it is there too.
    pub fn about(&self) -> &'static About {
        self.about
    }

    /// Whether it takes associated data.
    pub fn takes_ad(&self) -> bool {
        self.takes_ad
    }

    /// Whether Poly1305 authenticates, and not the cipher itself.
    pub fn has_poly1305(&self) -> bool {
        self.mac_key_len > 0
    }

    /// Bytes in a key: every length that it takes, the paper's first. With Poly1305 its r is in front.
    pub fn key_lens(&self) -> impl Iterator<Item = usize> {
        self.about.key_lens.iter().map(|len| len + self.mac_key_len)
    }

    /// Bytes in the paper's key.
    pub fn key_len(&self) -> usize {
        self.key_lens().next().unwrap_or(0)
    }

    /// Bytes in a nonce: every length that it takes, the paper's first.
    pub fn nonce_lens(&self) -> &'static [usize] {
        self.about.nonce_lens
    }

    /// Bytes in a nonce.
    pub fn nonce_len(&self) -> usize {
        self.about.nonce_lens.first().copied().unwrap_or(0)
    }

    /// Bytes in an expanded key. The paper's are in [`About::context_2007`].
    pub fn context_len(&self) -> usize {
        self.context_len
    }

    /// Whether it takes a nonce, associated data and a message of so many bytes.
    ///
    /// # Errors
    /// [`Error::NonceLength`]; [`Error::AdTooLong`], also for any where it takes none;
    /// [`Error::MessageTooLong`].
    pub fn check(&self, nonce: usize, ad: u64, message: u64) -> Result<(), Error> {
        if !self.about.nonce_lens.contains(&nonce) {
            Err(Error::NonceLength)
        } else if ad > if self.takes_ad { LONGEST } else { 0 } {
            Err(Error::AdTooLong)
        } else if message > LONGEST {
            Err(Error::MessageTooLong)
        } else {
            Ok(())
        }
    }
}

impl std::fmt::Debug for StreamSystem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.name, self.about.tuning)
    }
}

/// A system's expanded key, whichever system it is.
pub(super) trait AnySystem: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn encrypt(&self, nonce: &[u8], ad: &[u8], data: &mut [u8], tag: &mut [u8; TAG]);
    fn decrypt(&self, nonce: &[u8], ad: &[u8], data: &mut [u8], tag: &[u8; TAG]) -> bool;
}

impl<S: System + 'static> AnySystem for S {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn encrypt(&self, nonce: &[u8], ad: &[u8], data: &mut [u8], tag: &mut [u8; TAG]) {
        System::encrypt(self, nonce, ad, data, tag);
    }

    fn decrypt(&self, nonce: &[u8], ad: &[u8], data: &mut [u8], tag: &[u8; TAG]) -> bool {
        System::decrypt(self, nonce, ad, data, tag)
    }
}

/// An expanded key of a system: what the paper's three operations are made of.
pub struct SystemKey {
    system: &'static StreamSystem,
    pub(super) cpu: Cpu,
    pub(super) key: Box<dyn AnySystem>,
}

impl SystemKey {
    /// Expands `key` for the best tier of this machine: the paper's `expandkey`.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn new(system: &'static StreamSystem, key: &[u8]) -> Result<Self, Error> {
        Self::build(Cpu::detect(), system, key)
    }

    /// Expands `key` for the tier `cpu`: a real one, or with the feature `models` any.
    ///
    /// # Errors
    /// [`Error::KeyLength`]; [`Error::Unsupported`] where [`runs_on`] says no.
    pub fn build(cpu: Cpu, system: &'static StreamSystem, key: &[u8]) -> Result<Self, Error> {
        if !runs_on(cpu) {
            return Err(Error::Unsupported);
        }
        if !system.key_lens().any(|len| len == key.len()) {
            return Err(Error::KeyLength);
        }
        Ok(Self { system, cpu, key: (system.build)(cpu, key) })
    }

    /// The system.
    pub fn system(&self) -> &'static StreamSystem {
        self.system
    }

    /// Encrypts `data` in place and gives its authenticator.
    ///
    /// # Errors
    /// Those of [`StreamSystem::check`]; nothing was touched then.
    pub fn encrypt_in_place(&self, nonce: &[u8], ad: &[u8], data: &mut [u8]) -> Result<[u8; TAG], Error> {
        self.system.check(nonce.len(), ad.len() as u64, data.len() as u64)?;
        let mut tag = [0; TAG];
        self.key.encrypt(nonce, ad, data, &mut tag);
        Ok(tag)
    }

    /// Verifies and decrypts `data` in place. With Poly1305 a forgery is refused before anything is
    /// decrypted.
    ///
    /// # Errors
    /// [`Error::Forged`], and `data` is zero; those of [`StreamSystem::check`], and it is as it was.
    pub fn decrypt_in_place(&self, nonce: &[u8], ad: &[u8], data: &mut [u8], tag: &[u8; TAG]) -> Result<(), Error> {
        self.system.check(nonce.len(), ad.len() as u64, data.len() as u64)?;
        if self.key.decrypt(nonce, ad, data, tag) {
            return Ok(());
        }
        data.wipe();
        Err(Error::Forged)
    }

    /// The paper's `encrypt`: a message becomes a packet, which is the authenticator and the
    /// ciphertext behind it.
    ///
    /// # Errors
    /// Those of [`StreamSystem::check`].
    pub fn encrypt(&self, nonce: &[u8], ad: &[u8], message: &[u8]) -> Result<Vec<u8>, Error> {
        let mut packet = [&[0; TAG], message].concat();
        let tag = self.encrypt_in_place(nonce, ad, &mut packet[TAG..])?;
        packet[..TAG].copy_from_slice(&tag);
        Ok(packet)
    }

    /// The paper's `decrypt`: a packet becomes a message, or is refused.
    ///
    /// # Errors
    /// [`Error::Forged`]; [`Error::BufferLength`] if it is shorter than an authenticator; those of
    /// [`StreamSystem::check`].
    pub fn decrypt(&self, nonce: &[u8], ad: &[u8], packet: &[u8]) -> Result<Vec<u8>, Error> {
        let (tag, ciphertext) = packet.split_first_chunk().ok_or(Error::BufferLength)?;
        let mut message = ciphertext.to_vec();
        self.decrypt_in_place(nonce, ad, &mut message, tag)?;
        Ok(message)
    }
}

/// One packet of many, for `together::encrypt_many` and `decrypt_many`.
pub struct SystemJob<'a> {
    /// Its key.
    pub key: &'a SystemKey,
    /// Its nonce.
    pub nonce: &'a [u8],
    /// The message, which becomes its ciphertext; or the other way round.
    pub data: &'a mut [u8],
    /// The authenticator, made or given.
    pub tag: [u8; TAG],
    /// What became of it: until it is done, [`Error::NotRun`].
    pub done: Result<(), Error>,
}
