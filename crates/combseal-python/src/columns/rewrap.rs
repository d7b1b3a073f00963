//! Sealing again, under the key that seals now, what is under another one; and how much there is of it.

use super::base64;
use super::cipher::{Cipher, Manner, bound};
use super::column::Made;
use super::fault::{Fault, Result};
use super::input::{Data, Input, View, bit};
use super::open::Raw;
use super::output::{Buffer, Field, Owned};
use super::pages::{Pages, bitmap};
use super::restore::bits;
use super::seal::{self, ones};
use super::types::{Logical, Type};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

impl Cipher {
    /// What [`usage`](Self::usage) says.
    pub(super) fn counted(&self, input: &Input) -> Result<Vec<(Option<u32>, usize)>> {
        let Logical::Bytes { text } = input.ty.logical else {
            return Err(Fault::kind("a column of tokens or cells is of bytes or of text"));
        };
        let mut counts = BTreeMap::new();
        let forms: HashSet<u8> = if self.deterministic() { [1, 2].into() } else { [17, 18, 19].into() };
        for view in input.views()? {
            let mut letters = [0; 8];
            for i in (0..view.len).filter(|&i| view.valid(i)) {
                let cell = view.bytes(i);
                let front = if text {
                    let begin = cell.get(..8).and_then(|it| base64::decode(it, &mut letters));
                    begin.and_then(|_| letters.first_chunk::<5>()).copied()
                } else {
                    cell.first_chunk::<5>().copied()
                };
                let id = front.filter(|it| forms.contains(&it[0]));
                *counts.entry(id.map(|it| u32::from_be_bytes([it[1], it[2], it[3], it[4]]))).or_insert(0) += 1;
            }
        }
        Ok(counts.into_iter().collect())
    }

    /// Seals again what is under another key than the one that seals now. Also how many rows that were.
    pub(super) fn rewrapped(
        &self,
        input: &Input,
        ties: &[Input],
        ty: &Type,
        manner: Manner,
    ) -> Result<(Made, Made, usize, usize)> {
        let mut views = input.views()?;
        let ties = bound(ties, views.iter().map(|view| view.len).sum())?;
        let ad = self.ad(ty, manner, ties.len())?;
        let front = self.front();
        let (mut chunks, mut failed, mut unknown, mut changed, mut first) = (Vec::new(), Vec::new(), 0, 0, 0);
        let binary = Type::parse("Z")?;
        for view in &mut views {
            let mut stale = bitmap(view.len)?;
            let mut letters = vec![0; 32];
            for i in (0..view.len).filter(|&i| view.valid(i)) {
                let cell = view.bytes(i);
                let begin = &cell[..cell.len().min(8)];
                let begins = if manner.text {
                    base64::decode(begin, &mut letters).is_some_and(|len| letters[..len].starts_with(&front))
                } else {
                    begin.starts_with(&front)
                };
                if !begins || front.is_empty() {
                    stale[i / 8] |= 1 << (i % 8);
                }
            }
            changed += ones(&stale);
            let old = view.validity;
            let raw = {
                let view = View { ty: view.ty, len: view.len, validity: Some((&stale, 0)), data: view.data.clone() };
                self.opening(&ad, &ties, manner).run(&view, first)?
            };
            view.validity = old;
            let Raw { offsets, data, len, valid, failed: bad, unknown: some } = raw;
            unknown += some;
            // A null that was sealed opens to nothing, and is sealed as one again.
            let mut wanted = bitmap(view.len)?;
            wanted.iter_mut().zip(stale.iter().zip(&bad)).for_each(|(to, (stale, bad))| *to = stale & !bad);
            let opened = View {
                ty: &binary,
                len: view.len,
                validity: Some((&valid, 0)),
                data: if view.len == 0 { Data::None } else { Data::Offsets64(&offsets, &data[..len]) },
            };
            let job = seal::Job {
                with: Self::with(self.id, &self.sealing, &ad),
                ad: ad.as_deref().unwrap_or(&[]),
                bound: &ties,
                pad: manner.pad,
                nulls: manner.nulls,
                text: manner.text,
                threads: manner.threads,
            };
            let (fresh, _) = job.run(&opened, first, true)?;
            chunks.push(Arc::new(merged(view, &fresh, &stale, &wanted, &bad)?));
            failed.push(Arc::new(bits(bad, view.len)));
            first += view.len;
        }
        let format = if manner.text { "U" } else { "Z" };
        let field = Field { format: format.into(), values: None, metadata: input.metadata.clone() };
        let of_bits = Field { format: "b".into(), values: None, metadata: Vec::new() };
        let stream = input.stream;
        Ok((Made { field, chunks, stream }, Made { field: of_bits, chunks: failed, stream }, unknown, changed))
    }
}

/// Rows of `fresh` where they are wanted, nulls where they failed, and of `view` elsewhere.
fn merged(view: &View<'_>, fresh: &Owned, stale: &[u8], wanted: &[u8], bad: &[u8]) -> Result<Owned> {
    let [Buffer::I64(places), Buffer::Pages(new)] = &fresh.buffers[..] else {
        return Err(Fault::value("a column sealed to another type"));
    };
    let row = |i: usize| {
        if bit(wanted, i) {
            &new[places[i] as usize..places[i + 1] as usize]
        } else if !view.valid(i) || bit(stale, i) {
            &[]
        } else {
            view.bytes(i)
        }
    };
    let mut data = Pages::<u8>::zeros((0..view.len).map(|i| row(i).len()).sum())?;
    let mut offsets = Pages::<i64>::zeros(view.len + 1)?;
    let mut validity = bitmap(view.len)?;
    let mut at = 0;
    for i in 0..view.len {
        let cell = row(i);
        data[at..at + cell.len()].copy_from_slice(cell);
        at += cell.len();
        offsets[i + 1] = at as i64;
        if view.valid(i) && !bit(bad, i) {
            validity[i / 8] |= 1 << (i % 8);
        }
    }
    let nulls = view.len - ones(&validity);
    let buffers = vec![Buffer::I64(offsets), Buffer::Pages(data)];
    Ok(Owned { len: view.len, nulls, validity: (nulls > 0).then_some(validity), buffers, dictionary: None })
}
