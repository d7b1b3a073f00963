//! A message that comes in parts: what of it lies in a context between two calls, and the calls.
//!
//! Parts before the last have whole blocks, so that each call writes as many bytes as it reads.
//! Associated data may come with any part; the library takes them at a message's beginning, so what
//! comes later is added to the tag at the end. `unsafe` here is: the message refers to the key beside it
//! in its context, for as long as both are there; C's pointers.
#![allow(unsafe_code)]

use crate::edge::{Refused, Span, require};
use crate::kept::append;
use combseal::hazmat::OpenUnverified;
use combseal::{Aead, Key, SealParts};
use zeroize::{Zeroize, optimization_barrier};

/// Bytes of a block.
const BLOCK: usize = 16;

/// Bytes that go through a buffer at once where a part is done in place: the library reads and writes
/// parts apart, and those of a multiple of 512 bytes are its fastest.
const STRIDE: usize = 4096;

/// What of a message lies between two of its parts. It refers to the key of its context, which nobody
/// changes as long as it is there. What is secret of it the library has on the heap, so that nothing of that
/// is left behind where this is moved from.
pub struct Message {
    way: Way,
    /// Its associated data so far; the context has them once the message is done.
    ad: Vec<u8>,
    /// Bytes of them that came with the first part.
    first: usize,
}

/// To where it goes.
enum Way {
    Sealing(SealParts<'static, Key>),
    Opening(OpenUnverified<'static, Key>),
}

/// A part as C has it, whose lengths are not negative.
pub struct Part {
    /// Of the first part.
    pub nonce: Option<Span>,
    pub ad: Span,
    /// Associated data are those of the message before.
    pub again: bool,
    pub body: Span,
    pub out: Span,
    /// Of the last part.
    pub tag: Option<Span>,
}

impl Way {
    /// Does a part that is not in place. Gives the number of bytes that were written, fewer than came by
    /// what is held back.
    fn update(&mut self, body: &[u8], out: &mut [u8]) -> Result<usize, combseal::Error> {
        match self {
            Self::Sealing(it) => it.update(body, out),
            Self::Opening(it) => it.update(body, out),
        }
    }

    /// Does a part, in place or not, of which less than a block is held back.
    ///
    /// # Safety
    /// Both spans are there, of one length, and are one or apart.
    unsafe fn part(&mut self, body: Span, out: Span) -> Result<usize, Refused> {
        if !body.is_at(out) {
            require(body.is_apart(out))?;
            // SAFETY: as the caller promises.
            return Ok(unsafe { self.update(body.read(), out.write()) }?);
        }
        let mut buffer = [0u8; STRIDE];
        let mut done = Ok(0);
        // SAFETY: as the caller promises.
        for chunk in unsafe { out.write() }.chunks_mut(STRIDE) {
            let part = &mut buffer[..chunk.len()];
            part.copy_from_slice(chunk);
            done = done.and_then(|n| Ok(n + self.update(part, chunk)?));
            part.zeroize();
        }
        done
    }
}

/// Ends what is under way: gives it, and leaves nothing of it in its place.
///
/// # Safety
/// `place` is a living context's, which nobody else uses.
pub unsafe fn end(place: *mut Option<Message>) -> Option<Message> {
    // SAFETY: as the caller promises. Between two values the place is zeroed.
    unsafe {
        let held: &Option<Message> = &*place;
        if held.is_none() {
            return None;
        }
        let it = place.read();
        place.write_bytes(0, 1);
        optimization_barrier(&place);
        place.write(None);
        it
    }
}

/// Does one part of a message.
///
/// # Safety
/// `place`, `ad` and `key` are a living context's, which nobody else uses and which stays where it is; as
/// long as there is a message in its place, the key is only read. The spans are there, and what is written is
/// apart from all that is read but that `out` may be `body`.
///
/// # Errors
/// As `ae_encrypt` and `ae_decrypt`. The caller ends the message then.
pub unsafe fn part(
    place: *mut Option<Message>,
    ad: &mut Vec<u8>,
    key: &Key,
    it: &Part,
    open: bool,
) -> Result<(), Refused> {
    require(it.tag.is_some() || it.body.len().is_multiple_of(BLOCK))?;
    // SAFETY: as the caller promises.
    let more = unsafe { it.ad.read() };
    if let Some(nonce) = it.nonce {
        let mut own = Vec::new();
        append(&mut own, if it.again { &ad[..] } else { more })?;
        // SAFETY: as the caller promises: the key is there, and not changed, for as long as the message.
        unsafe {
            end(place);
            let key: &'static Key = &*core::ptr::from_ref(key);
            let way = if open {
                Way::Opening(OpenUnverified::new(key, nonce.read(), &own)?)
            } else {
                Way::Sealing(SealParts::new(key, nonce.read(), &own)?)
            };
            place.write(Some(Message { way, first: own.len(), ad: own }));
        }
    } else {
        require(!it.again)?;
    }
    // SAFETY: as the caller promises; nothing else refers to the message.
    let message = unsafe { &mut *place }.as_mut().ok_or(Refused::NotSupported)?;
    require(open == matches!(message.way, Way::Opening(_)))?;
    if it.nonce.is_none() {
        append(&mut message.ad, more)?;
    }
    // SAFETY: as the caller promises.
    let written = unsafe { message.way.part(it.body, it.out) }?;
    let Some(tag) = it.tag else { return Ok(()) };

    let mut sum = hash(key, &message.ad[..message.first], &message.ad)?;
    // SAFETY: as the caller promises; of the message's place this is the last use.
    let (ended, rest) = unsafe { (end(place), it.out.part(written, it.out.len() - written).write()) };
    let Some(Message { way, ad: own, .. }) = ended else { return Err(Refused::NotSupported) };
    let done = match way {
        Way::Sealing(message) => message.finish(rest).map(|(_, own)| {
            xor(&mut sum, own.as_bytes());
            // SAFETY: as the caller promises.
            unsafe { tag.write() }.copy_from_slice(&sum[..tag.len()]);
        }),
        Way::Opening(message) => {
            // The tag that was sent has all associated data, what was opened has those of the first part.
            // SAFETY: as the caller promises.
            xor(&mut sum, unsafe { tag.read() });
            message.finish(&sum[..tag.len()], rest).map(drop)
        }
    };
    sum.zeroize();
    done?;
    *ad = own;
    Ok(())
}

/// HASH(`all`) XOR HASH(`first`), as far as a tag has it; zero if they are the same. OCB's tag is HASH(A) XOR a
/// block that A has no part in (RFC 7253, section 4.2), so that two tags of an empty message under one
/// nonce tell. They go nowhere else.
fn hash(key: &Key, first: &[u8], all: &[u8]) -> Result<[u8; BLOCK], Refused> {
    let mut sum = [0; BLOCK];
    if first.len() < all.len() {
        let zeros = [0; BLOCK];
        let nonce = &zeros[..key.nonce_len()];
        for ad in [first, all] {
            xor(&mut sum, key.seal_in_place(nonce, ad, &mut [])?.as_bytes());
        }
    }
    Ok(sum)
}

/// XORs as many bytes as both have.
fn xor(to: &mut [u8], from: &[u8]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to ^= from);
}
