//! Whether the CPU has the instructions of a tier. A program cannot ask an ARM core itself: reading
//! ID_AA64ISAR0_EL1 is a fault where the kernel does not emulate it (before Linux 4.11, and where HWCAP_CPUID is
//! not set). So the operating system is asked, by the standard library where there is one.
//!
//! Without it, Linux's and Android's kernel says by AT_HWCAP, a bit for each extension, and a tier needs several:
//! Rust's `aes` is AES and PMULL, its `sha3` is SHA3, SHA512 and, as that implies `sha2`, SHA1 and SHA2. All must
//! be there. (`cpufeatures` 0.3 is content with any of them.) Apple's systems are asked by `cpufeatures`, which asks
//! for each by itself there; on all others there is what the target promises when the crate is compiled.

use super::{ArmV8, ArmV8Sha3};

/// What the systems without `std` are asked for, beside what the target promises anyway.
#[cfg(any(not(feature = "std"), all(test, any(target_os = "linux", target_os = "android", target_vendor = "apple"))))]
mod system {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    use libc::{HWCAP_AES, HWCAP_ASIMD, HWCAP_PMULL, HWCAP_SHA1, HWCAP_SHA2, HWCAP_SHA3, HWCAP_SHA512};

    /// Whether all bits of `wanted` are among those that the kernel has set.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn has(wanted: libc::c_ulong) -> bool {
        // SAFETY: the function has no conditions; of what it does not know it returns zero.
        let there = unsafe { libc::getauxval(libc::AT_HWCAP) };
        there & wanted == wanted
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub fn has_aes() -> bool {
        has(HWCAP_ASIMD | HWCAP_AES | HWCAP_PMULL)
    }
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub fn has_sha3() -> bool {
        has(HWCAP_ASIMD | HWCAP_SHA1 | HWCAP_SHA2 | HWCAP_SHA3 | HWCAP_SHA512)
    }

    #[cfg(target_vendor = "apple")]
    pub fn has_aes() -> bool {
        cpufeatures::new!(aes, "aes");
        aes::get()
    }
    #[cfg(target_vendor = "apple")]
    pub fn has_sha3() -> bool {
        cpufeatures::new!(sha3, "sha3");
        sha3::get()
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    pub fn has_aes() -> bool {
        false
    }
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    pub fn has_sha3() -> bool {
        false
    }
}

#[cfg(feature = "std")]
fn has_aes() -> bool {
    std::arch::is_aarch64_feature_detected!("aes") && std::arch::is_aarch64_feature_detected!("pmull")
}
#[cfg(feature = "std")]
fn has_sha3() -> bool {
    std::arch::is_aarch64_feature_detected!("sha3")
}
#[cfg(not(feature = "std"))]
fn has_aes() -> bool {
    cfg!(target_feature = "aes") || system::has_aes()
}
#[cfg(not(feature = "std"))]
fn has_sha3() -> bool {
    cfg!(target_feature = "sha3") || system::has_sha3()
}

impl ArmV8 {
    /// The token, where the CPU has the instructions.
    #[inline]
    pub fn detect() -> Option<Self> {
        if has_aes() { Some(Self(())) } else { None }
    }
}

impl ArmV8Sha3 {
    /// The token, where the CPU has the instructions.
    #[inline]
    pub fn detect() -> Option<Self> {
        if has_aes() && has_sha3() { Some(Self(())) } else { None }
    }
}

/// What is asked without the standard library says the same as what is asked with it.
#[cfg(all(test, feature = "std", any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
#[test]
fn agrees_with_std() {
    assert_eq!([system::has_aes(), system::has_sha3()], [has_aes(), has_sha3()]);
}
