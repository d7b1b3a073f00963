//! Poly1305 of a message by itself (Bernstein 2005): for what is no AEAD of today, the archive's
//! systems of 2007, under keys r that serve for many messages.
//!
//! In AEADs a message is padded with zeros to whole blocks; here a short last block is ended by
//! its own byte of 1.

use super::poly1305::{Mac, Poly1305};
use crate::cpu::{Backend, Block, Cpu, Kernel, Models};
use crate::memory::wipe::Wipe;

/// The authenticator of `data`, of any length, under the key `r`, plus `s`, which masks it and must
/// not be used twice. The bits of `r` that must not be set are cleared.
pub fn poly1305(cpu: Cpu, r: &Block, s: &Block, data: &[u8]) -> Block {
    cpu.run(Tag { r, s, data })
}

struct Tag<'a> {
    r: &'a Block,
    s: &'a Block,
    data: &'a [u8],
}
impl Kernel for Tag<'_> {
    const MODELS: Models = Models::All;
    type Out = Block;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Block {
        let mut poly = Poly1305::new(u128::from_le_bytes(*self.r), u128::from_le_bytes(*self.s));
        let (whole, rest) = self.data.split_at(self.data.len() & !15);
        if const { B::WORDS } && whole.len() / 16 >= Mac::<B::Wide, true>::FEWEST {
            poly.update_long(b.wide(), whole);
        } else {
            poly.update(b, whole);
        }
        poly.part(b, rest);
        let tag = poly.tag();
        poly.wipe();
        tag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that differ from place to place, and for each `seed`.
    fn noise(seed: usize, n: usize) -> Vec<u8> {
        let mut x = seed as u64 ^ 0x9e37_79b9_7f4a_7c15;
        let mut next = || {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (x >> 56) as u8
        };
        (0..n).map(|_| next()).collect()
    }

    /// RFC 8439, A.3, vectors 1 to 4, of which three end within a block: an empty key, r alone, s alone, and both.
    #[test]
    fn rfc8439_texts() {
        let statement = b"Any submission to the IETF intended by the Contributor for publication as all or part of an \
            IETF Internet-Draft or RFC and any statement made within the context of an IETF activity is considered \
            an \"IETF Contribution\". Such statements include oral statements in IETF sessions, as well as written \
            and electronic communications made at any time or place, which are addressed to";
        let poem = b"'Twas brillig, and the slithy toves\nDid gyre and gimble in the wabe:\n\
            All mimsy were the borogoves,\nAnd the mome raths outgrabe.";
        let half = 0x36e5f6b5_c5e06070_f0efca96_227a863e_u128;
        let key = (0x1c9240a5_eb55d38a_f3338886_04f6b5f0, 0x473917c1_402b8009_9dca5cbc_207075c0);
        for (r, s, text, tag) in [
            (0, 0, &[0; 64][..], 0),
            (0, half, statement, half),
            (half, 0, statement, 0xf3477e7c_d95417af_89a6b879_4c310cf0),
            (key.0, key.1, poem, 0x4541669a_7eaaee61_e708dc7c_bcc5eb62),
        ] {
            for cpu in Cpu::every() {
                let found = poly1305(cpu, &u128::to_be_bytes(r), &u128::to_be_bytes(s), text);
                assert_eq!(found, u128::to_be_bytes(tag), "{cpu:?}");
            }
        }
    }

    /// RFC 8439, 2.5.2, whose message ends within a block; and of no message the tag is s.
    #[test]
    fn rfc8439() {
        let r = 0x85d6be78_57556d33_7f4452fe_42d506a8_u128.to_be_bytes();
        let s = 0x0103808a_fb0db2fd_4abff6af_4149f51b_u128.to_be_bytes();
        for cpu in Cpu::every() {
            let tag = poly1305(cpu, &r, &s, b"Cryptographic Forum Research Group");
            assert_eq!(tag, 0xa8061dc1_305136c6_c22b8baf_0c0127a9_u128.to_be_bytes(), "{cpu:?}");
            assert_eq!(poly1305(cpu, &r, &s, b""), s, "{cpu:?}");
        }
    }

    /// Every tier, every length: as the software tier has it block by block.
    #[test]
    fn lengths() {
        let data = noise(5, 3000);
        let (r, s) = ([0xff; 16], [0x5a; 16]);
        for len in (0..600).chain([1024, 1500, 2047, 2048, 2999, 3000]) {
            let mut plain = Poly1305::new(u128::from_le_bytes(r), u128::from_le_bytes(s));
            let (blocks, rest) = data[..len].as_chunks::<16>();
            for block in blocks {
                plain.block(u128::from_le_bytes(*block));
            }
            let expected = Cpu::soft().run(Rest(plain, rest));
            for cpu in Cpu::every() {
                assert_eq!(poly1305(cpu, &r, &s, &data[..len]), expected, "{cpu:?} {len}");
            }
        }
    }

    struct Rest<'a>(Poly1305, &'a [u8]);
    impl Kernel for Rest<'_> {
        const MODELS: Models = Models::All;
        type Out = Block;
        fn run<B: Backend, const N: usize>(mut self, b: B) -> Block {
            self.0.part(b, self.1);
            self.0.tag()
        }
    }
}
