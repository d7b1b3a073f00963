//! The schemes' numbers in a header. They never change; new schemes get new ones.

use super::error::{Error, Unsupported};
use crate::key::Algorithm;

/// Every number and the name of its scheme, those included that this build leaves out.
pub(crate) const NUMBERS: [(u8, &str); 26] = [
    (1, "OCB3-AES-128"),
    (2, "OCB3-AES-192"),
    (3, "OCB3-AES-256"),
    (4, "AES-128-GCM"),
    (5, "AES-192-GCM"),
    (6, "AES-256-GCM"),
    (7, "AES-128-GCM-SIV"),
    (8, "AES-256-GCM-SIV"),
    (9, "AES-128-CCM"),
    (10, "AES-192-CCM"),
    (11, "AES-256-CCM"),
    (12, "AES-128-EAX"),
    (13, "AES-192-EAX"),
    (14, "AES-256-EAX"),
    (15, "AES-128-SIV"),
    (16, "AES-192-SIV"),
    (17, "AES-256-SIV"),
    (18, "AEGIS-128"),
    (19, "AEGIS-128L"),
    (20, "AEGIS-128X2"),
    (21, "AEGIS-128X4"),
    (22, "AEGIS-256"),
    (23, "AEGIS-256X2"),
    (24, "AEGIS-256X4"),
    (25, "ChaCha20-Poly1305"),
    (26, "XChaCha20-Poly1305"),
];

/// The scheme of that number.
pub(crate) fn by_number(number: u8) -> Result<Algorithm, Error> {
    let Some(&(_, name)) = NUMBERS.iter().find(|&&(n, _)| n == number) else {
        return Err(Error::Unsupported(Unsupported::Scheme(number)));
    };
    Algorithm::by_name(name).ok_or(Error::Unsupported(Unsupported::NotBuilt(name)))
}

/// The number of a scheme. A scheme without one cannot be chosen.
pub(crate) fn number(algorithm: Algorithm) -> Result<u8, Error> {
    let found = NUMBERS.iter().find(|&&(_, name)| name == algorithm.name());
    found.map(|&(n, _)| n).ok_or(Error::Unsupported(Unsupported::NotBuilt(algorithm.name())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every scheme has a number of its own, and comes back from it.
    #[test]
    fn every_scheme_has_one() {
        for &it in Algorithm::ALL {
            assert_eq!(by_number(number(it).unwrap()).unwrap(), it);
        }
        for (i, &(n, name)) in NUMBERS.iter().enumerate() {
            assert_eq!(usize::from(n), i + 1, "{name}");
        }
        #[cfg(feature = "schemes")]
        assert_eq!(NUMBERS.len(), Algorithm::ALL.len());
        assert!(matches!(by_number(0), Err(Error::Unsupported(Unsupported::Scheme(0)))));
        assert!(matches!(by_number(27), Err(Error::Unsupported(Unsupported::Scheme(27)))));
    }
}
