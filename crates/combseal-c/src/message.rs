//! One message with a nonce of the caller's: `combseal_seal`, `combseal_open` and the two with the
//! tag attached. What these check, sealers and openers check by the same functions.
#![allow(unsafe_code)] // C's pointers: see `edge.rs` and `handle.rs`.

use crate::code::Code;
use crate::edge::{self, Body, Places, Span, blank};
use crate::handle::Handle;
use combseal::internals::{InOut, Inlined};
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
    /// All buffers of a call, with those besides that it writes and reads.
    #[inline(always)]
    pub fn with<const W: usize, const R: usize>(&self, writes: [Span; W], reads: [Span; R]) -> Places<W, R> {
        Places {
            output: Span::new(self.output, self.len),
            input: Span::new(self.input, self.len),
            ad: Span::new(self.ad, self.ad_len),
            writes,
            reads,
        }
    }

    /// The message as one value.
    ///
    /// # Safety
    /// As [`to_seal`](Self::to_seal).
    #[inline(always)]
    pub unsafe fn io<'a>(self) -> InOut<'a> {
        // SAFETY: as the caller promises.
        unsafe { edge::io(self.input, self.output, self.len) }
    }

    /// The message.
    ///
    /// # Safety
    /// [`Places`] of all buffers were admitted; each is there, and nobody else touches it during `'a`.
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

    /// The message.
    ///
    /// # Safety
    /// As [`to_seal`](Self::to_seal).
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
    let buffers = Buffers { ad, ad_len, input, output, len };
    let places = buffers.with([Span::new(tag, tag_len)], [Span::new(nonce, nonce_len)]);
    // SAFETY: the pointers are what combseal.h says; slices are made once they are checked, and
    // are gone before the output is zeroed.
    unsafe {
        // The usual call by itself, in as few instructions as can be: short messages feel them.
        let Some(living) = Handle::get(key).ok().filter(|_| places.are_usual()) else {
            return seal_exactly(key, nonce, nonce_len, ad, ad_len, input, len, output, tag, tag_len);
        };
        let (io, tag_there) = (InOut::new(input, output, len), edge::there_mut(tag, tag_len));
        let done = Inlined(living).seal_io(edge::there(nonce, nonce_len), edge::slice(ad, ad_len), io, tag_there);
        match done {
            Ok(()) => 0,
            Err(error) => refuse(error, output, len, tag, tag_len),
        }
    }
}

/// The end of a call to seal that failed.
///
/// # Safety
/// As [`blank`], for output and tag.
#[cold]
#[inline(never)]
pub unsafe fn refuse(why: impl Into<Code>, output: *mut u8, len: usize, tag: *mut u8, tag_len: usize) -> c_int {
    // SAFETY: as the caller promises.
    unsafe {
        blank(output, len);
        blank(tag, tag_len);
    }
    Code::of(Err(why.into()))
}

/// The end of a call to open that failed.
///
/// # Safety
/// As [`blank`].
#[cold]
#[inline(never)]
pub unsafe fn refuse_to_open(why: impl Into<Code>, output: *mut u8, len: usize) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { blank(output, len) };
    Code::of(Err(why.into()))
}

/// [`combseal_seal`], whatever the arguments are. With the same arguments in the same places, so that
/// getting here takes a jump.
///
/// # Safety
/// As there.
#[cold]
#[inline(never)]
unsafe extern "C" fn seal_exactly(
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
    // SAFETY: as in `combseal_seal`.
    unsafe {
        let done = (|| {
            let key = Handle::get(key)?;
            let buffers = Buffers { ad, ad_len, input, output, len };
            buffers.with([Span::new(tag, tag_len)], [Span::new(nonce, nonce_len)]).check()?;
            seal(key, edge::slice(nonce, nonce_len), buffers.to_seal(tag, tag_len))
        })();
        match done {
            Ok(()) => 0,
            Err(code) => refuse(code, output, len, tag, tag_len),
        }
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
    let buffers = Buffers { ad, ad_len, input, output, len };
    let places = buffers.with([], [Span::new(nonce, nonce_len), Span::new(tag, tag_len)]);
    // SAFETY: as in `combseal_seal`.
    unsafe {
        let Some(living) = Handle::get(key).ok().filter(|_| places.are_usual()) else {
            return open_exactly(key, nonce, nonce_len, ad, ad_len, input, len, output, tag, tag_len);
        };
        let (io, tag) = (InOut::new(input, output, len), edge::there(tag, tag_len));
        let done = Inlined(living).open_io(edge::there(nonce, nonce_len), edge::slice(ad, ad_len), io, tag);
        match done {
            Ok(()) => 0,
            Err(error) => refuse_to_open(error, output, len),
        }
    }
}

/// [`combseal_open`], whatever the arguments are, which are in the same places.
///
/// # Safety
/// As there.
#[cold]
#[inline(never)]
unsafe extern "C" fn open_exactly(
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
            buffers.with([], [Span::new(nonce, nonce_len), Span::new(tag, tag_len)]).check()?;
            open(key, buffers.to_open(nonce, nonce_len, tag, tag_len))
        })();
        match done {
            Ok(()) => 0,
            Err(code) => refuse_to_open(code, output, len),
        }
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
            buffers.with([Span::new(tag, tag_len)], [Span::new(nonce, nonce_len)]).admit()?;
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
            buffers.with([], [Span::new(nonce, nonce_len), Span::new(tag, tag_len)]).admit()?;
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
