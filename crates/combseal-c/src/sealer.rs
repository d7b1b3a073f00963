//! Sealing with nonces that are counted: `combseal_sealer`, and `combseal_counter` for columns.
#![allow(unsafe_code)] // C's pointers: see `edge.rs` and `handle.rs`.

use crate::code::Code;
use crate::edge::{self, Span, blank};
use crate::handle::{Handle, object};
use crate::message::{Buffers, attached_end, refuse, sealed_room};
use combseal::internals::{InOut, Inlined};
use combseal::{Aead, Key, NonceCounter, Sealer};
use core::ffi::{c_int, c_void};

/// What C has as `combseal_sealer`: it borrows a key, which the caller keeps alive as long.
pub struct Sending {
    pub key: &'static Key,
    pub sealer: Sealer<Inlined<'static>>,
}

object!(Sending, b"s\xc4l\x4b", combseal_sealer_sizeof, combseal_sealer_alignof, combseal_sealer_free);
object!(NonceCounter, b"c\xa1t\x11", combseal_counter_sizeof, combseal_counter_alignof, combseal_counter_free);

/// How the nonces are made.
#[derive(Clone, Copy)]
struct Counting {
    /// The prefix or the secret IV.
    base: *const u8,
    base_len: usize,
    /// `COMBSEAL_PREFIX` or `COMBSEAL_XOR`.
    form: c_int,
    next: u64,
    blocks: u64,
}

impl Counting {
    /// The counter.
    ///
    /// # Safety
    /// The base is NULL or has its bytes.
    unsafe fn counter(self) -> Result<NonceCounter, Code> {
        // SAFETY: as the caller promises.
        let base = unsafe { edge::read(self.base, self.base_len) }?;
        Ok(match self.form {
            0 => NonceCounter::starting_at(base, self.next, self.blocks)?,
            1 => NonceCounter::xored_at(base, self.next, self.blocks)?,
            _ => return Err(Code::ERROR_OPTION),
        })
    }

    /// The sealer.
    ///
    /// # Safety
    /// As [`counter`](Self::counter), and the key is NULL or lives as long as the sealer.
    unsafe fn sealer(self, key: *const Handle<Key>) -> Result<Sending, Code> {
        // SAFETY: as the caller promises.
        let (key, counter) = unsafe { (Handle::get(key)?, self.counter()?) };
        Ok(Sending { key, sealer: Sealer::new(Inlined(key), counter)? })
    }
}

/// `combseal_sealer_new`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_sealer_new(
    out: *mut *mut Handle<Sending>,
    key: *const Handle<Key>,
    prefix: *const u8,
    prefix_len: usize,
) -> c_int {
    let counting = Counting { base: prefix, base_len: prefix_len, form: 0, next: 0, blocks: 0 };
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe { Handle::create(out, || counting.sealer(key)) })
}

/// `combseal_sealer_new_with`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_sealer_new_with(
    out: *mut *mut Handle<Sending>,
    key: *const Handle<Key>,
    form: c_int,
    base: *const u8,
    base_len: usize,
    next: u64,
    blocks: u64,
) -> c_int {
    let counting = Counting { base, base_len, form, next, blocks };
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe { Handle::create(out, || counting.sealer(key)) })
}

/// `combseal_sealer_init`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_sealer_init(
    place: *mut c_void,
    place_len: usize,
    key: *const Handle<Key>,
    form: c_int,
    base: *const u8,
    base_len: usize,
    next: u64,
    blocks: u64,
) -> c_int {
    let counting = Counting { base, base_len, form, next, blocks };
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe { Handle::create_in(place, place_len, Span::new(base, base_len), || counting.sealer(key)) })
}

/// `combseal_counter_new`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_counter_new(
    out: *mut *mut Handle<NonceCounter>,
    prefix: *const u8,
    prefix_len: usize,
    next: u64,
    blocks: u64,
) -> c_int {
    let counting = Counting { base: prefix, base_len: prefix_len, form: 0, next, blocks };
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe { Handle::create(out, || counting.counter()) })
}

/// `combseal_counter_init`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_counter_init(
    place: *mut c_void,
    place_len: usize,
    prefix: *const u8,
    prefix_len: usize,
    next: u64,
    blocks: u64,
) -> c_int {
    let counting = Counting { base: prefix, base_len: prefix_len, form: 0, next, blocks };
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe { Handle::create_in(place, place_len, Span::new(prefix, prefix_len), || counting.counter()) })
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident($kind:ty) = $of:expr;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(it: *const Handle<$kind>) -> u64 {
            // SAFETY: as combseal.h asks of the caller.
            unsafe { Handle::get(it) }.map_or(0, $of)
        }
    )*};
}
numbers! {
    /// `combseal_sealer_next_counter`
    combseal_sealer_next_counter(Sending) = |it| it.sealer.next_counter();
    /// `combseal_sealer_blocks_used`
    combseal_sealer_blocks_used(Sending) = |it| it.sealer.blocks_used();
    /// `combseal_sealer_blocks_left`
    combseal_sealer_blocks_left(Sending) = |it| it.sealer.blocks_left();
    /// `combseal_counter_next`
    combseal_counter_next(NonceCounter) = |it| it.next_counter();
    /// `combseal_counter_blocks_used`
    combseal_counter_blocks_used(NonceCounter) = |it| it.blocks_used();
}

/// Whether the buffers are as they have to be, and the nonce's place as long as the key's nonces or not wanted.
///
/// # Errors
/// `ERROR_NONCE_LENGTH`; as [`Span::admit`], and `ERROR_OVERLAP` with anything else of the call.
#[inline(always)]
fn admit(key: &Key, buffers: &Buffers, tag: Span, (nonce, nonce_len): (*mut u8, usize)) -> Result<(), Code> {
    if nonce_len == 0 {
        return buffers.with([tag], []).admit();
    }
    if nonce_len != key.nonce_len() {
        return Err(Code::ERROR_NONCE_LENGTH);
    }
    buffers.with([tag, Span::new(nonce, nonce_len)], []).admit()
}

/// Seals, and writes the nonce if it is wanted.
///
/// # Safety
/// All buffers were [admitted](admit); each is there, and nobody else touches it.
#[inline(always)]
unsafe fn seal(
    sealer: &mut Sealer<Inlined<'static>>,
    it: Buffers,
    (tag, tag_len): (*mut u8, usize),
    (nonce, nonce_len): (*mut u8, usize),
) -> Result<(), Code> {
    // SAFETY: as the caller promises.
    unsafe {
        let used = sealer.seal_io(edge::slice(it.ad, it.ad_len), it.io(), edge::slice_mut(tag, tag_len))?;
        if nonce_len > 0 {
            // The lengths are the same.
            used.write(edge::slice_mut(nonce, nonce_len));
        }
    }
    Ok(())
}

/// `combseal_sealer_seal`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_sealer_seal(
    sealer: *mut Handle<Sending>,
    ad: *const u8,
    ad_len: usize,
    input: *const u8,
    len: usize,
    output: *mut u8,
    tag: *mut u8,
    tag_len: usize,
    nonce: *mut u8,
    nonce_len: usize,
) -> c_int {
    let buffers = Buffers { ad, ad_len, input, output, len };
    let (tag_span, nonce_span) = (Span::new(tag, tag_len), Span::new(nonce, nonce_len));
    // SAFETY: the pointers are what combseal.h says; slices are made once they are checked, and
    // are gone before the output is zeroed.
    unsafe {
        // The usual call by itself, as in `combseal_seal`.
        let usual = |it: &&mut Sending| {
            if nonce_len == 0 {
                buffers.with([tag_span], []).are_usual()
            } else {
                nonce_len == it.sealer.nonce_len() && buffers.with([tag_span, nonce_span], []).are_usual()
            }
        };
        let Some(Sending { sealer: living, .. }) = Handle::get_mut(sealer).ok().filter(usual) else {
            return seal_exactly(sealer, ad, ad_len, input, len, output, tag, tag_len, nonce, nonce_len);
        };
        let io = InOut::new(input, output, len);
        let done = living.seal_io(edge::slice(ad, ad_len), io, edge::there_mut(tag, tag_len));
        match done {
            Ok(used) => {
                if nonce_len > 0 {
                    used.write(edge::there_mut(nonce, nonce_len));
                }
                0
            }
            Err(error) => refuse_all(error, output, len, tag, tag_len, nonce, nonce_len),
        }
    }
}

/// The end of a call to seal that failed.
///
/// # Safety
/// As [`blank`], for output, tag and nonce.
#[cold]
#[inline(never)]
unsafe fn refuse_all(
    why: impl Into<Code>,
    output: *mut u8,
    len: usize,
    tag: *mut u8,
    tag_len: usize,
    nonce: *mut u8,
    nonce_len: usize,
) -> c_int {
    // SAFETY: as the caller promises.
    unsafe {
        blank(nonce, nonce_len);
        refuse(why, output, len, tag, tag_len)
    }
}

/// [`combseal_sealer_seal`], whatever the arguments are, which are in the same places.
///
/// # Safety
/// As there.
#[cold]
#[inline(never)]
unsafe extern "C" fn seal_exactly(
    sealer: *mut Handle<Sending>,
    ad: *const u8,
    ad_len: usize,
    input: *const u8,
    len: usize,
    output: *mut u8,
    tag: *mut u8,
    tag_len: usize,
    nonce: *mut u8,
    nonce_len: usize,
) -> c_int {
    // SAFETY: as in `combseal_sealer_seal`.
    unsafe {
        let done = (|| {
            let Sending { key, sealer } = Handle::get_mut(sealer)?;
            let buffers = Buffers { ad, ad_len, input, output, len };
            admit(key, &buffers, Span::new(tag, tag_len), (nonce, nonce_len))?;
            seal(sealer, buffers, (tag, tag_len), (nonce, nonce_len))
        })();
        match done {
            Ok(()) => 0,
            Err(code) => refuse_all(code, output, len, tag, tag_len, nonce, nonce_len),
        }
    }
}

/// `combseal_sealer_seal_attached`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_sealer_seal_attached(
    sealer: *mut Handle<Sending>,
    ad: *const u8,
    ad_len: usize,
    input: *const u8,
    len: usize,
    output: *mut u8,
    capacity: usize,
    written: *mut usize,
    nonce: *mut u8,
    nonce_len: usize,
) -> c_int {
    // SAFETY: as in `combseal_sealer_seal`; message and tag are two parts of the output.
    unsafe {
        let done = (|| {
            let Sending { key, sealer } = Handle::get_mut(sealer)?;
            let (body, tag, all) = sealed_room(*key, len, output, capacity)?;
            let buffers = Buffers { ad, ad_len, input, output: output.wrapping_add(body), len };
            let (tag, tag_len) = (output.wrapping_add(tag), key.tag_len());
            admit(key, &buffers, Span::new(tag, tag_len), (nonce, nonce_len))?;
            seal(sealer, buffers, (tag, tag_len), (nonce, nonce_len))?;
            Ok(all)
        })();
        if done.is_err() {
            blank(nonce, nonce_len);
        }
        attached_end(done, output, capacity, written)
    }
}
