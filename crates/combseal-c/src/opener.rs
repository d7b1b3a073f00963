//! Opening many messages of one sender, each once if there is a window: `combseal_opener`.
#![allow(unsafe_code)] // C's pointers: see `edge.rs` and `handle.rs`.

use crate::code::Code;
use crate::edge::{self, Span};
use crate::handle::{Handle, object};
use crate::message::{Buffers, attached_end, opened_room, refuse_to_open};
use combseal::internals::{InOut, Inlined};
use combseal::{Aead, Key, Opener, ReplayWindow};
use core::ffi::{c_int, c_void};

/// Words of the window: `COMBSEAL_WINDOW` messages late is late enough for any network.
const WORDS: usize = 32;

/// What C has as `combseal_opener`: it borrows a key, which the caller keeps alive as long.
pub struct Receiving {
    key: &'static Key,
    opener: Watching,
}

/// With a window or without, both in the opener's own memory: only OCB3 has on the heap what it keeps of
/// associated data.
#[allow(clippy::large_enum_variant)]
enum Watching {
    Any(Opener<Inlined<'static>>),
    Once(Opener<Inlined<'static>, WORDS>),
}

object!(Receiving, b"o\xd7n\x85", combseal_opener_sizeof, combseal_opener_alignof, combseal_opener_free);

/// What is watched: `COMBSEAL_ANY`, or nonces as a sealer makes them.
#[derive(Clone, Copy)]
struct Sender {
    form: c_int,
    base: *const u8,
    base_len: usize,
}

impl Sender {
    /// The opener.
    ///
    /// # Safety
    /// The base is NULL or has its bytes, and the key is NULL or lives as long as the opener.
    unsafe fn opener(self, key: *const Handle<Key>) -> Result<Receiving, Code> {
        // SAFETY: as the caller promises.
        let (key, base) = unsafe { (Handle::get(key)?, edge::read(self.base, self.base_len)?) };
        let opener = match self.form {
            -1 => Watching::Any(Opener::new(Inlined(key))),
            0 => Watching::Once(Opener::with_window(Inlined(key), base, ReplayWindow::new())?),
            1 => Watching::Once(Opener::with_xored_window(Inlined(key), base, ReplayWindow::new())?),
            _ => return Err(Code::ERROR_OPTION),
        };
        Ok(Receiving { key, opener })
    }
}

/// `combseal_opener_new`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_opener_new(
    out: *mut *mut Handle<Receiving>,
    key: *const Handle<Key>,
    form: c_int,
    base: *const u8,
    base_len: usize,
) -> c_int {
    let sender = Sender { form, base, base_len };
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe { Handle::create(out, || sender.opener(key)) })
}

/// `combseal_opener_init`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_opener_init(
    place: *mut c_void,
    place_len: usize,
    key: *const Handle<Key>,
    form: c_int,
    base: *const u8,
    base_len: usize,
) -> c_int {
    let sender = Sender { form, base, base_len };
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe { Handle::create_in(place, place_len, Span::new(base, base_len), || sender.opener(key)) })
}

/// `combseal_opener_forgeries`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_opener_forgeries(opener: *const Handle<Receiving>) -> u64 {
    // SAFETY: as combseal.h asks of the caller.
    unsafe { Handle::get(opener) }.map_or(0, |it| match &it.opener {
        Watching::Any(opener) => opener.forgeries(),
        Watching::Once(opener) => opener.forgeries(),
    })
}

/// Opens.
///
/// # Safety
/// As [`Buffers::to_open`].
#[inline(always)]
unsafe fn open(
    opener: &mut Watching,
    it: Buffers,
    (nonce, nonce_len): (*const u8, usize),
    (tag, tag_len): (*const u8, usize),
) -> Result<(), Code> {
    // SAFETY: as the caller promises.
    let (nonce, ad, tag, io) =
        unsafe { (edge::slice(nonce, nonce_len), edge::slice(it.ad, it.ad_len), edge::slice(tag, tag_len), it.io()) };
    match opener {
        Watching::Any(opener) => opener.open_io(nonce, ad, io, tag)?,
        Watching::Once(opener) => opener.open_io(nonce, ad, io, tag)?,
    }
    Ok(())
}

/// `combseal_opener_open`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_opener_open(
    opener: *mut Handle<Receiving>,
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
    // SAFETY: the pointers are what combseal.h says; slices are made once they are checked, and
    // are gone before the output is zeroed.
    unsafe {
        // The usual call by itself, as in `combseal_seal`.
        let Some(living) = Handle::get_mut(opener).ok().filter(|_| places.are_usual()) else {
            return open_exactly(opener, nonce, nonce_len, ad, ad_len, input, len, output, tag, tag_len);
        };
        let (nonce, ad) = (edge::there(nonce, nonce_len), edge::slice(ad, ad_len));
        let (io, tag) = (InOut::new(input, output, len), edge::there(tag, tag_len));
        let done = match &mut living.opener {
            Watching::Any(it) => it.open_io(nonce, ad, io, tag),
            Watching::Once(it) => it.open_io(nonce, ad, io, tag),
        };
        match done {
            Ok(()) => 0,
            Err(error) => refuse_to_open(error, output, len),
        }
    }
}

/// [`combseal_opener_open`], whatever the arguments are, which are in the same places.
///
/// # Safety
/// As there.
#[cold]
#[inline(never)]
unsafe extern "C" fn open_exactly(
    opener: *mut Handle<Receiving>,
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
    // SAFETY: as in `combseal_opener_open`.
    unsafe {
        let done = (|| {
            let it = Handle::get_mut(opener)?;
            let buffers = Buffers { ad, ad_len, input, output, len };
            buffers.with([], [Span::new(nonce, nonce_len), Span::new(tag, tag_len)]).check()?;
            open(&mut it.opener, buffers, (nonce, nonce_len), (tag, tag_len))
        })();
        match done {
            Ok(()) => 0,
            Err(code) => refuse_to_open(code, output, len),
        }
    }
}

/// `combseal_opener_open_attached`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_opener_open_attached(
    opener: *mut Handle<Receiving>,
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
    // SAFETY: as in `combseal_opener_open`; message and tag are two parts of the input.
    unsafe {
        let done = (|| {
            let Receiving { key, opener } = Handle::get_mut(opener)?;
            let (body, tag, plain) = opened_room(*key, input, len, output, capacity)?;
            let buffers = Buffers { ad, ad_len, input: input.wrapping_add(body), output, len: plain };
            let (tag, tag_len) = (input.wrapping_add(tag), key.tag_len());
            buffers.with([], [Span::new(nonce, nonce_len), Span::new(tag, tag_len)]).admit()?;
            open(opener, buffers, (nonce, nonce_len), (tag, tag_len))?;
            Ok(plain)
        })();
        attached_end(done, output, capacity, written)
    }
}
