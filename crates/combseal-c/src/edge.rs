//! From C's pointers and lengths to slices: what is NULL, too long or overlaps is an error, and
//! after any error the output is zero.
//!
//! `unsafe` here is what C leaves to trust: that memory which a caller names with its length is
//! there, that nobody else touches it during the call, and that none of it is an object's own (a key's, a
//! sealer's). What can be checked besides is checked before a slice is made.
#![allow(unsafe_code)]

use crate::code::Code;
use combseal::internals::InOut;

/// Bytes that a caller names, before they are known to be there.
#[derive(Clone, Copy)]
pub struct Span {
    at: usize,
    len: usize,
}

impl Span {
    /// No bytes.
    pub const NONE: Self = Self { at: 0, len: 0 };

    /// Whether the two begin in one place.
    #[inline(always)]
    pub fn is_at(self, other: Self) -> bool {
        self.at == other.at
    }

    /// `len` bytes at `at`.
    #[inline(always)]
    pub fn new(at: *const u8, len: usize) -> Self {
        Self { at: at.addr(), len }
    }

    /// Whether there may be so many bytes in this place.
    ///
    /// # Errors
    /// `ERROR_NULL`; `ERROR_BUFFER_LENGTH` of more bytes than an object can have, or beyond the end
    /// of all addresses.
    #[inline(always)]
    pub fn admit(self) -> Result<(), Code> {
        if self.len == 0 {
            return Ok(());
        }
        if self.at == 0 {
            return Err(Code::ERROR_NULL);
        }
        // Of an object's bytes none is beyond the end, and they are no more than `isize::MAX`.
        if self.len > isize::MAX as usize || self.at.checked_add(self.len).is_none() {
            return Err(Code::ERROR_BUFFER_LENGTH);
        }
        Ok(())
    }

    /// Whether the two have no byte in common. Both were admitted.
    #[inline(always)]
    pub fn is_apart(self, other: Self) -> bool {
        // Neither begins within the other; without a branch, since a batch asks it for all buffers of each job.
        (self.len == 0)
            | (other.len == 0)
            | (self.at.wrapping_sub(other.at) >= other.len) & (other.at.wrapping_sub(self.at) >= self.len)
    }

    /// Whether the two have no byte in common, in as few instructions as can be; it may say no wrongly of
    /// an empty one, and where this one ends just before the other. Their top bits are clear, so that no
    /// sum overflows.
    #[inline(always)]
    fn is_surely_apart(self, other: Self) -> bool {
        // Two stretches have a byte in common if the one's end lies behind the other's first byte, by less
        // than both lengths together.
        let behind = self.at.wrapping_add(self.len).wrapping_sub(other.at);
        behind >= self.len.wrapping_add(other.len)
    }

    /// The same, which says yes where this one ends just before the other too.
    #[inline(always)]
    fn is_apart_or_touches(self, other: Self) -> bool {
        let last = self.len.wrapping_sub(1);
        self.at.wrapping_add(last).wrapping_sub(other.at) >= other.len.wrapping_add(last)
    }

    /// Where it begins and where it ends.
    pub fn bounds(self) -> (usize, usize) {
        (self.at, self.at.saturating_add(self.len))
    }

    /// Whether it has no bytes.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// Whether what is written has no byte in common with anything else of the call.
///
/// # Errors
/// `ERROR_OVERLAP`.
#[inline(always)]
pub fn apart<const W: usize, const R: usize>(writes: [Span; W], reads: [Span; R]) -> Result<(), Code> {
    let mut good = true;
    for i in 0..W {
        for other in &writes[i + 1..] {
            good &= writes[i].is_apart(*other);
        }
        for read in &reads {
            good &= writes[i].is_apart(*read);
        }
    }
    if good { Ok(()) } else { Err(Code::ERROR_OVERLAP) }
}

/// The buffers of a call over one message: `input` is read and may be `output`; `output` and the `writes`
/// are written and have no byte in common with anything else; `ad` and the `reads` are read.
#[derive(Clone, Copy)]
pub struct Places<const W: usize, const R: usize> {
    pub output: Span,
    pub input: Span,
    pub ad: Span,
    pub writes: [Span; W],
    pub reads: [Span; R],
}

impl<const W: usize, const R: usize> Places<W, R> {
    /// Whether the buffers are beyond doubt as they have to be: none is NULL, but associated data of no
    /// bytes; of no address or length the top bit is set; and nothing overlaps. A message of 16 bytes feels
    /// how long this takes, so here are as few instructions as can be, and what this does not admit
    /// [`check`](Self::check) looks at once more: associated data just behind what is written, say.
    /// (What packets have is usual: a header before the message, nonce and tag on either side of it.)
    #[inline(always)]
    pub fn are_usual(&self) -> bool {
        let Self { output, input, ad, writes, reads } = self;
        let mut top = output.at | output.len;
        if output.at == 0 {
            return false;
        }
        for it in writes {
            top |= it.at | it.len;
            if it.at == 0 || !output.is_apart_or_touches(*it) {
                return false;
            }
        }
        for it in reads {
            top |= it.at | it.len;
            if it.at == 0 || !output.is_apart_or_touches(*it) {
                return false;
            }
        }
        for i in 0..W {
            for j in i + 1..W {
                if !writes[i].is_apart_or_touches(writes[j]) {
                    return false;
                }
            }
            for j in 0..R {
                if !writes[i].is_apart_or_touches(reads[j]) {
                    return false;
                }
            }
        }
        if ad.len != 0 {
            top |= ad.at | ad.len;
            if ad.at == 0 || !output.is_surely_apart(*ad) || !writes.iter().all(|it| it.is_surely_apart(*ad)) {
                return false;
            }
        }
        if !input.is_at(*output) {
            top |= input.at;
            if input.at == 0 || !output.is_surely_apart(*input) || !writes.iter().all(|it| it.is_surely_apart(*input)) {
                return false;
            }
        }
        top >> (usize::BITS - 1) == 0
    }

    /// Whether the buffers are as they have to be, exactly.
    ///
    /// # Errors
    /// As [`Span::admit`]; `ERROR_OVERLAP`.
    #[cold]
    #[inline(never)]
    pub fn check(self) -> Result<(), Code> {
        let Self { output, input, ad, writes, reads } = self;
        for span in [output, input, ad].into_iter().chain(writes).chain(reads) {
            span.admit()?;
        }
        // In place the output alone stands for both.
        let input = if input.is_at(output) { Span::NONE } else { input };
        apart(writes, [output, input, ad])?;
        apart(writes, reads)?;
        apart([output], [input, ad])?;
        apart([output], reads)
    }

    /// The two in turn.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    #[inline(always)]
    pub fn admit(self) -> Result<(), Code> {
        if self.are_usual() { Ok(()) } else { self.check() }
    }
}

/// The bytes to be read at `at`.
///
/// # Safety
/// If `at` is not NULL there are `len` initialised bytes, which nobody writes to during `'a`.
///
/// # Errors
/// As [`Span::admit`].
#[inline(always)]
pub unsafe fn read<'a>(at: *const u8, len: usize) -> Result<&'a [u8], Code> {
    Span::new(at, len).admit()?;
    // SAFETY: admitted, and there as the caller promises.
    Ok(unsafe { slice(at, len) })
}

/// The bytes of a span that was admitted.
///
/// # Safety
/// So it was; and as [`read`].
#[inline(always)]
pub unsafe fn slice<'a>(at: *const u8, len: usize) -> &'a [u8] {
    // Of no bytes C may have given NULL, which a slice must not be.
    // SAFETY: not NULL, no longer than an object, and there as the caller promises.
    unsafe { core::slice::from_raw_parts(at.wrapping_add(usize::from(at.is_null())), len) }
}

/// The bytes of a span that was admitted and is not NULL.
///
/// # Safety
/// So it was, and is not; and as [`read`].
#[inline(always)]
pub unsafe fn there<'a>(at: *const u8, len: usize) -> &'a [u8] {
    // SAFETY: not NULL, no longer than an object, and there as the caller promises.
    unsafe { core::slice::from_raw_parts(at, len) }
}

/// The same, to be written.
///
/// # Safety
/// As [`there`] and [`slice_mut`].
#[inline(always)]
pub unsafe fn there_mut<'a>(at: *mut u8, len: usize) -> &'a mut [u8] {
    // SAFETY: as in `there` and `slice_mut`.
    unsafe { core::slice::from_raw_parts_mut(at, len) }
}

/// The bytes of a span that was admitted, to be written.
///
/// # Safety
/// So it was; and as [`write`].
#[inline(always)]
pub unsafe fn slice_mut<'a>(at: *mut u8, len: usize) -> &'a mut [u8] {
    // SAFETY: as in `slice`. A byte of C's that was never written to has some value for this library where
    // it is compiled by itself, a shared or a static one, since nothing there tells otherwise. Rust that is
    // compiled together with it gives memory that was written to, as `write`'s caller promises.
    unsafe { core::slice::from_raw_parts_mut(at.wrapping_add(usize::from(at.is_null())), len) }
}

/// The bytes to be written at `at`.
///
/// # Safety
/// If `at` is not NULL there are `len` bytes, which nobody else touches during `'a`; where Rust calls, they
/// have been written to before.
///
/// # Errors
/// As [`Span::admit`].
#[inline(always)]
pub unsafe fn write<'a>(at: *mut u8, len: usize) -> Result<&'a mut [u8], Code> {
    Span::new(at, len).admit()?;
    // SAFETY: admitted, and there as the caller promises.
    Ok(unsafe { slice_mut(at, len) })
}

/// A message to be read here and written there, or in place.
pub enum Body<'a> {
    /// In place.
    Here(&'a mut [u8]),
    /// From one buffer to another one, which is as long.
    To(&'a [u8], &'a mut [u8]),
}

/// The message of `len` bytes at `input`, to be written to `output`.
///
/// # Safety
/// As [`slice`] and [`slice_mut`] for the two, which are one, or have no byte in common.
#[inline(always)]
pub unsafe fn body<'a>(input: *const u8, output: *mut u8, len: usize) -> Body<'a> {
    // SAFETY: as the caller promises.
    unsafe {
        if input.addr() == output.addr() {
            Body::Here(slice_mut(output, len))
        } else {
            Body::To(slice(input, len), slice_mut(output, len))
        }
    }
}

/// The same as one value, for what is inlined down to the kernel: one form, not two.
///
/// # Safety
/// As [`body`].
#[inline(always)]
pub unsafe fn io<'a>(input: *const u8, output: *mut u8, len: usize) -> InOut<'a> {
    let (input, output) = (input.wrapping_add(input.is_null().into()), output.wrapping_add(output.is_null().into()));
    // SAFETY: not NULL, and as the caller promises.
    unsafe { InOut::new(input, output, len) }
}

/// Zeroes an output that is not to be used, as far as there can be one.
///
/// # Safety
/// As [`write`].
#[cold]
#[inline(never)]
pub unsafe fn blank(at: *mut u8, len: usize) {
    if Span::new(at, len).admit().is_ok() && len > 0 {
        // SAFETY: not NULL, no longer than an object, and there as the caller promises.
        unsafe { core::ptr::write_bytes(at, 0, len) };
        zeroize::optimization_barrier(&at);
    }
}

/// Tells the caller a value, if it wants it.
///
/// # Safety
/// `at` is NULL or good for a write of a `T`, aligned or not.
#[inline(always)]
pub unsafe fn tell<T>(at: *mut T, value: T) {
    if !at.is_null() {
        // SAFETY: as the caller promises.
        unsafe { at.write_unaligned(value) };
    }
}

/// The name that a C string is.
///
/// # Safety
/// `at` is NULL or a string with a NUL at its end.
///
/// # Errors
/// `ERROR_NULL`; `ERROR_UNKNOWN_NAME` of what is not text.
pub unsafe fn name<'a>(at: *const core::ffi::c_char) -> Result<&'a str, Code> {
    if at.is_null() {
        return Err(Code::ERROR_NULL);
    }
    // SAFETY: as the caller promises.
    unsafe { core::ffi::CStr::from_ptr(at) }.to_str().map_err(|_| Code::ERROR_UNKNOWN_NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each two kinds of buffer that must not overlap, the others far from both.
    fn ways(a: Span, b: Span) -> [Places<1, 1>; 7] {
        let far = |i: usize| Span { at: 1000 * (i + 1), len: 16 };
        let (output, input, ad) = (far(0), far(1), far(2));
        let all = Places { output, input, ad, writes: [far(3)], reads: [far(4)] };
        [
            Places { output: a, input: b, ..all },
            Places { output: a, input: a, ad: b, ..all },
            Places { output: a, input: a, writes: [b], ..all },
            Places { output: b, reads: [a], ..all },
            Places { input: a, writes: [b], ..all },
            Places { ad: b, writes: [a], ..all },
            Places { writes: [a], reads: [b], ..all },
        ]
    }

    /// Spans of all small lengths at all small distances, against the plain definition.
    #[test]
    fn apart_is_apart() {
        for (at, len) in (20..40).flat_map(|at| (0..12).map(move |len| (at, len))) {
            for other in 0..12 {
                let common = (at..at + len).any(|byte| (30..30 + other).contains(&byte));
                let spans = (Span { at, len }, Span { at: 30, len: other });
                assert_eq!(spans.0.is_apart(spans.1), !common, "{at} {len} {other}");
                assert_eq!(apart([spans.0], [spans.1]).is_ok(), !common);
                assert_eq!(apart([spans.0, spans.1], []).is_ok(), !common);
                // Where they begin in one place the first of the ways is one buffer and not two.
                for places in ways(spans.0, spans.1).into_iter().skip(usize::from(at == 30)) {
                    assert_eq!(places.check().is_ok(), !common, "{at} {len} {other}");
                    assert_eq!(places.admit().is_ok(), !common, "{at} {len} {other}");
                    assert!(!places.are_usual() || !common);
                }
                let (a, b) = spans;
                if len > 0 && other > 0 {
                    assert_eq!(a.is_surely_apart(b), !common && at + len != 30, "{at} {len} {other}");
                    assert_eq!(a.is_apart_or_touches(b), !common, "{at} {len} {other}");
                }
                assert!(!a.is_surely_apart(b) && !a.is_apart_or_touches(b) || !common);
            }
        }
    }

    /// What no object can be.
    #[test]
    fn lengths() {
        let span = |at, len| {
            let it = Span { at, len };
            let admitted = it.admit();
            let far = |i: usize| Span { at: 1000 * (i + 1), len: 16 };
            let all = Places { output: far(0), input: far(1), ad: far(2), writes: [far(3)], reads: [far(4)] };
            for places in [
                Places { output: it, ..all },
                Places { output: it, input: it, ..all },
                Places { input: it, ..all },
                Places { ad: it, ..all },
                Places { writes: [it], ..all },
                Places { reads: [it], ..all },
            ] {
                assert_eq!(places.check(), admitted);
                assert_eq!(places.admit(), admitted);
            }
            admitted
        };
        assert_eq!(span(0, 0), Ok(()));
        assert_eq!(span(0, 1), Err(Code::ERROR_NULL));
        assert_eq!(span(8, isize::MAX as usize + 1), Err(Code::ERROR_BUFFER_LENGTH));
        assert_eq!(span(usize::MAX, 1), Err(Code::ERROR_BUFFER_LENGTH));
        assert_eq!(span(usize::MAX - 8, 8), Ok(()));
        assert_eq!(span(usize::MAX - 8, 9), Err(Code::ERROR_BUFFER_LENGTH));
    }
}
