//! What Python calls to seal and open a column: the keys of one domain.

use super::column::{Made, wrap};
use super::fault::{Fault, Result};
use super::input::{Data, Index, Input, View, bit};
use super::open::{self, Keys};
use super::output::{Buffer, Field, Owned};
use super::pages::{Pages, bitmap};
use super::restore::{bits, restore};
use super::ring::Purpose;
use super::seal::{self, Tie, With, indices, ones};
use super::types::{Layout, Logical, Type};
use combseal::Key;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::HashSet;
use std::sync::Arc;
use zeroize::Zeroizing;

/// What the domain's new values are sealed with.
pub enum Sealing {
    Token { key: Box<Key>, front: Vec<u8> },
    Cells { domain_key: Zeroizing<Vec<u8>>, purpose: Purpose },
}

/// The keys of one domain. Nothing of them can be had from Python: not read, pickled or copied.
#[pyclass(frozen, module = "combseal._native", name = "ColumnCipher")]
pub struct Cipher {
    pub id: u32,
    pub sealing: Sealing,
    pub keys: Keys,
    /// The domain's keys that [`candidates`](Self::candidates) seals with, as `sealing` and `id`.
    pub others: Vec<(u32, Sealing)>,
    /// Associated data exactly as another program has them: `Some(None)` is none at all.
    pub exact: Option<Option<Vec<u8>>>,
    pub metadata: Vec<(String, String)>,
}

/// What `pad` is at most: 1 MiB.
const MOST_PADDED: usize = 1 << 20;

/// A number of bytes to whose multiples values are filled up, wherever it comes from.
fn padding(pad: usize) -> Result<usize> {
    if pad > MOST_PADDED { Err(Fault::value("pad_to is at most 1 MiB")) } else { Ok(pad) }
}

/// How values are written.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    pub pad: usize,
    pub nulls: bool,
    pub text: bool,
    pub threads: usize,
}

pub(super) fn bound<'a>(inputs: &'a [Input], rows: usize) -> Result<Vec<Tie<'a>>> {
    let all = inputs.iter().map(|input| Ok(Tie::new(input.views()?))).collect::<Result<Vec<_>>>()?;
    if all.iter().any(|it| it.len() != rows) {
        return Err(Fault::value("a bound column has another length"));
    }
    Ok(all)
}

impl Cipher {
    pub(super) fn deterministic(&self) -> bool {
        matches!(self.sealing, Sealing::Token { .. })
    }

    /// Refuses tokens of types whose values are few, or have several forms, unless the caller wants them.
    fn refuse(&self, ty: &Type, guessable: bool) -> Result<()> {
        let why = match ty.logical {
            Logical::Bool => "two values are told by how often they occur",
            Logical::Float(_) => "equal numbers may have different bits",
            _ => return Ok(()),
        };
        if guessable || !self.deterministic() {
            return Ok(());
        }
        Err(Fault::Type(format!("tokens of Arrow's type {:?} need allow_guessable=True: {why}", ty.format)))
    }

    /// The associated data that all values of a type have.
    pub(super) fn ad(&self, ty: &Type, manner: Manner, bound: usize) -> Result<Option<Vec<u8>>> {
        if let Some(exact) = &self.exact {
            if bound > 0 || manner.pad > 0 || manner.nulls || !matches!(ty.logical, Logical::Bytes { .. }) {
                return Err(Fault::value(
                    "another program's tokens are of bytes or text, without bind, pad_to or nulls",
                ));
            }
            return Ok(exact.clone());
        }
        let flags = u8::from(manner.pad > 0) | u8::from(manner.nulls) << 1;
        let mut ad = vec![1, flags];
        ad.extend(ty.tag());
        ad.extend((bound as u32).to_be_bytes());
        if manner.pad > 0 {
            // The number itself: metadata that were changed would let values be sealed again with less.
            ad.extend((manner.pad as u32).to_be_bytes());
        }
        Ok(Some(ad))
    }

    pub(super) fn with<'a>(id: u32, sealing: &'a Sealing, ad: &Option<Vec<u8>>) -> With<'a> {
        match sealing {
            Sealing::Token { key, .. } if ad.is_none() => With::Bare { key },
            Sealing::Token { key, front } => With::Tokens { key, front },
            Sealing::Cells { domain_key, purpose } => With::Cells { domain_key, purpose: *purpose, id },
        }
    }

    /// Seals all arrays, those of dictionaries as dictionaries where that shows no more than tokens do.
    fn sealed(&self, input: &Input, ties: &[Input], manner: Manner) -> Result<Made> {
        let views = input.views()?;
        let ties = bound(ties, views.iter().map(|view| view.len).sum())?;
        let ad = self.ad(&input.ty, manner, ties.len())?;
        let job = seal::Job {
            with: Self::with(self.id, &self.sealing, &ad),
            ad: ad.as_deref().unwrap_or(&[]),
            bound: &ties,
            pad: manner.pad,
            nulls: manner.nulls,
            text: manner.text,
            threads: manner.threads,
        };
        let keep = input.index.as_ref().filter(|_| self.deterministic() && ties.is_empty() && !manner.nulls);
        let wide = input.ty.layout == Layout::Offsets64;
        let mut chunks = Vec::new();
        let (mut large, mut first) = (wide, 0);
        // Arrays of a stream are of one type, so if one needs large offsets, so do all.
        for attempt in [wide, true] {
            (chunks, large, first) = (Vec::new(), attempt, 0);
            for view in &views {
                let (owned, was) = match (&view.data, keep) {
                    (Data::Dictionary(index, values), Some(_)) => dictionary(&job, view, index, values, attempt)?,
                    _ => job.run(view, first, attempt)?,
                };
                first += view.len;
                large |= was;
                chunks.push(Arc::new(owned));
            }
            if large == attempt {
                break;
            }
        }
        let mut metadata = self.metadata.clone();
        if self.exact.is_none() {
            metadata.push(("combseal.type".into(), input.ty.format.clone()));
        }
        if manner.pad > 0 {
            metadata.push(("combseal.pad_to".into(), manner.pad.to_string()));
        }
        if manner.nulls {
            metadata.push(("combseal.nulls".into(), "sealed".into()));
        }
        let format = match (manner.text, large) {
            (false, false) => "z",
            (false, true) => "Z",
            (true, false) => "u",
            (true, true) => "U",
        };
        let (format, values) = match keep {
            Some(index) => (index.format.clone(), Some(format.into())),
            None => (format.into(), None),
        };
        let _ = first;
        Ok(Made { field: Field { format, values, metadata }, chunks, stream: input.stream })
    }

    /// What the column's metadata, or the caller, say of how it was sealed.
    fn known(
        &self,
        input: &Input,
        ty: Option<&str>,
        pad: Option<usize>,
        nulls: Option<bool>,
    ) -> Result<(Type, Manner)> {
        let Logical::Bytes { text } = input.ty.logical else {
            return Err(Fault::kind("a column of tokens or cells is of bytes or of text"));
        };
        let said = |key: &str| input.metadata.iter().find(|it| it.0 == key).map(|it| &*it.1);
        for (key, own) in &self.metadata {
            if key != "combseal.normalize" && said(key).is_some_and(|said| said != own) {
                return Err(Fault::Value(format!("the column says {key}={:?}, not {own:?}", said(key).unwrap_or(""))));
            }
        }
        let ty = Type::parse(ty.or(said("combseal.type")).unwrap_or("u"))?.restored();
        let pad = match (pad, said("combseal.pad_to")) {
            (Some(pad), _) => pad,
            (None, Some(said)) => {
                said.parse().map_err(|_| Fault::value("the column's combseal.pad_to is no number"))?
            }
            (None, None) => 0,
        };
        let pad = padding(pad)?;
        let nulls = nulls.unwrap_or(said("combseal.nulls").is_some());
        Ok((ty, Manner { pad, nulls, text, threads: 1 }))
    }

    /// Opens all arrays; also which rows failed, and how many of an unknown key.
    fn opened(&self, input: &Input, ties: &[Input], ty: &Type, manner: Manner) -> Result<(Made, Made, usize)> {
        let views = input.views()?;
        let ties = bound(ties, views.iter().map(|view| view.len).sum())?;
        let ad = self.ad(ty, manner, ties.len())?;
        let job = self.opening(&ad, &ties, manner);
        let (mut chunks, mut failed, mut unknown, mut first) = (Vec::new(), Vec::new(), 0, 0);
        let mut format = ty.format.clone();
        let mut large = false;
        let keep = input.index.as_ref().filter(|_| ties.is_empty() && !manner.nulls);
        for attempt in [false, true] {
            (chunks, failed, unknown, first, large) = (Vec::new(), Vec::new(), 0, 0, attempt);
            for view in &views {
                let (made, bad) = match (&view.data, keep) {
                    (Data::Dictionary(index, values), Some(_)) => {
                        let (owned, raw, new) = restore(job.run(values, 0)?, ty, attempt)?;
                        format = new;
                        let mut bad = bitmap(view.len)?;
                        for i in (0..view.len).filter(|&i| view.valid(i) && bit(&raw.failed, index.at(i))) {
                            bad[i / 8] |= 1 << (i % 8);
                        }
                        if raw.unknown > 0 {
                            unknown += ones(&bad);
                        }
                        let valid = |i: &usize| view.valid(*i) && bit(&raw.valid, index.at(*i));
                        let place = |i| Some(i).filter(valid).map(|i| index.at(i));
                        (indices(view, index.width, Arc::new(owned), place)?, bad)
                    }
                    _ => {
                        let (owned, raw, new) = restore(job.run(view, first)?, ty, attempt)?;
                        format = new;
                        unknown += raw.unknown;
                        (owned, raw.failed)
                    }
                };
                large |= format.chars().all(char::is_uppercase) && format != ty.format;
                first += view.len;
                chunks.push(Arc::new(made));
                failed.push(Arc::new(bits(bad, view.len)));
            }
            if large == attempt || !matches!(ty.layout, Layout::Offsets32) {
                break;
            }
        }
        let _ = (first, large);
        let (format, values) = match keep {
            Some(index) => (index.format.clone(), Some(format)),
            None => (format, None),
        };
        let stream = input.stream;
        let field = Field { format, values, metadata: Vec::new() };
        let of_bits = Field { format: "b".into(), values: None, metadata: Vec::new() };
        Ok((Made { field, chunks, stream }, Made { field: of_bits, chunks: failed, stream }, unknown))
    }

    pub(super) fn opening<'a>(&'a self, ad: &'a Option<Vec<u8>>, ties: &'a [Tie<'a>], manner: Manner) -> open::Job<'a> {
        open::Job {
            keys: &self.keys,
            ad: ad.as_deref(),
            bound: ties,
            padded: manner.pad > 0,
            nulls: manner.nulls,
            text: manner.text,
            threads: manner.threads,
        }
    }

    /// What new values have in front, as far as it tells their key.
    pub(super) fn front(&self) -> Vec<u8> {
        match &self.sealing {
            Sealing::Token { front, .. } => front.clone(),
            Sealing::Cells { purpose, .. } => [&[purpose.form][..], &self.id.to_be_bytes()].concat(),
        }
    }
}

/// Seals an array of a dictionary to one of a new dictionary, in which each value that a row has comes once, in
/// the rows' order. Values that no row has (a slice keeps its whole dictionary) and the order of a dictionary that was
/// sorted would say what the rows' own tokens do not.
fn dictionary(
    job: &seal::Job<'_>,
    view: &View<'_>,
    index: &Index<'_>,
    values: &View<'_>,
    large: bool,
) -> Result<(Owned, bool)> {
    // Of each value the number of its place in the new dictionary, counted from 1; 0 of those that no row has.
    let mut places = Pages::<i64>::zeros(values.len)?;
    let mut used = Vec::new();
    for at in (0..view.len).filter(|&i| view.valid(i)).map(|i| index.at(i)) {
        if places[at] == 0 {
            used.try_reserve(8).map_err(|_| Fault::Memory)?;
            used.extend((at as u64).to_le_bytes());
            places[at] = (used.len() / 8) as i64;
        }
    }
    let data = Data::Dictionary(Index { bytes: &used, width: 8 }, Box::new(values.clone()));
    let chosen = View { ty: values.ty, len: used.len() / 8, validity: None, data };
    let (sealed, large) = job.run(&chosen, 0, large)?;
    let place = |i| Some(i).filter(|&i| view.valid(i)).map(|i| (places[index.at(i)] - 1) as usize);
    Ok((indices(view, index.width, Arc::new(sealed), place)?, large))
}

/// The first rows of those whose bit is set, at most ten, and how many there are.
fn first_rows(failed: &Made) -> (usize, Vec<usize>) {
    let (mut count, mut rows, mut first) = (0, Vec::new(), 0);
    for chunk in &failed.chunks {
        if let [Buffer::Bytes(bits)] = &chunk.buffers[..] {
            let some = ones(bits);
            if some > 0 && rows.len() < 10 {
                rows.extend((0..chunk.len).filter(|&i| bit(bits, i)).take(10 - rows.len()).map(|i| first + i));
            }
            count += some;
        }
        first += chunk.len;
    }
    (count, rows)
}

fn inputs(objects: &[Bound<'_, PyAny>]) -> Result<Vec<Input>> {
    objects.iter().map(Input::of).collect()
}

/// The opened column, which rows failed, how many, how many of those of an unknown key, and the first ones.
type Opened<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, usize, usize, Vec<usize>);

#[pymethods]
impl Cipher {
    /// The number of the key that seals.
    #[getter]
    fn key_id(&self) -> u32 {
        self.id
    }

    /// A column sealed. `pad` 0 pads nothing.
    #[pyo3(signature = (column, bind, pad, nulls, text, guessable, threads))]
    #[allow(clippy::too_many_arguments)]
    fn seal<'py>(
        &self,
        py: Python<'py>,
        column: &Bound<'py, PyAny>,
        bind: Vec<Bound<'py, PyAny>>,
        pad: usize,
        nulls: bool,
        text: bool,
        guessable: bool,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (input, ties) = (Input::of(column)?, inputs(&bind)?);
        self.refuse(&input.ty, guessable)?;
        let pad = padding(pad)?;
        let made = py.detach(|| self.sealed(&input, &ties, Manner { pad, nulls, text, threads }))?;
        wrap(py, made)
    }

    /// A column opened.
    #[pyo3(signature = (column, bind, as_type, pad, nulls, threads, metadata))]
    #[allow(clippy::too_many_arguments)]
    fn open<'py>(
        &self,
        py: Python<'py>,
        column: &Bound<'py, PyAny>,
        bind: Vec<Bound<'py, PyAny>>,
        as_type: Option<&str>,
        pad: Option<usize>,
        nulls: Option<bool>,
        threads: usize,
        metadata: Vec<(String, String)>,
    ) -> PyResult<Opened<'py>> {
        let (mut input, ties) = (Input::of(column)?, inputs(&bind)?);
        input.metadata.extend(metadata);
        let (ty, manner) = self.known(&input, as_type, pad, nulls)?;
        let manner = Manner { threads, ..manner };
        let (made, failed, unknown) = py.detach(|| self.opened(&input, &ties, &ty, manner))?;
        let (count, rows) = first_rows(&failed);
        Ok((wrap(py, made)?, wrap(py, failed)?, count, unknown, rows))
    }

    /// A column sealed again where it is under another key; how many rows that were comes last.
    #[pyo3(signature = (column, bind, as_type, pad, nulls, threads, metadata))]
    #[allow(clippy::too_many_arguments)]
    fn rewrap<'py>(
        &self,
        py: Python<'py>,
        column: &Bound<'py, PyAny>,
        bind: Vec<Bound<'py, PyAny>>,
        as_type: Option<&str>,
        pad: Option<usize>,
        nulls: Option<bool>,
        threads: usize,
        metadata: Vec<(String, String)>,
    ) -> PyResult<(Opened<'py>, usize)> {
        let (mut input, ties) = (Input::of(column)?, inputs(&bind)?);
        input.metadata.extend(metadata);
        let (ty, manner) = self.known(&input, as_type, pad, nulls)?;
        let manner = Manner { threads, ..manner };
        let (made, failed, unknown, changed) = py.detach(|| self.rewrapped(&input, &ties, &ty, manner))?;
        let (count, rows) = first_rows(&failed);
        Ok(((wrap(py, made)?, wrap(py, failed)?, count, unknown, rows), changed))
    }

    /// The tokens of a column of one value under every key that opens, as pairs of number and token.
    #[pyo3(signature = (column, bind, pad, nulls, text, guessable))]
    #[allow(clippy::too_many_arguments)]
    fn candidates<'py>(
        &self,
        py: Python<'py>,
        column: &Bound<'py, PyAny>,
        bind: Vec<Bound<'py, PyAny>>,
        pad: usize,
        nulls: bool,
        text: bool,
        guessable: bool,
    ) -> PyResult<Vec<(u32, Bound<'py, PyBytes>)>> {
        let (input, ties) = (Input::of(column)?, inputs(&bind)?);
        self.refuse(&input.ty, guessable)?;
        let views = input.views()?;
        let ties = bound(&ties, 1)?;
        let manner = Manner { pad: padding(pad)?, nulls, text, threads: 1 };
        let ad = self.ad(&input.ty, manner, ties.len())?;
        let [view] = &views[..] else { return Err(Fault::value("candidates are of one value").into()) };
        if view.len != 1 || !view.valid(0) {
            return Err(Fault::value("candidates are of one value, which is not null").into());
        }
        let own = std::iter::once((self.id, &self.sealing));
        let mut found = Vec::new();
        for (id, sealing) in own.chain(self.others.iter().map(|it| (it.0, &it.1))) {
            let with = Self::with(id, sealing, &ad);
            let bare = ad.as_deref().unwrap_or(&[]);
            let job = seal::Job { with, ad: bare, bound: &ties, pad, nulls, text, threads: 1 };
            let (owned, _) = job.run(view, 0, false)?;
            if let [_, Buffer::Pages(token)] = &owned.buffers[..] {
                found.push((id, PyBytes::new(py, token)));
            }
        }
        Ok(found)
    }

    /// How many rows there are under each key's number, by what stands in front of them; `None` counts rows
    /// that are none of ours, and nothing is opened.
    fn usage(&self, column: &Bound<'_, PyAny>) -> PyResult<Vec<(Option<u32>, usize)>> {
        let input = Input::of(column)?;
        Ok(column.py().detach(|| self.counted(&input))?)
    }

    fn __repr__(&self) -> String {
        let name =
            self.metadata.iter().map(|(key, value)| format!("{}={value:?}", key.trim_start_matches("combseal.")));
        format!("ColumnCipher({}, key_id={})", name.collect::<Vec<_>>().join(", "), self.id)
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(Fault::kind("keys are not pickled; a KeyRef is").into())
    }

    fn __copy__(&self) -> PyResult<()> {
        Err(Fault::kind("keys are not copied").into())
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(Fault::kind("keys are not copied").into())
    }
}

/// Distinct values among the first `rows` of a column, at most `most` of them, and how many of those rows are
/// not null.
#[pyfunction]
pub fn distinct(column: &Bound<'_, PyAny>, rows: usize, most: usize) -> PyResult<(usize, usize)> {
    let input = Input::of(column)?;
    let (mut seen, mut some, mut left) = (HashSet::new(), 0, rows);
    for view in input.views()? {
        for i in (0..view.len.min(left)).filter(|&i| view.valid(i)) {
            some += 1;
            if seen.len() < most {
                let mut value = Vec::new();
                view.canonical(i, &mut value);
                seen.insert(value);
            }
        }
        left -= view.len.min(left);
    }
    Ok((seen.len(), some))
}
