//! `ae_encrypt` and `ae_decrypt`, a message in one call each.
#![allow(unsafe_code)] // C's pointers: see `edge.rs` and `context.rs`.

use crate::context::{AeCtx, Context, living};
use crate::edge::{Refused, Span, length, require};
use core::ffi::{c_int, c_void};

/// Where the buffers of a call are: `body` is read, `out` written, `tag` one or the other.
struct Call {
    nonce: Span,
    ad: Span,
    body: Span,
    out: Span,
    tag: Span,
}

/// The associated data of a call, which a context keeps for the next one.
///
/// # Errors
/// [`Refused::NotSupported`] if there is no memory to keep it in.
///
/// # Safety
/// `ad` is there.
unsafe fn keep(context: &mut Context, ad: Span, again: bool) -> Result<(), Refused> {
    if again {
        return Ok(());
    }
    // SAFETY: as the caller promises.
    let ad = unsafe { ad.read() };
    if ad.is_empty() {
        // Not compared: glibc's `memcmp` takes 600 cycles for no bytes at an empty vector's address,
        // which it reads by a mask that leaves all of them out, and that no page is there is found slowly.
        context.ad.clear();
    } else if context.ad != ad {
        context.ad.clear();
        context.ad.try_reserve(ad.len()).map_err(|_| Refused::NotSupported)?;
        context.ad.extend_from_slice(ad);
    }
    Ok(())
}

/// Whether a call is a whole message.
fn whole(nonce: *const c_void, last: c_int) -> Result<(), Refused> {
    require(!nonce.is_null() && last != 0)
}

/// The tag's place: apart, or behind the `len` bytes at `behind`.
fn tag_span(tag: *const c_void, behind: *const c_void, len: usize, tag_len: usize) -> Result<Span, Refused> {
    if tag.is_null() { Ok(Span::new(behind, len + tag_len)?.part(len, tag_len)) } else { Span::new(tag, tag_len) }
}

/// Zeroes the output of a call that failed, as far as there can be one.
///
/// # Safety
/// If `at` is not NULL, there are so many bytes.
#[cold]
unsafe fn blank(at: *mut c_void, len: c_int) {
    if let Ok(span) = length(len).and_then(|len| Span::new(at, len)) {
        // SAFETY: as the caller promises.
        unsafe { span.write() }.fill(0);
        zeroize::optimization_barrier(&at);
    }
}

/// `ae_encrypt`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ae_encrypt(
    ctx: *mut AeCtx,
    nonce: *const c_void,
    pt: *const c_void,
    pt_len: c_int,
    ad: *const c_void,
    ad_len: c_int,
    ct: *mut c_void,
    tag: *mut c_void,
    last: c_int,
) -> c_int {
    // SAFETY: as ae.h asks of the caller: each buffer is there with its length, or NULL. What is
    // written is apart from all else before a slice of it is made, and no slice is left when the
    // output is zeroed.
    unsafe {
        let done = (|| {
            let (context, len) = (living(ctx)?, length(pt_len)?);
            whole(nonce, last)?;
            let all = if tag.is_null() { len + context.tag_len } else { len };
            let written = c_int::try_from(all).map_err(|_| Refused::NotSupported)?;
            let it = Call {
                nonce: Span::new(nonce, context.nonce_len)?,
                ad: Span::new(ad, length(ad_len.max(0))?)?,
                body: Span::new(pt, len)?,
                out: Span::new(ct, len)?,
                tag: tag_span(tag, ct, len, context.tag_len)?,
            };
            for written in [it.out, it.tag] {
                require(written.is_apart(it.nonce) && written.is_apart(it.ad))?;
            }
            require(it.out.is_apart(it.tag) && it.tag.is_apart(it.body))?;
            keep(context, it.ad, ad_len < 0)?;
            let (nonce, ad, tag) = (it.nonce.read(), &context.ad, it.tag.write());
            if it.body.is_at(it.out) {
                context.key.seal_detached(nonce, ad, it.out.write(), tag)?;
            } else {
                require(it.body.is_apart(it.out))?;
                context.key.seal_to_detached(nonce, ad, it.body.read(), it.out.write(), tag)?;
            }
            Ok(written)
        })();
        if done.is_err() {
            blank(ct, pt_len);
        }
        done.unwrap_or_else(Refused::code)
    }
}

/// `ae_decrypt`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ae_decrypt(
    ctx: *mut AeCtx,
    nonce: *const c_void,
    ct: *const c_void,
    ct_len: c_int,
    ad: *const c_void,
    ad_len: c_int,
    pt: *mut c_void,
    tag: *const c_void,
    last: c_int,
) -> c_int {
    // SAFETY: as in `ae_encrypt`.
    unsafe {
        // What is to be zeroed: with the tag behind, a context that lives tells.
        let mut plain = if tag.is_null() { 0 } else { ct_len };
        let done = (|| {
            let (context, all) = (living(ctx)?, length(ct_len)?);
            // Less than a tag is no message, and none that anybody sealed.
            let len = if tag.is_null() { all.checked_sub(context.tag_len).ok_or(Refused::Invalid)? } else { all };
            plain = len as c_int;
            whole(nonce, last)?;
            let it = Call {
                nonce: Span::new(nonce, context.nonce_len)?,
                ad: Span::new(ad, length(ad_len.max(0))?)?,
                body: Span::new(ct, len)?,
                out: Span::new(pt, len)?,
                tag: tag_span(tag, ct, len, context.tag_len)?,
            };
            require(it.out.is_apart(it.nonce) && it.out.is_apart(it.ad) && it.out.is_apart(it.tag))?;
            keep(context, it.ad, ad_len < 0)?;
            let (nonce, ad, tag) = (it.nonce.read(), &context.ad, it.tag.read());
            if it.body.is_at(it.out) {
                context.key.open_in_place(nonce, ad, it.out.write(), tag)?;
            } else {
                require(it.body.is_apart(it.out))?;
                context.key.open_to(nonce, ad, it.body.read(), it.out.write(), tag)?;
            }
            Ok(plain)
        })();
        if done.is_err() {
            blank(pt, plain);
        }
        done.unwrap_or_else(Refused::code)
    }
}
