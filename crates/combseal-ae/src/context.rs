//! A context in memory of any alignment: a mark that tells by the address whether it lives here,
//! the key with what its scheme keeps, and the associated data of the last message that was done.
//!
//! `unsafe` here is: C's pointer is taken for a context, if the mark is right; memory is taken from
//! the allocator and given back; a context is written into memory and dropped there.
#![allow(unsafe_code)]

use crate::edge::{Refused, Span, length, require};
use crate::parts::{Message, end};
use combseal::{Algorithm, Cached, Cpu, Key};
use core::alloc::Layout;
use core::ffi::{c_int, c_void};
use zeroize::optimization_barrier;

/// What a context is behind its mark.
pub struct Context {
    /// A message that comes in parts. Dropped before the key, to which it refers.
    pub under_way: Option<Message>,
    /// Whether messages may be opened in parts.
    pub unverified: bool,
    pub key: Cached<Key>,
    pub tag_len: usize,
    pub nonce_len: usize,
    /// Of the last message that was done to its end.
    pub ad: Vec<u8>,
}

/// A context's memory: where in it the context lies, its address tells.
#[repr(C)]
struct Placed {
    /// [`MARK`] XOR the address, so that a copy elsewhere is none.
    mark: u64,
    context: Context,
}

/// What lives.
const MARK: u64 = 0x9c6d_41e8_ae0c_b305;

/// Bytes of a context, with room to align it wherever it is.
const SIZE: usize = size_of::<Placed>() + align_of::<Placed>();

/// Bytes of the stack below what makes a key, which may be moved on its way to its place. Where this crate is
/// not optimised each function on the way has a copy, and they reach some 23 KiB down.
const STACK: usize = 32 << 10;

/// C's `ae_ctx`.
#[repr(transparent)]
pub struct AeCtx(c_void);

/// Where in the memory at `ctx` the context is.
fn place(ctx: *mut AeCtx) -> Result<*mut Placed, Refused> {
    require(!ctx.is_null() && ctx.addr().checked_add(SIZE).is_some())?;
    let at = ctx.cast::<u8>();
    Ok(at.wrapping_add(at.addr().wrapping_neg() % align_of::<Placed>()).cast())
}

fn mark(at: *mut Placed) -> u64 {
    MARK ^ at.addr() as u64
}

/// The living context at `ctx`: no reference, since a message under way refers to its key.
///
/// # Safety
/// If `ctx` is not NULL there are [`SIZE`] bytes.
///
/// # Errors
/// [`Refused::NotSupported`] if none lives there.
pub unsafe fn living(ctx: *mut AeCtx) -> Result<*mut Context, Refused> {
    let at = place(ctx)?;
    // SAFETY: within the bytes that the caller promises, and aligned.
    require(unsafe { (&raw const (*at).mark).read() } == mark(at))?;
    // SAFETY: the mark says that it lives here, which only `ae_init` wrote.
    Ok(unsafe { &raw mut (*at).context })
}

/// The living context at `ctx`, in which no message is under way: one that was is lost.
///
/// # Safety
/// As [`living`], and nobody else uses them during `'a`.
///
/// # Errors
/// As [`living`].
pub unsafe fn idle<'a>(ctx: *mut AeCtx) -> Result<&'a mut Context, Refused> {
    // SAFETY: as the caller promises; what refers to the key is gone.
    unsafe {
        let at = living(ctx)?;
        let under_way: &Option<Message> = &(*at).under_way;
        if under_way.is_some() {
            leave(at);
        }
        Ok(&mut *at)
    }
}

/// Ends the message that is under way. By itself: who seals whole messages need not save registers for it.
///
/// # Safety
/// As [`end`].
#[cold]
#[inline(never)]
unsafe fn leave(at: *mut Context) {
    // SAFETY: as the caller promises.
    drop(unsafe { end(&raw mut (*at).under_way) });
}

/// What a part of a message has to do with: where the message is, the associated data, the key.
///
/// # Safety
/// `at` is a living context that nobody else uses during `'a`.
pub unsafe fn pieces<'a>(at: *mut Context) -> (*mut Option<Message>, &'a mut Vec<u8>, &'a Key) {
    // SAFETY: as the caller promises: fields, each by itself, since the message refers to the key, which is
    // only read as long as it is there.
    unsafe {
        let key: &Cached<Key> = &(*at).key;
        (&raw mut (*at).under_way, &mut (*at).ad, key.key())
    }
}

/// Ends what lives at `ctx`, and zeroes all [`SIZE`] bytes: those of a copy too, which has a key in it, and of
/// which what is on the heap belongs to another.
///
/// # Safety
/// As [`living`].
unsafe fn clear(ctx: *mut AeCtx) -> Result<(), Refused> {
    place(ctx)?;
    // SAFETY: as the caller promises; what lives is dropped once, since its mark goes too.
    unsafe {
        if let Ok(context) = living(ctx) {
            core::ptr::drop_in_place(context);
        }
        ctx.cast::<u8>().write_bytes(0, SIZE);
        optimization_barrier(&ctx);
    }
    Ok(())
}

/// `ae_allocate`
#[unsafe(no_mangle)]
pub extern "C" fn ae_allocate(_misc: *mut c_void) -> *mut AeCtx {
    // SAFETY: the layout has bytes.
    Layout::from_size_align(SIZE, 16).map_or(core::ptr::null_mut(), |it| unsafe { std::alloc::alloc_zeroed(it).cast() })
}

/// `ae_free`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ae_free(ctx: *mut AeCtx) {
    // SAFETY: as ae.h asks of the caller: what `ae_allocate` gave, or NULL.
    unsafe {
        if clear(ctx).is_ok()
            && let Ok(layout) = Layout::from_size_align(SIZE, 16)
        {
            std::alloc::dealloc(ctx.cast(), layout);
        }
    }
}

/// `ae_clear`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ae_clear(ctx: *mut AeCtx) -> c_int {
    // SAFETY: as ae.h asks of the caller.
    unsafe { clear(ctx) }.map_or_else(Refused::code, |()| 0)
}

/// `ae_ctx_sizeof`
#[unsafe(no_mangle)]
pub extern "C" fn ae_ctx_sizeof() -> c_int {
    const { assert!(SIZE < 8192) };
    SIZE as c_int
}

/// Makes what a context is.
///
/// # Safety
/// `key` is NULL or has its bytes.
unsafe fn make(key: *const c_void, key_len: c_int, nonce_len: c_int, tag_len: c_int) -> Result<Context, Refused> {
    let (nonce_len, tag_len) = (length(nonce_len)?, length(tag_len)?);
    // SAFETY: as the caller promises.
    let bytes = unsafe { Span::new(key, length(key_len)?)?.read() };
    let algorithm =
        Algorithm::ALL.iter().copied().find(|it| it.description().family == "ocb3" && it.key_len() == bytes.len());
    let mut key = Key::build(Cpu::detect(), algorithm.ok_or(Refused::NotSupported)?, bytes, tag_len)?;
    key.set_nonce_len(nonce_len)?;
    let key = Cached::new(key);
    Ok(Context { under_way: None, unverified: false, key, tag_len, nonce_len, ad: Vec::new() })
}

/// Makes a context where it will be, in a frame of its own: copies that moves leave behind lie below
/// the caller's.
///
/// # Safety
/// As [`make`], and at `ctx` there are [`SIZE`] bytes.
#[inline(never)]
unsafe fn start(
    ctx: *mut AeCtx,
    key: *const c_void,
    key_len: c_int,
    nonce_len: c_int,
    tag_len: c_int,
) -> Result<(), Refused> {
    let at = place(ctx)?;
    // SAFETY: as the caller promises. What was there is not looked at: programs that carry the original need not
    // clear a context on the stack, so that half of an old one may be there. The mark comes last.
    unsafe {
        let context = make(key, key_len, nonce_len, tag_len)?;
        at.write_bytes(0, 1);
        (&raw mut (*at).context).write(context);
        (&raw mut (*at).mark).write(mark(at));
    }
    Ok(())
}

/// Zeroes the stack below the caller's frame.
#[inline(never)]
fn clear_stack() {
    let cleared = [0u8; STACK];
    optimization_barrier(&cleared);
}

/// `ae_init`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ae_init(
    ctx: *mut AeCtx,
    key: *const c_void,
    key_len: c_int,
    nonce_len: c_int,
    tag_len: c_int,
) -> c_int {
    // SAFETY: as ae.h asks of the caller.
    let done = unsafe { start(ctx, key, key_len, nonce_len, tag_len) };
    clear_stack();
    done.map_or_else(Refused::code, |()| 0)
}

/// `ae_allow_unverified_plaintext`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ae_allow_unverified_plaintext(ctx: *mut AeCtx, allow: c_int) -> c_int {
    // SAFETY: as ae.h asks of the caller.
    unsafe { idle(ctx) }.map_or_else(Refused::code, |context| {
        context.unverified = allow != 0;
        0
    })
}
