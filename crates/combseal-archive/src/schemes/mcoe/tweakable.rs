//! What McOE is made of.

use crate::about::About;
use crate::xex::One;
use combseal::Cpu;
use combseal::cpu::{Backend, Block};
use combseal::internals::InOut;
use combseal::internals::lanes::Lanes;
use combseal::internals::lockstep::LaneKeys;
use combseal::internals::plan::MAX_LANES;

/// A tweakable block cipher with its key, and how it goes over many blocks. What has a backend
/// must be `#[inline(always)]`.
pub trait Tweakable: Sized {
    /// What is known of McOE with it.
    const ABOUT: &'static About;

    /// Expands `key`.
    fn build(cpu: Cpu, key: &[u8]) -> Self;

    /// The tier that it was expanded for.
    fn cpu(&self) -> Cpu;

    /// A block of each of `M` messages, in registers of one, encrypted or, with `OPEN`, decrypted.
    fn ones<B: Backend<One = B>, const OPEN: bool, const M: usize>(
        b: B,
        keys: [&Self; M],
        tweaks: [B::V; M],
        x: [B::V; M],
    ) -> [B::V; M];

    /// The whole blocks of `io`, from the tweak of the first; gives the tweak behind them.
    fn blocks<B: Backend, const OPEN: bool>(&self, b: B, tweak: One<B>, io: InOut<'_>) -> One<B>;

    /// The same for messages side by side, none with more blocks than the one before it.
    fn side_by_side<const OPEN: bool>(
        keys: &[&Self],
        lane_keys: &mut LaneKeys,
        lanes: &mut Lanes<'_>,
        tweaks: &mut [Block; MAX_LANES],
    );
}
