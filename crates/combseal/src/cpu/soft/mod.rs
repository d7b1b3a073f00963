//! The software tier: AES and carry-less multiplication without instructions
//! made for them. No table is indexed by a secret, no branch taken on one: the AES is
//! constant-time on every machine, the products are where integer multiplication is
//! (docs/security.md).
//!
//! A register is one block. The cipher gathers eight of them (a *group*) into
//! bit slices, does all rounds there and gives them back (`bitslice.rs`), so a
//! call for one block takes as long as a call for eight. Where the CPU has wider registers
//! (`wide.rs`), groups are of so many more blocks; the tiers of that are `x86/bitsliced.rs`.

#[cfg(all(feature = "wide-soft", any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
pub(super) mod avx2;
#[cfg(all(feature = "wide-soft", any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
pub(super) mod avx512;
mod backend;
mod bitslice;
mod clmul;
mod expand;
mod halves;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod neon;
mod sbox;
#[cfg(all(feature = "wide-soft", any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
mod sbox3;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
mod sse2;
#[cfg(all(feature = "wide-soft", any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
mod wide;
mod word;
mod word64;

#[cfg(all(feature = "wide-soft", any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
pub(super) use wide::GROUP;

/// The software tier's slices: vector registers where every CPU of the target has them, 64-bit
/// words elsewhere.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
type Slice = sse2::Word128;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
type Slice = neon::Word128;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
type Slice = simd128::Simd128;
#[cfg(not(any(
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
type Slice = u64;
/// The software tier's token.
pub type Soft = backend::Bitsliced<Slice>;
/// The token of the tier that any machine could have, for tests and studies.
#[cfg(feature = "models")]
pub type Soft64 = backend::Bitsliced<u64>;
