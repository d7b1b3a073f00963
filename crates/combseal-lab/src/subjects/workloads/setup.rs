//! The loop of key setup. A key's context is made from its bytes, again and again in the same place.

use crate::measure::{Bench, Work};
use std::hint::black_box;

/// The loop of key setup, by the function that makes a context.
pub(crate) struct Setup<F, T> {
    setup: F,
    key: Vec<u8>,
    context: T,
}

impl<T, F: Fn(&[u8]) -> T> Setup<F, T> {
    pub(crate) fn new(setup: F, key: &[u8]) -> Self {
        Setup { context: setup(key), setup, key: key.to_vec() }
    }
}

impl<T, F: Fn(&[u8]) -> T> Work for Setup<F, T> {
    fn run(&mut self, _bench: &mut Bench, messages: u64) {
        for _ in 0..messages {
            // Dropping the context before it is part of it: whoever changes keys pays for that.
            self.context = (self.setup)(black_box(&self.key));
            black_box(&mut self.context);
        }
    }
}
