//! Sealed streams: `combseal_sealing` takes plaintext and writes the stream by a function of the
//! caller's; `combseal_opening` reads the stream by one and gives plaintext that was verified.
#![allow(unsafe_code)] // C's pointers: see `edge.rs` and `handle.rs`.

use crate::code::Code;
use crate::edge::{self, Span, apart, blank};
use crate::handle::{Handle, object};
use combseal::Algorithm;
use combseal::stream::{self, Argon2Caps, Argon2Costs, Lock, Settings, Unlock};
use core::ffi::{c_char, c_int, c_void};
use std::io::{self, Read, Write};

/// A function that takes bytes: 0, or anything else if it failed. (One of C++ may throw, which
/// ends the process at the edge.)
type WriteFn = unsafe extern "C-unwind" fn(user: *mut c_void, data: *const u8, len: usize) -> c_int;
/// A function that gives bytes: how many, 0 at the end, or less if it failed.
type ReadFn = unsafe extern "C-unwind" fn(user: *mut c_void, data: *mut u8, len: usize) -> isize;

/// The caller's writer.
pub struct Output {
    function: WriteFn,
    user: *mut c_void,
}

impl Write for Output {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        // SAFETY: the caller's function, called as combseal.h says, with as many bytes.
        match unsafe { (self.function)(self.user, data.as_ptr(), data.len()) } {
            0 => Ok(data.len()),
            _ => Err(io::Error::other("the caller's function failed")),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The caller's reader.
pub struct Input {
    function: ReadFn,
    user: *mut c_void,
}

impl Read for Input {
    fn read(&mut self, data: &mut [u8]) -> io::Result<usize> {
        // SAFETY: the caller's function, called as combseal.h says, with room for as many bytes.
        let n = unsafe { (self.function)(self.user, data.as_mut_ptr(), data.len()) };
        match usize::try_from(n) {
            Ok(n) if n <= data.len() => Ok(n),
            _ => Err(io::Error::other("the caller's function failed")),
        }
    }
}

/// A stream that is being sealed; empty once it is finished.
pub struct Sealing(Option<stream::Sealing<Output>>);
/// A stream that is being opened.
pub struct Opening(stream::Opening<Input>);

object!(Sealing, b"g\xb1s\x39", combseal_sealing_sizeof, combseal_sealing_alignof, combseal_sealing_free);
object!(Opening, b"p\xf2g\x6b", combseal_opening_sizeof, combseal_opening_alignof, combseal_opening_free);

/// `combseal_lock`: a key or a passphrase.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CLock {
    key: *const u8,
    passphrase: *const u8,
    passphrase_len: usize,
    memory_kib: u32,
    passes: u32,
    lanes: u32,
}

/// `combseal_stream_options`
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Options {
    algorithm: *const c_char,
    segment_len: usize,
    context: *const u8,
    context_len: usize,
    threads: usize,
    slots: u8,
}

impl Options {
    /// What is usual.
    const USUAL: Self = Self {
        algorithm: core::ptr::null(),
        segment_len: 0,
        context: core::ptr::null(),
        context_len: 0,
        threads: 0,
        slots: 0,
    };

    /// As C gave them, or what is usual.
    ///
    /// # Safety
    /// NULL, or good for a read.
    unsafe fn of(at: *const Self) -> Self {
        // SAFETY: as the caller promises.
        if at.is_null() { Self::USUAL } else { unsafe { at.read_unaligned() } }
    }

    /// As the library has them; zero and NULL are what is usual there.
    ///
    /// # Safety
    /// Each pointer is NULL or what combseal.h says.
    unsafe fn settings(&self) -> Result<Settings, Code> {
        let mut settings = Settings::new().threads(self.threads);
        if !self.algorithm.is_null() {
            // SAFETY: as the caller promises: a string.
            let name = unsafe { edge::name(self.algorithm) }?;
            settings = settings.scheme(Algorithm::by_name(name).ok_or(Code::ERROR_UNKNOWN_NAME)?);
        }
        if self.segment_len != 0 {
            settings = settings.segment_len(self.segment_len);
        }
        if self.slots != 0 {
            settings = settings.slots(self.slots);
        }
        // SAFETY: as the caller promises.
        Ok(settings.context(unsafe { edge::read(self.context, self.context_len) }?))
    }
}

impl CLock {
    /// The key, if there is one.
    ///
    /// # Safety
    /// NULL or 32 bytes.
    unsafe fn key<'a>(&self) -> Option<&'a [u8; 32]> {
        // SAFETY: as the caller promises.
        let bytes = unsafe { edge::read(self.key, 32) }.ok()?;
        bytes.try_into().ok()
    }

    /// To seal with; costs of zero are the usual ones.
    ///
    /// # Safety
    /// Each pointer is NULL or what combseal.h says.
    unsafe fn lock<'a>(&self) -> Result<Lock<'a>, Code> {
        // SAFETY: as the caller promises.
        if let Some(key) = unsafe { self.key() } {
            return if self.passphrase_len == 0 { Ok(Lock::Key(key)) } else { Err(Code::ERROR_OPTION) };
        }
        // SAFETY: as the caller promises.
        let passphrase = unsafe { edge::read(self.passphrase, self.passphrase_len) }?;
        if passphrase.is_empty() {
            return Err(Code::ERROR_NULL);
        }
        let costs = match (self.memory_kib, self.passes, self.lanes) {
            (0, 0, 0) => Argon2Costs::default(),
            (memory, passes, lanes) => Argon2Costs::new(memory, passes, lanes)?,
        };
        Ok(Lock::Passphrase { passphrase, costs })
    }

    /// To open with; caps of zero are the usual ones.
    ///
    /// # Safety
    /// Each pointer is NULL or what combseal.h says.
    unsafe fn unlock<'a>(&self) -> Result<Unlock<'a>, Code> {
        // SAFETY: as the caller promises.
        if let Some(key) = unsafe { self.key() } {
            return if self.passphrase_len == 0 { Ok(Unlock::Key(key)) } else { Err(Code::ERROR_OPTION) };
        }
        // SAFETY: as the caller promises.
        let passphrase = unsafe { edge::read(self.passphrase, self.passphrase_len) }?;
        if passphrase.is_empty() {
            return Err(Code::ERROR_NULL);
        }
        let mut caps = Argon2Caps::default();
        let given =
            [(&mut caps.memory_kib, self.memory_kib), (&mut caps.passes, self.passes), (&mut caps.lanes, self.lanes)];
        for (cap, given) in given {
            *cap = if given == 0 { *cap } else { given };
        }
        caps.work = caps.work.max(u64::from(self.memory_kib) * u64::from(self.passes));
        Ok(Unlock::Passphrase { passphrase, caps })
    }
}

/// `combseal_sealing_new`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_sealing_new(
    out: *mut *mut Handle<Sealing>,
    options: *const Options,
    locks: *const CLock,
    lock_count: usize,
    write: Option<WriteFn>,
    user: *mut c_void,
) -> c_int {
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe {
        Handle::create(out, || {
            let function = write.ok_or(Code::ERROR_NULL)?;
            if lock_count == 0 || lock_count > 16 {
                return Err(Code::ERROR_LOCKS);
            }
            if locks.is_null() {
                return Err(Code::ERROR_NULL);
            }
            let settings = Options::of(options).settings()?;
            let all = (0..lock_count).map(|i| locks.add(i).read_unaligned().lock());
            let all = all.collect::<Result<Vec<_>, _>>()?;
            Ok(Sealing(Some(stream::Sealing::new(Output { function, user }, &settings, &all)?)))
        })
    })
}

/// `combseal_sealing_write`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_sealing_write(it: *mut Handle<Sealing>, data: *const u8, len: usize) -> c_int {
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe {
        Handle::get_mut(it).and_then(|it| {
            let sealing = it.0.as_mut().ok_or(Code::ERROR_FAILED)?;
            Ok(sealing.write_all(edge::read(data, len)?).map_err(stream::Error::from)?)
        })
    })
}

/// `combseal_sealing_finish`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_sealing_finish(it: *mut Handle<Sealing>) -> c_int {
    // SAFETY: the pointer is what combseal.h says.
    Code::of(unsafe {
        Handle::get_mut(it).and_then(|it| {
            it.0.take().ok_or(Code::ERROR_FAILED)?.finish()?;
            Ok(())
        })
    })
}

/// `combseal_opening_new`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_opening_new(
    out: *mut *mut Handle<Opening>,
    options: *const Options,
    with: *const CLock,
    read: Option<ReadFn>,
    user: *mut c_void,
) -> c_int {
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe {
        Handle::create(out, || {
            let function = read.ok_or(Code::ERROR_NULL)?;
            if with.is_null() {
                return Err(Code::ERROR_NULL);
            }
            let options = Options::of(options);
            let context = edge::read(options.context, options.context_len)?;
            let with = with.read_unaligned().unlock()?;
            Ok(Opening(stream::Opening::new(Input { function, user }, with, context, options.threads)?))
        })
    })
}

/// `combseal_opening_read`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_opening_read(
    it: *mut Handle<Opening>,
    data: *mut u8,
    len: usize,
    given: *mut usize,
) -> c_int {
    // SAFETY: the pointers are what combseal.h says; the slice is gone before it is zeroed.
    unsafe {
        let done = (|| {
            if given.is_null() {
                return Err(Code::ERROR_NULL);
            }
            let it = Handle::get_mut(it)?;
            apart([Span::new(data, len)], [Span::new(given.cast_const().cast(), size_of::<usize>())])?;
            Ok(it.0.read(edge::write(data, len)?).map_err(stream::Error::from)?)
        })();
        edge::tell(given, done.unwrap_or(0));
        if done.is_err() {
            blank(data, len);
        }
        Code::of(done.map(drop))
    }
}
