//! Both ways of asking the CPU for a tier: the standard library's, and the crate's that stands in for it.

use super::{AesNi, AesNi512, Split256, Split512, Vaes256, Vaes512};
#[cfg(feature = "wide-soft")]
use super::{Soft256, Soft512};

/// Without the standard library no tier is found that it does not find; nor is one missed, but `vaes256` where the
/// operating system has no state of AVX-512.
#[test]
fn agrees_with_std() {
    macro_rules! both {
        ($($(#[$cfg:meta])* $tier:ident),*) => {
            [$($(#[$cfg])* (stringify!($tier), $tier::detect().is_some(), $tier::is_there_without_std())),*]
        };
    }
    let tiers = both!(
        AesNi,
        AesNi512,
        Vaes256,
        Vaes512,
        Split256,
        Split512,
        #[cfg(feature = "wide-soft")]
        Soft256,
        #[cfg(feature = "wide-soft")]
        Soft512
    );
    for (tier, with, without) in tiers {
        let may_miss = tier == "Vaes256" && !std::arch::is_x86_feature_detected!("avx512f");
        assert!(with == without || with && may_miss, "{tier}: {with} by the standard library, {without} without");
    }
}
