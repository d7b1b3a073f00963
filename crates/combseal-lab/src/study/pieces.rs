//! The small pieces of code that papers timed by themselves, measured as `combseal analyze` does, and written
//! into the results of a study of these papers.

use crate::analyze::{Cost, Timer, doubling, gf128, lfsr_speed};
use crate::results::Piece;

/// Measures all pieces of a set: `lfsr`, `gf128` or `doubling`. None, if there is no such set.
pub(super) fn measure(set: &str) -> Vec<Piece> {
    let mut timer = Timer::new();
    let piece = |name: &str, way: &str, cost: Cost| Piece {
        set: set.into(),
        name: name.into(),
        way: way.into(),
        median: cost.median,
        p25: cost.p25,
        p75: cost.p75,
        clean: cost.clean,
    };
    let mut pieces = Vec::new();
    match set {
        "lfsr" => pieces.extend(lfsr_speed::measure(&mut timer).iter().map(|row| piece(&row.name, "", row.cost))),
        "gf128" => {
            for row in gf128::measure(&mut timer) {
                let name = format!("{}, {}", row.cpu.name(), row.method.name());
                let product = gf128::IN_FLIGHT.iter().zip(&row.product);
                pieces.extend(product.map(|(n, cost)| piece(&name, &format!("{n} at once"), *cost)));
                let hash = gf128::AT_ONCE.iter().zip(&row.hash);
                pieces.extend(hash.map(|(n, cost)| piece(&name, &format!("hash, {n}"), *cost)));
            }
        }
        "doubling" => {
            for row in doubling::measure(&mut timer) {
                pieces.push(piece(row.way.name(), "as a mask", row.free));
                pieces.extend(row.jump.map(|cost| piece(row.way.name(), "with a jump", cost)));
            }
        }
        _ => {}
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::lfsr::LFSRS;

    #[test]
    fn every_lfsr_has_its_cost() {
        let pieces = measure("lfsr");
        for lfsr in LFSRS {
            let piece = pieces.iter().find(|p| p.name == lfsr.name).unwrap();
            assert!(piece.median > 0.0 && piece.p25 <= piece.p75, "{piece:?}");
        }
        assert!(measure("nothing").is_empty());
    }
}
