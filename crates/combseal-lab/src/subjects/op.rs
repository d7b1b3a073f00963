//! The operations that are measured, with the names that results and command lines use for them.

use super::scheme::Scheme;
use serde::{Deserialize, Serialize};

/// What is done with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Op {
    /// Seal, the nonce counting up.
    Seal,
    /// Seal, each nonce needing a new Ktop: OCB3 only.
    SealFresh,
    /// Open valid messages, the nonce counting up.
    Open,
    /// Open forged messages.
    Reject,
    /// Make the key's context from the key's bytes, in place of the one before.
    Setup,
}

impl Op {
    /// All operations.
    pub const ALL: [Op; 5] = [Op::Seal, Op::SealFresh, Op::Open, Op::Reject, Op::Setup];

    /// The name, as on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Op::Seal => "seal",
            Op::SealFresh => "seal-fresh",
            Op::Open => "open",
            Op::Reject => "reject",
            Op::Setup => "setup",
        }
    }

    /// Does the operation make sense for this scheme?
    pub fn applies_to(self, scheme: Scheme) -> bool {
        match self {
            Op::SealFresh => scheme == Scheme::of("ocb3"),
            Op::Reject => scheme.is_authenticated(),
            _ => true,
        }
    }
}
