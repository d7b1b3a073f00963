//! What a kernel returns: by registers, not by memory.

use super::bytes::Block;

/// A block that a kernel returns: in two vector registers, where an array goes by memory.
///
/// A result is the last thing to be known of a message. Of a stack slot that a caller has
/// zeroed and a kernel has written by its address, Zen 4 seems to guess that it holds
/// zeros still, and begins again up to 90 cycles later (docs/architecture.md).
#[derive(Clone, Copy)]
pub struct ReturnedBlock(half::Half, half::Half);

impl ReturnedBlock {
    #[inline(always)]
    /// To be returned.
    pub fn new(block: Block) -> Self {
        let x = u128::from_le_bytes(block);
        Self(half::hold(x as u64), half::hold((x >> 64) as u64))
    }

    #[inline(always)]
    /// Whether all bits are zero, from all of them at once.
    pub fn is_zero(self) -> bool {
        half::bits(self.0) | half::bits(self.1) == 0
    }

    #[inline(always)]
    /// The block.
    pub fn block(self) -> Block {
        (u128::from(half::bits(self.1)) << 64 | u128::from(half::bits(self.0))).to_le_bytes()
    }
}

/// Half a [`ReturnedBlock`]. Floating-point numbers are what goes by vector registers; they are
/// only moved, which changes no bit of them. (x87 registers would: not on 32-bit x86.)
#[cfg(target_arch = "x86_64")]
mod half {
    pub type Half = f64;
    #[inline(always)]
    pub fn hold(bits: u64) -> Half {
        f64::from_bits(bits)
    }
    #[inline(always)]
    pub fn bits(half: Half) -> u64 {
        half.to_bits()
    }
}
#[cfg(not(target_arch = "x86_64"))]
mod half {
    pub type Half = u64;
    #[inline(always)]
    pub fn hold(bits: u64) -> Half {
        bits
    }
    #[inline(always)]
    pub fn bits(half: Half) -> u64 {
        half
    }
}
