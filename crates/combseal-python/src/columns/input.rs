//! A column that came in: its arrays, and a checked view of each, in which nothing is out of bounds.

use super::fault::{Fault, Result};
use super::ffi::{ArrowArray, ArrowArrayStream, ArrowSchema, Exported};
use super::number::nanoseconds;
use super::types::{Layout, Logical, Type};
use pyo3::prelude::*;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::{PyCapsule, PyTuple};

/// Arrays of one type.
pub struct Input {
    pub ty: Type,
    /// The type of the indices, if values are in dictionaries.
    pub index: Option<Type>,
    pub metadata: Vec<(String, String)>,
    pub chunks: Vec<ArrowArray>,
    /// Whether it came as a stream, and leaves as one.
    pub stream: bool,
}

/// The place of a capsule's struct.
fn found<T: Exported>(capsule: &Bound<'_, PyAny>) -> Result<*mut T> {
    let capsule = capsule.cast::<PyCapsule>().map_err(|_| Fault::kind("an Arrow method that returned no capsule"))?;
    Ok(capsule.pointer_checked(Some(T::NAME))?.as_ptr().cast())
}

/// Moves the struct out of a capsule. The capsule's own lock is held meanwhile: an object may give one
/// capsule to two threads, and without the interpreter's lock both would find it unused.
#[allow(unsafe_code)]
fn taken<T: Exported>(capsule: &Bound<'_, PyAny>) -> Result<T> {
    let from = found(capsule)?;
    // SAFETY: a capsule of this name holds such a struct; of those who take from it, each has its lock.
    with_critical_section(capsule, || unsafe { T::take(from) })
}

/// The format string of a type that exports its schema; of a dictionary, that of its values.
///
/// # Errors
/// If it exports none, or one that is not supported.
pub fn format_of(ty: &Bound<'_, PyAny>) -> Result<String> {
    let capsule = ty.call_method0("__arrow_c_schema__")?;
    let schema: ArrowSchema = taken(&capsule)?;
    let schema = schema.dictionary().unwrap_or(&schema);
    Ok(Type::parse(schema.format()?)?.format)
}

impl Input {
    /// Takes what `object` exports: the array form if it has one, else the stream form. What the
    /// export raises comes through.
    ///
    /// # Errors
    /// A `TypeError` if it has neither, or its type is not supported.
    pub fn of(object: &Bound<'_, PyAny>) -> Result<Self> {
        if object.hasattr("__arrow_c_array__")? {
            let pair = object.call_method0("__arrow_c_array__")?;
            let pair = pair.cast::<PyTuple>().map_err(|_| Fault::kind("__arrow_c_array__ returned no pair"))?;
            if pair.len() != 2 {
                return Err(Fault::kind("__arrow_c_array__ returned no pair"));
            }
            let (schema, array) = (pair.get_item(0)?, pair.get_item(1)?);
            // Both are what they have to be, or neither is consumed.
            found::<ArrowArray>(&array)?;
            let (schema, array): (ArrowSchema, ArrowArray) = (taken(&schema)?, taken(&array)?);
            return Self::new(&schema, vec![array], false);
        }
        if !object.hasattr("__arrow_c_stream__")? {
            let name = object.get_type().name()?.to_string();
            return Err(Fault::Type(format!("{name} is no Arrow array: it exports no capsule")));
        }
        let capsule = object.call_method0("__arrow_c_stream__")?;
        let mut stream: ArrowArrayStream = taken(&capsule)?;
        // The type comes first: of one that is refused nothing is read.
        let mut it = Self::new(&stream.schema()?, Vec::new(), true)?;
        // A producer may take long over an array, and others may run meanwhile.
        it.chunks = object.py().detach(|| {
            let mut chunks = Vec::new();
            while let Some(array) = stream.next()? {
                chunks.push(array);
            }
            Ok::<_, Fault>(chunks)
        })?;
        Ok(it)
    }

    fn new(schema: &ArrowSchema, chunks: Vec<ArrowArray>, stream: bool) -> Result<Self> {
        let own = Type::parse(schema.format()?)?;
        let (ty, index) = match schema.dictionary() {
            None => (own, None),
            Some(values) => {
                if !matches!(own.logical, Logical::Int { .. }) || values.dictionary().is_some() {
                    return Err(Fault::kind("a dictionary whose indices are no whole numbers"));
                }
                (Type::parse(values.format()?)?, Some(own))
            }
        };
        Ok(Self { ty, index, metadata: schema.metadata()?, chunks, stream })
    }

    /// The arrays, checked.
    ///
    /// # Errors
    /// If one is not what its type says.
    pub fn views(&self) -> Result<Vec<View<'_>>> {
        self.chunks.iter().map(|array| View::new(array, &self.ty, self.index.as_ref())).collect()
    }
}

/// Where the values of an array lie; all of its length, from its offset on.
#[derive(Clone)]
pub enum Data<'a> {
    None,
    /// Bits, and the first one's place.
    Bits(&'a [u8], usize),
    Fixed(&'a [u8], usize),
    Offsets32(&'a [i32], &'a [u8]),
    Offsets64(&'a [i64], &'a [u8]),
    Views(&'a [[u8; 16]], Vec<&'a [u8]>),
    Dictionary(Index<'a>, Box<View<'a>>),
}

/// The indices of a dictionary, of some width.
#[derive(Clone)]
pub struct Index<'a> {
    pub bytes: &'a [u8],
    pub width: usize,
}

impl Index<'_> {
    /// Index `i`. One that is negative is far beyond any dictionary.
    pub fn at(&self, i: usize) -> usize {
        let mut it = [0; 8];
        it[..self.width].copy_from_slice(&self.bytes[i * self.width..][..self.width]);
        usize::try_from(u64::from_le_bytes(it)).unwrap_or(usize::MAX)
    }
}

/// A checked view of one array.
#[derive(Clone)]
pub struct View<'a> {
    pub ty: &'a Type,
    pub len: usize,
    /// Bits that say what is not null, and the first one's place.
    pub validity: Option<(&'a [u8], usize)>,
    pub data: Data<'a>,
}

/// Bit `i` of a bitmap.
#[inline]
pub fn bit(bits: &[u8], i: usize) -> bool {
    bits[i / 8] >> (i % 8) & 1 == 1
}

fn in_order<T: PartialOrd + Default + Copy>(offsets: &[T]) -> Result<()> {
    let ordered = offsets.windows(2).fold(true, |so_far, pair| so_far & (pair[0] <= pair[1]));
    if !ordered || offsets.first().is_some_and(|&first| first < T::default()) {
        return Err(Fault::value("Arrow offsets that are not in order"));
    }
    Ok(())
}

impl<'a> View<'a> {
    #[allow(unsafe_code)]
    fn new(array: &'a ArrowArray, ty: &'a Type, index: Option<&Type>) -> Result<Self> {
        let wrong = || Fault::value("an Arrow array with an impossible length or offset");
        let len = usize::try_from(array.length).map_err(|_| wrong())?;
        let from = usize::try_from(array.offset).map_err(|_| wrong())?;
        let end = from.checked_add(len).filter(|&end| end < isize::MAX as usize / 64).ok_or_else(wrong)?;
        let own = index.unwrap_or(ty);
        let mut validity = None;
        if own.layout != Layout::Null && array.null_count != 0 && len > 0 && array.has(0) {
            // SAFETY: a validity bitmap has a bit for every element up to the end.
            validity = Some((unsafe { array.buffer::<u8>(0, end.div_ceil(8)) }?, from));
        }
        // SAFETY, of all that follow: the type's layout promises as many elements, and any bytes are
        // valid in them.
        let data = match own.layout {
            _ if index.is_some() => {
                let Layout::Fixed(width) = own.layout else { return Err(wrong()) };
                // SAFETY: an index of this width for every element.
                let bytes = &unsafe { array.buffer::<u8>(1, end * width) }?[from * width * usize::from(len > 0)..];
                let values = array.dictionary().ok_or(Fault::value("an Arrow dictionary without values"))?;
                Data::Dictionary(Index { bytes, width }, Box::new(View::new(values, ty, None)?))
            }
            _ if len == 0 => Data::None,
            Layout::Null => Data::None,
            Layout::Bits => {
                // SAFETY: a bit for every element up to the end.
                Data::Bits(unsafe { array.buffer::<u8>(1, end.div_ceil(8)) }?, from)
            }
            Layout::Fixed(width) => {
                let bytes = end.checked_mul(width).ok_or_else(wrong)?;
                // SAFETY: `width` bytes for every element up to the end.
                Data::Fixed(&unsafe { array.buffer::<u8>(1, bytes) }?[from * width..], width)
            }
            Layout::Offsets32 => {
                // SAFETY: an offset for every element up to the end, and one more.
                let offsets = &unsafe { array.buffer::<i32>(1, end + 1) }?[from..];
                in_order(offsets)?;
                // SAFETY: values up to the last offset, which is not negative.
                Data::Offsets32(offsets, unsafe { array.buffer::<u8>(2, offsets[len] as usize) }?)
            }
            Layout::Offsets64 => {
                // SAFETY: as of offsets of 32 bits.
                let offsets = &unsafe { array.buffer::<i64>(1, end + 1) }?[from..];
                in_order(offsets)?;
                // SAFETY: as of offsets of 32 bits.
                Data::Offsets64(offsets, unsafe { array.buffer::<u8>(2, offsets[len] as usize) }?)
            }
            Layout::Views => {
                let last = array.buffers().checked_sub(1).filter(|&last| last >= 2).ok_or_else(wrong)?;
                // SAFETY: behind the buffers of long values, a length for each.
                let lens = unsafe { array.buffer::<i64>(last, last - 2) }?;
                let long = lens.iter().enumerate().map(|(i, &len)| {
                    // SAFETY: as long as is said there.
                    unsafe { array.buffer::<u8>(2 + i, usize::try_from(len).map_err(|_| wrong())?) }
                });
                let long = long.collect::<Result<_>>()?;
                // SAFETY: sixteen bytes for every element up to the end.
                Data::Views(&unsafe { array.buffer::<[u8; 16]>(1, end) }?[from..], long)
            }
        };
        let it = Self { ty, len, validity, data };
        it.check()?;
        Ok(it)
    }

    /// Looks at views and indices, that none points out of bounds, and at times of day, that they are numbers
    /// of nanoseconds; those of nulls may be anything.
    fn check(&self) -> Result<()> {
        match &self.data {
            Data::Views(views, long) => {
                for (i, view) in views.iter().enumerate() {
                    if self.valid_here(i) && view_of(view, long).is_none() {
                        return Err(Fault::value("an Arrow view beyond its buffer"));
                    }
                }
            }
            Data::Dictionary(index, values) => {
                for i in 0..self.len {
                    if self.valid_here(i) && index.at(i) >= values.len {
                        return Err(Fault::value("an Arrow index beyond its dictionary"));
                    }
                }
            }
            Data::Fixed(bytes, width) => {
                if let Logical::Time { per_second } = self.ty.logical {
                    let nanos = |i: usize| nanoseconds(&bytes[i * width..(i + 1) * width], per_second);
                    if (0..self.len).any(|i| self.valid_here(i) && nanos(i).is_none()) {
                        return Err(Fault::value("a time of day far beyond a day"));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    #[inline]
    fn valid_here(&self, i: usize) -> bool {
        self.validity.is_none_or(|(bits, from)| bit(bits, from + i))
    }

    /// Whether value `i` is not null.
    #[inline]
    pub fn valid(&self, i: usize) -> bool {
        if matches!(self.data, Data::None) {
            return false;
        }
        self.valid_here(i)
            && match &self.data {
                Data::Dictionary(index, values) => values.valid(index.at(i)),
                _ => true,
            }
    }

    /// Whether no value of a range is null.
    pub fn all_valid(&self, rows: std::ops::Range<usize>) -> bool {
        match (&self.data, self.validity) {
            (Data::None | Data::Dictionary(..), _) => rows.into_iter().all(|i| self.valid(i)),
            (_, None) => true,
            (_, Some(_)) => rows.into_iter().all(|i| self.valid_here(i)),
        }
    }

    /// The bytes of value `i`, which is not null, of a type whose values are bytes; of others, as
    /// they lie in memory. Empty of bits.
    #[inline]
    pub fn bytes(&self, i: usize) -> &[u8] {
        match &self.data {
            Data::None | Data::Bits(..) => &[],
            Data::Fixed(bytes, width) => &bytes[i * width..(i + 1) * width],
            Data::Offsets32(offsets, data) => &data[offsets[i] as usize..offsets[i + 1] as usize],
            Data::Offsets64(offsets, data) => &data[offsets[i] as usize..offsets[i + 1] as usize],
            Data::Views(views, long) => view_of(&views[i], long).unwrap_or(&[]),
            Data::Dictionary(index, values) => values.bytes(index.at(i)),
        }
    }

    /// Whether bit `i`, which is not null, is set.
    pub fn truth(&self, i: usize) -> bool {
        match &self.data {
            Data::Bits(bits, from) => bit(bits, from + i),
            Data::Dictionary(index, values) => values.truth(index.at(i)),
            _ => false,
        }
    }
}

/// The bytes of a view; `None` if it points out of bounds.
#[inline]
fn view_of<'v>(view: &'v [u8; 16], long: &[&'v [u8]]) -> Option<&'v [u8]> {
    let number = |at: usize| u32::from_le_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]]) as usize;
    let len = number(0);
    if len <= 12 {
        return view.get(4..4 + len);
    }
    let from = number(12);
    long.get(number(8))?.get(from..from.checked_add(len)?)
}
