//! The system's OpenSSL, through its EVP interface: two contexts with the key kept, one for either
//! direction, and a new nonce for each message. The safe wrapper needs a longer buffer for OCB in
//! place, so this calls the C interface.
#![allow(unsafe_code)]

use crate::measure::Width;
use crate::subjects::candidate::{Candidate, Tag};
use crate::subjects::implementation::Implementation;
use crate::subjects::scheme::Scheme;
use openssl_sys as ffi;
use std::ffi::{CStr, c_int, c_void};
use std::ptr::{null, null_mut};

/// `EVP_CTRL_AEAD_SET_IVLEN`, `_GET_TAG` and `_SET_TAG` of evp.h.
const SET_NONCE_LEN: c_int = 0x9;
const GET_TAG: c_int = 0x10;
const SET_TAG: c_int = 0x11;

/// A context with its key.
struct Context(*mut ffi::EVP_CIPHER_CTX);

impl Context {
    fn new(cipher: *const ffi::EVP_CIPHER, key: &[u8], seals: bool, ccm: bool) -> Self {
        // SAFETY: `cipher` is static; nulls stand for what is set by another call.
        unsafe {
            let context = Context(ffi::EVP_CIPHER_CTX_new());
            let direction = c_int::from(seals);
            let mut good = ffi::EVP_CipherInit_ex(context.0, cipher, null_mut(), null(), null(), direction);
            good &= ffi::EVP_CIPHER_CTX_ctrl(context.0, SET_NONCE_LEN, 12, null_mut());
            if ccm {
                good &= ffi::EVP_CIPHER_CTX_ctrl(context.0, SET_TAG, 16, null_mut());
            }
            good &= ffi::EVP_CipherInit_ex(context.0, null(), null_mut(), key.as_ptr(), null(), direction);
            assert_eq!(good, 1, "OpenSSL knows the cipher");
            context
        }
    }

    #[inline(always)]
    fn control(&mut self, command: c_int, tag: &mut Tag) -> bool {
        // SAFETY: both commands that are used read or write a tag's 16 bytes.
        unsafe { ffi::EVP_CIPHER_CTX_ctrl(self.0, command, 16, tag.as_mut_ptr().cast::<c_void>()) == 1 }
    }

    #[inline(always)]
    fn nonce(&mut self, nonce: &[u8], seals: bool) -> bool {
        assert_eq!(nonce.len(), 12);
        // SAFETY: the nonce has the length that the context was told.
        unsafe { ffi::EVP_CipherInit_ex(self.0, null(), null_mut(), null(), nonce.as_ptr(), seals.into()) == 1 }
    }

    /// Associated data, then the message in place, which CCM must get even if it is empty.
    #[inline(always)]
    fn message(&mut self, ad: &[u8], buf: &mut [u8], ccm: bool) -> bool {
        let (mut n, mut m, len) = (0, 0, buf.len() as c_int);
        let io = buf.as_mut_ptr();
        // SAFETY: lengths go with their pointers; in place is allowed; OCB leaves a part of a
        // block to the last call, which writes it behind what is there, within `buf`.
        unsafe {
            (!ccm || ffi::EVP_CipherUpdate(self.0, null_mut(), &mut n, null(), len) == 1)
                && (ad.is_empty()
                    || ffi::EVP_CipherUpdate(self.0, null_mut(), &mut n, ad.as_ptr(), ad.len() as c_int) == 1)
                && (len == 0 && !ccm || ffi::EVP_CipherUpdate(self.0, io, &mut m, io, len) == 1)
                && (ccm || ffi::EVP_CipherFinal(self.0, io.add(m as usize), &mut n) == 1)
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: made by `new`, freed once.
        unsafe { ffi::EVP_CIPHER_CTX_free(self.0) }
    }
}

struct OpenSsl {
    sealing: Context,
    opening: Context,
    /// CCM wants the message's length and tag beforehand, and is done when the message is.
    ccm: bool,
}

impl Candidate for OpenSsl {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
        let (context, mut tag) = (&mut self.sealing, [0; 16]);
        let good =
            context.nonce(nonce, true) && context.message(ad, buf, self.ccm) && context.control(GET_TAG, &mut tag);
        assert!(good, "OpenSSL seals");
        tag
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
        let (context, mut tag) = (&mut self.opening, *tag);
        (!self.ccm || context.control(SET_TAG, &mut tag))
            && context.nonce(nonce, false)
            && (self.ccm || context.control(SET_TAG, &mut tag))
            && context.message(ad, buf, self.ccm)
    }
}

pub(super) fn implementations() -> Vec<Implementation> {
    // SAFETY: a static string.
    let version = unsafe { CStr::from_ptr(ffi::OpenSSL_version(0)) }.to_string_lossy();
    let name = version.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let of = |scheme, key_bits, cipher: *const ffi::EVP_CIPHER| {
        let ccm = scheme == Scheme::of("ccm");
        Implementation::new(scheme, key_bits, &*name, Width::W512, move |key| OpenSsl {
            sealing: Context::new(cipher, key, true, ccm),
            opening: Context::new(cipher, key, false, ccm),
            ccm,
        })
        .timing_setup(move |key| Context::new(cipher, key, true, ccm))
        .context_elsewhere()
    };
    // SAFETY: they return static tables.
    unsafe {
        vec![
            of(Scheme::of("ocb3"), 128, ffi::EVP_aes_128_ocb()),
            of(Scheme::of("ocb3"), 256, ffi::EVP_aes_256_ocb()),
            of(Scheme::of("gcm"), 128, ffi::EVP_aes_128_gcm()),
            of(Scheme::of("gcm"), 256, ffi::EVP_aes_256_gcm()),
            of(Scheme::of("ccm"), 128, ffi::EVP_aes_128_ccm()),
            of(Scheme::of("ccm"), 256, ffi::EVP_aes_256_ccm()),
            of(Scheme::of("chacha20-poly1305"), 256, ffi::EVP_chacha20_poly1305()),
        ]
    }
}
