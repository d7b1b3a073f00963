//! Counts a function's instructions: those of the whole function and of its inner loops, and what
//! it calls.

use crate::counts::{Counts, Flow, Pointer, Step};
use crate::image::{Function, Image, Machine};
use crate::{arm, x86};
use std::collections::BTreeSet;

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
    let steps = match image.machine {
        Machine::X86 => x86::steps(function.code, function.address),
        Machine::Arm => arm::steps(function.code, function.address),
    };
    let inside = function.address..function.address + function.code.len() as u64;
    let (mut calls, mut loops, mut pointers) = (BTreeSet::new(), Vec::new(), false);
    for (i, step) in steps.iter().enumerate() {
        match step.flow {
            Flow::Call(target) | Flow::Jump(target) if !inside.contains(&target) => {
                calls.insert(image.name(target).to_string());
            }
            Flow::Jump(target) if target <= step.address => {
                loops.push((steps.partition_point(|s| s.address < target), i));
            }
            Flow::Slot(slot) => {
                calls.insert(image.slot(slot).to_string());
            }
            Flow::Register => pointers = true,
            Flow::Call(_) | Flow::Jump(_) | Flow::Next => {}
        }
    }
    if pointers {
        calls.extend(loaded(&steps, image));
    }
    let innermost =
        |&(from, to): &(usize, usize)| !loops.iter().any(|&(f, t)| (f, t) != (from, to) && f >= from && t <= to);
    let mut counted: Vec<Counts> = loops
        .iter()
        .filter(|l| innermost(l))
        .map(|&(from, to)| sum(&steps[from..=to]))
        .filter(|c| c.aes.count() > 0)
        .collect();
    counted.sort_by_key(|c| std::cmp::Reverse((c.aes.count(), c.clmul)));
    Listing { bytes: function.code.len(), all: sum(&steps), loops: counted, calls }
}

/// The functions whose addresses are loaded: what a call by register can lead to.
fn loaded(steps: &[Step], image: &Image) -> Vec<String> {
    let name = |pointer| match pointer {
        Pointer::In(slot) => image.slot(slot),
        Pointer::To(address) => image.entry(address),
    };
    let names: Vec<_> = steps.iter().filter_map(|s| s.pointer).map(name).filter(|n| *n != "?").collect();
    if names.is_empty() { vec!["a pointer".into()] } else { names.into_iter().map(String::from).collect() }
}

fn sum(steps: &[Step]) -> Counts {
    let mut sum = Counts::default();
    for step in steps {
        sum += step.counts;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Aes;

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
        assert_eq!(listing.all.aes, Aes { xmm: 1, ymm: 1, zmm: 1, q: 0 });
        let main = listing.loops[0];
        assert_eq!(main.aes, Aes { xmm: 0, ymm: 1, zmm: 1, q: 0 });
        assert_eq!((main.aes.to_string(), Aes::default().to_string()), ("1 zmm + 1 ymm".into(), "0".into()));
        assert_eq!((main.instructions, main.spills, main.reloads), (4, 1, 1));
        assert_eq!(listing.calls.into_iter().collect::<Vec<_>>(), ["?"]);
    }

    /// The same on ARM: a loop of a pair, an AESMC too far from its AESE, a spill and a call by register.
    #[test]
    fn counts_arm() {
        let code: Vec<u8> = [
            0x4e284820u32, // aese v0, v1
            0x4e284820,    // aese v0, v1
            0x4e286800,    // aesmc v0, v0
            0x3d8007e0,    // str q0, [sp, #16]
            0x4e286800,    // aesmc v0, v0
            0xd63f0100,    // blr x8
            0x54ffff61,    // b.ne .-20: to the second
            0xd65f03c0,    // ret
        ]
        .iter()
        .flat_map(|w| w.to_le_bytes())
        .collect();
        let function = Function { name: "featured".into(), address: 0x1000, code: &code };
        let mut image = Image::default();
        image.machine = Machine::Arm;
        let listing = list(&function, &image);
        let main = listing.loops[0];
        assert_eq!((listing.all.aes.q, main.aes.q, main.mix, main.paired, main.spills), (2, 1, 2, 1, 1));
        assert_eq!((main.instructions, main.aes.to_string()), (6, "1 q".into()));
        assert_eq!(listing.calls.into_iter().collect::<Vec<_>>(), ["a pointer"]);
    }
}
