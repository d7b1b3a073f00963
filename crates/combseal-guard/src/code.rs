//! Counts a function's instructions: those of the whole function and of its inner loops, and what
//! it calls.

use crate::image::{Function, Image};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};
use std::collections::BTreeSet;
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
}

impl Aes {
    /// All of them.
    pub fn count(self) -> usize {
        self.xmm + self.ymm + self.zmm
    }
}

/// Prints them as in `80 ymm + 10 xmm`, and no instructions as `0`.
impl fmt::Display for Aes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [(self.zmm, "zmm"), (self.ymm, "ymm"), (self.xmm, "xmm")];
        let parts: Vec<_> = parts.iter().filter(|p| p.0 > 0).map(|(n, w)| format!("{n} {w}")).collect();
        f.write_str(&if parts.is_empty() { "0".into() } else { parts.join(" + ") })
    }
}

/// A stretch of instructions, counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Instructions.
    pub instructions: usize,
    /// AESENC, AESDEC and their last rounds.
    pub aes: Aes,
    /// Carry-less products.
    pub clmul: usize,
    /// Vector registers written to the stack.
    pub spills: usize,
    /// Vectors read from the stack, also as another instruction's operand.
    pub reloads: usize,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, o: Self) {
        self.instructions += o.instructions;
        self.aes.xmm += o.aes.xmm;
        self.aes.ymm += o.aes.ymm;
        self.aes.zmm += o.aes.zmm;
        self.clmul += o.clmul;
        self.spills += o.spills;
        self.reloads += o.reloads;
    }
}

/// A function, counted.
pub struct Listing {
    /// Bytes of code.
    pub bytes: usize,
    /// The whole function.
    pub all: Counts,
    /// The innermost loops that have AES instructions, those with most first.
    pub loops: Vec<Counts>,
    /// What it calls or jumps to outside of itself.
    pub calls: BTreeSet<String>,
}

/// Decodes and counts.
pub fn list(function: &Function, image: &Image) -> Listing {
    let decoder = Decoder::with_ip(64, function.code, function.address, DecoderOptions::NONE);
    let code: Vec<Instruction> = decoder.into_iter().collect();
    let inside = function.address..function.address + function.code.len() as u64;
    let (mut calls, mut loops, mut pointers) = (BTreeSet::new(), Vec::new(), false);
    for (i, instruction) in code.iter().enumerate() {
        let target = instruction.near_branch_target();
        match instruction.flow_control() {
            FlowControl::Call | FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch => {
                if !inside.contains(&target) {
                    calls.insert(image.name(target).to_string());
                } else if instruction.flow_control() != FlowControl::Call && target <= instruction.ip() {
                    loops.push((code.partition_point(|c| c.ip() < target), i));
                }
            }
            FlowControl::IndirectCall | FlowControl::IndirectBranch => {
                let slot = instruction.op0_kind() == OpKind::Memory && instruction.is_ip_rel_memory_operand();
                if slot {
                    calls.insert(image.slot(instruction.ip_rel_memory_address()).to_string());
                } else if instruction.flow_control() == FlowControl::IndirectCall {
                    pointers = true;
                }
                // A jump through a register is a table of cases within the function.
            }
            _ => {}
        }
    }
    if pointers {
        calls.extend(loaded(&code, image));
    }
    let innermost =
        |&(from, to): &(usize, usize)| !loops.iter().any(|&(f, t)| (f, t) != (from, to) && f >= from && t <= to);
    let mut counted: Vec<Counts> = loops
        .iter()
        .filter(|l| innermost(l))
        .map(|&(from, to)| count(&code[from..=to]))
        .filter(|c| c.aes.count() > 0)
        .collect();
    counted.sort_by_key(|c| std::cmp::Reverse((c.aes.count(), c.clmul)));
    Listing { bytes: function.code.len(), all: count(&code), loops: counted, calls }
}

/// The functions whose addresses are loaded: what a call by register can lead to.
fn loaded(code: &[Instruction], image: &Image) -> Vec<String> {
    let loads = code.iter().filter(|i| i.mnemonic() == Mnemonic::Mov && i.is_ip_rel_memory_operand());
    let names: Vec<_> = loads.map(|i| image.slot(i.ip_rel_memory_address())).filter(|n| *n != "?").collect();
    if names.is_empty() { vec!["a pointer".into()] } else { names.into_iter().map(String::from).collect() }
}

fn count(code: &[Instruction]) -> Counts {
    let mut sum = Counts::default();
    for i in code {
        sum += one(i);
    }
    sum
}

fn one(i: &Instruction) -> Counts {
    use Mnemonic::*;
    let mut c = Counts { instructions: 1, ..Counts::default() };
    let width = i.op0_register();
    let aes = match i.mnemonic() {
        Aesenc | Aesenclast | Aesdec | Aesdeclast | Vaesenc | Vaesenclast | Vaesdec | Vaesdeclast => 1,
        _ => 0,
    };
    if width.is_zmm() {
        c.aes.zmm = aes;
    } else if width.is_ymm() {
        c.aes.ymm = aes;
    } else {
        c.aes.xmm = aes;
    }
    c.clmul = usize::from(matches!(i.mnemonic(), Pclmulqdq | Vpclmulqdq));
    let vector = (0..i.op_count()).any(|n| i.op_kind(n) == OpKind::Register && i.op_register(n).is_vector_register());
    let memory = (0..i.op_count()).find(|&n| i.op_kind(n) == OpKind::Memory);
    if let (true, Some(n), Register::RSP | Register::RBP) = (vector, memory, i.memory_base()) {
        // The destination comes first.
        c.spills = usize::from(n == 0);
        c.reloads = usize::from(n != 0);
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop of two AES rounds, a reload and a spill, around it a round more.
    #[test]
    fn counts() {
        let code = [
            &[0xc4, 0xe2, 0x71, 0xdc, 0xc2][..],   // vaesenc xmm0, xmm1, xmm2
            &[0xc4, 0xe2, 0x75, 0xdc, 0x04, 0x24], // vaesenc ymm0, ymm1, [rsp]
            &[0x62, 0xf2, 0x75, 0x48, 0xdd, 0xc2], // vaesenclast zmm0, zmm1, zmm2
            &[0xc5, 0xf8, 0x29, 0x44, 0x24, 0x10], // vmovaps [rsp+16], xmm0
            &[0x75, 0xec],                         // jne -20: to the second
            &[0xe8, 0x00, 0x10, 0x00, 0x00, 0xc3], // call elsewhere; ret
        ]
        .concat();
        let function = Function { name: "featured".into(), address: 0x1000, code: &code };
        let listing = list(&function, &Image::default());
        assert_eq!(listing.all.aes, Aes { xmm: 1, ymm: 1, zmm: 1 });
        let main = listing.loops[0];
        assert_eq!(main.aes, Aes { xmm: 0, ymm: 1, zmm: 1 });
        assert_eq!((main.aes.to_string(), Aes::default().to_string()), ("1 zmm + 1 ymm".into(), "0".into()));
        assert_eq!((main.instructions, main.spills, main.reloads), (4, 1, 1));
        assert_eq!(listing.calls.into_iter().collect::<Vec<_>>(), ["?"]);
    }
}
