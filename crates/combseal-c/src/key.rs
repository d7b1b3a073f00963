//! Keys of any algorithm, chosen by name: `combseal_key`.
#![allow(unsafe_code)] // C's pointers: see `edge.rs` and `handle.rs`.

use crate::about;
use crate::code::Code;
use crate::edge::{self, Span};
use crate::handle::{Handle, object};
use combseal::{Aead, Algorithm, Cpu, Key};
use core::ffi::{c_char, c_int, c_void};

object!(Key, b"k\x9ey\x5d", combseal_key_sizeof, combseal_key_alignof, combseal_key_free);

/// `COMBSEAL_USUAL`: the algorithm's usual length.
const USUAL: usize = usize::MAX;

/// What a key is made of, before anything of it is known to be right.
#[derive(Clone, Copy)]
struct Wanted {
    algorithm: *const c_char,
    key: *const u8,
    key_len: usize,
    tag_len: usize,
    nonce_len: usize,
    tier: *const c_char,
}

impl Wanted {
    /// The key.
    ///
    /// # Safety
    /// Each pointer is NULL or what combseal.h says.
    unsafe fn make(self) -> Result<Key, Code> {
        // SAFETY: as the caller promises: a string, or NULL.
        let algorithm = Algorithm::by_name(unsafe { edge::name(self.algorithm) }?).ok_or(Code::ERROR_UNKNOWN_NAME)?;
        // SAFETY: as the caller promises: so many bytes, which nobody writes to.
        let bytes = unsafe { edge::read(self.key, self.key_len) }?;
        let cpu = if self.tier.is_null() {
            Cpu::detect()
        } else {
            // SAFETY: as the caller promises: a string.
            about::tier(unsafe { edge::name(self.tier) }?).ok_or(Code::ERROR_UNKNOWN_NAME)?
        };
        let tag_len = if self.tag_len == USUAL { algorithm.tag_lens()[0] } else { self.tag_len };
        let mut key = Key::build(cpu, algorithm, bytes, tag_len)?;
        if self.nonce_len != USUAL {
            key.set_nonce_len(self.nonce_len)?;
        }
        Ok(key)
    }
}

/// `combseal_key_new`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_key_new(
    out: *mut *mut Handle<Key>,
    algorithm: *const c_char,
    key: *const u8,
    key_len: usize,
) -> c_int {
    let wanted = Wanted { algorithm, key, key_len, tag_len: USUAL, nonce_len: USUAL, tier: core::ptr::null() };
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe { Handle::create(out, || wanted.make()) })
}

/// `combseal_key_new_with`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_key_new_with(
    out: *mut *mut Handle<Key>,
    algorithm: *const c_char,
    key: *const u8,
    key_len: usize,
    tag_len: usize,
    nonce_len: usize,
    tier: *const c_char,
) -> c_int {
    let wanted = Wanted { algorithm, key, key_len, tag_len, nonce_len, tier };
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe { Handle::create(out, || wanted.make()) })
}

/// `combseal_key_init`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_key_init(
    place: *mut c_void,
    place_len: usize,
    algorithm: *const c_char,
    key: *const u8,
    key_len: usize,
    tag_len: usize,
    nonce_len: usize,
    tier: *const c_char,
) -> c_int {
    let wanted = Wanted { algorithm, key, key_len, tag_len, nonce_len, tier };
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe { Handle::create_in(place, place_len, Span::new(key, key_len), || wanted.make()) })
}

/// What is asked of a living key, or `none`.
///
/// # Safety
/// As [`Handle::get`].
unsafe fn ask<R>(key: *const Handle<Key>, none: R, of: impl FnOnce(&Key) -> R) -> R {
    // SAFETY: as the caller promises.
    unsafe { Handle::get(key) }.map_or(none, of)
}

/// `combseal_key_algorithm`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_key_algorithm(key: *const Handle<Key>) -> *const c_char {
    // SAFETY: as combseal.h asks of the caller.
    unsafe { ask(key, core::ptr::null(), |key| about::algorithm_name(key.algorithm())) }
}

/// `combseal_key_tier`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_key_tier(key: *const Handle<Key>) -> *const c_char {
    // SAFETY: as combseal.h asks of the caller.
    unsafe { ask(key, core::ptr::null(), |key| about::tier_name(key.cpu())) }
}

/// `combseal_key_tag_len`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_key_tag_len(key: *const Handle<Key>) -> usize {
    // SAFETY: as combseal.h asks of the caller.
    unsafe { ask(key, 0, Aead::tag_len) }
}

/// `combseal_key_nonce_len`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_key_nonce_len(key: *const Handle<Key>) -> usize {
    // SAFETY: as combseal.h asks of the caller.
    unsafe { ask(key, 0, Aead::nonce_len) }
}

/// `combseal_key_tag_first`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_key_tag_first(key: *const Handle<Key>) -> c_int {
    // SAFETY: as combseal.h asks of the caller.
    unsafe { ask(key, 0, |key| key.description().tag_first.into()) }
}

/// `combseal_limits`: what a key's scheme allows.
#[repr(C)]
pub struct Limits {
    message: u64,
    ad: u64,
    key_blocks: u64,
    key_messages: u64,
}

/// `combseal_key_limits`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_key_limits(key: *const Handle<Key>, limits: *mut Limits) -> c_int {
    // SAFETY: as combseal.h asks of the caller.
    let found = unsafe { Handle::get(key) }.map(Aead::limits);
    let combseal::Limits { message, ad, key_blocks, key_messages } =
        found.unwrap_or(combseal::Limits { message: 0, ad: 0, key_blocks: 0, key_messages: 0 });
    // SAFETY: as combseal.h asks of the caller: good for a write.
    unsafe { edge::tell(limits, Limits { message, ad, key_blocks, key_messages }) };
    Code::of(found.and_then(|_| if limits.is_null() { Err(Code::ERROR_NULL) } else { Ok(()) }))
}
