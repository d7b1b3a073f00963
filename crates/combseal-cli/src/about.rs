//! What a person should know of a scheme before they use it, and what its
//! types cannot say. Lengths and limits come from the library itself.

/// A scheme in a line.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Nonce lengths in bytes.
    pub nonce: &'static str,
    /// What an adversary gains when a nonce is used twice under one key.
    pub reuse: &'static str,
    /// Where it is from.
    pub source: &'static str,
}

const BOTH: &str = "both messages, forgeries";
const FORGERIES: &str = "XOR of messages, forgeries";
const XOR: &str = "XOR of messages";
const EQUAL: &str = "which messages are equal";

macro_rules! about {
    ($($name:ident: $nonce:literal, $reuse:expr, $source:literal;)*) => {$(
        #[doc = $source]
        pub const $name: About = About { nonce: $nonce, reuse: $reuse, source: $source };
    )*};
}

about! {
    OCB3: "6-15", BOTH, "RFC 7253; Krovetz and Rogaway 2021";
    GCM: "1 and more", FORGERIES, "SP 800-38D";
    CCM: "7-13", XOR, "SP 800-38C; RFC 3610";
    EAX: "any", XOR, "Bellare, Rogaway and Wagner 2004";
    SIV: "any", EQUAL, "RFC 5297; Rogaway and Shrimpton 2006";
    GCM_SIV: "12", EQUAL, "RFC 8452";
    AEGIS_128: "16", BOTH, "Wu and Preneel, CAESAR 2016";
    AEGIS_128X: "16", BOTH, "draft-irtf-cfrg-aegis-aead";
    AEGIS_256X: "32", BOTH, "draft-irtf-cfrg-aegis-aead";
    CHACHA20_POLY1305: "12", FORGERIES, "RFC 8439";
    XCHACHA20_POLY1305: "24", FORGERIES, "draft-irtf-cfrg-xchacha-03";
    CTR: "16", XOR, "SP 800-38A, 6.5";
    CBC: "16", EQUAL, "SP 800-38A, 6.2";
    CFB: "16", XOR, "SP 800-38A, 6.3";
    OFB: "16", XOR, "SP 800-38A, 6.4";
    CMAC: "none", "-", "SP 800-38B";
}
