//! What somebody who chooses a scheme asks besides its speed: whether a standard defines it, and
//! what becomes of it when a nonce repeats. Results name only the family, so the answers are here.

/// What is known of a family of schemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

/// The facts of a family as results name it; none of them for one that is not known here.
pub fn of(family: &str) -> Facts {
    let none = Facts { standard: None, nist: false, misuse_resistant: false, short_tags: false, baseline: false };
    match family {
        "ocb3" => Facts { standard: Some("RFC 7253"), short_tags: true, ..none },
        "gcm" => Facts { standard: Some("SP 800-38D"), nist: true, short_tags: true, ..none },
        "ccm" => Facts { standard: Some("SP 800-38C"), nist: true, short_tags: true, ..none },
        "eax" => Facts { standard: Some("ISO/IEC 19772"), short_tags: true, ..none },
        "siv" => Facts { standard: Some("RFC 5297"), misuse_resistant: true, ..none },
        "gcm-siv" => Facts { standard: Some("RFC 8452"), misuse_resistant: true, ..none },
        "chacha20-poly1305" => Facts { standard: Some("RFC 8439"), ..none },
        "ctr" => Facts { standard: Some("SP 800-38A"), nist: true, baseline: true, ..none },
        _ => none,
    }
}

/// Bits of key that give the scheme its strength, from its name: 256 for what names no AES.
pub fn key_bits(scheme: &str) -> u32 {
    let named = ["128", "192", "256"].into_iter().find(|bits| {
        // AEGIS-128X2, OCB3-AES-128, AES-128-GCM: a number that stands by itself or begins one.
        scheme.split('-').any(|part| part.starts_with(bits))
    });
    named.and_then(|bits| bits.parse().ok()).unwrap_or(256)
}

#[cfg(test)]
mod tests {
    use super::*;
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
        }
    }

    #[test]
    fn what_survives_a_repeated_nonce() {
        let survivors = ["siv", "gcm-siv"];
        for family in ["ocb3", "gcm", "ccm", "eax", "siv", "gcm-siv", "aegis-128l", "chacha20-poly1305", "new"] {
            assert_eq!(of(family).misuse_resistant, survivors.contains(&family));
        }
        assert!(of("aegis-128l").standard.is_none());
    }
}
