//! What the section on Krovetz and Rogaway 2011 needs: sealing at every length from 1 to 1,024 bytes and at
//! 1,500 and 4,096 (Fig. 2 and the graphs of Fig. 4), the same on other tiers at the lengths of the table,
//! the set-up of keys, OCB3 under nonces that are no counter (Sect. 3), and the appendix's LFSRs.

use super::programme::Programme;
use crate::results::Axis;
use crate::study::plan::spec::{Spec, Standing, Subject};
use crate::subjects::Op;

pub(super) const PROGRAMME: Programme = Programme {
    year: 2011,
    schemes: &["OCB3-AES-128", "AES-128-GCM", "AES-128-CCM", "OCB1-AES-128", "OCB2-AES-128", "AES-128-CTR"],
    seconds: 150.0,
    points,
    pieces: &["lfsr"],
};

/// The lengths of Fig. 4's table (those of the IPI, and 4,096 bytes) and of Sect. 3 (one byte).
const TABLE: [u64; 6] = [1, 44, 552, 576, 1500, 4096];
/// The longest message of the graphs.
const LONGEST: u64 = 1024;

/// Is every length measured? On the best tier; on the one with the registers of the paper's machine; and in
/// software, which stands beside its machines without AES instructions.
fn is_dense(subject: &Subject) -> bool {
    subject.standing == Standing::Best || ["aesni", "armv8", "soft"].contains(&subject.tier())
}

fn points(subject: &Subject, quick: bool) -> Vec<Spec> {
    if subject.standing == Standing::Peer {
        return Vec::new();
    }
    let step = if quick { 16 } else { 1 };
    let mut lengths: Vec<u64> = TABLE.to_vec();
    if is_dense(subject) {
        lengths.extend((1..=LONGEST).filter(|n| n % step == 0));
        lengths.sort_unstable();
        lengths.dedup();
    }
    let mut points: Vec<Spec> = lengths.iter().map(|&bytes| Spec::of(Op::Seal, Axis::Length, bytes)).collect();
    if Op::SealFresh.applies_to(subject.scheme) {
        points.extend(TABLE.map(|bytes| Spec::of(Op::SealFresh, Axis::Length, bytes)));
    }
    points.push(Spec::of(Op::Setup, Axis::Single, 0));
    points
}
