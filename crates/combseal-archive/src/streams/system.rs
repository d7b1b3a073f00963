//! What encrypts and authenticates: the paper's three operations (Bernstein 2007, section 2).

use super::about::About;
use combseal::Cpu;

/// Bytes in an authenticator.
pub const TAG: usize = 16;

/// A system: a stream cipher with Poly1305, or a cipher with an authenticator of its own. Lengths
/// are right: the registry has checked them. Keys are wiped when they are dropped.
pub trait System: Sized + Send + Sync {
    /// What is known of its cipher.
    const ABOUT: &'static About;
    /// Whether it takes associated data. Poly1305 as the paper combines it does not.
    const TAKES_AD: bool;

    /// The paper's `expandkey`.
    fn expand(cpu: Cpu, key: &[u8]) -> Self;

    /// Enciphers `data` in place and writes its authenticator.
    fn encrypt(&self, nonce: &[u8], ad: &[u8], data: &mut [u8], tag: &mut [u8; TAG]);

    /// Deciphers `data` in place and says whether it is authentic; if it is not, `data` is zero,
    /// or never was deciphered and the caller zeroes it: it must not be used in either case.
    fn decrypt(&self, nonce: &[u8], ad: &[u8], data: &mut [u8], tag: &[u8; TAG]) -> bool;
}
