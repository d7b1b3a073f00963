//! A column that goes out: buffers that Rust owns, and the structs that lend them to others for as
//! long as these want.
#![allow(unsafe_code)]

use super::ffi::{ArrowArray, ArrowArrayStream, ArrowSchema};
use super::pages::Pages;
use std::collections::VecDeque;
use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::Arc;

/// A buffer of some type.
pub enum Buffer {
    Bytes(Vec<u8>),
    Pages(Pages),
    I32(Pages<i32>),
    I64(Pages<i64>),
}

impl Buffer {
    fn pointer(&self) -> *const c_void {
        match self {
            Self::Bytes(it) => it.as_ptr().cast(),
            Self::Pages(it) => it.as_ptr().cast(),
            Self::I32(it) => it.as_ptr().cast(),
            Self::I64(it) => it.as_ptr().cast(),
        }
    }
}

/// An array that Rust owns. Its buffers are as long as its format and length ask: who makes one sees to it.
pub struct Owned {
    pub len: usize,
    pub nulls: usize,
    pub validity: Option<Vec<u8>>,
    /// Those behind the validity bitmap.
    pub buffers: Vec<Buffer>,
    pub dictionary: Option<Arc<Owned>>,
}

/// The type of exported arrays.
#[derive(Clone, Debug)]
pub struct Field {
    pub format: String,
    /// The format of a dictionary's values, if `format` is that of its indices.
    pub values: Option<String>,
    pub metadata: Vec<(String, String)>,
}

/// What an exported array holds on to.
struct Lent {
    pointers: Vec<*const c_void>,
    dictionary: Option<Box<ArrowArray>>,
    _owner: Arc<Owned>,
}

/// Drops the box of `T` that an exported struct holds.
macro_rules! release {
    ($name:ident, $struct:ty, $held:ty) => {
        unsafe extern "C" fn $name(it: *mut $struct) {
            // SAFETY: a consumer calls this with the struct, or a moved copy of it, that is not
            // released.
            let it = unsafe { &mut *it };
            it.release = None;
            // SAFETY: `private_data` is the box that was leaked when the struct was made; as release is
            // null now, nobody comes here twice.
            drop(unsafe { Box::from_raw(it.private_data.cast::<$held>()) });
        }
    };
}
release!(release_array, ArrowArray, Lent);
release!(release_schema, ArrowSchema, Described);
release!(release_stream, ArrowArrayStream, Flowing);

impl Owned {
    /// Lends the array.
    pub fn lend(self: &Arc<Self>, has_validity: bool) -> ArrowArray {
        let mut pointers = Vec::with_capacity(self.buffers.len() + 1);
        if has_validity {
            pointers.push(self.validity.as_ref().map_or(std::ptr::null(), |it| it.as_ptr().cast()));
        }
        pointers.extend(self.buffers.iter().map(Buffer::pointer));
        let dictionary = self.dictionary.as_ref().map(|it| Box::new(it.lend(true)));
        let mut held = Box::new(Lent { pointers, dictionary, _owner: self.clone() });
        let mut it = ArrowArray::empty();
        it.length = self.len as i64;
        it.null_count = self.nulls as i64;
        it.n_buffers = held.pointers.len() as i64;
        it.buffers = held.pointers.as_mut_ptr();
        it.dictionary = held.dictionary.as_mut().map_or(std::ptr::null_mut(), |it| &mut **it);
        it.private_data = Box::into_raw(held).cast();
        it.release = Some(release_array);
        it
    }
}

/// What an exported schema holds on to.
struct Described {
    format: CString,
    name: CString,
    metadata: Vec<u8>,
    dictionary: Option<Box<ArrowSchema>>,
}

impl Field {
    /// The schema.
    pub fn describe(&self) -> ArrowSchema {
        let mut metadata = Vec::new();
        if !self.metadata.is_empty() {
            metadata.extend((self.metadata.len() as i32).to_ne_bytes());
            for text in self.metadata.iter().flat_map(|(key, value)| [key, value]) {
                metadata.extend((text.len() as i32).to_ne_bytes());
                metadata.extend_from_slice(text.as_bytes());
            }
        }
        let dictionary = self.values.as_ref().map(|format| {
            let field = Self { format: format.clone(), values: None, metadata: Vec::new() };
            Box::new(field.describe())
        });
        // No format has a zero byte: they come from `Type::parse`, and from C's strings at that.
        let format = CString::new(self.format.as_str()).unwrap_or_default();
        let mut held = Box::new(Described { format, name: CString::default(), metadata, dictionary });
        let mut it = ArrowSchema::empty();
        it.format = held.format.as_ptr();
        it.name = held.name.as_ptr();
        if !held.metadata.is_empty() {
            it.metadata = held.metadata.as_ptr().cast::<c_char>();
        }
        // Nullable.
        it.flags = 2;
        it.dictionary = held.dictionary.as_mut().map_or(std::ptr::null_mut(), |it| &mut **it);
        it.private_data = Box::into_raw(held).cast();
        it.release = Some(release_schema);
        it
    }

    /// Whether arrays have a validity bitmap: all but those of nothing but nulls.
    pub fn has_validity(&self) -> bool {
        self.format != "n"
    }
}

/// What an exported stream holds on to.
struct Flowing {
    field: Field,
    left: VecDeque<Arc<Owned>>,
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: a consumer passes the stream, not released, and room for a schema.
    unsafe {
        let flowing = &*(*stream).private_data.cast::<Flowing>();
        out.write(flowing.field.describe());
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: as in `get_schema`; a stream is used by one thread at a time.
    unsafe {
        let flowing = &mut *(*stream).private_data.cast::<Flowing>();
        let next = flowing.left.pop_front().map(|it| it.lend(flowing.field.has_validity()));
        out.write(next.unwrap_or_else(ArrowArray::empty));
    }
    0
}

unsafe extern "C" fn get_last_error(_: *mut ArrowArrayStream) -> *const c_char {
    std::ptr::null()
}

/// A stream of arrays.
pub fn stream(field: &Field, chunks: &[Arc<Owned>]) -> ArrowArrayStream {
    let held = Box::new(Flowing { field: field.clone(), left: chunks.iter().cloned().collect() });
    let mut it = ArrowArrayStream::empty();
    it.get_schema = Some(get_schema);
    it.get_next = Some(get_next);
    it.get_last_error = Some(get_last_error);
    it.private_data = Box::into_raw(held).cast();
    it.release = Some(release_stream);
    it
}
