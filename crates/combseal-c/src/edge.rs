//! From C's pointers and lengths to slices: what is NULL, too long or overlaps is an error, and
//! after any error the output is zero.
//!
//! `unsafe` here is what C leaves to trust: that memory which a caller names with its length is
//! there, and that nobody else touches it during the call. All that can be checked is checked
//! before a slice is made.
#![allow(unsafe_code)]

use crate::code::Code;

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
        // Neither begins within the other; without a branch, since a call asks it six times.
        (self.len == 0)
            | (other.len == 0)
            | (self.at.wrapping_sub(other.at) >= other.len) & (other.at.wrapping_sub(self.at) >= self.len)
    }

    /// The top bit is set of NULL that has bytes, and of an address or a length beyond half of all.
    #[inline(always)]
    fn top(self) -> usize {
        self.at.wrapping_sub(usize::from(self.len != 0)) | self.len
    }

    /// Whether the two have no byte in common, in fewer instructions than [`is_apart`](Self::is_apart);
    /// of an empty one it may say no wrongly. Their top bits are clear, so that no sum overflows.
    #[inline(always)]
    fn is_surely_apart(self, other: Self) -> bool {
        // Two stretches have a byte in common if the one's last byte lies less than both lengths
        // minus one behind the other's first. (Of an empty one the last lies before the first.)
        let last = other.len.wrapping_sub(1);
        other.at.wrapping_add(last).wrapping_sub(self.at) >= self.len.wrapping_add(last)
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

/// Whether two buffers to be written and three to be read may be there, and what is written has no
/// byte in common with anything else. Where there are fewer, [`Span::NONE`] stands for one.
///
/// A message of 16 bytes feels how long this takes, so the question is first asked in a third of the
/// instructions, and exactly only where the answer is no.
///
/// # Errors
/// As [`Span::admit`]; `ERROR_OVERLAP`.
#[inline(always)]
pub fn checked([a, b]: [Span; 2], [c, d, e]: [Span; 3]) -> Result<(), Code> {
    /// By value, so that nothing is stored for it where it is not called.
    #[cold]
    #[inline(never)]
    fn exactly(a: Span, b: Span, c: Span, d: Span, e: Span) -> Result<(), Code> {
        for span in [a, b, c, d, e] {
            span.admit()?;
        }
        apart([a, b], [c, d, e])
    }
    let top = a.top() | b.top() | c.top() | d.top() | e.top();
    let sure = top >> (usize::BITS - 1) == 0
        && a.is_surely_apart(b)
        && a.is_surely_apart(c)
        && a.is_surely_apart(d)
        && a.is_surely_apart(e)
        && b.is_surely_apart(c)
        && b.is_surely_apart(d)
        && b.is_surely_apart(e);
    if sure { Ok(()) } else { exactly(a, b, c, d, e) }
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

/// The bytes of a span that was admitted, to be written.
///
/// # Safety
/// So it was; and as [`write`].
#[inline(always)]
pub unsafe fn slice_mut<'a>(at: *mut u8, len: usize) -> &'a mut [u8] {
    // SAFETY: as in `slice`. That a byte of C's may never have been written to is no concern: in
    // memory that comes from beyond this library every byte has some value.
    unsafe { core::slice::from_raw_parts_mut(at.wrapping_add(usize::from(at.is_null())), len) }
}

/// The bytes to be written at `at`.
///
/// # Safety
/// If `at` is not NULL there are `len` bytes, which nobody else touches during `'a`.
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
                let (a, b, none) = (spans.0, spans.1, Span::NONE);
                let ways = [([a, none], [none, b, none]), ([none, b], [none, none, a]), ([a, b], [none; 3])];
                for (writes, reads) in ways {
                    assert_eq!(checked(writes, reads).is_ok(), !common, "{at} {len} {other}");
                }
                if len > 0 && other > 0 {
                    assert_eq!(a.is_surely_apart(b), !common, "{at} {len} {other}");
                }
                assert!(!a.is_surely_apart(b) || !common);
            }
        }
    }

    /// What no object can be.
    #[test]
    fn lengths() {
        let span = |at, len| {
            let span = Span { at, len };
            let admitted = span.admit();
            let (none, one) = (Span::NONE, Span { at: 1, len: 1 });
            assert_eq!(checked([none, span], [none; 3]), admitted);
            assert_eq!(checked([none, none], [none, one, span]), admitted);
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
