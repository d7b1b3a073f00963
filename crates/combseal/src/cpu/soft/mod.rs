//! The software tier: AES and carry-less multiplication without instructions
//! made for them. No table is indexed by a secret, no branch taken on one: the AES is
//! constant-time on every machine, the products are where integer multiplication is
//! (docs/security.md).
//!
//! A register is one block. The cipher gathers eight of them (a *group*) into
//! bit slices, does all rounds there and gives them back (`bitslice.rs`), so a
//! call for one block takes as long as a call for eight.

mod backend;
mod bitslice;
mod clmul;
mod expand;
mod halves;
mod sbox;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
mod sse2;
mod word;
mod word64;

/// The software tier's token: vector registers where every CPU of the target
/// has them, 64-bit words elsewhere.
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
pub type Soft = backend::Bitsliced<sse2::Word128>;
/// The software tier's token.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub type Soft = backend::Bitsliced<simd128::Simd128>;
/// The software tier's token.
#[cfg(not(any(
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub type Soft = backend::Bitsliced<u64>;
/// The token of the tier that any machine could have, for tests and studies.
#[cfg(feature = "models")]
pub type Soft64 = backend::Bitsliced<u64>;
