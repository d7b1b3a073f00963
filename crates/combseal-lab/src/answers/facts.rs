//! What somebody who chooses a scheme asks besides its speed: whether a standard defines it, and
//! what becomes of it when a nonce repeats. Results name only the scheme; the answers are in its
//! description.

use crate::subjects::{Scheme, descriptions};
use combseal::Description;

/// What is known of a scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The standard or RFC that defines it, if there is one: a draft is none.
    pub standard: Option<&'static str>,
    /// Approved by NIST (SP 800-38 A to G).
    pub nist: bool,
    /// Keeps what it can of its security when a nonce repeats.
    pub misuse_resistant: bool,
    /// Tags shorter than 16 bytes are defined.
    pub short_tags: bool,
    /// Encrypts only: a baseline, not a choice.
    pub baseline: bool,
    /// From the archive, which is there to be measured: nobody should be told to take it.
    pub archived: bool,
}

impl From<&Description> for Facts {
    fn from(it: &Description) -> Self {
        Facts {
            standard: it.standard,
            nist: it.nist,
            misuse_resistant: it.allows_repeats(),
            short_tags: it.tag_lens.iter().any(|&len| len < 16),
            baseline: false,
            archived: false,
        }
    }
}

/// The facts of a scheme as results name it, `AES-128-GCM`; none of them for one that is not
/// known here, as another machine's results may have.
pub fn of(scheme: &str) -> Facts {
    if let Some(description) = descriptions().find(|it| it.name == scheme) {
        return description.into();
    }
    match Scheme::named(scheme) {
        Some((known, _)) if !known.is_authenticated() => {
            Facts { standard: Some("SP 800-38A"), nist: true, baseline: true, ..Facts::default() }
        }
        Some((known, _)) => Facts { archived: known.is_archived(), ..Facts::default() },
        None => Facts::default(),
    }
}

/// Bits of key that give the scheme its strength. Of a scheme that is not known here its name
/// tells them: 256 for what names no AES.
pub fn key_bits(scheme: &str) -> u32 {
    Scheme::named(scheme).map_or_else(|| bits_in(scheme), |(_, bits)| bits)
}

fn bits_in(name: &str) -> u32 {
    let named = ["128", "192", "256"].into_iter().find(|bits| {
        // AEGIS-128X2, OCB3-AES-128, AES-128-GCM: a number that stands by itself or begins one.
        name.split('-').any(|part| part.starts_with(bits))
    });
    named.and_then(|bits| bits.parse().ok()).unwrap_or(256)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::ours;
    use combseal::Algorithm;

    #[test]
    fn bits_of_the_librarys_schemes() {
        for &algorithm in Algorithm::ALL {
            let bytes = if algorithm.name().ends_with("-SIV") && !algorithm.name().contains("GCM") {
                algorithm.key_len() / 2
            } else {
                algorithm.key_len()
            };
            assert_eq!(key_bits(algorithm.name()) as usize, 8 * bytes, "{}", algorithm.name());
            assert_eq!(bits_in(algorithm.name()) as usize, 8 * bytes, "{}", algorithm.name());
        }
    }

    #[test]
    fn what_survives_a_repeated_nonce() {
        let survivors = ["AES-128-SIV", "AES-256-GCM-SIV"];
        let others = ["OCB3-AES-128", "AES-128-GCM", "AES-128-CCM", "AES-128-EAX", "AEGIS-128L", "ChaCha20-Poly1305"];
        for scheme in survivors.into_iter().chain(others).chain(["new"]) {
            assert_eq!(of(scheme).misuse_resistant, survivors.contains(&scheme));
        }
        assert!(of("AEGIS-128L").standard.is_none());
        assert_eq!(of("new"), Facts::default());
        assert!(of("AES-192-CTR").baseline && !of("AES-192-GCM").baseline);
        assert!(of("OCB2-AES-128").archived && !of("OCB3-AES-128").archived && !of("AES-192-CTR").archived);
    }

    /// A scheme of the library is in the laboratory without a line of its own here: it is measured
    /// on every tier, command lines and results know its family, and the answers are its
    /// description's.
    #[test]
    fn the_laboratory_knows_every_scheme_of_the_library() {
        let all = ours::implementations(&[]);
        for &algorithm in Algorithm::ALL {
            let it = algorithm.description();
            let scheme = Scheme::find(it.family).expect(it.family);
            assert_eq!((scheme.short(), scheme.name(it.key_bits)), (it.family, it.name.into()));
            assert_eq!(it.family, it.family.to_lowercase());

            let measured: Vec<_> = all.iter().filter(|one| one.scheme_name() == it.name).collect();
            let tiers = if ours::is_measured(it) { ours::tiers(&[]).len() } else { 0 };
            assert_eq!(measured.len(), tiers, "{algorithm}");
            assert!(measured.iter().all(|one| (one.scheme, one.key_bits) == (scheme, it.key_bits)));
            assert!(all.iter().any(|one| one.scheme == scheme), "{}", it.family);

            let facts = of(it.name);
            assert_eq!((facts.standard, facts.nist, facts.baseline), (it.standard, it.nist, false), "{algorithm}");
            assert_eq!(facts.misuse_resistant, it.allows_repeats(), "{algorithm}");
            assert_eq!(facts.short_tags, it.tag_lens.iter().any(|&len| len < 16), "{algorithm}");
            assert_eq!(key_bits(it.name), it.key_bits, "{algorithm}");
        }
    }
}
