//! What the section on Krovetz and Rogaway 2021 needs: sealing at every length from 1 to 2,048 bytes
//! (Fig. 6 to 8) on the best tier and in software, other people's code at whole blocks, and long messages,
//! where schemes are at their peak.

use super::programme::Programme;
use crate::results::Axis;
use crate::study::plan::spec::{Spec, Standing, Subject};
use crate::subjects::Op;

pub(super) const PROGRAMME: Programme = Programme {
    year: 2021,
    schemes: &["OCB3-AES-128", "AES-128-GCM", "AES-128-CCM", "AES-128-GCM-SIV", "AEGIS-128", "ChaCha20-Poly1305"],
    seconds: 150.0,
    points,
    pieces: &[],
};

/// The longest message of the graphs.
const LONGEST: u64 = 2048;
/// A message long enough for the peak, and one between.
const PEAK: [u64; 2] = [4096, 16384];
/// From one length to the next where not every one is measured.
const STEP: u64 = 16;

fn points(subject: &Subject, quick: bool) -> Vec<Spec> {
    let step = match subject.standing {
        _ if quick => 4 * STEP,
        Standing::Best => 1,
        Standing::Peer => STEP,
        // A byte costs thirty times as much there.
        Standing::Soft if subject.tier() == "soft" => STEP,
        _ => return Vec::new(),
    };
    let lengths = (1..=LONGEST).filter(|n| *n == 1 || n % step == 0).chain(PEAK);
    lengths.map(|bytes| Spec::of(Op::Seal, Axis::Length, bytes)).collect()
}
