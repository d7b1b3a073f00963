//! Both ways of asking the CPU for a tier: the standard library's, and the crate's that stands in for it.

use super::{AesNi, AesNi512, Soft256, Soft512, Split256, Split512, Vaes256, Vaes512};

/// Without the standard library no tier is found that it does not find; nor is one missed, but those with VAES
/// where the operating system has no state of AVX-512.
#[test]
fn agrees_with_std() {
    let avx512 = std::arch::is_x86_feature_detected!("avx512f");
    macro_rules! same {
        ($($tier:ident $wants_state:literal),*) => {$(
            let [with, without] = [$tier::detect().is_some(), $tier::is_there_without_std()];
            assert!(with == without || with && $wants_state && !avx512, "{}: {with}, {without}", stringify!($tier));
        )*};
    }
    same!(AesNi false, AesNi512 false, Vaes256 true, Vaes512 true);
    same!(Split256 false, Split512 false, Soft256 false, Soft512 false);
}
