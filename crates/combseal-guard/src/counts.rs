//! What is counted of a stretch of instructions.

use std::fmt;
use std::ops::AddAssign;

/// AES instructions by the width of their registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Aes {
    /// One block.
    pub xmm: usize,
    /// Two blocks.
    pub ymm: usize,
    /// Four blocks.
    pub zmm: usize,
    /// One block of ARM's: AESE and AESD, one for each round.
    pub q: usize,
}

impl Aes {
    /// All of them.
    pub fn count(self) -> usize {
        self.xmm + self.ymm + self.zmm + self.q
    }
}

/// Prints them as in `80 ymm + 10 xmm`, and no instructions as `0`.
impl fmt::Display for Aes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [(self.zmm, "zmm"), (self.ymm, "ymm"), (self.xmm, "xmm"), (self.q, "q")];
        let parts: Vec<_> = parts.iter().filter(|p| p.0 > 0).map(|(n, w)| format!("{n} {w}")).collect();
        f.write_str(&if parts.is_empty() { "0".into() } else { parts.join(" + ") })
    }
}

/// A stretch of instructions, counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Instructions.
    pub instructions: usize,
    /// AESENC, AESDEC and their last rounds; AESE and AESD.
    pub aes: Aes,
    /// AESMC and AESIMC, which are instructions of their own on ARM.
    pub mix: usize,
    /// Those of them that follow their AESE or AESD at once, on the same register.
    pub paired: usize,
    /// Carry-less products.
    pub clmul: usize,
    /// Vector registers written to the stack.
    pub spills: usize,
    /// Vectors read from the stack, also as another instruction's operand.
    pub reloads: usize,
    /// Whole vector registers loaded from elsewhere (ARM only, where it takes an instruction).
    pub loads: usize,
    /// The same stored elsewhere.
    pub stores: usize,
    /// XORs of vector registers of two (ARM only).
    pub xor2: usize,
    /// The same of three: EOR3.
    pub xor3: usize,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, o: Self) {
        self.instructions += o.instructions;
        self.aes.xmm += o.aes.xmm;
        self.aes.ymm += o.aes.ymm;
        self.aes.zmm += o.aes.zmm;
        self.aes.q += o.aes.q;
        self.mix += o.mix;
        self.paired += o.paired;
        self.clmul += o.clmul;
        self.spills += o.spills;
        self.reloads += o.reloads;
        self.loads += o.loads;
        self.stores += o.stores;
        self.xor2 += o.xor2;
        self.xor3 += o.xor3;
    }
}

/// An instruction, decoded as far as the guard looks.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where it is.
    pub address: u64,
    /// What it adds.
    pub counts: Counts,
    /// Where it leads.
    pub flow: Flow,
    /// The place in the image that it loads an address from, or the address that it makes.
    pub pointer: Option<Pointer>,
}

/// Where an instruction leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next one, or back to the caller.
    Next,
    /// A call.
    Call(u64),
    /// A jump, on a condition or without.
    Jump(u64),
    /// A call or a jump through a pointer in the image.
    Slot(u64),
    /// A call by register.
    Register,
}

/// An address of a function, perhaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// What the pointer in the image there leads to.
    In(u64),
    /// The address itself.
    To(u64),
}
