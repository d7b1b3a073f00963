//! The modes that are measured over batches: those of the tables of Bogdanov, Lauridsen and
//! Tischhauser (2014), and others beside them.

use crate::subjects::floor::{archived_in_batch, rounds};
use crate::subjects::scheme::Scheme;
use combseal::Algorithm;
use combseal_archive as archive;

/// A mode that is measured over batches, with AES-128.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The cipher alone, over the messages' whole blocks: parallel, so that a batch is a loop.
    Ecb,
    /// CBC encryption of the messages' whole blocks.
    Cbc,
    /// CFB-128 encryption.
    Cfb,
    /// OFB.
    Ofb,
    /// CTR: parallel, so that a batch is a loop.
    Ctr,
    /// CMAC.
    Cmac,
    /// A scheme of the library, without associated data.
    Aead(Algorithm),
    /// A scheme of the archive, without associated data.
    Archived(archive::Scheme),
}

impl Mode {
    /// The modes of the paper's tables, its plain ones first: of CAESAR's candidates the first
    /// versions, which are of the paper's year.
    pub const PAPER: [Mode; 17] = [
        Mode::Ecb,
        Mode::Cbc,
        Mode::Cfb,
        Mode::Ofb,
        Mode::Ctr,
        Mode::Cmac,
        Mode::Aead(Algorithm::CcmAes128),
        Mode::Aead(Algorithm::GcmAes128),
        Mode::Aead(Algorithm::Ocb3Aes128),
        Mode::Archived(archive::Scheme::OtrParallelV1),
        Mode::Archived(archive::Scheme::ClocV1),
        Mode::Archived(archive::Scheme::Jambu),
        Mode::Archived(archive::Scheme::SilcV1),
        Mode::Archived(archive::Scheme::McoeG),
        Mode::Archived(archive::Scheme::CopaV1),
        Mode::Archived(archive::Scheme::PoetV1),
        Mode::Archived(archive::Scheme::Julius),
    ];

    /// Others, which the tables show beside the paper's.
    pub const BESIDE: [Mode; 8] = [
        Mode::Aead(Algorithm::EaxAes128),
        Mode::Aead(Algorithm::SivAes128),
        Mode::Aead(Algorithm::GcmSivAes128),
        Mode::Aead(Algorithm::Aegis128),
        Mode::Aead(Algorithm::Aegis128L),
        Mode::Aead(Algorithm::Aegis256),
        Mode::Aead(Algorithm::ChaCha20Poly1305),
        Mode::Archived(archive::Scheme::CbcHmac),
    ];

    /// All of these.
    pub fn all() -> impl Iterator<Item = Mode> {
        Self::PAPER.into_iter().chain(Self::BESIDE)
    }

    /// The mode of a scheme that can be sealed in batches, by its name: schemes of the library
    /// that the tables show, and all of the archive.
    pub fn of_scheme(name: &str) -> Option<Mode> {
        let ours = |mode: &Mode| matches!(mode, Mode::Aead(_)) && mode.name() == name;
        let archived = || archive::Scheme::by_name(name).map(Mode::Archived);
        Self::all().find(ours).or_else(archived)
    }

    /// The name, as in tables.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Ecb => "AES-128-ECB",
            Mode::Cbc => "AES-128-CBC",
            Mode::Cfb => "AES-128-CFB",
            Mode::Ofb => "AES-128-OFB",
            Mode::Ctr => "AES-128-CTR",
            Mode::Cmac => "AES-128-CMAC",
            Mode::Aead(algorithm) => algorithm.name(),
            Mode::Archived(scheme) => scheme.about().name,
        }
    }

    /// Whether it is a mode of SP 800-38A or CMAC, which are no schemes of the laboratory.
    pub fn is_raw(self) -> bool {
        !matches!(self, Mode::Aead(_) | Mode::Archived(_))
    }

    /// Whether one message's blocks wait for each other.
    pub fn is_serial(self) -> bool {
        use Algorithm::{CcmAes128, EaxAes128, SivAes128};
        match self {
            Mode::Ecb | Mode::Ctr => false,
            Mode::Cbc | Mode::Cfb | Mode::Ofb | Mode::Cmac => true,
            Mode::Aead(algorithm) => [CcmAes128, EaxAes128, SivAes128].contains(&algorithm),
            Mode::Archived(scheme) => scheme.is_serial(),
        }
    }

    /// Bytes that the mode works on, of a message of `bytes`.
    pub fn bytes(self, bytes: usize) -> usize {
        if matches!(self, Mode::Ecb | Mode::Cbc) { bytes & !15 } else { bytes }
    }

    /// The fewest core cycles for a message of `bytes` where the AES unit does `enc` block
    /// rounds a cycle and is always full: its calls of the cipher. `None` for AEGIS, which
    /// makes rounds of its own.
    pub fn limit(self, bytes: usize, enc: f64) -> Option<f64> {
        let blocks = bytes.div_ceil(16) as f64;
        let calls = match self {
            Mode::Ecb | Mode::Cbc => (bytes / 16) as f64,
            Mode::Cfb | Mode::Ofb | Mode::Ctr => blocks,
            Mode::Cmac => blocks.max(1.0),
            Mode::Aead(Algorithm::CcmAes128) => 2.0 * blocks + 2.0,
            // OMACs of nonce, nothing and ciphertext; S2V of nothing, nonce and plaintext.
            Mode::Aead(Algorithm::EaxAes128 | Algorithm::SivAes128) => 2.0 + blocks.max(1.0) + blocks,
            Mode::Aead(Algorithm::Ocb3Aes128) => blocks + 1.0 + 1.0 / 64.0,
            Mode::Aead(Algorithm::GcmAes128) => blocks + 1.0,
            Mode::Aead(Algorithm::GcmSivAes128) => blocks + 5.0,
            Mode::Aead(_) => return None,
            Mode::Archived(scheme) => {
                let (family, key_bits) = Scheme::named(scheme.about().name)?;
                return archived_in_batch(family, key_bits, bytes, enc);
            }
        };
        Some(calls * rounds(128) / enc)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_limits() {
        // On Cascade Lake: CCM 64 bytes 100 cycles, OCB3 64 bytes 50, CBC 1500 bytes 930.
        assert_eq!(Mode::Aead(Algorithm::CcmAes128).limit(64, 1.0), Some(100.0));
        assert_eq!(Mode::Aead(Algorithm::Ocb3Aes128).limit(64, 1.0).map(f64::floor), Some(50.0));
        assert_eq!(Mode::Cbc.limit(1500, 1.0), Some(930.0));
        assert_eq!(Mode::Cmac.limit(1500, 1.0), Some(940.0));
        assert_eq!(Mode::Aead(Algorithm::Aegis128L).limit(64, 1.0), None);
    }
}
