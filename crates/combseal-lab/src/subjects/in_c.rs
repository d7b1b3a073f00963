//! Our own libraries for C, as a program in C meets them: `combseal.h` and `ae.h`, each an implementation
//! beside the others. They take part in the papers' whole programme or by name; who wants to know
//! what a call through C costs, compares them with the same tier of ours.
//!
//! `unsafe` here is the call of their functions.
#![allow(unsafe_code)]

use super::candidate::{Candidate, CountingNonce, Tag};
use super::implementation::Implementation;
use super::ours::width;
use super::scheme::Scheme;
use combseal::{Algorithm, Cpu};
use combseal_ae as _;
use combseal_c as _;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

/// `combseal_key`, `combseal_sealer` and `combseal_opener`, of which C sees nothing.
#[repr(C)]
struct Opaque([u8; 0]);

unsafe extern "C" {
    fn combseal_key_new(out: *mut *mut Opaque, algorithm: *const c_char, key: *const u8, len: usize) -> c_int;
    fn combseal_key_free(key: *mut Opaque);
    fn combseal_sealer_new(out: *mut *mut Opaque, key: *const Opaque, prefix: *const u8, len: usize) -> c_int;
    fn combseal_sealer_next_counter(sealer: *const Opaque) -> u64;
    fn combseal_sealer_free(sealer: *mut Opaque);
    fn combseal_sealer_seal(
        sealer: *mut Opaque,
        ad: *const u8,
        ad_len: usize,
        input: *const u8,
        len: usize,
        output: *mut u8,
        tag: *mut u8,
        tag_len: usize,
        nonce: *mut u8,
        nonce_len: usize,
    ) -> c_int;
    fn combseal_seal(
        key: *const Opaque,
        nonce: *const u8,
        nonce_len: usize,
        ad: *const u8,
        ad_len: usize,
        input: *const u8,
        len: usize,
        output: *mut u8,
        tag: *mut u8,
        tag_len: usize,
    ) -> c_int;
    fn combseal_opener_new(
        out: *mut *mut Opaque,
        key: *const Opaque,
        form: c_int,
        base: *const u8,
        len: usize,
    ) -> c_int;
    fn combseal_opener_free(opener: *mut Opaque);
    fn combseal_opener_open(
        opener: *mut Opaque,
        nonce: *const u8,
        nonce_len: usize,
        ad: *const u8,
        ad_len: usize,
        input: *const u8,
        len: usize,
        output: *mut u8,
        tag: *const u8,
        tag_len: usize,
    ) -> c_int;

    fn ae_allocate(misc: *mut c_void) -> *mut c_void;
    fn ae_free(ctx: *mut c_void);
    fn ae_init(ctx: *mut c_void, key: *const c_void, key_len: c_int, nonce_len: c_int, tag_len: c_int) -> c_int;
    fn ae_encrypt(
        ctx: *mut c_void,
        nonce: *const c_void,
        pt: *const c_void,
        pt_len: c_int,
        ad: *const c_void,
        ad_len: c_int,
        ct: *mut c_void,
        tag: *mut c_void,
        last: c_int,
    ) -> c_int;
    fn ae_decrypt(
        ctx: *mut c_void,
        nonce: *const c_void,
        ct: *const c_void,
        ct_len: c_int,
        ad: *const c_void,
        ad_len: c_int,
        pt: *mut c_void,
        tag: *const c_void,
        last: c_int,
    ) -> c_int;
}

/// The version of the libraries, which have the workspace's.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The first bytes of a sealer's nonces.
const PREFIX: &[u8; 4] = b"in C";

/// Bytes in a nonce.
const NONCE: usize = 12;

/// `COMBSEAL_ANY`: an opener that watches nothing, as ours in Rust is timed.
const ANY: c_int = -1;

/// What a program in C has for packets: a key, and a sealer and an opener of it, which keep what messages share.
struct Combseal {
    key: *mut Opaque,
    sealer: *mut Opaque,
    opener: *mut Opaque,
}

impl Combseal {
    fn new(algorithm: &str, bytes: &[u8]) -> Self {
        let name = CString::new(algorithm).expect("a name without NUL");
        let mut it = Self { key: null_mut(), sealer: null_mut(), opener: null_mut() };
        // SAFETY: a string, the key's bytes, and places for the pointers; sealer and opener end before the key.
        let done = unsafe {
            combseal_key_new(&mut it.key, name.as_ptr(), bytes.as_ptr(), bytes.len())
                | combseal_sealer_new(&mut it.sealer, it.key, PREFIX.as_ptr(), PREFIX.len())
                | combseal_opener_new(&mut it.opener, it.key, ANY, null(), 0)
        };
        assert_eq!(done, 0, "combseal.h makes a key");
        it
    }
}

impl Drop for Combseal {
    fn drop(&mut self) {
        // SAFETY: made in `new`, and ended here alone.
        unsafe {
            combseal_opener_free(self.opener);
            combseal_sealer_free(self.sealer);
            combseal_key_free(self.key);
        }
    }
}

impl Candidate for Combseal {
    fn nonce_len(&self) -> usize {
        NONCE
    }

    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
        let (mut tag, at) = ([0; 16], buf.as_mut_ptr());
        // SAFETY: a key that lives, and the lengths go with the pointers.
        let done = unsafe {
            combseal_seal(
                self.key,
                nonce.as_ptr(),
                nonce.len(),
                ad.as_ptr(),
                ad.len(),
                at,
                buf.len(),
                at,
                tag.as_mut_ptr(),
                tag.len(),
            )
        };
        assert_eq!(done, 0, "combseal.h seals");
        tag
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
        let at = buf.as_mut_ptr();
        // SAFETY: an opener that lives, and as in `seal`.
        let done = unsafe {
            combseal_opener_open(
                self.opener,
                nonce.as_ptr(),
                nonce.len(),
                ad.as_ptr(),
                ad.len(),
                at,
                buf.len(),
                at,
                tag.as_ptr(),
                tag.len(),
            )
        };
        done == 0
    }

    #[inline(always)]
    fn seal_next(&mut self, _: &mut CountingNonce, ad: &[u8], buf: &mut [u8]) -> Tag {
        let (mut tag, at) = ([0; 16], buf.as_mut_ptr());
        // SAFETY: a sealer that lives, and as in `seal`; the nonce is not wanted.
        let done = unsafe {
            let (tag, tag_len) = (tag.as_mut_ptr(), tag.len());
            combseal_sealer_seal(self.sealer, ad.as_ptr(), ad.len(), at, buf.len(), at, tag, tag_len, null_mut(), 0)
        };
        assert_eq!(done, 0, "far from the key's limit");
        tag
    }

    fn counted(&self) -> Option<Vec<u8>> {
        // SAFETY: a sealer that lives.
        let next = unsafe { combseal_sealer_next_counter(self.sealer) };
        Some([&PREFIX[..], &(next - 1).to_be_bytes()].concat())
    }
}

/// A context of `ae.h`.
struct Ae(*mut c_void);

impl Ae {
    fn new(bytes: &[u8]) -> Self {
        // SAFETY: a context that was just allocated, and the key's bytes.
        let (ctx, done) = unsafe {
            let ctx = ae_allocate(null_mut());
            (ctx, ae_init(ctx, bytes.as_ptr().cast(), bytes.len() as c_int, NONCE as c_int, 16))
        };
        assert_eq!(done, 0, "ae.h makes a context");
        Self(ctx)
    }
}

impl Drop for Ae {
    fn drop(&mut self) {
        // SAFETY: made in `new`, and ended here alone.
        unsafe { ae_free(self.0) };
    }
}

/// A length as `ae.h` has it.
#[inline(always)]
fn int(len: usize) -> c_int {
    len.try_into().expect("no message has 2 GiB")
}

impl Candidate for Ae {
    fn nonce_len(&self) -> usize {
        NONCE
    }

    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
        let (mut tag, at, len) = ([0u8; 16], buf.as_mut_ptr().cast(), int(buf.len()));
        let (nonce, data, to) = (nonce.as_ptr().cast(), ad.as_ptr().cast(), tag.as_mut_ptr().cast());
        // SAFETY: a context that lives; the lengths go with the pointers, or are those of `new`.
        let done = unsafe { ae_encrypt(self.0, nonce, at, len, data, int(ad.len()), at, to, 1) };
        assert_eq!(done, len, "ae.h seals");
        tag
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
        let (at, len) = (buf.as_mut_ptr().cast(), int(buf.len()));
        let (nonce, data, tag) = (nonce.as_ptr().cast(), ad.as_ptr().cast(), tag.as_ptr().cast());
        // SAFETY: as in `seal`.
        let done = unsafe { ae_decrypt(self.0, nonce, at, len, data, int(ad.len()), at, tag, 1) };
        done == len
    }
}

/// The families that are measured: those of the small library.
const FAMILIES: [&str; 3] = ["ocb3", "gcm", "chacha20-poly1305"];

/// `combseal.h`, and `ae.h`, which has OCB3, on the best tier of this machine.
pub fn implementations() -> Vec<Implementation> {
    let width = width(Cpu::detect());
    let mut all = Vec::new();
    for algorithm in Algorithm::ALL.iter().map(|it| it.description()) {
        if !FAMILIES.contains(&algorithm.family) || algorithm.nonce_len != NONCE {
            continue;
        }
        let (scheme, name) = (Scheme::of(algorithm.family), algorithm.name);
        let in_c = format!("combseal C {VERSION}");
        let one = Implementation::new(scheme, algorithm.key_bits, in_c, width, move |key| Combseal::new(name, key));
        all.push(one.context_elsewhere());
        if algorithm.family == "ocb3" {
            let one = Implementation::new(scheme, algorithm.key_bits, format!("ae.h {VERSION}"), width, Ae::new);
            all.push(one.context_elsewhere());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both are there, each key length of each family once.
    #[test]
    fn both_are_there() {
        let all = implementations();
        let of = |part: &str| all.iter().filter(|one| one.name.starts_with(part)).count();
        assert_eq!((of("combseal C "), of("ae.h ")), (3 + 3 + 1, 3));
    }
}
