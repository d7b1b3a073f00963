//! From C's pointers and `int` lengths to slices: what is NULL, negative or overlaps is an error.
//!
//! `unsafe` here is what C leaves to trust: that memory which a caller names with its length is
//! there, and that nobody else touches it during the call.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};

/// What is not right about the arguments: the interface has one number for all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// `AE_INVALID`
    Invalid,
    /// `AE_NOT_SUPPORTED`
    NotSupported,
}

impl Refused {
    /// As C has it.
    pub fn code(self) -> c_int {
        match self {
            Self::Invalid => -1,
            Self::NotSupported => -2,
        }
    }
}

impl From<combseal::Error> for Refused {
    fn from(error: combseal::Error) -> Self {
        if error == combseal::Error::Forged { Self::Invalid } else { Self::NotSupported }
    }
}

/// Bytes that a caller names, before they are known to be there.
#[derive(Clone, Copy)]
pub struct Span {
    at: *const u8,
    len: usize,
}

impl Span {
    /// `len` bytes at `at`, which is not NULL if there are any.
    pub fn new(at: *const c_void, len: usize) -> Result<Self, Refused> {
        let bad = len > 0 && (at.is_null() || at.addr().checked_add(len).is_none());
        if bad { Err(Refused::NotSupported) } else { Ok(Self { at: at.cast(), len }) }
    }

    /// The `len` bytes from byte `from` on, which it has.
    pub fn part(self, from: usize, len: usize) -> Self {
        Self { at: self.at.wrapping_add(from), len }
    }

    /// How many bytes.
    pub fn len(self) -> usize {
        self.len
    }

    /// Whether the two have no byte in common.
    pub fn is_apart(self, other: Self) -> bool {
        let (a, b) = (self.at.addr(), other.at.addr());
        (self.len == 0) | (other.len == 0) | (a.wrapping_sub(b) >= other.len) & (b.wrapping_sub(a) >= self.len)
    }

    /// The same in fewer instructions; of an empty one it may say no wrongly. Neither goes beyond the end of
    /// all addresses.
    #[inline(always)]
    fn is_surely_apart(self, other: Self) -> bool {
        // Two stretches have a byte in common if the one's last byte lies less than both lengths
        // minus one behind the other's first. (Of an empty one the last lies before the first.)
        let last = other.len.wrapping_sub(1);
        other.at.addr().wrapping_add(last).wrapping_sub(self.at.addr()) >= self.len.wrapping_add(last)
    }

    /// Whether the two begin in one place.
    pub fn is_at(self, other: Self) -> bool {
        self.at.addr() == other.at.addr()
    }

    /// The bytes.
    ///
    /// # Safety
    /// They are there, and nobody writes to them during `'a`.
    pub unsafe fn read<'a>(self) -> &'a [u8] {
        // SAFETY: as the caller promises; not NULL, as `new` saw, and of an `int`'s length.
        if self.len == 0 { &[] } else { unsafe { core::slice::from_raw_parts(self.at, self.len) } }
    }

    /// The bytes, to be written.
    ///
    /// # Safety
    /// They are there and C gave a pointer to write to; nobody else touches them during `'a`.
    pub unsafe fn write<'a>(self) -> &'a mut [u8] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: as in `read`.
        unsafe { core::slice::from_raw_parts_mut(self.at.cast_mut(), self.len) }
    }
}

/// Where the buffers of a call to seal a whole message are, of which nothing is known.
pub struct Sealing {
    pub nonce: Span,
    pub ad: Span,
    pub body: Span,
    pub out: Span,
    pub tag: Span,
}

impl Sealing {
    /// A buffer of which nothing is known.
    #[inline(always)]
    pub fn span(at: *const c_void, len: usize) -> Span {
        Span { at: at.cast(), len }
    }

    /// Whether all is beyond doubt as it has to be, in as few instructions as can be, which short messages
    /// feel: nothing is NULL but associated data of no bytes, no address has its top bit set, nothing
    /// overlaps but `body` that is `out`. What this does not admit is looked at once more. Lengths are of
    /// 31 bits.
    #[inline(always)]
    pub fn is_usual(&self) -> bool {
        let &Self { nonce, ad, body, out, tag } = self;
        let mut top = nonce.at.addr() | out.at.addr() | tag.at.addr();
        if nonce.at.is_null() || out.at.is_null() || tag.at.is_null() {
            return false;
        }
        if !(out.is_surely_apart(tag) && out.is_surely_apart(nonce) && tag.is_surely_apart(nonce)) {
            return false;
        }
        for (it, there) in [(ad, ad.len > 0), (body, !body.is_at(out))] {
            if there {
                top |= it.at.addr();
                if it.at.is_null() || !out.is_surely_apart(it) || !tag.is_surely_apart(it) {
                    return false;
                }
            }
        }
        top >> (usize::BITS - 1) == 0
    }
}

/// Refuses unless it is so.
pub fn require(so: bool) -> Result<(), Refused> {
    if so { Ok(()) } else { Err(Refused::NotSupported) }
}

/// A length that must not be negative.
pub fn length(len: c_int) -> Result<usize, Refused> {
    usize::try_from(len).map_err(|_| Refused::NotSupported)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spans of all small lengths at all small distances, against the plain definition.
    #[test]
    fn apart_is_apart() {
        let span = |at: usize, len| Span { at: core::ptr::without_provenance(at), len };
        for (at, len) in (20..40).flat_map(|at| (0..12).map(move |len| (at, len))) {
            for other in 0..12 {
                let (a, b) = (span(at, len), span(30, other));
                let apart = (at..at + len).all(|byte| !(30..30 + other).contains(&byte));
                let far = |i: usize| span(1000 * i, 16);
                let all = || Sealing { nonce: far(1), ad: far(2), body: far(3), out: far(4), tag: far(5) };
                let mut ways = vec![
                    Sealing { body: a, out: a, nonce: b, ..all() },
                    Sealing { body: a, out: a, ad: b, ..all() },
                    Sealing { body: a, out: a, tag: b, ..all() },
                    Sealing { tag: a, nonce: b, ..all() },
                    Sealing { tag: a, ad: b, ..all() },
                    Sealing { tag: a, body: b, ..all() },
                ];
                ways.extend((at != 30).then(|| Sealing { body: a, out: b, ..all() }));
                for way in ways {
                    assert!(!way.is_usual() || apart, "{at} {len} {other}");
                    assert!(way.is_usual() || !apart || len == 0 || other == 0, "{at} {len} {other}");
                }
                let common = (at..at + len).any(|byte| (30..30 + other).contains(&byte));
                assert_eq!(span(at, len).is_apart(span(30, other)), !common, "{at} {len} {other}");
            }
        }
        let far = |i: usize| span(1000 * i, 16);
        let all = || Sealing { nonce: far(1), ad: far(2), body: far(3), out: far(4), tag: far(5) };
        for bad in [0, 1 << (usize::BITS - 1), usize::MAX].map(|at| span(at, 16)) {
            assert!(all().is_usual() && Sealing { ad: span(0, 0), ..all() }.is_usual());
            for way in [
                Sealing { nonce: bad, ..all() },
                Sealing { ad: bad, ..all() },
                Sealing { body: bad, ..all() },
                Sealing { out: bad, ..all() },
                Sealing { out: bad, body: bad, ..all() },
                Sealing { tag: bad, ..all() },
            ] {
                assert!(!way.is_usual());
            }
        }
        assert!(Span::new(core::ptr::null(), 1).is_err() && Span::new(core::ptr::null(), 0).is_ok());
        assert!(Span::new(core::ptr::without_provenance(usize::MAX), 1).is_err());
        assert_eq!(length(-1), Err(Refused::NotSupported));
    }
}
