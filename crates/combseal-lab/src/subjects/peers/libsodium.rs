//! The system's libsodium. Its ChaCha20-Poly1305 keeps no context; its AES-256-GCM has one, and
//! needs a processor with AES-NI.
#![allow(unsafe_code)]

use crate::measure::Width;
use crate::subjects::candidate::{Candidate, Tag};
use crate::subjects::implementation::Implementation;
use crate::subjects::scheme::Scheme;
use std::ffi::{CStr, c_char, c_int, c_uchar, c_ulonglong, c_void};
use std::ptr::{null, null_mut};

/// Seals into the first, the tag into the second: message, data, no secret nonce, nonce, key.
type Seal<K> = unsafe extern "C" fn(
    *mut c_uchar,
    *mut c_uchar,
    *mut c_ulonglong,
    *const c_uchar,
    c_ulonglong,
    *const c_uchar,
    c_ulonglong,
    *const c_uchar,
    *const c_uchar,
    *const K,
) -> c_int;
/// Opens into the first: ciphertext, tag, data, nonce, key.
type Open<K> = unsafe extern "C" fn(
    *mut c_uchar,
    *mut c_uchar,
    *const c_uchar,
    c_ulonglong,
    *const c_uchar,
    *const c_uchar,
    c_ulonglong,
    *const c_uchar,
    *const K,
) -> c_int;

macro_rules! library {
    ($($key:ty: $seal:ident $open:ident;)*) => {
        #[link(name = "sodium")]
        unsafe extern "C" {
            fn sodium_init() -> c_int;
            fn sodium_version_string() -> *const c_char;
            fn crypto_aead_aes256gcm_is_available() -> c_int;
            fn crypto_aead_aes256gcm_beforenm(context: *mut c_void, key: *const c_uchar) -> c_int;
            $(
                fn $seal(
                    c: *mut c_uchar, mac: *mut c_uchar, maclen: *mut c_ulonglong, m: *const c_uchar, mlen: c_ulonglong,
                    ad: *const c_uchar, adlen: c_ulonglong, nsec: *const c_uchar, npub: *const c_uchar, k: *const $key,
                ) -> c_int;
                fn $open(
                    m: *mut c_uchar, nsec: *mut c_uchar, c: *const c_uchar, clen: c_ulonglong, mac: *const c_uchar,
                    ad: *const c_uchar, adlen: c_ulonglong, npub: *const c_uchar, k: *const $key,
                ) -> c_int;
            )*
        }
    };
}

library! {
    [u8; 32]: crypto_aead_chacha20poly1305_ietf_encrypt_detached crypto_aead_chacha20poly1305_ietf_decrypt_detached;
    [u8; 32]: crypto_aead_xchacha20poly1305_ietf_encrypt_detached crypto_aead_xchacha20poly1305_ietf_decrypt_detached;
    Aes256Gcm: crypto_aead_aes256gcm_encrypt_detached_afternm crypto_aead_aes256gcm_decrypt_detached_afternm;
}

/// `crypto_aead_aes256gcm_state`.
#[repr(C, align(16))]
struct Aes256Gcm([u8; 512]);

struct Sodium<K, const NONCE: usize> {
    key: K,
    seal: Seal<K>,
    open: Open<K>,
}

impl<K, const NONCE: usize> Candidate for Sodium<K, NONCE> {
    fn nonce_len(&self) -> usize {
        NONCE
    }

    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
        let nonce: &[u8; NONCE] = nonce.try_into().expect("a nonce of its length");
        let (mut tag, io) = ([0; 16], buf.as_mut_ptr());
        // SAFETY: the lengths go with the pointers; in place is allowed; the key is of the call's type.
        let done = unsafe {
            (self.seal)(
                io,
                tag.as_mut_ptr(),
                null_mut(),
                io,
                buf.len() as c_ulonglong,
                ad.as_ptr(),
                ad.len() as c_ulonglong,
                null(),
                nonce.as_ptr(),
                &raw const self.key,
            )
        };
        assert_eq!(done, 0, "libsodium seals");
        tag
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
        let nonce: &[u8; NONCE] = nonce.try_into().expect("a nonce of its length");
        let io = buf.as_mut_ptr();
        // SAFETY: as in `seal`.
        let done = unsafe {
            (self.open)(
                io,
                null_mut(),
                io,
                buf.len() as c_ulonglong,
                tag.as_ptr(),
                ad.as_ptr(),
                ad.len() as c_ulonglong,
                nonce.as_ptr(),
                &raw const self.key,
            )
        };
        done == 0
    }
}

pub(super) fn implementations() -> Vec<Implementation> {
    // SAFETY: may be called more than once, and from any thread.
    if unsafe { sodium_init() } < 0 {
        return Vec::new();
    }
    // SAFETY: a static string.
    let version = unsafe { CStr::from_ptr(sodium_version_string()) };
    let name = format!("libsodium {}", version.to_string_lossy());
    let key = |key: &[u8]| -> [u8; 32] { key.try_into().expect("32 bytes") };
    let mut all = vec![
        Implementation::new(Scheme::of("chacha20-poly1305"), 256, &*name, Width::W128, move |bytes| Sodium::<_, 12> {
            key: key(bytes),
            seal: crypto_aead_chacha20poly1305_ietf_encrypt_detached,
            open: crypto_aead_chacha20poly1305_ietf_decrypt_detached,
        }),
        Implementation::new(Scheme::of("xchacha20-poly1305"), 256, &*name, Width::W128, move |bytes| Sodium::<_, 24> {
            key: key(bytes),
            seal: crypto_aead_xchacha20poly1305_ietf_encrypt_detached,
            open: crypto_aead_xchacha20poly1305_ietf_decrypt_detached,
        }),
    ];
    // SAFETY: no arguments.
    if unsafe { crypto_aead_aes256gcm_is_available() } == 1 {
        all.push(Implementation::new(Scheme::of("gcm"), 256, &*name, Width::W128, move |bytes| {
            let mut context = Aes256Gcm([0; 512]);
            // SAFETY: the context has the size and alignment of the library's.
            unsafe { crypto_aead_aes256gcm_beforenm((&raw mut context).cast(), key(bytes).as_ptr()) };
            Sodium::<_, 12> {
                key: context,
                seal: crypto_aead_aes256gcm_encrypt_detached_afternm,
                open: crypto_aead_aes256gcm_decrypt_detached_afternm,
            }
        }));
    }
    all
}
