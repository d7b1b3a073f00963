//! Objects that C holds by pointer: a mark that says what the object is and that it lives, and
//! behind it the library's own value. They are made where they will be, in our memory or in the
//! caller's, and zeroed to the last byte when they end.
//!
//! `unsafe` here is: C's pointer is taken for an object, if the mark is right; memory is taken
//! from the allocator and given back; a value is written into memory and dropped there.
#![allow(unsafe_code)]

use crate::code::Code;
use crate::edge::Span;
use core::alloc::Layout;
use core::ffi::c_void;
use zeroize::optimization_barrier;

/// An object as C holds it. C sees no field of it.
#[repr(C)]
pub struct Handle<T> {
    /// What it is, that it lives, and where; zero once it has ended.
    mark: u64,
    /// [`CALLERS`] in memory of the caller's.
    callers: u32,
    value: T,
}

/// What an object can be.
pub trait Kind: Sized {
    /// Four bytes that tell it from all else, as far as four bytes can. As the upper half of an address they
    /// are none of any machine's.
    const MARK: u32;
}

/// The lower half of every mark.
const LOWER: u32 = 0x8e1d_42b7;

/// What tells the caller's memory from ours.
const CALLERS: u32 = 1;

/// Bytes of the stack below what makes a value, which may be moved on its way to its place: the
/// largest are keys, of less than 2 KiB, and each move leaves a copy, of which there are more where this crate
/// is not optimised.
const STACK: usize = 32 << 10;

impl<T: Kind> Handle<T> {
    /// The mark of an object that lives at `at`. It has the whole address, so that a copy elsewhere is no object:
    /// of what counts it would count the same numbers once more, and its end would give back memory that no
    /// allocator gave. It is never zero, which is what has ended.
    #[inline(always)]
    fn mark(at: *const Self) -> u64 {
        const { assert!(T::MARK >> 24 != 0) };
        (u64::from(T::MARK) << 32 | u64::from(LOWER)) ^ at.addr() as u64
    }

    /// Whether `at` points to a living object of this kind.
    ///
    /// # Safety
    /// If `at` is not NULL and aligned, there are as many bytes as an object has.
    #[inline(always)]
    unsafe fn check(at: *const Self) -> Result<(), Code> {
        if at.is_null() {
            return Err(Code::ERROR_NULL);
        }
        // SAFETY: as the caller promises.
        if !at.is_aligned() || unsafe { (&raw const (*at).mark).read() } != Self::mark(at) {
            return Err(Code::ERROR_HANDLE);
        }
        Ok(())
    }

    /// The value of an object that is only read.
    ///
    /// # Safety
    /// `at` is NULL, or points to as much memory as an object has; if it lives, nobody changes it
    /// during `'a`.
    ///
    /// # Errors
    /// `ERROR_NULL`, `ERROR_HANDLE`.
    #[inline(always)]
    pub unsafe fn get<'a>(at: *const Self) -> Result<&'a T, Code> {
        // SAFETY: as the caller promises.
        unsafe { Self::check(at) }?;
        // SAFETY: the mark says that it lives, which only `start` wrote there.
        Ok(unsafe { &(*at).value })
    }

    /// The value of an object that is changed.
    ///
    /// # Safety
    /// As [`get`](Self::get), and nobody else uses it during `'a`.
    ///
    /// # Errors
    /// `ERROR_NULL`, `ERROR_HANDLE`.
    #[inline(always)]
    pub unsafe fn get_mut<'a>(at: *mut Self) -> Result<&'a mut T, Code> {
        // SAFETY: as the caller promises.
        unsafe { Self::check(at) }?;
        // SAFETY: as in `get`, and nobody else uses it.
        Ok(unsafe { &mut (*at).value })
    }

    /// Makes an object at `at`, which is large and aligned enough, and zero.
    ///
    /// # Safety
    /// So it is.
    unsafe fn start(at: *mut Self, callers: u32, make: impl FnOnce() -> Result<T, Code>) -> Result<(), Code> {
        /// In a frame of its own, so that what moves leave behind lies below the caller's.
        #[inline(never)]
        fn made<T>(place: *mut T, make: impl FnOnce() -> Result<T, Code>) -> Result<(), Code> {
            let value = make()?;
            // SAFETY: the place is good for a write, as `start`'s caller promises.
            unsafe { place.write(value) };
            Ok(())
        }
        // SAFETY: the place is that of the object's field.
        let done = made(unsafe { &raw mut (*at).value }, make);
        clear_stack();
        done?;
        // SAFETY: as above. The mark comes last: an object without a value has none.
        unsafe {
            (&raw mut (*at).callers).write(callers);
            (&raw mut (*at).mark).write(Self::mark(at));
        }
        Ok(())
    }

    /// Makes an object in memory of the allocator, and tells where.
    ///
    /// # Safety
    /// `out` is NULL or good for a write of a pointer.
    ///
    /// # Errors
    /// `ERROR_NULL`, `ERROR_MEMORY` and those of `make`; then NULL is told.
    pub unsafe fn create(out: *mut *mut Self, make: impl FnOnce() -> Result<T, Code>) -> Result<(), Code> {
        if out.is_null() {
            return Err(Code::ERROR_NULL);
        }
        // SAFETY: as the caller promises.
        unsafe { out.write_unaligned(core::ptr::null_mut()) };
        let layout = Layout::new::<Self>();
        // SAFETY: the layout has bytes.
        let at = unsafe { std::alloc::alloc_zeroed(layout) }.cast::<Self>();
        if at.is_null() {
            return Err(Code::ERROR_MEMORY);
        }
        // SAFETY: memory of this layout, which is zero.
        let done = unsafe { Self::start(at, 0, make) };
        match done {
            // SAFETY: as the caller promises.
            Ok(()) => unsafe { out.write_unaligned(at) },
            // SAFETY: from the allocator, with this layout, and nothing lives in it.
            Err(_) => unsafe { std::alloc::dealloc(at.cast(), layout) },
        }
        done
    }

    /// Makes an object in the caller's memory of `len` bytes, which is zeroed first: `from`, what it
    /// is made of, must lie elsewhere.
    ///
    /// # Safety
    /// If `at` is not NULL there are `len` bytes, in which no object lives.
    ///
    /// # Errors
    /// `ERROR_NULL`; `ERROR_PLACE` if the memory is too small or not aligned; as [`Span::admit`] of `from`;
    /// `ERROR_OVERLAP`; those of `make`: then the place of the object is zero.
    pub unsafe fn create_in(
        at: *mut c_void,
        len: usize,
        from: Span,
        make: impl FnOnce() -> Result<T, Code>,
    ) -> Result<(), Code> {
        let at = at.cast::<Self>();
        if at.is_null() {
            return Err(Code::ERROR_NULL);
        }
        if len < size_of::<Self>() || !at.is_aligned() {
            return Err(Code::ERROR_PLACE);
        }
        from.admit()?;
        if !Span::new(at.cast(), size_of::<Self>()).is_apart(from) {
            return Err(Code::ERROR_OVERLAP);
        }
        // SAFETY: large and aligned enough, as was seen; there, as the caller promises.
        unsafe {
            at.write_bytes(0, 1);
            Self::start(at, CALLERS, make)
        }
    }

    /// Ends an object: its value is dropped and every byte zeroed. Memory of the allocator is
    /// given back. Nothing happens to NULL, nor to memory in which no object of this kind lives, a copy of one
    /// included: what is no object has no length that could be zeroed.
    ///
    /// # Safety
    /// As [`get_mut`](Self::get_mut).
    pub unsafe fn end(at: *mut Self) {
        // SAFETY: as the caller promises.
        if unsafe { Self::check(at) }.is_err() {
            return;
        }
        // SAFETY: it lives, as was seen; the value is dropped once, since the mark goes too.
        unsafe {
            let ours = (*at).callers != CALLERS;
            core::ptr::drop_in_place(&raw mut (*at).value);
            at.write_bytes(0, 1);
            optimization_barrier(&at);
            if ours {
                std::alloc::dealloc(at.cast(), Layout::new::<Self>());
            }
        }
    }
}

/// Zeroes the stack below the caller's frame, where keys were moved through.
#[inline(never)]
fn clear_stack() {
    let cleared = [0u8; STACK];
    optimization_barrier(&cleared);
}

/// What C has of every kind of object: its size and alignment, and its end.
macro_rules! object {
    ($kind:ty, $mark:literal, $sizeof:ident, $alignof:ident, $free:ident) => {
        impl crate::handle::Kind for $kind {
            const MARK: u32 = u32::from_le_bytes(*$mark);
        }
        /// Bytes of an object in the caller's memory.
        #[unsafe(no_mangle)]
        pub extern "C" fn $sizeof() -> usize {
            size_of::<crate::handle::Handle<$kind>>()
        }
        /// The multiple of which an object's address in the caller's memory must be.
        #[unsafe(no_mangle)]
        pub extern "C" fn $alignof() -> usize {
            align_of::<crate::handle::Handle<$kind>>()
        }
        /// Ends an object, wherever it is.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $free(at: *mut crate::handle::Handle<$kind>) {
            // SAFETY: as combseal.h asks of the caller: an object of this kind or NULL, which
            // nobody else uses.
            unsafe { crate::handle::Handle::end(at) }
        }
    };
}
pub(crate) use object;
