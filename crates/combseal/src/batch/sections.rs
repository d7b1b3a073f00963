//! Lanes that share a key share its round keys: in a batch of several keys, the jobs of each
//! key that has many of them go together.

use crate::key::Key;
use crate::pipeline::jobs::Job;
use crate::pipeline::plan::MAX_LANES;
use alloc::vec::Vec;

/// The order of a batch, the jobs of each key that has many set apart: lanes that share
/// a key share its round keys.
#[derive(Default)]
pub(super) struct Sections {
    /// Places of the keys in memory, of which a batch with few keys has few.
    keys: Vec<usize>,
    /// Which of them a job has.
    whose: Vec<u8>,
    order: Vec<u32>,
    /// Where each section ends in the order; none if all is one section.
    ends: Vec<u32>,
}

impl Sections {
    /// Keys that are told apart.
    const KEYS: usize = 64;
    /// Jobs of a key that are worth a section: it ends with a group that is half full.
    const MANY: usize = 4 * MAX_LANES;

    pub(super) fn make(&mut self, jobs: &[Job<'_, Key>], order: &[u32]) {
        let most = (jobs.len() / Self::MANY).min(Self::KEYS);
        self.ends.clear();
        if most < 2 || !self.count(jobs, most) {
            return;
        }
        let mut counts = [0u32; Self::KEYS];
        for &k in &self.whose {
            counts[k as usize & (Self::KEYS - 1)] += 1;
        }
        // Keys with few jobs share the last section.
        let (mut begins, mut at) = ([None; Self::KEYS], 0);
        for (begin, &n) in begins.iter_mut().zip(&counts) {
            if n as usize >= Self::MANY {
                *begin = Some(at);
                at += n;
                self.ends.push(at);
            }
        }
        let mut others = at;
        if (at as usize) < jobs.len() {
            self.ends.push(jobs.len() as u32);
        }
        self.order.resize(order.len(), 0);
        for &i in order {
            let place = begins[self.whose[i as usize] as usize & (Self::KEYS - 1)].as_mut().unwrap_or(&mut others);
            self.order[*place as usize] = i;
            *place += 1;
        }
    }

    /// Finds each job's key; false if there are one or more than `most`.
    fn count(&mut self, jobs: &[Job<'_, Key>], most: usize) -> bool {
        // As a rule they have one, and are looked at no more.
        if jobs.windows(2).all(|pair| core::ptr::eq(pair[0].key, pair[1].key)) {
            return false;
        }
        self.keys.clear();
        self.whose.clear();
        let mut this = 0;
        for job in jobs {
            let key = core::ptr::from_ref(job.key).addr();
            if self.keys.get(this) != Some(&key) {
                this = match self.keys.iter().position(|&k| k == key) {
                    Some(i) => i,
                    None if self.keys.len() == most => return false,
                    None => {
                        self.keys.push(key);
                        self.keys.len() - 1
                    }
                };
            }
            self.whose.push(this as u8);
        }
        self.keys.len() > 1
    }

    /// The sections, or all of `order`.
    pub(super) fn of<'a>(&'a self, order: &'a [u32]) -> impl Iterator<Item = &'a [u32]> {
        let one = self.ends.is_empty().then_some(order);
        let begins = core::iter::once(0).chain(self.ends.iter().copied());
        let some = begins.zip(&self.ends).map(|(from, &to)| &self.order[from as usize..to as usize]);
        one.into_iter().chain(some)
    }
}
