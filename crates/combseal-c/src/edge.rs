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
    // SAFETY: not NULL, no longer than an object, and there as the caller promises; of no bytes
    // the slice has an address of its own, since C may have given NULL.
    Ok(if len == 0 { &[] } else { unsafe { core::slice::from_raw_parts(at, len) } })
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
    // SAFETY: as in `read`. That a byte of C's may never have been written to is no concern: in
    // memory that comes from beyond this library every byte has some value.
    Ok(if len == 0 { &mut [] } else { unsafe { core::slice::from_raw_parts_mut(at, len) } })
}

/// A message to be read here and written there, or in place.
pub enum Body<'a> {
    /// In place.
    Here(&'a mut [u8]),
    /// From one buffer to another one, which is as long.
    To(&'a [u8], &'a mut [u8]),
}

/// The message of `len` bytes at `input`, to be written to `output`: the same place, or one that
/// has no byte in common with it.
///
/// # Safety
/// As [`read`] and [`write`] for the two.
///
/// # Errors
/// As [`Span::admit`]; `ERROR_OVERLAP`.
#[inline(always)]
pub unsafe fn body<'a>(input: *const u8, output: *mut u8, len: usize) -> Result<Body<'a>, Code> {
    if input.addr() == output.addr() {
        // SAFETY: the caller's promise for the one buffer that both are.
        return Ok(Body::Here(unsafe { write(output, len) }?));
    }
    let (from, to) = (Span::new(input, len), Span::new(output, len));
    from.admit()?;
    to.admit()?;
    apart([to], [from])?;
    // SAFETY: the caller's promise for each; they have no byte in common.
    unsafe { Ok(Body::To(read(input, len)?, write(output, len)?)) }
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
            }
        }
    }

    /// What no object can be.
    #[test]
    fn lengths() {
        let span = |at, len| Span { at, len }.admit();
        assert_eq!(span(0, 0), Ok(()));
        assert_eq!(span(0, 1), Err(Code::ERROR_NULL));
        assert_eq!(span(8, isize::MAX as usize + 1), Err(Code::ERROR_BUFFER_LENGTH));
        assert_eq!(span(usize::MAX, 1), Err(Code::ERROR_BUFFER_LENGTH));
        assert_eq!(span(usize::MAX - 8, 8), Ok(()));
        assert_eq!(span(usize::MAX - 8, 9), Err(Code::ERROR_BUFFER_LENGTH));
    }
}
