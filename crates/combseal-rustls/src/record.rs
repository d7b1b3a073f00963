//! TLS 1.3 records (RFC 8446, 5.2 and 5.3): the content and its type sealed together, the nonce
//! the record's number XORed into the IV, the record's header for associated data.

use combseal::{Aead, Aes128, Aes256, ChaCha20Poly1305, Gcm};
use core::marker::PhantomData;
use rustls::crypto::cipher::{
    AeadKey, InboundOpaqueMessage, InboundPlainMessage, Iv, MessageDecrypter, MessageEncrypter, NONCE_LEN,
    OutboundOpaqueMessage, OutboundPlainMessage, PrefixedPayload, Tls13AeadAlgorithm, UnsupportedOperationError,
    make_tls13_aad,
};
use rustls::{ConnectionTrafficSecrets, ContentType, Error, ProtocolVersion};
use zeroize::Zeroizing;

/// The tag's length in bytes, in every suite.
const TAG_LEN: usize = 16;
/// Bytes in the longest encrypted record (RFC 8446, 5.2); of longer ones the header could not say the length.
const MAX_LEN: usize = (1 << 14) + 256;

/// An AEAD of the library that TLS 1.3 has a suite for.
pub(crate) trait Cipher: Aead + Send + Sync + Sized + 'static {
    /// Bytes in a key.
    const KEY_LEN: usize;
    /// A key of so many bytes.
    fn from_bytes(key: &[u8]) -> Option<Self>;
    /// What [`rustls`] calls the key and the IV of this AEAD.
    fn secrets(key: AeadKey, iv: Iv) -> ConnectionTrafficSecrets;
}

macro_rules! ciphers {
    ($($cipher:ty, $len:literal, $secrets:ident;)*) => {$(
        impl Cipher for $cipher {
            const KEY_LEN: usize = $len;
            fn from_bytes(key: &[u8]) -> Option<Self> {
                Some(Self::new(key.try_into().ok()?))
            }
            fn secrets(key: AeadKey, iv: Iv) -> ConnectionTrafficSecrets {
                ConnectionTrafficSecrets::$secrets { key, iv }
            }
        }
    )*};
}
ciphers! {
    Gcm<Aes128>, 16, Aes128Gcm;
    Gcm<Aes256>, 32, Aes256Gcm;
    ChaCha20Poly1305, 32, Chacha20Poly1305;
}

/// The protection of records by an AEAD.
pub(crate) struct RecordAlgorithm<A>(PhantomData<fn() -> A>);

impl<A> RecordAlgorithm<A> {
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<A: Cipher> Tls13AeadAlgorithm for RecordAlgorithm<A> {
    fn encrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn MessageEncrypter> {
        Box::new(Records::<A>::new(&key, &iv))
    }

    fn decrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn MessageDecrypter> {
        Box::new(Records::<A>::new(&key, &iv))
    }

    fn key_len(&self) -> usize {
        A::KEY_LEN
    }

    fn extract_keys(&self, key: AeadKey, iv: Iv) -> Result<ConnectionTrafficSecrets, UnsupportedOperationError> {
        Ok(A::secrets(key, iv))
    }
}

/// One direction of a connection.
struct Records<A> {
    /// None only if rustls gave a key of another length than was asked for: then nothing is
    /// sealed or opened.
    key: Option<A>,
    iv: Zeroizing<[u8; NONCE_LEN]>,
}

impl<A: Cipher> Records<A> {
    fn new(key: &AeadKey, iv: &Iv) -> Self {
        let mut it = Self { key: A::from_bytes(key.as_ref()), iv: Zeroizing::new([0; NONCE_LEN]) };
        it.iv.copy_from_slice(iv.as_ref());
        it
    }

    /// The nonce of record number `seq`.
    #[inline]
    fn nonce(&self, seq: u64) -> [u8; NONCE_LEN] {
        let mut nonce = *self.iv;
        for (byte, number) in nonce[NONCE_LEN - 8..].iter_mut().zip(seq.to_be_bytes()) {
            *byte ^= number;
        }
        nonce
    }
}

impl<A: Cipher> MessageEncrypter for Records<A> {
    fn encrypt(&mut self, msg: OutboundPlainMessage<'_>, seq: u64) -> Result<OutboundOpaqueMessage, Error> {
        let Some(key) = &self.key else { return Err(Error::EncryptError) };
        let len = self.encrypted_payload_len(msg.payload.len());
        if len > MAX_LEN {
            return Err(Error::EncryptError);
        }
        let mut payload = PrefixedPayload::with_capacity(len);
        payload.extend_from_chunks(&msg.payload);
        payload.extend_from_slice(&msg.typ.to_array());
        payload.extend_from_slice(&[0; TAG_LEN]);
        // The plaintext is in the buffer by now: after an error it is dropped, not sent.
        key.seal_attached(&self.nonce(seq), &make_tls13_aad(len), payload.as_mut()).map_err(|_| Error::EncryptError)?;
        // What a record of TLS 1.3 looks like from outside (RFC 8446, 5.2).
        Ok(OutboundOpaqueMessage::new(ContentType::ApplicationData, ProtocolVersion::TLSv1_2, payload))
    }

    fn encrypted_payload_len(&self, payload_len: usize) -> usize {
        payload_len + 1 + TAG_LEN
    }
}

impl<A: Cipher> MessageDecrypter for Records<A> {
    fn decrypt<'a>(&mut self, mut msg: InboundOpaqueMessage<'a>, seq: u64) -> Result<InboundPlainMessage<'a>, Error> {
        let Some(key) = &self.key else { return Err(Error::DecryptError) };
        let payload = &mut msg.payload;
        let aad = make_tls13_aad(payload.len());
        let len = key.open_attached(&self.nonce(seq), &aad, payload).map_err(|_| Error::DecryptError)?.len();
        payload.truncate(len);
        // The type is the last byte that is not zero.
        msg.into_tls13_unpadded_message()
    }
}
