//! The papers' programmes: what each paper's section of the page needs, measured by `combseal study
//! --papers YEAR`. Each paper has a file here; Bernstein's of 2007 has a folder of its own (`study2007`).

mod programme;
mod y2011;
mod y2014;
mod y2021;

use super::spec::{Spec, Subject};
use crate::study::options::{Options, Scope};
use crate::subjects::batches::Mode;
use programme::Programme;

/// All of them.
const PROGRAMMES: [Programme; 3] = [y2011::PROGRAMME, y2014::PROGRAMME, y2021::PROGRAMME];

/// Those that the options ask for.
fn asked(options: &Options) -> impl Iterator<Item = &'static Programme> {
    PROGRAMMES.iter().filter(|it| options.papers.contains(&it.year))
}

/// Does a scheme of this whole name take part in one of the papers asked for?
pub fn takes_part(options: &Options, scheme: &str) -> bool {
    asked(options).any(|it| it.schemes.contains(&scheme))
}

/// The sets of pieces that the papers asked for need.
pub fn pieces(options: &Options) -> Vec<&'static str> {
    let mut sets: Vec<&str> = asked(options).flat_map(|it| it.pieces).copied().collect();
    sets.sort_unstable();
    sets.dedup();
    sets
}

/// Seconds for all the papers asked for; a sixth where the study is a quick one.
pub(super) fn seconds(options: &Options) -> f64 {
    let part = if options.scope == Scope::Quick { 6.0 } else { 1.0 };
    asked(options).map(|it| it.seconds).sum::<f64>() / part
}

/// The points of an implementation in all the papers asked for, each once.
pub(super) fn points(options: &Options, subject: &Subject) -> Vec<Spec> {
    let name = subject.scheme.name(subject.key_bits);
    let mut points: Vec<Spec> = Vec::new();
    for it in asked(options).filter(|it| it.schemes.contains(&name.as_str())) {
        let more = (it.points)(subject, options.scope == Scope::Quick);
        if points.is_empty() {
            points = more;
        } else {
            let place = |s: &Spec| (s.op, s.axis, s.bytes, s.ad, s.keys, s.batch, s.raw.map(Mode::name));
            let have: std::collections::BTreeSet<_> = points.iter().map(place).collect();
            points.extend(more.into_iter().filter(|spec| !have.contains(&place(spec))));
        }
    }
    points
}
