//! The system's libgcrypt: one handle with the key kept, and a new nonce for each message.
#![allow(unsafe_code)]

use crate::measure::Width;
use crate::subjects::candidate::{Candidate, Tag};
use crate::subjects::implementation::Implementation;
use crate::subjects::scheme::Scheme;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

type Handle = *mut c_void;

#[link(name = "gcrypt")]
unsafe extern "C" {
    fn gcry_check_version(wanted: *const c_char) -> *const c_char;
    fn gcry_control(command: c_int, ...) -> c_uint;
    fn gcry_cipher_open(handle: *mut Handle, algorithm: c_int, mode: c_int, flags: c_uint) -> c_uint;
    fn gcry_cipher_close(handle: Handle);
    fn gcry_cipher_ctl(handle: Handle, command: c_int, buffer: *mut c_void, len: usize) -> c_uint;
    fn gcry_cipher_setkey(handle: Handle, key: *const u8, len: usize) -> c_uint;
    fn gcry_cipher_setiv(handle: Handle, nonce: *const u8, len: usize) -> c_uint;
    fn gcry_cipher_authenticate(handle: Handle, data: *const u8, len: usize) -> c_uint;
    fn gcry_cipher_encrypt(handle: Handle, out: *mut u8, size: usize, input: *const u8, len: usize) -> c_uint;
    fn gcry_cipher_decrypt(handle: Handle, out: *mut u8, size: usize, input: *const u8, len: usize) -> c_uint;
    fn gcry_cipher_gettag(handle: Handle, tag: *mut u8, len: usize) -> c_uint;
    fn gcry_cipher_checktag(handle: Handle, tag: *const u8, len: usize) -> c_uint;
}

/// `GCRYCTL_*` of gcrypt.h.
const RESET: c_int = 4;
const FINALIZE: c_int = 5;
const DISABLE_SECURE_MEMORY: c_int = 37;
const INITIALIZATION_FINISHED: c_int = 38;
const SET_CCM_LENGTHS: c_int = 69;
/// `GCRY_CIPHER_MODE_*`.
const CCM: c_int = 8;
const GCM: c_int = 9;
const POLY1305: c_int = 10;
const OCB: c_int = 11;
const EAX: c_int = 14;
/// `GCRY_CIPHER_*`.
const AES128: c_int = 7;
const AES256: c_int = 9;
const CHACHA20: c_int = 316;

struct Gcrypt<const NONCE: usize> {
    handle: Handle,
    mode: c_int,
}

impl<const NONCE: usize> Gcrypt<NONCE> {
    fn new(algorithm: c_int, mode: c_int, key: &[u8]) -> Self {
        let mut handle = null_mut();
        // SAFETY: the library is initialised; `handle` is written to before it is used.
        let failed = unsafe {
            gcry_cipher_open(&mut handle, algorithm, mode, 0) | gcry_cipher_setkey(handle, key.as_ptr(), key.len())
        };
        assert_eq!(failed, 0, "libgcrypt knows the cipher");
        Gcrypt { handle, mode }
    }

    /// Nonce, lengths and data: what goes before a message of `len` bytes.
    #[inline(always)]
    fn begin(&mut self, nonce: &[u8], ad: &[u8], len: usize) {
        // SAFETY: the handle is open; lengths go with their pointers.
        let failed = unsafe {
            let mut failed = 0;
            if self.mode == EAX {
                // Without this, the message before would still be in its chains.
                failed |= gcry_cipher_ctl(self.handle, RESET, null_mut(), 0);
            }
            failed |= gcry_cipher_setiv(self.handle, nonce.as_ptr(), nonce.len());
            if self.mode == CCM {
                let mut lengths = [len as u64, ad.len() as u64, 16];
                let bytes = size_of_val(&lengths);
                failed |= gcry_cipher_ctl(self.handle, SET_CCM_LENGTHS, lengths.as_mut_ptr().cast(), bytes);
            }
            if !ad.is_empty() {
                failed |= gcry_cipher_authenticate(self.handle, ad.as_ptr(), ad.len());
            }
            if self.mode == OCB {
                failed |= gcry_cipher_ctl(self.handle, FINALIZE, null_mut(), 0);
            }
            failed
        };
        assert_eq!(failed, 0, "libgcrypt takes nonce and data");
    }
}

impl<const NONCE: usize> Drop for Gcrypt<NONCE> {
    fn drop(&mut self) {
        // SAFETY: opened by `new`, closed once.
        unsafe { gcry_cipher_close(self.handle) }
    }
}

impl<const NONCE: usize> Candidate for Gcrypt<NONCE> {
    fn nonce_len(&self) -> usize {
        NONCE
    }

    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
        self.begin(nonce, ad, buf.len());
        let mut tag = [0; 16];
        // SAFETY: in place, by a null input of no length.
        let failed = unsafe {
            gcry_cipher_encrypt(self.handle, buf.as_mut_ptr(), buf.len(), null(), 0)
                | gcry_cipher_gettag(self.handle, tag.as_mut_ptr(), 16)
        };
        assert_eq!(failed, 0, "libgcrypt seals");
        tag
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
        self.begin(nonce, ad, buf.len());
        // SAFETY: as in `seal`.
        unsafe {
            gcry_cipher_decrypt(self.handle, buf.as_mut_ptr(), buf.len(), null(), 0) == 0
                && gcry_cipher_checktag(self.handle, tag.as_ptr(), 16) == 0
        }
    }
}

pub(super) fn implementations() -> Vec<Implementation> {
    // SAFETY: initialisation, before any other call; a static string.
    let version = unsafe {
        let version = CStr::from_ptr(gcry_check_version(null()));
        gcry_control(DISABLE_SECURE_MEMORY, 0 as c_int);
        gcry_control(INITIALIZATION_FINISHED, 0 as c_int);
        version
    };
    let name = format!("libgcrypt {}", version.to_string_lossy());
    fn of<const NONCE: usize>(scheme: Scheme, bits: u32, name: &str, algorithm: c_int, mode: c_int) -> Implementation {
        let setup = move |key: &[u8]| Gcrypt::<NONCE>::new(algorithm, mode, key);
        Implementation::new(scheme, bits, name, Width::W512, setup).context_elsewhere()
    }
    vec![
        of::<12>(Scheme::of("ocb3"), 128, &name, AES128, OCB),
        of::<12>(Scheme::of("ocb3"), 256, &name, AES256, OCB),
        of::<12>(Scheme::of("gcm"), 128, &name, AES128, GCM),
        of::<12>(Scheme::of("gcm"), 256, &name, AES256, GCM),
        of::<12>(Scheme::of("ccm"), 128, &name, AES128, CCM),
        of::<12>(Scheme::of("ccm"), 256, &name, AES256, CCM),
        of::<16>(Scheme::of("eax"), 128, &name, AES128, EAX),
        of::<16>(Scheme::of("eax"), 256, &name, AES256, EAX),
        of::<12>(Scheme::of("chacha20-poly1305"), 256, &name, CHACHA20, POLY1305),
    ]
}
