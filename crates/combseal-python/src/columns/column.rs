//! Columns as Python has them: Arrow's three methods, a length and metadata, and nothing that needs
//! another package.

use super::fault::{Fault, Result};
use super::input::{Input, View};
use super::output::{Buffer, Field, Owned, stream};
use super::pages::Pages;
use super::seal::ones;
use super::types::{Layout, Logical, Type};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PyString};
use std::sync::Arc;

/// Arrays of one type that were made here.
pub struct Made {
    pub field: Field,
    pub chunks: Vec<Arc<Owned>>,
    pub stream: bool,
}

/// A column in several arrays: what came as a stream leaves as one.
#[pyclass(frozen, subclass, module = "combseal._native")]
pub struct ChunkedColumn(Made);

/// A column in one array.
#[pyclass(frozen, extends = ChunkedColumn, module = "combseal._native")]
pub struct Column;

/// As the class that fits.
///
/// # Errors
/// Python's.
pub fn wrap(py: Python<'_>, made: Made) -> PyResult<Bound<'_, PyAny>> {
    if made.stream || made.chunks.len() != 1 {
        return Ok(Bound::new(py, ChunkedColumn(made))?.into_any());
    }
    Ok(Bound::new(py, PyClassInitializer::from(ChunkedColumn(made)).add_subclass(Column))?.into_any())
}

#[pymethods]
impl ChunkedColumn {
    fn __len__(&self) -> usize {
        self.0.chunks.iter().map(|it| it.len).sum()
    }

    /// How many are null.
    #[getter]
    fn null_count(&self) -> usize {
        self.0.chunks.iter().map(|it| it.nulls).sum()
    }

    /// Arrow's format string of the type; of a dictionary, that of its values.
    #[getter]
    fn format(&self) -> &str {
        self.0.field.values.as_deref().unwrap_or(&self.0.field.format)
    }

    /// The field's metadata: how the column was sealed; no key.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (key, value) in &self.0.field.metadata {
            dict.set_item(key, value)?;
        }
        Ok(dict)
    }

    /// Arrow's schema, as a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, self.0.field.describe(), c"arrow_schema")
    }

    /// Arrow's stream, as a capsule. Another schema that is asked for is not looked at.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        PyCapsule::new_with_value(py, stream(&self.0.field, &self.0.chunks), c"arrow_array_stream")
    }

    fn __repr__(&self) -> String {
        let nulls = self.null_count();
        format!("<column of {} values, {nulls} of them null, of Arrow's type {:?}>", self.__len__(), self.format())
    }
}

#[pymethods]
impl Column {
    /// Arrow's schema and array, as capsules. Another schema that is asked for is not looked at.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        slf: &Bound<'py, Self>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let made = &slf.as_super().get().0;
        let array = made.chunks[0].lend(made.field.has_validity());
        let py = slf.py();
        Ok((
            PyCapsule::new_with_value(py, made.field.describe(), c"arrow_schema")?,
            PyCapsule::new_with_value(py, array, c"arrow_array")?,
        ))
    }
}

/// A column of Arrow's type `format` from its buffers, which are copied: a validity bitmap or none,
/// and those of the type behind it.
#[pyfunction]
#[pyo3(signature = (format, len, validity, buffers))]
pub fn build<'py>(
    py: Python<'py>,
    format: &str,
    len: usize,
    validity: Option<&[u8]>,
    buffers: Vec<Bound<'py, PyBytes>>,
) -> PyResult<Bound<'py, PyAny>> {
    let ty = Type::parse(format)?;
    let wrong = || PyErr::from(Fault::value("the buffers do not have the lengths that the type asks for"));
    let lens: Vec<usize> = buffers.iter().map(|it| it.as_bytes().len()).collect();
    let fits = match (ty.layout, &lens[..]) {
        (Layout::Null, []) => true,
        (Layout::Bits, [bits]) => *bits == len.div_ceil(8),
        (Layout::Fixed(width), [bytes]) => len.checked_mul(width) == Some(*bytes),
        (Layout::Offsets64, [offsets, data]) => {
            let (all, _) = buffers[0].as_bytes().as_chunks::<8>();
            let mut before = 0;
            let in_order = all.iter().all(|it| {
                let at = i64::from_ne_bytes(*it);
                at >= std::mem::replace(&mut before, at)
            });
            len.checked_add(1).and_then(|n| n.checked_mul(8)) == Some(*offsets)
                && in_order
                && usize::try_from(before).is_ok_and(|last| last <= *data)
        }
        _ => false,
    };
    if !fits || validity.is_some_and(|bits| bits.len() != len.div_ceil(8)) {
        return Err(wrong());
    }
    let copies = buffers.iter().map(|it| {
        let mut pages = Pages::zeros(it.as_bytes().len())?;
        pages.copy_from_slice(it.as_bytes());
        Ok(Buffer::Pages(pages))
    });
    let buffers = copies.collect::<Result<Vec<_>>>()?;
    let mut validity = validity.map(<[u8]>::to_vec);
    if let Some(bits) = &mut validity
        && !len.is_multiple_of(8)
        && let Some(last) = bits.last_mut()
    {
        *last &= (1 << (len % 8)) - 1;
    }
    let nulls = if ty.layout == Layout::Null { len } else { validity.as_ref().map_or(0, |bits| len - ones(bits)) };
    let chunks = vec![Arc::new(Owned { len, nulls, validity, buffers, dictionary: None })];
    let field = Field { format: format.into(), values: None, metadata: Vec::new() };
    wrap(py, Made { field, chunks, stream: false })
}

/// Arrow's format string of a type that exports its schema.
#[pyfunction]
pub fn format_of(ty: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(super::input::format_of(ty)?)
}

/// The values of a column of bytes, text, whole numbers, binary fractions or truths, as a list.
#[pyfunction]
pub fn values<'py>(py: Python<'py>, column: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let input = Input::of(column)?;
    let list = PyList::empty(py);
    for view in input.views()? {
        for i in 0..view.len {
            if view.valid(i) {
                list.append(value(py, &view, i)?)?;
            } else {
                list.append(py.None())?;
            }
        }
    }
    Ok(list)
}

fn value<'py>(py: Python<'py>, view: &View<'_>, i: usize) -> PyResult<Bound<'py, PyAny>> {
    let bytes = view.bytes(i);
    let mut wide = [0; 8];
    if let Some(room) = wide.get_mut(..bytes.len()) {
        room.copy_from_slice(bytes);
    }
    Ok(match view.ty.logical {
        Logical::Bytes { text: false } => PyBytes::new(py, bytes).into_any(),
        Logical::Bytes { text: true } => {
            let text = std::str::from_utf8(bytes).map_err(|_| Fault::value("text that is not UTF-8"))?;
            PyString::new(py, text).into_any()
        }
        Logical::Bool => view.truth(i).into_pyobject(py)?.to_owned().into_any(),
        Logical::Int { signed: false } => u64::from_le_bytes(wide).into_pyobject(py)?.into_any(),
        Logical::Int { signed: true } => {
            let unused = 64 - 8 * bytes.len().clamp(1, 8);
            (i64::from_le_bytes(wide) << unused >> unused).into_pyobject(py)?.into_any()
        }
        Logical::Float(4) => f32::from_le_bytes([wide[0], wide[1], wide[2], wide[3]]).into_pyobject(py)?.into_any(),
        Logical::Float(8) => f64::from_le_bytes(wide).into_pyobject(py)?.into_any(),
        _ => {
            let format = &view.ty.format;
            return Err(Fault::Type(format!("values of Arrow's type {format:?} need pyarrow: to_pyarrow()")).into());
        }
    })
}
