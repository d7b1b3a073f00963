//! Decodes x86-64.

use crate::counts::{Counts, Flow, Pointer, Step};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};

/// The instructions of `code`, which is at `address`.
pub fn steps(code: &[u8], address: u64) -> Vec<Step> {
    Decoder::with_ip(64, code, address, DecoderOptions::NONE).into_iter().map(|i| step(&i)).collect()
}

fn step(i: &Instruction) -> Step {
    let target = i.near_branch_target();
    let flow = match i.flow_control() {
        FlowControl::Call => Flow::Call(target),
        FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch => Flow::Jump(target),
        FlowControl::IndirectCall | FlowControl::IndirectBranch
            if i.op0_kind() == OpKind::Memory && i.is_ip_rel_memory_operand() =>
        {
            Flow::Slot(i.ip_rel_memory_address())
        }
        FlowControl::IndirectCall => Flow::Register,
        // A jump through a register is a table of cases within the function.
        _ => Flow::Next,
    };
    let loads = i.mnemonic() == Mnemonic::Mov && i.is_ip_rel_memory_operand();
    let pointer = loads.then(|| Pointer::In(i.ip_rel_memory_address()));
    Step { address: i.ip(), counts: count(i), flow, pointer }
}

fn count(i: &Instruction) -> Counts {
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
