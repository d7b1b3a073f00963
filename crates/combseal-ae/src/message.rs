//! `ae_encrypt` and `ae_decrypt`: a message in one call, or a part of one (`parts.rs`).
#![allow(unsafe_code)] // C's pointers: see `edge.rs` and `context.rs`.

use crate::context::{AeCtx, Context, idle, living, pieces};
use crate::edge::{Refused, Sealing, Span, length, require};
use crate::kept::{keep, room};
use crate::parts::{Part, end, part};
use core::ffi::{c_int, c_void};

/// Where the buffers of a call are: `body` is read, `out` written, `tag` one or the other.
struct Call {
    nonce: Span,
    ad: Span,
    body: Span,
    out: Span,
    tag: Span,
}

/// Whether a call is a whole message.
fn is_whole(nonce: *const c_void, last: c_int) -> bool {
    !nonce.is_null() && last != 0
}

/// The tag's place: apart, or behind the `len` bytes at `behind`.
fn tag_span(tag: *const c_void, behind: *const c_void, len: usize, tag_len: usize) -> Result<Span, Refused> {
    if tag.is_null() { Ok(Span::new(behind, len + tag_len)?.part(len, tag_len)) } else { Span::new(tag, tag_len) }
}

/// Ends what is under way in a context and zeroes the output of a call that failed, as far as there can be
/// either: a message of which a part was refused must not go on without it.
///
/// # Safety
/// As [`living`]; if `at` is not NULL, there are so many bytes.
#[cold]
unsafe fn fail(ctx: *mut AeCtx, at: *mut c_void, len: c_int) {
    // SAFETY: as the caller promises.
    let _ = unsafe { living(ctx).map(|context| end(&raw mut (*context).under_way)) };
    if let Ok(span) = length(len).and_then(|len| Span::new(at, len)) {
        // SAFETY: as the caller promises.
        unsafe { span.write() }.fill(0);
        zeroize::optimization_barrier(&at);
    }
}

/// The same of a call to seal, with the tag's place, apart or behind, if the call was to write one; of a
/// context that does not live nobody knows the tag's length.
///
/// # Safety
/// As [`fail`]; if `tag` is not NULL, or `at` where it is, there is room for the tag too.
#[cold]
unsafe fn fail_to_seal(ctx: *mut AeCtx, at: *mut c_void, len: c_int, tag: *mut c_void, last: c_int) {
    // SAFETY: as the caller promises.
    unsafe {
        let tag_len = living(ctx).map_or(0, |context| (*context).tag_len);
        fail(ctx, at, len);
        let place = length(len).and_then(|len| tag_span(tag, at, len, tag_len));
        if last != 0
            && let Ok(span) = place
        {
            span.write().fill(0);
            zeroize::optimization_barrier(&tag);
        }
    }
}

/// A part of a message to be sealed: bytes written, the tag behind counted.
///
/// # Safety
/// As `ae_encrypt`.
#[inline(never)]
unsafe fn encrypt_part(
    ctx: *mut AeCtx,
    nonce: *const c_void,
    (pt, pt_len): (*const c_void, c_int),
    (ad, ad_len): (*const c_void, c_int),
    ct: *mut c_void,
    tag: *mut c_void,
    last: c_int,
) -> Result<c_int, Refused> {
    // SAFETY: as in `ae_encrypt`; a context's lengths do not change.
    unsafe {
        let (context, len) = (living(ctx)?, length(pt_len)?);
        let (tag_len, nonce_len) = ((*context).tag_len, (*context).nonce_len);
        let all = if tag.is_null() && last != 0 { len + tag_len } else { len };
        let written = c_int::try_from(all).map_err(|_| Refused::NotSupported)?;
        let it = Part {
            nonce: if nonce.is_null() { None } else { Some(Span::new(nonce, nonce_len)?) },
            ad: Span::new(ad, length(ad_len.max(0))?)?,
            again: ad_len < 0,
            body: Span::new(pt, len)?,
            out: Span::new(ct, len)?,
            tag: if last == 0 { None } else { Some(tag_span(tag, ct, len, tag_len)?) },
        };
        for written in [Some(it.out), it.tag].into_iter().flatten() {
            require(it.nonce.is_none_or(|nonce| written.is_apart(nonce)) && written.is_apart(it.ad))?;
        }
        require(it.tag.is_none_or(|tag| it.out.is_apart(tag) && tag.is_apart(it.body)))?;
        let (place, ad, key) = pieces(context);
        part(place, ad, key, &it, false)?;
        Ok(written)
    }
}

/// A part of a message to be opened: bytes written. `plain` is told how many there would be.
///
/// # Safety
/// As `ae_decrypt`.
#[inline(never)]
unsafe fn decrypt_part(
    ctx: *mut AeCtx,
    nonce: *const c_void,
    (ct, ct_len): (*const c_void, c_int),
    (ad, ad_len): (*const c_void, c_int),
    pt: *mut c_void,
    tag: *const c_void,
    last: c_int,
    plain: &mut c_int,
) -> Result<c_int, Refused> {
    // SAFETY: as in `ae_decrypt`; a context's lengths do not change.
    unsafe {
        let (context, all) = (living(ctx)?, length(ct_len)?);
        let (tag_len, nonce_len) = ((*context).tag_len, (*context).nonce_len);
        let behind = tag.is_null() && last != 0;
        // Refused before anything is looked at: who has not switched it on has not thought of it.
        *plain = if behind { all.saturating_sub(tag_len) as c_int } else { ct_len };
        require((*context).unverified)?;
        let len = if behind { all.checked_sub(tag_len).ok_or(Refused::Invalid)? } else { all };
        let it = Part {
            nonce: if nonce.is_null() { None } else { Some(Span::new(nonce, nonce_len)?) },
            ad: Span::new(ad, length(ad_len.max(0))?)?,
            again: ad_len < 0,
            body: Span::new(ct, len)?,
            out: Span::new(pt, len)?,
            tag: if last == 0 { None } else { Some(tag_span(tag, ct, len, tag_len)?) },
        };
        for read in [it.nonce, Some(it.ad), it.tag].into_iter().flatten() {
            require(it.out.is_apart(read))?;
        }
        let (place, ad, key) = pieces(context);
        part(place, ad, key, &it, true)?;
        Ok(len as c_int)
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
    // SAFETY: as ae.h asks of the caller: each buffer is there with its length, or NULL; a usual call's
    // are apart.
    unsafe {
        // The usual call by itself, in as few instructions as can be: short messages feel them.
        if is_whole(nonce, last)
            && (pt_len | ad_len) >= 0
            && let Ok(context) = idle(ctx)
        {
            let (len, ad_len, tag_len) = (pt_len as usize, ad_len as usize, context.tag_len);
            let (tag_at, all) = if tag.is_null() {
                (ct.cast::<u8>().wrapping_add(len), len + tag_len)
            } else {
                (tag.cast::<u8>(), len)
            };
            let it = Sealing {
                nonce: Sealing::span(nonce, context.nonce_len),
                ad: Sealing::span(ad, ad_len),
                body: Sealing::span(pt, len),
                out: Sealing::span(ct, len),
                tag: Sealing::span(tag_at.cast::<c_void>(), tag_len),
            };
            if it.is_usual() && all <= c_int::MAX as usize && keep(&mut context.ad, it.ad.read()).is_ok() {
                let Context { key, ad, .. } = context;
                let done = if it.body.is_at(it.out) {
                    key.seal_detached(it.nonce.read(), ad, it.out.write(), it.tag.write())
                } else {
                    key.seal_to_detached(it.nonce.read(), ad, it.body.read(), it.out.write(), it.tag.write())
                };
                if done.is_ok() {
                    return all as c_int;
                }
            }
        }
        // Any other, and what fails, which has touched nothing yet.
        encrypt_exactly(ctx, nonce, (pt, pt_len), (ad, ad_len), ct, tag, last)
    }
}

/// [`ae_encrypt`], whatever the arguments are.
///
/// # Safety
/// As there.
#[cold]
#[inline(never)]
unsafe fn encrypt_exactly(
    ctx: *mut AeCtx,
    nonce: *const c_void,
    (pt, pt_len): (*const c_void, c_int),
    (ad, ad_len): (*const c_void, c_int),
    ct: *mut c_void,
    tag: *mut c_void,
    last: c_int,
) -> c_int {
    // SAFETY: as ae.h asks of the caller: each buffer is there with its length, or NULL. What is
    // written is apart from all else before a slice of it is made, and no slice is left when the
    // output is zeroed.
    unsafe {
        let done = (|| {
            if !is_whole(nonce, last) {
                return encrypt_part(ctx, nonce, (pt, pt_len), (ad, ad_len), ct, tag, last);
            }
            let (context, len) = (idle(ctx)?, length(pt_len)?);
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
            require(it.body.is_at(it.out) || it.body.is_apart(it.out))?;
            // Of what was admitted nothing is refused any more.
            if ad_len >= 0 {
                keep(&mut context.ad, it.ad.read())?;
            }
            let (nonce, ad, tag) = (it.nonce.read(), &context.ad, it.tag.write());
            if it.body.is_at(it.out) {
                context.key.seal_detached(nonce, ad, it.out.write(), tag)?;
            } else {
                context.key.seal_to_detached(nonce, ad, it.body.read(), it.out.write(), tag)?;
            }
            Ok(written)
        })();
        if done.is_err() {
            fail_to_seal(ctx, ct, pt_len, tag, last);
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
        // What is to be zeroed: with the tag behind the last part, a context that lives tells.
        let mut plain = if tag.is_null() && last != 0 { 0 } else { ct_len };
        let done = (|| {
            if !is_whole(nonce, last) {
                return decrypt_part(ctx, nonce, (ct, ct_len), (ad, ad_len), pt, tag, last, &mut plain);
            }
            let (context, all) = (idle(ctx)?, length(ct_len)?);
            // Less than a tag is no message, and none that anybody sealed.
            let len = if tag.is_null() { all.checked_sub(context.tag_len).ok_or(Refused::Invalid)? } else { all };
            plain = len as c_int;
            let it = Call {
                nonce: Span::new(nonce, context.nonce_len)?,
                ad: Span::new(ad, length(ad_len.max(0))?)?,
                body: Span::new(ct, len)?,
                out: Span::new(pt, len)?,
                tag: tag_span(tag, ct, len, context.tag_len)?,
            };
            require(it.out.is_apart(it.nonce) && it.out.is_apart(it.ad) && it.out.is_apart(it.tag))?;
            require(it.body.is_at(it.out) || it.body.is_apart(it.out))?;
            let Context { key, ad: kept, .. } = context;
            room(kept, it.ad.len())?;
            let (nonce, given, tag) = (it.nonce.read(), it.ad.read(), it.tag.read());
            let ad = if ad_len < 0 { &kept[..] } else { given };
            if it.body.is_at(it.out) {
                key.open_in_place(nonce, ad, it.out.write(), tag)?;
            } else {
                key.open_to(nonce, ad, it.body.read(), it.out.write(), tag)?;
            }
            // Not those of a forgery.
            if ad_len >= 0 {
                keep(kept, given)?;
            }
            Ok(plain)
        })();
        if done.is_err() {
            fail(ctx, pt, plain);
        }
        done.unwrap_or_else(Refused::code)
    }
}
