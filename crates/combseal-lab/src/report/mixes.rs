//! What every implementation takes to seal and to open the traffic that the ranking is of, as data for
//! the page: both directions beside each other, with a mark where samples were too few to believe.

use super::figure::rounded;
use crate::answers::rank::preferred;
use crate::results::{Axis, Point, Run};
use crate::subjects::Op;
use serde::Serialize;

/// The traffic and everybody's cost on it.
#[derive(Debug, Serialize)]
pub struct Mix {
    /// `mix` for the realistic mix, `traffic` for the user's own.
    axis: Axis,
    /// Bytes a message, the mean.
    bytes: f64,
    /// A row an implementation, in the run's order.
    rows: Vec<Row>,
}

/// One implementation of one scheme; costs are cycles a byte (or nanoseconds, as the run counts).
#[derive(Debug, Serialize)]
struct Row {
    scheme: String,
    implementation: String,
    peer: bool,
    seal: Option<Cost>,
    open: Option<Cost>,
}

/// What one direction costs.
#[derive(Debug, Serialize)]
struct Cost {
    value: f64,
    /// Half the middle half of the samples, as a part of the value.
    noise: f64,
    /// The fewest that the AES unit allows.
    limit: Option<f64>,
    /// Were too few of the samples clean?
    doubtful: bool,
}

/// The user's traffic if it was measured, else the realistic mix.
pub fn of(run: &Run) -> Option<Mix> {
    let plain = |axis| move |p: &&Point| p.axis == axis && p.bytes > 0 && p.batch <= 1;
    let axis = [Axis::Traffic, Axis::Mix].into_iter().find(|&axis| run.points.iter().any(|p| plain(axis)(&p)))?;
    let points = preferred(run.points.iter().filter(plain(axis)));
    let mut rows: Vec<Row> = Vec::new();
    for p in &points {
        let bytes = p.message_bytes();
        let cost = Some(Cost {
            value: rounded(p.median / bytes),
            noise: rounded(p.noise()),
            limit: p.limit.map(|limit| rounded(limit / bytes)),
            doubtful: p.is_doubtful(),
        });
        let at = rows.iter().position(|r| (&r.scheme, &r.implementation) == (&p.scheme, &p.implementation));
        let at = at.unwrap_or_else(|| {
            let (scheme, implementation) = (p.scheme.clone(), p.implementation.clone());
            rows.push(Row { scheme, implementation, peer: p.peer, seal: None, open: None });
            rows.len() - 1
        });
        match p.op {
            Op::Seal => rows[at].seal = cost,
            Op::Open => rows[at].open = cost,
            _ => {}
        }
    }
    Some(Mix { axis, bytes: points.first()?.message_bytes(), rows })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixture;

    #[test]
    fn both_directions_stand_beside_each_other() {
        let mut run = fixture::run();
        let mix = of(&run).unwrap();
        assert_eq!((mix.axis, mix.bytes), (Axis::Mix, 788.0));
        assert!(mix.rows.iter().all(|r| r.seal.is_some() && r.open.is_some()) && mix.rows.len() > 9);
        let json = serde_json::to_value(&mix).unwrap();
        assert_eq!(json["axis"], "mix");
        assert!(json["rows"][0]["open"]["value"].as_f64().unwrap() > 0.0);
        run.points.retain(|p| p.op != Op::Open);
        assert!(of(&run).unwrap().rows.iter().all(|r| r.open.is_none()));
        assert!(of(&Run::default()).is_none());
    }
}
