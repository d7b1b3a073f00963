//! Many short messages that lie in one buffer: `combseal_columns_seal` and its sisters.
#![allow(unsafe_code)] // C's pointers: see `edge.rs` and `handle.rs`.

use crate::code::Code;
use crate::edge::{self, Span, apart, blank};
use crate::handle::Handle;
use combseal::{Columns, Key, NonceCounter, Nonces, Offset, Values};
use core::ffi::c_int;

/// `combseal_values`: where messages lie in one buffer.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CValues {
    data: *const u8,
    data_len: usize,
    /// `count + 1` of them, or NULL for values of one length.
    offsets: *const core::ffi::c_void,
    /// Bytes in an offset: 4 or 8.
    offset_size: usize,
    count: usize,
    /// Bytes in each value, where there are no offsets.
    value_len: usize,
}

/// `combseal_nonces`: where a column's nonces come from.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct CNonces {
    kind: c_int,
    /// Given nonces, or the prefix that counted ones have.
    bytes: *const u8,
    len: usize,
    counter: *mut Handle<NonceCounter>,
    first: u64,
}

/// What all functions here have.
#[derive(Clone, Copy)]
struct Column {
    key: *const Handle<Key>,
    ad: *const u8,
    ad_len: usize,
    front: usize,
    values: *const CValues,
}

/// A number in C's memory that says where a value begins.
trait COffset: Offset {}
impl COffset for u32 {}
impl COffset for u64 {}

/// So many offsets.
///
/// # Safety
/// If `at` is not NULL they are there, and nobody writes to them during `'a`.
unsafe fn offsets<'a, O: COffset>(at: *const core::ffi::c_void, count: usize) -> Result<&'a [O], Code> {
    offsets_span::<O>(at, count)?;
    // SAFETY: as the caller promises; aligned, not NULL and no longer than an object, as was seen.
    Ok(unsafe { core::slice::from_raw_parts(at.cast(), count) })
}

/// Where so many offsets lie.
fn offsets_span<O>(at: *const core::ffi::c_void, count: usize) -> Result<Span, Code> {
    let len = count.checked_mul(size_of::<O>()).ok_or(Code::ERROR_BUFFER_LENGTH)?;
    let span = Span::new(at.cast(), len);
    span.admit()?;
    if at.cast::<O>().is_aligned() { Ok(span) } else { Err(Code::ERROR_PLACE) }
}

impl CValues {
    /// The bytes and the offsets, for the look at what overlaps.
    fn spans(&self) -> Result<[Span; 2], Code> {
        let data = Span::new(self.data, self.data_len);
        data.admit()?;
        let more = self.count.checked_add(1).ok_or(Code::ERROR_BUFFER_LENGTH)?;
        let offsets = match (self.offsets.is_null(), self.offset_size) {
            (true, _) => Span::NONE,
            (false, 4) => offsets_span::<u32>(self.offsets, more)?,
            (false, 8) => offsets_span::<u64>(self.offsets, more)?,
            _ => return Err(Code::ERROR_OPTION),
        };
        Ok([data, offsets])
    }

    /// As the library has them.
    ///
    /// # Safety
    /// What combseal.h says of each pointer.
    unsafe fn values<'a>(&self) -> Result<Values<'a>, Code> {
        self.spans()?;
        let more = self.count + 1;
        // SAFETY: as the caller promises.
        let data = unsafe { edge::read(self.data, self.data_len) }?;
        // SAFETY: as the caller promises; `spans` has looked at place and alignment.
        let values = match (self.offsets.is_null(), self.offset_size) {
            (true, _) if self.count == 0 && self.data_len == 0 => Values::new::<u32>(data, &[])?,
            (true, _) => Values::fixed(data, self.value_len)?,
            // SAFETY: as above.
            (false, 4) => Values::new(data, unsafe { offsets::<u32>(self.offsets, more) }?)?,
            // SAFETY: as above.
            (false, _) => Values::new(data, unsafe { offsets::<u64>(self.offsets, more) }?)?,
        };
        if values.count() == self.count { Ok(values) } else { Err(Code::ERROR_BUFFER_LENGTH) }
    }
}

impl Column {
    /// The library's, and the values.
    ///
    /// # Safety
    /// What combseal.h says of each pointer.
    unsafe fn read<'a>(self) -> Result<(Columns<'a>, Values<'a>), Code> {
        if self.values.is_null() {
            return Err(Code::ERROR_NULL);
        }
        // SAFETY: as the caller promises.
        unsafe {
            let key: &Key = Handle::get(self.key)?;
            let columns = Columns::new(key).ad(edge::read(self.ad, self.ad_len)?).front(self.front);
            Ok((columns, self.values.read_unaligned().values()?))
        }
    }

    /// Whether what is written is apart from all that is read.
    ///
    /// # Safety
    /// What combseal.h says of each pointer.
    unsafe fn apart(self, nonces: &CNonces, output: Span, marks: Span) -> Result<(), Code> {
        if self.values.is_null() {
            return Err(Code::ERROR_NULL);
        }
        // SAFETY: as the caller promises.
        let [data, offsets] = unsafe { self.values.read_unaligned() }.spans()?;
        let (ad, nonces) = (Span::new(self.ad, self.ad_len), Span::new(nonces.bytes, nonces.len));
        for span in [output, marks, ad, nonces] {
            span.admit()?;
        }
        apart([output, marks], [data, offsets, ad, nonces])
    }
}

impl CNonces {
    /// As the library has them.
    ///
    /// # Safety
    /// What combseal.h says of each pointer.
    unsafe fn nonces<'a>(&self) -> Result<Nonces<'a>, Code> {
        // SAFETY: as the caller promises.
        unsafe {
            Ok(match self.kind {
                0 => Nonces::given(edge::read(self.bytes, self.len)?),
                1 => Nonces::counted(Handle::get_mut(self.counter)?),
                2 => Nonces::counted_from(edge::read(self.bytes, self.len)?, self.first)?,
                3 => Nonces::none(),
                _ => return Err(Code::ERROR_OPTION),
            })
        }
    }
}

/// Tells a length, which is 0 after an error.
///
/// # Safety
/// As [`edge::tell`].
unsafe fn found(it: Result<usize, Code>, len: *mut usize) -> c_int {
    let it = if len.is_null() { Err(Code::ERROR_NULL) } else { it };
    // SAFETY: as the caller promises.
    unsafe { edge::tell(len, it.unwrap_or(0)) };
    Code::of(it.map(drop))
}

/// `combseal_columns_sealed_len`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_columns_sealed_len(
    key: *const Handle<Key>,
    front: usize,
    values: *const CValues,
    len: *mut usize,
) -> c_int {
    let column = Column { key, ad: core::ptr::null(), ad_len: 0, front, values };
    // SAFETY: the pointers are what combseal.h says.
    unsafe { found(column.read().and_then(|(columns, values)| Ok(columns.sealed_len(&values)?)), len) }
}

/// `combseal_columns_opened_len`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_columns_opened_len(
    key: *const Handle<Key>,
    front: usize,
    values: *const CValues,
    len: *mut usize,
) -> c_int {
    let column = Column { key, ad: core::ptr::null(), ad_len: 0, front, values };
    // SAFETY: the pointers are what combseal.h says.
    unsafe { found(column.read().map(|(columns, values)| columns.opened_len(&values)), len) }
}

/// Writes offsets of a type of number; zeros after an error, as far as it can be told how many.
///
/// # Safety
/// What combseal.h says of each pointer.
unsafe fn write_offsets<O: COffset>(column: Column, open: bool, to: *mut core::ffi::c_void) -> Result<(), Code> {
    // SAFETY: as the caller promises; the offsets are apart from all that is read, and aligned.
    unsafe {
        if column.values.is_null() {
            return Err(Code::ERROR_NULL);
        }
        let it = column.values.read_unaligned();
        let more = it.count.checked_add(1).ok_or(Code::ERROR_BUFFER_LENGTH)?;
        let span = offsets_span::<O>(to, more)?;
        let done: Result<(), Code> = (|| {
            apart([span], it.spans()?)?;
            let (columns, values) = column.read()?;
            let to = core::slice::from_raw_parts_mut(to.cast::<O>(), more);
            if open {
                columns.opened_offsets(&values, to)?
            } else {
                columns.sealed_offsets(&values, to)?
            }
            Ok(())
        })();
        if done.is_err() {
            blank(to.cast(), more * size_of::<O>());
        }
        done
    }
}

/// `combseal_columns_offsets`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_columns_offsets(
    key: *const Handle<Key>,
    front: usize,
    values: *const CValues,
    opened: c_int,
    offsets: *mut core::ffi::c_void,
    offset_size: usize,
) -> c_int {
    let (column, open) = (Column { key, ad: core::ptr::null(), ad_len: 0, front, values }, opened != 0);
    // SAFETY: the pointers are what combseal.h says.
    Code::of(unsafe {
        match offset_size {
            4 => write_offsets::<u32>(column, open, offsets),
            8 => write_offsets::<u64>(column, open, offsets),
            _ => Err(Code::ERROR_OPTION),
        }
    })
}

/// `combseal_columns_seal`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_columns_seal(
    key: *const Handle<Key>,
    nonces: *const CNonces,
    ad: *const u8,
    ad_len: usize,
    front: usize,
    values: *const CValues,
    output: *mut u8,
    output_len: usize,
    first: *mut u64,
) -> c_int {
    let column = Column { key, ad, ad_len, front, values };
    // SAFETY: the pointers are what combseal.h says; slices are made once they are checked, and
    // are gone before the output is zeroed.
    unsafe {
        let done = (|| {
            let nonces = if nonces.is_null() { return Err(Code::ERROR_NULL) } else { nonces.read_unaligned() };
            column.apart(&nonces, Span::new(output, output_len), Span::NONE)?;
            let (columns, values) = column.read()?;
            Ok(columns.seal(&values, nonces.nonces()?, edge::write(output, output_len)?)?)
        })();
        edge::tell(first, done.unwrap_or(0));
        if done.is_err() {
            blank(output, output_len);
        }
        Code::of(done.map(drop))
    }
}

/// `combseal_columns_open`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn combseal_columns_open(
    key: *const Handle<Key>,
    nonces: *const CNonces,
    ad: *const u8,
    ad_len: usize,
    front: usize,
    values: *const CValues,
    output: *mut u8,
    output_len: usize,
    authentic: *mut u8,
    authentic_len: usize,
) -> c_int {
    let column = Column { key, ad, ad_len, front, values };
    // SAFETY: as in `combseal_columns_seal`.
    unsafe {
        let done = (|| {
            let nonces = if nonces.is_null() { return Err(Code::ERROR_NULL) } else { nonces.read_unaligned() };
            column.apart(&nonces, Span::new(output, output_len), Span::new(authentic, authentic_len))?;
            let (columns, values) = column.read()?;
            let marks = edge::write(authentic, authentic_len)?;
            columns.open(&values, nonces.nonces()?, edge::write(output, output_len)?, marks)?;
            Ok(())
        })();
        // Of forgeries the library has left zeros in their places, and of the others the plaintext.
        if done.is_err() && done != Err(Code::ERROR_FORGED) {
            blank(output, output_len);
            blank(authentic, authentic_len);
        }
        Code::of(done)
    }
}
