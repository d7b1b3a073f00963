//! Which scheme to take for some traffic and some needs. Those that lack something are listed too,
//! with what they lack, so that nobody has to wonder where they are.

use super::facts;
use super::rank::{Ranked, Ranking};

/// What a scheme must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A standard or an RFC defines it.
    Standard,
    /// NIST approved it.
    Nist,
    /// It keeps what it can of its security when a nonce repeats.
    MisuseResistant,
    /// Keys give 256 bits of strength.
    LongKey,
    /// Tags shorter than 16 bytes are defined.
    ShortTags,
}

impl Need {
    /// All of them.
    pub const ALL: [Need; 5] = [Need::Standard, Need::Nist, Need::MisuseResistant, Need::LongKey, Need::ShortTags];

    /// The name, as on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Need::Standard => "standard",
            Need::Nist => "nist",
            Need::MisuseResistant => "misuse-resistant",
            Need::LongKey => "256-bit-key",
            Need::ShortTags => "short-tags",
        }
    }

    /// What it means, for who reads the name alone.
    pub fn meaning(self) -> &'static str {
        match self {
            Need::Standard => "a standard or an RFC defines it; a draft is none",
            Need::Nist => "NIST approved it (SP 800-38 A to G), as FIPS 140 asks",
            Need::MisuseResistant => "two messages under one nonce show no more than that they are equal",
            Need::LongKey => "an AES key of 256 bits, or a key as strong",
            Need::ShortTags => "tags of fewer than 16 bytes are defined, to save bytes on the wire",
        }
    }

    /// The same of a scheme that has it, as the end of a sentence.
    fn had(self) -> &'static str {
        match self {
            Need::Standard => "a standard or RFC",
            Need::Nist => "NIST's approval",
            Need::MisuseResistant => "security when a nonce repeats",
            Need::LongKey => "a 256-bit key",
            Need::ShortTags => "short tags",
        }
    }

    /// Why a scheme does not have it; `None` if it does.
    pub fn lacking(self, scheme: &str) -> Option<String> {
        let facts = facts::of(scheme);
        match self {
            Need::Standard => facts.standard.is_none().then(|| "no standard or RFC defines it".into()),
            Need::Nist => (!facts.nist).then(|| "NIST has not approved it".into()),
            Need::MisuseResistant => (!facts.misuse_resistant).then(|| "a repeated nonce breaks it".into()),
            Need::LongKey => {
                let bits = facts::key_bits(scheme);
                (bits < 256).then(|| format!("its key has {bits} bits"))
            }
            Need::ShortTags => (!facts.short_tags).then(|| "its tags have 16 bytes or more".into()),
        }
    }
}

/// A scheme at its best, and what it lacks.
#[derive(Clone, Debug)]
pub struct Advice<'a> {
    /// The scheme's fastest implementation.
    pub ranked: &'a Ranked,
    /// Its cycles over those of the first that fits; `None` if none does.
    pub times: Option<f64>,
    /// As fast as the first that fits, within 3 % or the noise.
    pub ties: bool,
    /// What it lacks of the needs.
    pub lacks: Vec<String>,
    /// What it has and the first that fits has not: reasons to take it all the same.
    pub beyond: Vec<&'static str>,
    /// The fastest code of the scheme that is somebody else's, where its best is ours.
    pub peer: Option<&'a Ranked>,
}

/// Every scheme of a ranking: first those that have what is needed, then the others, each part
/// with the fastest first.
pub fn advise<'a>(ranking: &'a Ranking, needs: &[Need]) -> Vec<Advice<'a>> {
    let all = ranking.best(|_| true);
    let lacks = |r: &Ranked| needs.iter().filter_map(|need| need.lacking(&r.scheme)).collect::<Vec<_>>();
    let first = all.iter().find(|r| lacks(r).is_empty()).copied();
    let of = |ranked: &'a Ranked| {
        let has = |need: &Need| {
            need.lacking(&ranked.scheme).is_none() && first.is_some_and(|f| need.lacking(&f.scheme).is_some())
        };
        let elsewhere = |r: &&Ranked| r.scheme == ranked.scheme && r.tier.is_none() && ranked.tier.is_some();
        Advice {
            ranked,
            times: first.map(|first| ranked.per_byte / first.per_byte),
            ties: first.is_some_and(|first| ranked.ties(first)),
            lacks: lacks(ranked),
            beyond: Need::ALL.iter().filter(|need| has(need)).map(|need| need.had()).collect(),
            // The ranking has the fastest first.
            peer: ranking.ranked.iter().find(elsewhere),
        }
    };
    let mut advice: Vec<Advice> = all.into_iter().map(of).collect();
    advice.sort_by_key(|a| !a.lacks.is_empty());
    advice
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::rank::How;

    fn ranked(scheme: &str, family: &str, per_byte: f64) -> Ranked {
        Ranked {
            scheme: scheme.into(),
            family: family.into(),
            implementation: "combseal vaes512".into(),
            tier: Some("vaes512".into()),
            per_message: 1000.0 * per_byte,
            per_byte,
            seal: None,
            open: None,
            gbits: None,
            noise: 0.0,
            how: How::Measured,
            limit_per_byte: None,
        }
    }

    #[test]
    fn what_fits_comes_first_and_the_others_say_why() {
        let ranking = Ranking {
            ranked: vec![
                ranked("AEGIS-128L", "aegis-128l", 0.2),
                ranked("OCB3-AES-128", "ocb3", 0.25),
                ranked("OCB3-AES-256", "ocb3", 0.3),
                ranked("AES-256-GCM-SIV", "gcm-siv", 0.75),
            ],
            ..Ranking::default()
        };
        let names = |needs: &[Need]| {
            let fits = advise(&ranking, needs);
            fits.iter().filter(|a| a.lacks.is_empty()).map(|a| a.ranked.scheme.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&[]).len(), 4);
        assert_eq!(names(&[Need::Standard]), ["OCB3-AES-128", "OCB3-AES-256", "AES-256-GCM-SIV"]);
        assert_eq!(names(&[Need::Standard, Need::LongKey]), ["OCB3-AES-256", "AES-256-GCM-SIV"]);
        assert_eq!(names(&[Need::MisuseResistant]), ["AES-256-GCM-SIV"]);
        assert!(names(&[Need::MisuseResistant, Need::ShortTags]).is_empty());

        assert_eq!(names(&[Need::Nist]), Vec::<String>::new());

        let advice = advise(&ranking, &[]);
        assert!(advice[0].ties && !advice[1].ties);
        assert_eq!(advice[1].beyond, ["a standard or RFC", "short tags"]);
        assert_eq!(advice[3].beyond, ["a standard or RFC", "security when a nonce repeats", "a 256-bit key"]);

        let advice = advise(&ranking, &[Need::Standard, Need::LongKey]);
        assert_eq!(advice[1].times, Some(2.5));
        let aegis = advice.iter().find(|a| a.ranked.scheme == "AEGIS-128L").unwrap();
        assert_eq!(aegis.lacks, ["no standard or RFC defines it", "its key has 128 bits"]);
    }

    #[test]
    fn peers_stand_beside_ours() {
        let peer = |name: &str, per_byte| Ranked {
            implementation: name.into(),
            tier: None,
            ..ranked("OCB3-AES-128", "ocb3", per_byte)
        };
        let ranked = vec![ranked("OCB3-AES-128", "ocb3", 0.25), peer("OpenSSL 3.0", 0.5), peer("RustCrypto", 0.9)];
        let ranking = Ranking { ranked, ..Ranking::default() };
        assert_eq!(advise(&ranking, &[])[0].peer.unwrap().implementation, "OpenSSL 3.0");
        assert!(Need::ALL.iter().all(|need| need.meaning().len() > 20));
    }
}
