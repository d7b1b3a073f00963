//! Arrow's three C structs, as its C data and C stream interfaces have them.
//!
//! They are a frozen ABI of thirty lines, so they are written down here rather than taken from a
//! crate that moves with each release of Arrow. Here a producer's promises about its pointers become
//! slices; all else that it says is checked by who reads them.
#![allow(unsafe_code)]

use super::fault::{Fault, Result};
use std::ffi::{CStr, c_char, c_int, c_void};

/// `ArrowSchema`: a type, a name and metadata.
#[repr(C)]
pub struct ArrowSchema {
    pub format: *const c_char,
    pub name: *const c_char,
    pub metadata: *const c_char,
    pub flags: i64,
    pub n_children: i64,
    pub children: *mut *mut ArrowSchema,
    pub dictionary: *mut ArrowSchema,
    pub release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub private_data: *mut c_void,
}

/// `ArrowArray`: the buffers of an array.
#[repr(C)]
pub struct ArrowArray {
    pub length: i64,
    pub null_count: i64,
    pub offset: i64,
    pub n_buffers: i64,
    pub n_children: i64,
    pub buffers: *mut *const c_void,
    pub children: *mut *mut ArrowArray,
    pub dictionary: *mut ArrowArray,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub private_data: *mut c_void,
}

/// `ArrowArrayStream`: arrays of one schema, one after the other.
#[repr(C)]
pub struct ArrowArrayStream {
    pub get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    pub get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    pub get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    pub release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    pub private_data: *mut c_void,
}

/// A struct that a capsule holds.
pub trait Exported: Sized {
    /// What such capsules are called.
    const NAME: &'static CStr;

    /// Moves the struct out of `from`, which is released then, as the interface has it.
    ///
    /// # Errors
    /// If it was released before: a capsule is consumed once.
    ///
    /// # Safety
    /// `from` points to a valid struct that no other thread uses meanwhile.
    unsafe fn take(from: *mut Self) -> Result<Self>;
}

macro_rules! released {
    ($($name:ident $capsule:literal)*) => {$(
        impl $name {
            /// One that is released.
            pub fn empty() -> Self {
                // SAFETY: numbers, pointers and optional functions, all of which may be zero.
                unsafe { std::mem::zeroed() }
            }
        }

        impl Exported for $name {
            const NAME: &'static CStr = $capsule;

            unsafe fn take(from: *mut Self) -> Result<Self> {
                if from.is_null() || !from.is_aligned() {
                    return Err(Fault::value("an Arrow capsule without a struct"));
                }
                // SAFETY: valid and ours for this moment, by the contract; not null and aligned, as
                // was looked at.
                let it = unsafe { std::ptr::replace(from, Self::empty()) };
                if it.release.is_none() {
                    return Err(Fault::value("an Arrow capsule that was used before"));
                }
                Ok(it)
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: not released yet, so the interface asks for just this call.
                    unsafe { release(self) }
                }
            }
        }

        // SAFETY: the interface lets any thread use and release a struct; nothing in it belongs
        // to one thread.
        unsafe impl Send for $name {}
    )*};
}
released!(ArrowSchema c"arrow_schema" ArrowArray c"arrow_array" ArrowArrayStream c"arrow_array_stream");

// SAFETY: what is reachable by a shared reference is read only: Arrow's arrays are immutable.
unsafe impl Sync for ArrowArray {}

impl ArrowArrayStream {
    fn check(&mut self, code: c_int) -> Result<()> {
        if code == 0 {
            return Ok(());
        }
        let mut reason = String::new();
        if let Some(get) = self.get_last_error {
            // SAFETY: the stream is not released; the text, if any, lives until its next call.
            let text = unsafe { get(self) };
            if !text.is_null() {
                // SAFETY: as above; a zero byte ends it.
                reason = unsafe { CStr::from_ptr(text) }.to_string_lossy().into();
            }
        }
        Err(Fault::Value(format!("the Arrow stream failed with {code}: {reason}")))
    }

    /// The schema of all arrays.
    ///
    /// # Errors
    /// The producer's.
    pub fn schema(&mut self) -> Result<ArrowSchema> {
        let mut schema = ArrowSchema::empty();
        let get = self.get_schema.ok_or(Fault::value("an Arrow stream without get_schema"))?;
        // SAFETY: the stream is not released, and `schema` is room for what is written.
        let code = unsafe { get(self, &mut schema) };
        self.check(code)?;
        Ok(schema)
    }

    /// The next array, `None` behind the last one.
    ///
    /// # Errors
    /// The producer's.
    pub fn next(&mut self) -> Result<Option<ArrowArray>> {
        let mut array = ArrowArray::empty();
        let get = self.get_next.ok_or(Fault::value("an Arrow stream without get_next"))?;
        // SAFETY: as in `schema`.
        let code = unsafe { get(self, &mut array) };
        self.check(code)?;
        Ok(array.release.is_some().then_some(array))
    }
}

impl ArrowSchema {
    /// The type's format string.
    ///
    /// # Errors
    /// If there is none, or it is not text.
    pub fn format(&self) -> Result<&str> {
        if self.format.is_null() {
            return Err(Fault::value("an Arrow schema without a format"));
        }
        // SAFETY: not null; a zero byte ends it, and it lives as long as the struct.
        let text = unsafe { CStr::from_ptr(self.format) };
        text.to_str().map_err(|_| Fault::value("an Arrow format that is not text"))
    }

    /// The schema of a dictionary's values, if this is the type of its indices.
    pub fn dictionary(&self) -> Option<&ArrowSchema> {
        // SAFETY: null, or a struct that lives as long as this one.
        unsafe { self.dictionary.as_ref() }
    }

    /// The metadata's keys and values.
    ///
    /// # Errors
    /// If a length is negative.
    pub fn metadata(&self) -> Result<Vec<(String, String)>> {
        let mut pairs = Vec::new();
        if self.metadata.is_null() {
            return Ok(pairs);
        }
        let mut at = 0;
        let count = self.number(&mut at)?;
        for _ in 0..count {
            pairs.push((self.text(&mut at)?, self.text(&mut at)?));
        }
        Ok(pairs)
    }

    /// A number in the metadata, which are not null.
    fn number(&self, at: &mut usize) -> Result<usize> {
        // SAFETY: the interface has a number of four bytes here, of any alignment.
        let n = unsafe { self.metadata.add(*at).cast::<i32>().read_unaligned() };
        *at += 4;
        usize::try_from(n).map_err(|_| Fault::value("Arrow metadata with a negative length"))
    }

    /// A text in the metadata, which are not null.
    fn text(&self, at: &mut usize) -> Result<String> {
        let len = self.number(at)?;
        // SAFETY: the interface has as many bytes here as the number says.
        let text = unsafe { std::slice::from_raw_parts(self.metadata.add(*at).cast::<u8>(), len) };
        *at += len;
        Ok(String::from_utf8_lossy(text).into_owned())
    }
}

impl ArrowArray {
    /// The values of a dictionary, if this holds its indices.
    pub fn dictionary(&self) -> Option<&ArrowArray> {
        // SAFETY: null, or a struct that lives as long as this one.
        unsafe { self.dictionary.as_ref() }
    }

    /// How many buffers there are.
    pub fn buffers(&self) -> usize {
        usize::try_from(self.n_buffers).unwrap_or(0)
    }

    /// The first `count` elements of buffer `i`; an empty slice of a buffer that is not there.
    ///
    /// # Errors
    /// If there is no such buffer though elements are asked for, or it is not aligned.
    ///
    /// # Safety
    /// `T` is valid for any bytes, and the interface promises at least `count` of them for an array
    /// of this type, length and offset.
    pub unsafe fn buffer<T>(&self, i: usize, count: usize) -> Result<&[T]> {
        if count == 0 {
            return Ok(&[]);
        }
        if i >= self.buffers() || self.buffers.is_null() {
            return Err(Fault::value("an Arrow array with too few buffers"));
        }
        // SAFETY: one of `n_buffers` pointers.
        let buffer = unsafe { *self.buffers.add(i) }.cast::<T>();
        if buffer.is_null() {
            return Err(Fault::value("an Arrow array without a buffer that it must have"));
        }
        if !buffer.is_aligned() {
            return Err(Fault::value("an Arrow buffer that is not aligned to its elements"));
        }
        if count.checked_mul(size_of::<T>()).is_none_or(|bytes| isize::try_from(bytes).is_err()) {
            return Err(Fault::value("an Arrow buffer longer than memory"));
        }
        // SAFETY: not null, aligned, of a possible length; as many elements by the contract, which
        // live as long as the struct and do not change, as Arrow has it.
        Ok(unsafe { std::slice::from_raw_parts(buffer, count) })
    }

    /// Whether buffer `i` is there.
    pub fn has(&self, i: usize) -> bool {
        // SAFETY: one of `n_buffers` pointers.
        i < self.buffers() && !self.buffers.is_null() && !unsafe { *self.buffers.add(i) }.is_null()
    }
}
