//! The schemes that can be measured, with the names that results and command lines use for them.

/// A scheme; together with the bits of the key, what implementations must agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scheme {
    /// OCB3 with AES (RFC 7253).
    Ocb3,
    /// AES-GCM.
    Gcm,
    /// AES-CCM with a 12-byte nonce.
    Ccm,
    /// AES-EAX (Bellare, Rogaway and Wagner 2004) with a 16-byte nonce.
    Eax,
    /// AES-SIV (RFC 5297), nonce-based, with a 16-byte nonce.
    Siv,
    /// AES-GCM-SIV (RFC 8452).
    GcmSiv,
    /// AEGIS-128 (CAESAR).
    Aegis128,
    /// AEGIS-128L.
    Aegis128L,
    /// AEGIS-128X2: two AEGIS-128L side by side.
    Aegis128X2,
    /// AEGIS-128X4.
    Aegis128X4,
    /// AEGIS-256.
    Aegis256,
    /// AEGIS-256X2.
    Aegis256X2,
    /// AEGIS-256X4.
    Aegis256X4,
    /// ChaCha20-Poly1305 (RFC 8439).
    ChaCha20Poly1305,
    /// XChaCha20-Poly1305, with a 24-byte nonce.
    XChaCha20Poly1305,
    /// AES-CTR: no authentication, the baseline that overheads are counted from.
    Ctr,
}

impl Scheme {
    /// All schemes.
    pub const ALL: [Scheme; 16] = [
        Scheme::Ocb3,
        Scheme::Gcm,
        Scheme::Ccm,
        Scheme::Eax,
        Scheme::Siv,
        Scheme::GcmSiv,
        Scheme::Aegis128,
        Scheme::Aegis128L,
        Scheme::Aegis128X2,
        Scheme::Aegis128X4,
        Scheme::Aegis256,
        Scheme::Aegis256X2,
        Scheme::Aegis256X4,
        Scheme::ChaCha20Poly1305,
        Scheme::XChaCha20Poly1305,
        Scheme::Ctr,
    ];

    /// The family's name, as on a command line and in results.
    pub fn short(self) -> &'static str {
        match self {
            Scheme::Ocb3 => "ocb3",
            Scheme::Gcm => "gcm",
            Scheme::Ccm => "ccm",
            Scheme::Eax => "eax",
            Scheme::Siv => "siv",
            Scheme::GcmSiv => "gcm-siv",
            Scheme::Aegis128 => "aegis-128",
            Scheme::Aegis128L => "aegis-128l",
            Scheme::Aegis128X2 => "aegis-128x2",
            Scheme::Aegis128X4 => "aegis-128x4",
            Scheme::Aegis256 => "aegis-256",
            Scheme::Aegis256X2 => "aegis-256x2",
            Scheme::Aegis256X4 => "aegis-256x4",
            Scheme::ChaCha20Poly1305 => "chacha20-poly1305",
            Scheme::XChaCha20Poly1305 => "xchacha20-poly1305",
            Scheme::Ctr => "ctr",
        }
    }

    /// The name with the bits of the AES key: `AES-128-GCM`. Schemes with one key length
    /// carry their own.
    pub fn name(self, key_bits: u32) -> String {
        match self {
            Scheme::Ocb3 => format!("OCB3-AES-{key_bits}"),
            Scheme::Gcm => format!("AES-{key_bits}-GCM"),
            Scheme::Ccm => format!("AES-{key_bits}-CCM"),
            Scheme::Eax => format!("AES-{key_bits}-EAX"),
            Scheme::Siv => format!("AES-{key_bits}-SIV"),
            Scheme::GcmSiv => format!("AES-{key_bits}-GCM-SIV"),
            Scheme::Ctr => format!("AES-{key_bits}-CTR"),
            Scheme::ChaCha20Poly1305 => "ChaCha20-Poly1305".into(),
            Scheme::XChaCha20Poly1305 => "XChaCha20-Poly1305".into(),
            _ => self.short().to_uppercase(),
        }
    }

    /// Bytes in a key: SIV has two AES keys.
    pub fn key_len(self, key_bits: u32) -> usize {
        let aes = key_bits as usize / 8;
        if self == Scheme::Siv { 2 * aes } else { aes }
    }

    /// Does it authenticate? All but the baseline do.
    pub fn is_authenticated(self) -> bool {
        self != Scheme::Ctr
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use combseal::Algorithm;

    /// Every algorithm of the library has a scheme with its name and key length.
    #[test]
    fn the_whole_library_is_here() {
        for &algorithm in Algorithm::ALL {
            let named = Scheme::ALL.into_iter().flat_map(|s| [128, 192, 256].map(|bits| (s, bits)));
            let found = named.into_iter().find(|&(scheme, bits)| {
                scheme.name(bits) == algorithm.name() && scheme.key_len(bits) == algorithm.key_len()
            });
            assert!(found.is_some(), "{algorithm}");
        }
    }

    #[test]
    fn short_names_differ() {
        let names: std::collections::BTreeSet<_> = Scheme::ALL.iter().map(|s| s.short()).collect();
        assert_eq!(names.len(), Scheme::ALL.len());
    }
}
