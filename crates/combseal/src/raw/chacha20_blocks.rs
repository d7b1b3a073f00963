//! ChaCha20's blocks by themselves (RFC 8439, 2.3), each with a counter and nonce of its own:
//! what QUIC's header protection is made of. No message and no authentication: under `hazmat`.

use super::chacha20::{Nothing, Start, Starts};
use crate::cpu::{Backend, Block, Cpu, Kernel, Models};
use crate::interface::error::Error;
use crate::memory::blank::{filled, secret};

/// ChaCha20's block function (RFC 8439, 2.3): **do not encrypt messages with it**.
///
/// A block of key stream must not be used for two messages, and key stream alone authenticates
/// none. It is here for what is built of single blocks, such as the header protection of QUIC
/// (RFC 9001, 5.4.4).
pub struct ChaCha20 {
    key: [u8; 32],
    cpu: Cpu,
}
secret!(ChaCha20 { key, cpu });

impl ChaCha20 {
    /// Takes a key of 32 bytes, for the best tier of this machine.
    pub fn new(key: &[u8; 32]) -> Self {
        Self::on(Cpu::detect(), key)
    }

    /// Takes a key of 32 bytes, for the tier `cpu`.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn build(cpu: Cpu, key: &[u8]) -> Result<Self, Error> {
        if key.len() != 32 {
            return Err(Error::KeyLength);
        }
        Ok(Self::on(cpu, key))
    }

    fn on(cpu: Cpu, key: &[u8]) -> Self {
        filled(|it: &mut Self| {
            it.key.copy_from_slice(key);
            it.cpu = cpu;
        })
    }

    /// The CPU tier that this key works on.
    pub fn cpu(&self) -> Cpu {
        self.cpu
    }

    /// Writes a block of 64 bytes of key stream for each of `starts`: the block's number in four
    /// bytes, little-endian, and the nonce in twelve. As many as a register has words cost about
    /// as much as two.
    ///
    /// # Errors
    /// [`Error::BufferLength`] unless there are as many places as starts; nothing is written then.
    pub fn blocks(&self, starts: &[[u8; 16]], out: &mut [[u8; 64]]) -> Result<(), Error> {
        if starts.len() != out.len() {
            return Err(Error::BufferLength);
        }
        self.cpu.run(Blocks { key: &self.key, starts, out });
        Ok(())
    }
}

/// A block for each start.
struct Blocks<'a> {
    key: &'a [u8; 32],
    starts: &'a [Block],
    out: &'a mut [[u8; 64]],
}
impl Kernel for Blocks<'_> {
    const MODELS: Models = Models::All;
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        if const { B::WORDS } {
            many(b.wide(), self);
        } else {
            for (start, out) in self.starts.iter().zip(self.out) {
                let (begin, number) = begin(self.key, start);
                store(b, out, &begin.plain(b, number, 64));
            }
        }
    }
}

/// As many as a register has words at a time; a last one by itself, in rows.
#[inline(always)]
fn many<B: Backend>(b: B, it: Blocks<'_>) {
    let (halves, []) = it.key.as_chunks() else { unreachable!("32 bytes are two blocks") };
    let outs = it.out.chunks_mut(Starts::<B>::MESSAGES);
    for (starts, out) in it.starts.chunks(Starts::<B>::MESSAGES).zip(outs) {
        if let ([start], [out]) = (starts, &mut *out) {
            let (begin, number) = begin(it.key, start);
            let [rows] = begin.rows::<B, _, 1>(b, number, &mut Nothing);
            for (row, out) in rows.into_iter().zip(out.as_chunks_mut().0) {
                *out = b.block(row);
            }
            continue;
        }
        // Where there are fewer starts than places in a register, the last one stands for them.
        let last = starts.len() - 1;
        let columns = Starts::<B>::new(b, |_, i| &halves[i], |i| b.one().load(&starts[i.min(last)]));
        let stream = columns.numbered(b);
        for (out, block) in out.iter_mut().zip(stream.chunks(4 / B::BLOCKS)) {
            store(b, out, block);
        }
    }
}

/// What a block begins with, and its number.
#[inline(always)]
fn begin<'a>(key: &'a [u8; 32], start: &Block) -> (Start<'a>, u32) {
    let (words, _) = start.as_chunks();
    let word = |i: usize| u32::from_le_bytes(words[i]);
    (Start::new(key, [word(1), word(2), word(3)]), word(0))
}

/// The registers of one block, or of more than are asked for.
#[inline(always)]
fn store<B: Backend>(b: B, out: &mut [u8; 64], stream: &[B::V]) {
    for (part, &v) in out.chunks_mut(B::BYTES).zip(stream) {
        b.store(part, v);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8439, 2.3.2.
    #[test]
    fn known_answer() {
        let key: [u8; 32] = core::array::from_fn(|i| i as u8);
        let start = *b"\x01\0\0\0\0\0\0\x09\0\0\0\x4a\0\0\0\0";
        let begins = [0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59, 0x15, 0x50, 0x0f, 0xdd, 0x1f, 0xa3, 0x20, 0x71, 0xc4];
        let ends = [0xb5, 0x12, 0x9c, 0xd1, 0xde, 0x16, 0x4e, 0xb9, 0xcb, 0xd0, 0x83, 0xe8, 0xa2, 0x50, 0x3c, 0x4e];
        for cpu in Cpu::every() {
            let mut out = [[0; 64]];
            ChaCha20::build(cpu, &key).unwrap().blocks(&[start], &mut out).unwrap();
            assert_eq!((&out[0][..16], &out[0][48..]), (&begins[..], &ends[..]), "{cpu:?}");
        }
    }

    /// Many together are as one at a time, any number of them; and other lengths touch nothing.
    #[test]
    fn many_are_as_one_at_a_time() {
        let starts: [Block; 40] = core::array::from_fn(|i| core::array::from_fn(|j| (i * i * 31 + j * 7 + i) as u8));
        let mut one = [[0; 64]; 40];
        let soft = ChaCha20::build(Cpu::soft(), &[9; 32]).unwrap();
        for (start, out) in starts.iter().zip(&mut one) {
            soft.blocks(core::slice::from_ref(start), core::slice::from_mut(out)).unwrap();
        }
        for cpu in Cpu::every() {
            let key = ChaCha20::build(cpu, &[9; 32]).unwrap();
            for n in 0..=40 {
                let mut out = [[0xa5; 64]; 41];
                key.blocks(&starts[..n], &mut out[..n]).unwrap();
                assert!(out[..n] == one[..n] && out[n..].iter().flatten().all(|&b| b == 0xa5), "{cpu:?} {n}");
            }
            let mut out = [[1; 64]; 2];
            assert_eq!(key.blocks(&starts[..3], &mut out), Err(Error::BufferLength));
            assert_eq!(out, [[1; 64]; 2]);
            assert_eq!(ChaCha20::build(cpu, &[9; 31]).err(), Some(Error::KeyLength));
            assert_eq!(key.cpu(), cpu);
        }
        assert!(!std::format!("{soft:?}").contains('9'));
    }
}
