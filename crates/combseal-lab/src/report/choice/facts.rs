//! What decides a choice besides speed, for the page: standards, limits, what a repeated nonce
//! costs, and whose code takes the same time whatever the key, on machines without AES instructions
//! too.

use super::curve::digits;
use crate::answers::facts as known;
use crate::results::Point;
use crate::subjects::descriptions;
use combseal::RepeatedNonce;
use serde::Serialize;

/// Libraries whose AES needs no table where there are no AES instructions (RustCrypto's and ours
/// slice bits, that of ring and AWS-LC is BoringSSL's, which does the same), or that do without AES
/// there (libsodium refuses).
const CONSTANT: [&str; 4] = ["rustcrypto", "ring", "aws-lc-rs", "libsodium"];

/// What decides a choice besides speed.
#[derive(Debug, Serialize)]
pub struct Facts {
    standard: Option<&'static str>,
    nist: bool,
    /// Keeps what it can of its security when a nonce repeats.
    survives: bool,
    /// The rest of the sentence "A repeated nonce …".
    repeated: String,
    /// Of the implementation.
    constant: bool,
    /// Messages under one key, as a power of two; nothing where no limit is known.
    messages: Option<f64>,
    /// Blocks under one key, the same way.
    blocks: Option<f64>,
    /// Where the limits are from.
    source: &'static str,
}

/// The facts of a point's scheme and implementation.
pub fn of(p: &Point, library: &str) -> Facts {
    let facts = known::of(&p.scheme);
    let description = descriptions().find(|it| it.name == p.scheme);
    let power = |limit: u64| (limit < u64::MAX).then(|| digits((limit as f64).log2()));
    let limits = description.map(|it| &it.limits);
    let library = library.to_lowercase();
    Facts {
        standard: facts.standard,
        nist: facts.nist,
        survives: facts.misuse_resistant,
        repeated: description.map_or("costs what is not known here".into(), |it| repeated(it.repeated_nonce)),
        constant: !p.peer || p.family.contains("chacha20") || CONSTANT.contains(&library.as_str()),
        messages: limits.and_then(|limits| power(limits.key_messages)),
        blocks: limits.and_then(|limits| power(limits.key_blocks)),
        source: description.map_or("", |it| it.limits_source),
    }
}

fn repeated(it: RepeatedNonce) -> String {
    match it {
        RepeatedNonce::Equality => "shows no more than which whole messages were equal".into(),
        RepeatedNonce::Xor => "gives away the XOR of the two messages".into(),
        RepeatedNonce::XorAndForgeries => {
            "gives away the XOR of the two messages, and lets anyone forge others from then on".into()
        }
        RepeatedNonce::BothAndForgeries => "gives away much of both messages, and lets anyone forge others".into(),
        other => format!("gives away: {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixture;

    #[test]
    fn what_is_known() {
        let point = |scheme: &str| {
            let mut p = fixture::run().points[0].clone();
            (p.scheme, p.family) = (scheme.into(), scheme.to_lowercase());
            p
        };
        let gcm = of(&point("AES-128-GCM"), "combseal");
        assert!(gcm.nist && gcm.constant && !gcm.survives && gcm.messages == Some(32.0), "{gcm:?}");
        assert!(gcm.repeated.contains("forge") && gcm.source.contains("SP 800-38D"));
        let siv = of(&point("AES-128-SIV"), "combseal");
        assert!(siv.survives && siv.repeated.contains("equal"));
        let peer = Point { peer: true, ..point("AES-128-GCM") };
        assert!(of(&peer, "ring").constant && !of(&peer, "OpenSSL").constant);
        let chacha = Point { peer: true, ..point("ChaCha20-Poly1305") };
        assert!(of(&chacha, "OpenSSL").constant);
        let unknown = of(&point("new"), "combseal");
        assert!(unknown.standard.is_none() && unknown.messages.is_none());
    }
}
