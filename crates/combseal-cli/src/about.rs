//! What a person should know of a scheme before they use it: what its types
//! cannot say. Lengths and limits come from the library itself.

/// A scheme in a line.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name, without the key's length.
    pub name: &'static str,
    /// Key lengths in bytes.
    pub key: &'static [usize],
    /// Nonce lengths in bytes.
    pub nonce: &'static str,
    /// Tag lengths in bytes; the first is the usual one.
    pub tag: &'static [usize],
    /// What an adversary gains when a nonce is used twice under one key.
    pub reuse: &'static str,
    /// Where it is from.
    pub source: &'static str,
}

const AES: &[usize] = &[16, 24, 32];
/// Tags of any length up to a block.
const ANY: [usize; 16] = [16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Breaks that come with one nonce used twice.
const BOTH: &str = "both messages, forgeries";
const FORGERIES: &str = "XOR of messages, forgeries";
const XOR: &str = "XOR of messages";
const EQUAL: &str = "which messages are equal";

macro_rules! about {
    ($($name:ident: $text:literal, $key:expr, $nonce:literal, $tag:expr, $reuse:expr, $source:literal;)*) => {$(
        #[doc = $text]
        pub const $name: About =
            About { name: $text, key: $key, nonce: $nonce, tag: &$tag, reuse: $reuse, source: $source };
    )*};
}

about! {
    OCB3: "OCB3-AES", AES, "6-15", ANY, BOTH, "RFC 7253; Krovetz and Rogaway 2021";
    GCM: "AES-GCM", AES, "1 and more", [16, 12, 13, 14, 15], FORGERIES, "SP 800-38D";
    CCM: "AES-CCM", AES, "7-13", [16, 4, 6, 8, 10, 12, 14], XOR, "SP 800-38C; RFC 3610";
    EAX: "AES-EAX", AES, "any", ANY, XOR, "Bellare, Rogaway and Wagner 2004";
    SIV: "AES-SIV-CMAC", &[32, 48, 64], "any", [16], EQUAL, "RFC 5297; Rogaway and Shrimpton 2006";
    GCM_SIV: "AES-GCM-SIV", &[16, 32], "12", [16], EQUAL, "RFC 8452";
    AEGIS_128: "AEGIS-128", &[16], "16", [16], BOTH, "Wu and Preneel, CAESAR 2016";
    AEGIS_128L: "AEGIS-128L", &[16], "16", [16, 32], BOTH, "draft-irtf-cfrg-aegis-aead";
    AEGIS_256: "AEGIS-256", &[32], "32", [16, 32], BOTH, "draft-irtf-cfrg-aegis-aead";
    AEGIS_128X2: "AEGIS-128X2", &[16], "16", [16, 32], BOTH, "draft-irtf-cfrg-aegis-aead";
    AEGIS_128X4: "AEGIS-128X4", &[16], "16", [16, 32], BOTH, "draft-irtf-cfrg-aegis-aead";
    AEGIS_256X2: "AEGIS-256X2", &[32], "32", [16, 32], BOTH, "draft-irtf-cfrg-aegis-aead";
    AEGIS_256X4: "AEGIS-256X4", &[32], "32", [16, 32], BOTH, "draft-irtf-cfrg-aegis-aead";
    CHACHA20_POLY1305: "ChaCha20-Poly1305", &[32], "12", [16], FORGERIES, "RFC 8439";
    XCHACHA20_POLY1305: "XChaCha20-Poly1305", &[32], "24", [16], FORGERIES, "draft-irtf-cfrg-xchacha-03";
    CTR: "AES-CTR (hazmat)", AES, "16", [0], XOR, "SP 800-38A, 6.5";
    CMAC: "AES-CMAC (hazmat)", AES, "none", [16], "-", "SP 800-38B";
}
