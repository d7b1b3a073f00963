//! What the section on Bogdanov, Lauridsen and Tischhauser 2014 needs.

use super::programme::Programme;
use crate::results::Axis;
use crate::study::plan::spec::{Spec, Standing, Subject};
use crate::subjects::Op;

pub(super) const PROGRAMME: Programme = Programme {
    year: 2014,
    schemes: &["AES-128-CTR", "AES-128-CCM", "AES-128-GCM", "OCB3-AES-128"],
    seconds: 150.0,
    points,
    pieces: &["doubling", "gf128"],
};

/// The lengths of Table 5.
const LENGTHS: [u64; 5] = [128, 256, 512, 1024, 2048];

fn points(subject: &Subject, _quick: bool) -> Vec<Spec> {
    if subject.standing != Standing::Best {
        return Vec::new();
    }
    let mut points = LENGTHS.map(|bytes| Spec::of(Op::Seal, Axis::Length, bytes)).to_vec();
    points.push(Spec::of(Op::Seal, Axis::Mix, 0));
    points
}
