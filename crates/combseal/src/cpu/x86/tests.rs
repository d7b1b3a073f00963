//! Both ways of asking the CPU for a tier: the standard library's, and the crate's that stands in for it.

use super::{AesNi, AesNi512, Soft256, Soft512, Split256, Split512, Vaes256, Vaes512};

/// Without the standard library no tier is found that it does not find; nor is one missed, but `vaes256` where the
/// operating system has no state of AVX-512.
#[test]
fn agrees_with_std() {
    macro_rules! both {
        ($($tier:ident),*) => {
            [$((stringify!($tier), $tier::detect().is_some(), $tier::is_there_without_std())),*]
        };
    }
    for (tier, with, without) in both!(AesNi, AesNi512, Vaes256, Vaes512, Split256, Split512, Soft256, Soft512) {
        let may_miss = tier == "Vaes256" && !std::arch::is_x86_feature_detected!("avx512f");
        assert!(with == without || with && may_miss, "{tier}: {with} by the standard library, {without} without");
    }
}
