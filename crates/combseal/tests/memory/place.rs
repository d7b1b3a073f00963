//! A place where values are and then are not, and what was found wrong there.

use crate::secrets::{Secrets, bytes_at, find};
use std::collections::BTreeMap;

/// What was found wrong, by its kind.
#[derive(Default)]
pub struct Faults(pub BTreeMap<&'static str, Vec<String>>);

impl Faults {
    pub fn add(&mut self, kind: &'static str, what: String) {
        self.0.entry(kind).or_default().push(what);
    }
}

impl Drop for Faults {
    fn drop(&mut self) {
        if self.0.is_empty() || std::thread::panicking() {
            return;
        }
        let mut text = String::new();
        for (kind, all) in &self.0 {
            text += &format!("\n{kind}, {} times:", all.len());
            // The first of each algorithm, as a rule.
            let mut names = Vec::new();
            for what in all {
                let name = what.split(' ').next();
                if !names.contains(&name) {
                    names.push(name);
                    text += &format!("\n    {what}");
                }
            }
        }
        panic!("{text}");
    }
}

/// A place on the heap where one value after the other is, and which can be looked at when
/// there is none.
pub struct Place<T>(pub Vec<T>);

impl<T> Place<T> {
    pub fn new() -> Self {
        let mut it = Vec::with_capacity(1);
        // SAFETY: there is room for one. What was there before must not be taken for the
        // library's, nor be zero by chance.
        unsafe { core::ptr::write_bytes(it.as_mut_ptr(), 0xa5, 1) };
        Self(it)
    }

    pub fn bytes(&self) -> impl Iterator<Item = u8> {
        // SAFETY: the vector has room for a value, whether there is one or not.
        unsafe { bytes_at(self.0.as_ptr().cast(), size_of::<T>()) }
    }

    /// Puts a value there, does `with` with it, and drops it. Its secrets must be gone then; those
    /// of a value that was there `before` must not come back at any time.
    pub fn take_turn(
        &mut self,
        value: T,
        secrets: &Secrets,
        before: Option<&Secrets>,
        faults: &mut Faults,
        what: &dyn Fn() -> String,
        with: impl FnMut(&mut T),
    ) {
        self.0.push(value);
        let mut stale = |at: &'static str| {
            if let Some(place) = before.and_then(|it| find(self.bytes(), |piece| it.has(piece))) {
                faults.add(at, format!("{}: at {place} of {} bytes", what(), size_of::<T>()));
            }
        };
        stale("another key's secrets in a new one");
        self.0.iter_mut().for_each(with);
        self.0.clear();
        if let Some(place) = find(self.bytes(), |piece| secrets.has(piece)) {
            faults.add("secrets behind a dropped value", format!("{}: at {place} of {}", what(), size_of::<T>()));
        }
        if let Some(place) = before.and_then(|it| find(self.bytes(), |piece| it.has(piece))) {
            faults.add("another key's secrets behind a dropped one", format!("{}: at {place}", what()));
        }
    }

    /// Whether nothing but zeros is behind a dropped value.
    pub fn is_zero(&self, faults: &mut Faults, what: &dyn Fn() -> String) {
        let left = self.bytes().filter(|&b| b != 0).count();
        if left > 0 {
            let first = self.bytes().position(|b| b != 0).unwrap_or(0);
            faults.add(
                "not all zero behind a dropped value",
                format!("{}: {left} of {} bytes, the first at {first}", what(), size_of::<T>()),
            );
        }
    }
}
