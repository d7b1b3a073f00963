//! One message with a nonce of the caller's: `combseal_seal`, `combseal_open` and the two with the
//! tag attached. What these check, sealers and openers check by the same functions.
#![allow(unsafe_code)] // C's pointers: see `edge.rs` and `handle.rs`.

use crate::code::Code;
use crate::edge::{self, Body, Span, blank, checked};
use crate::handle::Handle;
use combseal::{Aead, Key};
use core::ffi::c_int;

/// A message to be sealed, whose buffers are there and apart.
pub struct ToSeal<'a> {
    pub ad: &'a [u8],
    pub body: Body<'a>,
    pub tag: &'a mut [u8],
}

/// A message to be opened, whose buffers are there and apart.
pub struct ToOpen<'a> {
    pub nonce: &'a [u8],
    pub ad: &'a [u8],
    pub body: Body<'a>,
    pub tag: &'a [u8],
}

/// Buffers as C names them: of the message, the same or two.
#[derive(Clone, Copy)]
pub struct Buffers {
    pub ad: *const u8,
    pub ad_len: usize,
    pub input: *const u8,
    pub output: *mut u8,
    pub len: usize,
}

impl Buffers {
    /// Whether all buffers of a message to be sealed may be there, and those that are written are
    /// apart from all else, but that input and output may be one. `other` is one more buffer of the
    /// call: the nonce, read or written.
    ///
    /// # Errors
    /// `ERROR_NULL`, `ERROR_BUFFER_LENGTH`, `ERROR_OVERLAP`.
    // Apart from `to_seal`, so that the result is no more than a number.
    #[inline(always)]
    pub fn may_seal(&self, other: Span, tag: Span) -> Result<(), Code> {
        let (ad, out, from) = self.spans();
        if from.is_at(out) {
            checked([out, tag], [ad, other, Span::NONE])
        } else {
            checked([out, tag], [ad, other, from])
        }
    }

    /// The message.
    ///
    /// # Safety
    /// [`may_seal`](Self::may_seal) has let it pass; each buffer is there, and nobody else touches
    /// it during `'a`.
    #[inline(always)]
    pub unsafe fn to_seal<'a>(self, tag: *mut u8, tag_len: usize) -> ToSeal<'a> {
        // SAFETY: as the caller promises.
        unsafe {
            ToSeal {
                ad: edge::slice(self.ad, self.ad_len),
                body: edge::body(self.input, self.output, self.len),
                tag: edge::slice_mut(tag, tag_len),
            }
        }
    }

    /// The same of a message to be opened, where nonce and tag are read.
    ///
    /// # Errors
    /// As [`may_seal`](Self::may_seal).
    #[inline(always)]
    pub fn may_open(&self, nonce: Span, tag: Span) -> Result<(), Code> {
        let (ad, out, from) = self.spans();
        checked([out, Span::NONE], [ad, nonce, tag])?;
        if from.is_at(out) { Ok(()) } else { checked([out, Span::NONE], [from, Span::NONE, Span::NONE]) }
    }

    /// The message.
    ///
    /// # Safety
    /// As [`to_seal`](Self::to_seal), after [`may_open`](Self::may_open).
    #[inline(always)]
    pub unsafe fn to_open<'a>(self, nonce: *const u8, nonce_len: usize, tag: *const u8, tag_len: usize) -> ToOpen<'a> {
        // SAFETY: as the caller promises.
        unsafe {
            ToOpen {
                nonce: edge::slice(nonce, nonce_len),
                ad: edge::slice(self.ad, self.ad_len),
                body: edge::body(self.input, self.output, self.len),
                tag: edge::slice(tag, tag_len),
            }
        }
    }

    /// Associated data, output and input.
    #[inline(always)]
    fn spans(&self) -> (Span, Span, Span) {
        (Span::new(self.ad, self.ad_len), Span::new(self.output, self.len), Span::new(self.input, self.len))
    }
}

/// Where message and tag are in a sealed message of `len` bytes of plaintext.
#[inline(always)]
pub fn attached<A: Aead>(key: &A, len: usize) -> Result<(usize, usize, usize), Code> {
    let all = len.checked_add(key.tag_len()).ok_or(Code::ERROR_BUFFER_LENGTH)?;
    let body = key.body_range(all)?;
    Ok((body.start, if body.start == 0 { len } else { 0 }, all))
}

/// Seals under a key.
#[inline(always)]
fn seal(key: &Key, nonce: &[u8], it: ToSeal<'_>) -> Result<(), Code> {
    match it.body {
        Body::Here(buf) => key.seal_detached(nonce, it.ad, buf, it.tag)?,
        Body::To(src, dst) => key.seal_to_detached(nonce, it.ad, src, dst, it.tag)?,
    }
    Ok(())
}

/// Opens under a key.
#[inline(always)]
fn open(key: &Key, it: ToOpen<'_>) -> Result<(), Code> {
    match it.body {
        Body::Here(buf) => key.open_in_place(it.nonce, it.ad, buf, it.tag)?,
        Body::To(src, dst) => key.open_to(it.nonce, it.ad, src, dst, it.tag)?,
    }
    Ok(())
}

/// `combseal_seal`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_seal(
    key: *const Handle<Key>,
    nonce: *const u8,
    nonce_len: usize,
    ad: *const u8,
    ad_len: usize,
    input: *const u8,
    len: usize,
    output: *mut u8,
    tag: *mut u8,
    tag_len: usize,
) -> c_int {
    // SAFETY: the pointers are what combseal.h says; slices are made once they are checked, and
    // are gone before the output is zeroed.
    unsafe {
        let done = (|| {
            let key = Handle::get(key)?;
            let buffers = Buffers { ad, ad_len, input, output, len };
            buffers.may_seal(Span::new(nonce, nonce_len), Span::new(tag, tag_len))?;
            seal(key, edge::slice(nonce, nonce_len), buffers.to_seal(tag, tag_len))
        })();
        if done.is_err() {
            blank(output, len);
            blank(tag, tag_len);
        }
        Code::of(done)
    }
}

/// `combseal_open`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_open(
    key: *const Handle<Key>,
    nonce: *const u8,
    nonce_len: usize,
    ad: *const u8,
    ad_len: usize,
    input: *const u8,
    len: usize,
    output: *mut u8,
    tag: *const u8,
    tag_len: usize,
) -> c_int {
    // SAFETY: as in `combseal_seal`.
    unsafe {
        let done = (|| {
            let key = Handle::get(key)?;
            let buffers = Buffers { ad, ad_len, input, output, len };
            buffers.may_open(Span::new(nonce, nonce_len), Span::new(tag, tag_len))?;
            open(key, buffers.to_open(nonce, nonce_len, tag, tag_len))
        })();
        if done.is_err() {
            blank(output, len);
        }
        Code::of(done)
    }
}

/// `combseal_seal_attached`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_seal_attached(
    key: *const Handle<Key>,
    nonce: *const u8,
    nonce_len: usize,
    ad: *const u8,
    ad_len: usize,
    input: *const u8,
    len: usize,
    output: *mut u8,
    capacity: usize,
    written: *mut usize,
) -> c_int {
    // SAFETY: as in `combseal_seal`; message and tag are two parts of the output.
    unsafe {
        let done = (|| {
            let key = Handle::get(key)?;
            let (body, tag, all) = sealed_room(key, len, output, capacity)?;
            let buffers = Buffers { ad, ad_len, input, output: output.wrapping_add(body), len };
            let (tag, tag_len) = (output.wrapping_add(tag), key.tag_len());
            buffers.may_seal(Span::new(nonce, nonce_len), Span::new(tag, tag_len))?;
            seal(key, edge::slice(nonce, nonce_len), buffers.to_seal(tag, tag_len))?;
            Ok(all)
        })();
        attached_end(done, output, capacity, written)
    }
}

/// `combseal_open_attached`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_open_attached(
    key: *const Handle<Key>,
    nonce: *const u8,
    nonce_len: usize,
    ad: *const u8,
    ad_len: usize,
    input: *const u8,
    len: usize,
    output: *mut u8,
    capacity: usize,
    written: *mut usize,
) -> c_int {
    // SAFETY: as in `combseal_seal`; message and tag are two parts of the input.
    unsafe {
        let done = (|| {
            let key = Handle::get(key)?;
            let (body, tag, plain) = opened_room(key, input, len, output, capacity)?;
            let buffers = Buffers { ad, ad_len, input: input.wrapping_add(body), output, len: plain };
            let (tag, tag_len) = (input.wrapping_add(tag), key.tag_len());
            buffers.may_open(Span::new(nonce, nonce_len), Span::new(tag, tag_len))?;
            open(key, buffers.to_open(nonce, nonce_len, tag, tag_len))?;
            Ok(plain)
        })();
        attached_end(done, output, capacity, written)
    }
}

/// Where message and tag go in an output of `capacity` bytes, and how many bytes both have.
///
/// # Errors
/// As [`Span::admit`]; `ERROR_BUFFER_LENGTH` if there is no room for both.
#[inline(always)]
pub fn sealed_room<A: Aead>(
    key: &A,
    len: usize,
    output: *mut u8,
    capacity: usize,
) -> Result<(usize, usize, usize), Code> {
    Span::new(output, capacity).admit()?;
    let it @ (_, _, all) = attached(key, len)?;
    if all > capacity { Err(Code::ERROR_BUFFER_LENGTH) } else { Ok(it) }
}

/// Where message and tag are in `len` sealed bytes, and how many the message has, for which there
/// is room in the output.
///
/// # Errors
/// As [`Span::admit`]; `ERROR_BUFFER_LENGTH` of less than a tag, and if there is no room.
#[inline(always)]
pub fn opened_room<A: Aead>(
    key: &A,
    input: *const u8,
    len: usize,
    output: *mut u8,
    capacity: usize,
) -> Result<(usize, usize, usize), Code> {
    Span::new(input, len).admit()?;
    Span::new(output, capacity).admit()?;
    let plain = len.checked_sub(key.tag_len()).ok_or(Code::ERROR_BUFFER_LENGTH)?;
    if plain > capacity {
        return Err(Code::ERROR_BUFFER_LENGTH);
    }
    let (body, tag, _) = attached(key, plain)?;
    Ok((body, tag, plain))
}

/// Tells how many bytes were written, which are none after an error, and zeroes the output then.
///
/// # Safety
/// As [`edge::write`] for the output and [`edge::tell`] for `written`; no slice of them is left.
#[inline(always)]
pub unsafe fn attached_end(done: Result<usize, Code>, output: *mut u8, capacity: usize, written: *mut usize) -> c_int {
    // SAFETY: as the caller promises.
    unsafe {
        edge::tell(written, done.unwrap_or(0));
        if done.is_err() {
            blank(output, capacity);
        }
    }
    Code::of(done.map(drop))
}
