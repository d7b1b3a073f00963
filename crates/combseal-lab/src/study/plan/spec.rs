//! What a plan is made of: what it must know of an implementation, and one point to be measured.
//! The points and their costs are made from these, and the plan from both.

use crate::measure::Width;
use crate::results::Axis;
use crate::subjects::batches::Mode;
use crate::subjects::{Implementation, Op, Scheme};

/// What a plan must know of an implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The scheme.
    pub scheme: Scheme,
    /// Bits of the AES key.
    pub key_bits: u32,
    /// The implementation's name.
    pub name: String,
    /// Whether it is ours or somebody else's, and which of our tiers.
    pub standing: Standing,
    /// The widest registers it may use.
    pub width: Width,
}

/// What an implementation is to the reader: it decides how closely to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Our best tier among those that take part.
    Best,
    /// Another of our tiers with AES instructions.
    Tier,
    /// Our software tier, beside better ones.
    Soft,
    /// Somebody else's.
    Peer,
}

/// One point to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The implementation: an index into the subjects.
    pub subject: usize,
    /// What is done.
    pub op: Op,
    /// The series it belongs to.
    pub axis: Axis,
    /// Bytes in the message; 0 for traffic and key setup.
    pub bytes: u64,
    /// Bytes of associated data.
    pub ad: u64,
    /// Keys in use.
    pub keys: u64,
    /// Messages handed over together; on the comb's lanes ([`Axis::Comb`]), as many of these.
    pub batch: u64,
    /// A mode that is no scheme, such as CBC: it is measured on the subject's tier, instead of the
    /// subject's scheme.
    pub raw: Option<Mode>,
}

impl Spec {
    /// The name of what is measured, if this is its implementation.
    pub fn scheme_name(&self, one: &Implementation) -> String {
        self.raw.map_or_else(|| one.scheme_name(), |mode| mode.name().into())
    }

    /// Its family's name, with which colours go.
    pub fn family(&self, one: &Implementation) -> String {
        self.raw
            .map_or_else(|| one.scheme.short().into(), |mode| mode.name().trim_start_matches("AES-128-").to_lowercase())
    }

    /// The mode in which several messages are done together, if there is one.
    pub fn mode(&self, one: &Implementation) -> Option<Mode> {
        self.raw.or_else(|| Mode::of_scheme(&one.scheme_name()))
    }
}

impl Spec {
    /// A message of so many bytes, alone, under one key, without associated data. The subject is filled in later.
    pub(super) fn of(op: Op, axis: Axis, bytes: u64) -> Self {
        Spec { subject: 0, op, axis, bytes, ad: 0, keys: 1, batch: 1, raw: None }
    }
}

impl Subject {
    /// The name of our tier, or a peer's whole name.
    pub(super) fn tier(&self) -> &str {
        self.name.trim_start_matches("combseal ")
    }

    /// The subjects of a study from its implementations. The first tier of ours that appears
    /// is the best: [`ours::tiers`](crate::subjects::ours::tiers) gives them in that order.
    pub fn of(all: &[Implementation]) -> Vec<Subject> {
        let best = all.iter().find_map(|one| one.tier);
        let standing = |one: &Implementation| match one.tier {
            None => Standing::Peer,
            tier if tier == best => Standing::Best,
            Some(tier) if tier.starts_with("soft") => Standing::Soft,
            Some(_) => Standing::Tier,
        };
        let subject = |one: &Implementation| Subject {
            scheme: one.scheme,
            key_bits: one.key_bits,
            name: one.name.clone(),
            standing: standing(one),
            width: one.width,
        };
        all.iter().map(subject).collect()
    }
}
