//! Intel's ipsec-mb, by its direct calls (`ipsec_mb.c`): one message at a time, with the context
//! kept. The library returns a tag when it opens, and leaves comparing it to the caller.
#![allow(unsafe_code)]

use crate::measure::Width;
use crate::subjects::candidate::{Candidate, Tag};
use crate::subjects::implementation::Implementation;
use crate::subjects::scheme::Scheme;
use std::ffi::{CStr, c_char, c_int};

#[repr(C)]
struct Opaque([u8; 0]);

unsafe extern "C" {
    fn combseal_imb_begin() -> *const c_char;
    fn combseal_imb_new(key: *const u8, bits: c_int) -> *mut Opaque;
    fn combseal_imb_free(it: *mut Opaque);
    fn combseal_imb_size() -> usize;
    fn combseal_imb_gcm(
        it: *const Opaque,
        bits: c_int,
        open: c_int,
        nonce: *const u8,
        ad: *const u8,
        ad_len: usize,
        buf: *mut u8,
        len: usize,
        tag: *mut u8,
    );
    fn combseal_imb_chacha(
        it: *const Opaque,
        open: c_int,
        nonce: *const u8,
        ad: *const u8,
        ad_len: usize,
        buf: *mut u8,
        len: usize,
        tag: *mut u8,
    );
}

/// A key: GCM's of 128 or 256 bits, or ChaCha20's, whose bits are given as 0.
struct IpsecMb {
    context: *mut Opaque,
    bits: c_int,
}

impl IpsecMb {
    fn new(key: &[u8], bits: c_int) -> Self {
        // SAFETY: the manager was made; the key is as long as `bits` says, or 32 bytes.
        let context = unsafe { combseal_imb_new(key.as_ptr(), bits) };
        assert!(!context.is_null(), "memory for a key");
        IpsecMb { context, bits }
    }

    #[inline(always)]
    fn tag(&mut self, open: bool, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
        assert_eq!(nonce.len(), 12);
        let (mut tag, open, buffer, len) = ([0; 16], c_int::from(open), buf.as_mut_ptr(), buf.len());
        // SAFETY: lengths go with their pointers; in place is allowed.
        unsafe {
            let (nonce, data, tag) = (nonce.as_ptr(), ad.as_ptr(), tag.as_mut_ptr());
            match self.bits {
                0 => combseal_imb_chacha(self.context, open, nonce, data, ad.len(), buffer, len, tag),
                bits => combseal_imb_gcm(self.context, bits, open, nonce, data, ad.len(), buffer, len, tag),
            }
        }
        tag
    }
}

impl Drop for IpsecMb {
    fn drop(&mut self) {
        // SAFETY: made by `new`, freed once.
        unsafe { combseal_imb_free(self.context) }
    }
}

impl Candidate for IpsecMb {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
        self.tag(false, nonce, ad, buf)
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
        u128::from_ne_bytes(self.tag(true, nonce, ad, buf)) == u128::from_ne_bytes(*tag)
    }
}

pub(super) fn implementations() -> Vec<Implementation> {
    // SAFETY: called once before all else; a static string, or null where there is no memory.
    let version = unsafe { combseal_imb_begin() };
    if version.is_null() {
        return Vec::new();
    }
    // SAFETY: not null.
    let version = unsafe { CStr::from_ptr(version) }.to_string_lossy();
    let name = format!("ipsec-mb {}", version.trim_start_matches('v'));
    let of = |scheme, key_bits, bits| {
        let mut one = Implementation::new(scheme, key_bits, &*name, Width::W512, move |key| IpsecMb::new(key, bits));
        // SAFETY: no arguments.
        one.context = Some(if bits == 0 { 32 } else { unsafe { combseal_imb_size() } });
        one
    };
    vec![of(Scheme::of("gcm"), 128, 128), of(Scheme::of("gcm"), 256, 256), of(Scheme::of("chacha20-poly1305"), 256, 0)]
}
