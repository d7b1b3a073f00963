//! A column's values that no kernel for columns takes: of schemes whose messages go side by side
//! as a batch's jobs, sixteen at a time, on the stack; of the others by a call each.

use crate::cpu::InOut;
use crate::interface::error::Error;
use crate::interface::scheme::{Scheme, open};
use crate::interface::tag::AnyNonce;
use crate::key::Key;
use crate::memory::wipe::Wipe;
use crate::pipeline::column::{Column, Marks, Nonce, Source};
use crate::pipeline::jobs::{Job, Tagging};
use crate::pipeline::lockstep::LaneKeys;
use crate::pipeline::plan::MAX_LANES;
use crate::pipeline::run::cut;
use core::cell::Cell;
use core::ops::Range;

/// What is kept from one group of jobs to the next.
#[derive(Default)]
pub(super) struct Workspace {
    lane_keys: LaneKeys,
    cache: <Key as Scheme>::Cache,
}

impl Workspace {
    /// Does the values of a range, none of them a cell that is too short to be one.
    pub fn run(
        &mut self,
        key: &Key,
        column: &Column<'_, Key>,
        range: Range<usize>,
        out: &mut &mut [u8],
        marks: &mut Marks<'_>,
    ) {
        if matches!(column.nonces, Nonce::None) {
            range.for_each(|i| one(column, i, out, marks));
        } else if key.together() {
            for from in range.clone().step_by(MAX_LANES) {
                let count = MAX_LANES.min(range.end - from);
                self.side_by_side(key, column, from, count, out, marks);
            }
        } else {
            self.one_by_one(column, range, out, marks);
        }
    }

    /// `count` values with nonces, as jobs.
    fn side_by_side(
        &mut self,
        key: &Key,
        column: &Column<'_, Key>,
        from: usize,
        count: usize,
        out: &mut &mut [u8],
        marks: &mut Marks<'_>,
    ) {
        let jobs: [Job<'_, Key>; MAX_LANES] = core::array::from_fn(|i| {
            let done = Cell::new(if i < count { None } else { Some(Ok(())) });
            if i >= count {
                let (io, tag) = (Cell::new(InOut::in_place(&mut [])), Tagging::Open(&[]));
                return Job { key, nonce: AnyNonce::EMPTY, ad: &[], len: 0, io, tag, done };
            }
            let (key, ad, value) = (column.key(from + i), column.ad(from + i), column.values.get(from + i));
            let (src, dst, tag) = if column.open {
                let (text, tag) = column.parts(value);
                (text, cut(out, text.len()), Tagging::Open(tag))
            } else {
                let (text, tag) = column.parts_mut(cut(out, value.len() + column.overhead));
                (value, text, Tagging::Seal(Cell::new(tag)))
            };
            let len = src.len();
            let Some(io) = InOut::separate(src, dst) else { unreachable!("both parts have one length") };
            let nonce = column.nonces.get(from + i, column.nonce_len);
            Job { key, nonce, ad, len, io: Cell::new(io), tag, done }
        });
        let mut order = [0; MAX_LANES];
        for (i, place) in order.iter_mut().enumerate() {
            *place = i;
        }
        if !jobs[..count].is_sorted_by(|a, b| a.len >= b.len) {
            order[..count].sort_unstable_by_key(|&i| core::cmp::Reverse(jobs[i].len));
        }
        let mut group = [&jobs[0]; MAX_LANES];
        for (job, &i) in group.iter_mut().zip(&order) {
            *job = &jobs[i];
        }
        for group in group[..count].chunks(key.lanes().min(MAX_LANES)) {
            match group {
                [job] => job.alone(job.key, None),
                _ => key.many(group, &mut self.lane_keys),
            }
        }
        for (i, job) in jobs[..count].iter().enumerate() {
            // Lengths were looked at before, so that nothing but a forgery is refused.
            let done = job.result();
            debug_assert!(matches!(done, Ok(()) | Err(Error::Forged)));
            if column.open {
                marks.mark(from + i, done.is_ok());
            }
        }
    }

    /// Values with nonces, by a call each. What a scheme keeps from message
    /// to message it keeps where all have one key.
    fn one_by_one(
        &mut self,
        column: &Column<'_, Key>,
        range: Range<usize>,
        out: &mut &mut [u8],
        marks: &mut Marks<'_>,
    ) {
        for i in range {
            let nonce = column.nonces.get(i, column.nonce_len);
            let cache = matches!(column.keys, Source::One(_)).then_some(&mut self.cache);
            let (key, ad, value) = (column.key(i), column.ad(i), column.values.get(i));
            // Lengths were looked at before, so that nothing but a forgery is refused; but whatever it is, neither
            // plaintext is left for ciphertext nor what was there before for a value.
            if column.open {
                let (text, tag) = column.parts(value);
                let to = cut(out, text.len());
                let Some(io) = InOut::separate(text, &mut *to) else { unreachable!("both parts have one length") };
                let done = open(key, cache, &nonce, ad, io, tag);
                if done.is_err() {
                    to.wipe();
                }
                marks.mark(i, done.is_ok());
            } else {
                let (to, tag) = column.parts_mut(cut(out, value.len() + column.overhead));
                let Some(io) = InOut::separate(value, &mut *to) else { unreachable!("both parts have one length") };
                if key.seal_with(cache, &nonce, ad, io, &mut *tag).is_err() {
                    to.wipe();
                    tag.wipe();
                }
            }
        }
    }
}

/// A value without a nonce.
fn one(column: &Column<'_, Key>, i: usize, out: &mut &mut [u8], marks: &mut Marks<'_>) {
    let (key, ads, value) = (column.key(i), [column.ad(i)], column.values.get(i));
    if column.open {
        let (text, tag) = column.parts(value);
        let to = cut(out, text.len());
        to.copy_from_slice(text);
        let done = key.open_vectored(&ads, to, tag);
        if done.is_err() {
            to.wipe();
        }
        marks.mark(i, done.is_ok());
        return;
    }
    let (to, tag) = column.parts_mut(cut(out, value.len() + column.overhead));
    to.copy_from_slice(value);
    match key.seal_vectored(&ads, to) {
        Ok(it) => tag.copy_from_slice(it.as_bytes()),
        // One string is never too many; but plaintext must not be left for ciphertext.
        Err(_) => {
            to.wipe();
            tag.wipe();
        }
    }
}
