//! What a study is asked for. The options are written into its results, so that it can be resumed
//! without repeating them.

use crate::measure::Method;
use crate::traffic::Traffic;
use serde::{Deserialize, Serialize};

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// About 20 seconds: our best tier and the peers, a few lengths.
    Quick,
    /// About two minutes: every tier, every axis, a grid of lengths.
    #[default]
    Default,
    /// The papers' programme: every length from 1 to 2048 on every tier (Krovetz and Rogaway
    /// 2021), every one from 0 to 8192 by single timings (Bernstein 2007), all key lengths.
    Full,
}

impl Scope {
    /// The seconds that the plan divides; `None` where points and rounds are given, and the time
    /// is whatever they take.
    pub fn seconds(self) -> Option<f64> {
        match self {
            Scope::Quick => Some(20.0),
            Scope::Default => Some(120.0),
            Scope::Full => None,
        }
    }
}

/// Which peers take part.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Peers {
    /// All that were compiled in; our libraries for C in the scope `Full` alone.
    #[default]
    All,
    /// None.
    None,
    /// Those whose names contain one of these; our libraries for C, `combseal C` and `ae.h`, too.
    Named(Vec<String>),
}

impl Peers {
    /// Does a peer of that name take part?
    pub fn take(&self, name: &str) -> bool {
        match self {
            Peers::All => true,
            Peers::None => false,
            Peers::Named(names) => {
                let name = name.to_lowercase();
                names.iter().any(|part| name.contains(&part.to_lowercase()))
            }
        }
    }
}

/// The options of a study.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// How much is measured.
    pub scope: Scope,
    /// The years of the papers whose programmes are measured, 2011, 2014 or 2021, instead of the usual one.
    pub papers: Vec<u16>,
    /// Families of schemes by their short names; all, if empty.
    pub schemes: Vec<String>,
    /// Our tiers by name; every real one, if empty.
    pub tiers: Vec<String>,
    /// The peers.
    pub peers: Peers,
    /// Message lengths instead of the scope's.
    pub lengths: Vec<u64>,
    /// Traffic besides the realistic mix.
    pub traffic: Option<Traffic>,
    /// How points are timed.
    pub method: Method,
    /// The seed of every random choice.
    pub seed: u64,
    /// Seconds instead of the scope's.
    pub seconds: Option<f64>,
}

impl Options {
    /// The seconds that the plan divides; `None` where points and rounds are given, and the time
    /// is whatever they take.
    pub fn budget(&self) -> Option<f64> {
        self.seconds.or(self.scope.seconds())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_back_from_a_results_file() {
        let options = Options {
            scope: Scope::Quick,
            papers: vec![2011, 2021],
            schemes: vec!["ocb3".into()],
            peers: Peers::Named(vec!["ring".into()]),
            lengths: vec![1, 2048],
            traffic: Some(Traffic::realistic()),
            method: Method::Kr65,
            seed: u64::MAX,
            ..Options::default()
        };
        let json = serde_json::to_value(&options).unwrap();
        assert_eq!(serde_json::from_value::<Options>(json).unwrap(), options);
        // What an older version did not know is as by default.
        let older: Options = serde_json::from_str(r#"{"scope":"full","seed":3}"#).unwrap();
        assert_eq!(older, Options { scope: Scope::Full, seed: 3, ..Options::default() });
    }

    #[test]
    fn peers_are_named_by_a_part() {
        assert!(Peers::Named(vec!["Ring".into()]).take("ring 0.17.14"));
        assert!(!Peers::Named(vec!["ring".into()]).take("RustCrypto ocb3 0.2.0"));
        assert!(Peers::All.take("anything") && !Peers::None.take("anything"));
    }
}
