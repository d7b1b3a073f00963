//! An implementation that can be measured: what it is, and how its timed loops are made. Loops are
//! compiled for each candidate's own type; an `Implementation` hides that type, so that all of them
//! can stand in one list.

use super::candidate::{Candidate, Keyed, Tailed};
use super::op::Op;
use super::scheme::Scheme;
use super::workloads::{self, Buffers, Setup};
use crate::measure::{Random, Width, Work};
use std::rc::Rc;

/// An implementation that can be measured: what it is, and how to make it.
#[derive(Clone)]
pub struct Implementation {
    /// The scheme implemented.
    pub scheme: Scheme,
    /// Bits of the key.
    pub key_bits: u32,
    /// The name to print: library and version, or our tier.
    pub name: String,
    /// The widest registers it may hand to the AES unit; its limit is computed for these.
    pub width: Width,
    /// Our tier; `None` for a peer.
    pub tier: Option<&'static str>,
    /// Bytes of a key's context; `None` where it lies behind a pointer, or is not known.
    pub context: Option<usize>,
    maker: Rc<dyn Maker>,
    setup: Option<Rc<SetupWork>>,
    /// What a sender needs, where a candidate holds more.
    many: Option<Rc<dyn Maker>>,
}

impl Implementation {
    /// Registers an implementation; `setup` makes its context from the key's bytes and is what
    /// the operation [`Op::Setup`] times.
    pub fn new<C: Candidate + 'static>(
        scheme: Scheme,
        key_bits: u32,
        name: impl Into<String>,
        width: Width,
        setup: impl Fn(&[u8]) -> C + Clone + 'static,
    ) -> Self {
        Self::tailed(scheme, key_bits, name, width, setup)
    }

    /// The same of one whose tags have not 16 bytes.
    pub(crate) fn tailed<C: Tailed + 'static>(
        scheme: Scheme,
        key_bits: u32,
        name: impl Into<String>,
        width: Width,
        setup: impl Fn(&[u8]) -> C + Clone + 'static,
    ) -> Self {
        let maker = Rc::new(Made { setup });
        let (name, context) = (name.into(), Some(size_of::<C>()));
        Implementation { scheme, key_bits, name, width, tier: None, context, maker, setup: None, many: None }
    }

    /// Says that it is ours, on that tier, with a key's context of so many bytes, if that is known.
    pub fn ours(mut self, tier: &'static str, context: Option<usize>) -> Self {
        (self.tier, self.context) = (Some(tier), context);
        self
    }

    /// Says that a key's context lies behind a pointer, its size unknown.
    pub fn context_elsewhere(mut self) -> Self {
        self.context = None;
        self
    }

    /// Times `setup` for [`Op::Setup`] instead, where a candidate is more than a key's context:
    /// a key, say, with a sealer and an opener around it.
    pub fn timing_setup<T: 'static>(mut self, setup: impl Fn(&[u8]) -> T + Clone + 'static) -> Self {
        self.setup = Some(Rc::new(move |key| Box::new(Setup::new(setup.clone(), key))));
        self
    }

    /// Uses `setup` for messages under many keys instead, where a candidate holds more than a
    /// sender needs.
    pub fn sending_with<C: Candidate + 'static>(mut self, setup: impl Fn(&[u8]) -> C + Clone + 'static) -> Self {
        self.many = Some(Rc::new(Made { setup }));
        self
    }

    /// The scheme with its key's length.
    pub fn scheme_name(&self) -> String {
        self.scheme.name(self.key_bits)
    }

    fn timed_key(&self) -> &'static [u8] {
        &TIMED_KEY[..self.scheme.key_len(self.key_bits)]
    }

    /// Sealing or opening with `ad` bytes of associated data, another for each message.
    pub fn work_with_data(&self, op: Op, bytes: usize, ad: usize) -> Box<dyn Work> {
        workloads::data(self.under(self.timed_key()), op, bytes, ad)
    }

    /// Sealing or opening messages of these lengths, in this order.
    pub fn work_on_mix(&self, op: Op, lengths: &[usize]) -> Box<dyn Work> {
        workloads::mix(vec![self.under(self.timed_key())], op, lengths)
    }

    /// Sealing messages of these lengths, in this order, under so many keys in turn.
    pub fn work_on_mix_under(&self, keys: usize, lengths: &[usize]) -> Box<dyn Work> {
        let mut random = Random::new(2014);
        let sender = |_| {
            let mut key = vec![0; self.scheme.key_len(self.key_bits)];
            random.fill(&mut key);
            self.many.as_ref().unwrap_or(&self.maker).keyed(&key)
        };
        workloads::mix((0..keys).map(sender).collect(), Op::Seal, lengths)
    }

    /// Sealing under keys drawn at random from as many as each of `counts` says.
    pub fn keys(&self, counts: &[usize], bytes: usize) -> Vec<Box<dyn Work>> {
        self.many.as_ref().unwrap_or(&self.maker).many(self.scheme.key_len(self.key_bits), counts, bytes)
    }

    /// Sealing under so many keys in turn.
    pub fn keys_in_turn(&self, count: usize, bytes: usize) -> Box<dyn Work> {
        self.many.as_ref().unwrap_or(&self.maker).in_turn(self.scheme.key_len(self.key_bits), count, bytes)
    }

    /// The loop to be timed. Check the implementation with [`verify`](super::verify()) first.
    pub fn work(&self, op: Op, bytes: usize, buffers: Buffers) -> Box<dyn Work> {
        let key = self.timed_key();
        if let (Op::Setup, Some(setup)) = (op, &self.setup) {
            return setup(key);
        }
        self.maker.work(key, op, bytes, buffers)
    }

    /// The implementation under `key`, for checking.
    pub(crate) fn under(&self, key: &[u8]) -> Box<dyn Keyed> {
        self.maker.keyed(key)
    }
}

/// Makes the loop of key setup, from the key's bytes.
type SetupWork = dyn Fn(&[u8]) -> Box<dyn Work>;

const TIMED_KEY: [u8; 64] = *b"thirty-two bytes of a timed key!and as many more of another one!";

trait Maker {
    fn keyed(&self, key: &[u8]) -> Box<dyn Keyed>;
    fn work(&self, key: &[u8], op: Op, bytes: usize, buffers: Buffers) -> Box<dyn Work>;
    fn many(&self, key_len: usize, counts: &[usize], bytes: usize) -> Vec<Box<dyn Work>>;
    fn in_turn(&self, key_len: usize, count: usize, bytes: usize) -> Box<dyn Work>;
}

struct Made<F> {
    setup: F,
}

impl<C: Tailed + 'static, F: Fn(&[u8]) -> C + Clone + 'static> Maker for Made<F> {
    fn keyed(&self, key: &[u8]) -> Box<dyn Keyed> {
        Box::new((self.setup)(key))
    }

    fn work(&self, key: &[u8], op: Op, bytes: usize, buffers: Buffers) -> Box<dyn Work> {
        match op {
            Op::Setup => Box::new(Setup::new(self.setup.clone(), key)),
            _ => workloads::work((self.setup)(key), op, bytes, buffers),
        }
    }

    fn many(&self, key_len: usize, counts: &[usize], bytes: usize) -> Vec<Box<dyn Work>> {
        workloads::many(&self.setup, key_len, counts, bytes)
    }

    fn in_turn(&self, key_len: usize, count: usize, bytes: usize) -> Box<dyn Work> {
        workloads::in_turn(&self.setup, key_len, count, bytes)
    }
}
