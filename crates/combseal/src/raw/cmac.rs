//! AES-CMAC (SP 800-38B, RFC 4493; OMAC1 of Iwata and Kurosawa, 2003): one
//! chain over the message. Alone under `hazmat`; the heart of EAX and SIV.

#[cfg(feature = "alloc")]
use crate::cpu::xor_block;
use crate::cpu::{Aes, Backend, Block, Cpu, Enc, Kernel, Schedule, equal};
use crate::interface::error::Error;
use crate::interface::tag::Tag;
use crate::memory::blank::{filled, secret};
use crate::pipeline::chain::EdgeKeys;
#[cfg(feature = "alloc")]
use crate::pipeline::chains::{Chains, Comb};
use crate::pipeline::mac_lane::{MacLane, Subkeys, double, finish};

/// The length of the tag in bytes.
const TAG_LEN: usize = 16;

/// AES-CMAC with 16-byte tags: a deterministic MAC, no encryption. Messages of
/// any length, of which SP 800-38B, appendix B, wants at most 2^48 under a key.
// Aligned, and the round keys behind what comes in blocks, so that none is read across two cache lines.
#[repr(C, align(16))]
pub struct Cmac<A: Aes> {
    sub: Subkeys,
    enc: A::Enc,
    cpu: Cpu,
}
secret!(Cmac<A: Aes> { sub, enc, cpu });

impl<A: Aes> Cmac<A> {
    /// Expands `key` for the best tier of this machine.
    pub fn new(key: &A::Key) -> Self {
        Self::expanded(Cpu::detect(), key.as_ref())
    }

    /// Expands `key`, of 16, 24 or 32 bytes as `A` has it, for the tier `cpu`.
    ///
    /// # Errors
    /// [`Error::KeyLength`]; [`Error::TagLength`] if `tag_len` is not 16.
    pub fn build(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Self, Error> {
        if key.len() != A::KEY_LEN {
            return Err(Error::KeyLength);
        }
        if tag_len != TAG_LEN {
            return Err(Error::TagLength);
        }
        Ok(Self::expanded(cpu, key))
    }

    fn expanded(cpu: Cpu, key: &[u8]) -> Self {
        filled(|it: &mut Self| {
            it.cpu = cpu;
            cpu.run(Expand::<A> { key, enc: &mut it.enc, sub: &mut it.sub });
        })
    }

    /// The tag of `message`, 16 bytes.
    pub fn tag(&self, message: &[u8]) -> Tag {
        Tag::new(self.block(message), TAG_LEN)
    }

    /// Whether `tag` is that of `message`, in a time that does not tell how much
    /// of it is right.
    ///
    /// # Errors
    /// [`Error::TagLength`] if it has not 16 bytes; [`Error::Forged`].
    pub fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error> {
        if tag.len() != TAG_LEN {
            return Err(Error::TagLength);
        }
        if equal(&self.block(message), tag) { Ok(()) } else { Err(Error::Forged) }
    }

    /// The tags of many messages, each with its key: side by side on the comb's
    /// lanes. Tag `i` is written to `tags[i]`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if there are not as many tags as messages.
    #[cfg(feature = "alloc")]
    pub fn tag_many(messages: &[(&Self, &[u8])], tags: &mut [Block], comb: &mut Comb) -> Result<(), Error> {
        if messages.len() != tags.len() {
            return Err(Error::BufferLength);
        }
        let Some((first, _)) = messages.first() else { return Ok(()) };
        let cpu = first.cpu;
        if messages.iter().any(|(key, _)| key.cpu != cpu) {
            // Each tier has its own form of round keys.
            for ((key, message), tag) in messages.iter().zip(tags) {
                *tag = key.block(message);
            }
            return Ok(());
        }
        let blocks = |i: usize| messages[i].1.len().saturating_sub(1) / 16;
        let one_key = messages.iter().all(|(key, _)| core::ptr::eq(*key, messages[0].0));
        comb.plan(cpu, one_key, messages.len(), blocks);
        let (groups, lane_keys) = comb.groups();
        for group in groups {
            let of = |i: usize| messages[group[i] as usize];
            let mut chains = Chains::new(cpu, group.len(), |i| &of(i).0.enc);
            for i in 0..group.len() {
                let (key, message) = of(i);
                if message.is_empty() {
                    // One padded block: its padding, whole, under the other subkey.
                    chains.x[i] = xor_block(&key.sub[0], &key.sub[1]);
                }
            }
            chains.cmac(lane_keys, |i| &of(i).0.sub, |i| if of(i).1.is_empty() { &EMPTY } else { of(i).1 });
            for (i, &to) in group.iter().enumerate() {
                tags[to as usize] = chains.x[i];
            }
        }
        Ok(())
    }

    /// The CPU tier that this key works on.
    pub fn cpu(&self) -> Cpu {
        self.cpu
    }

    fn block(&self, message: &[u8]) -> Block {
        self.cpu.run(Mac { keys: &self.enc, sub: &self.sub, message })
    }
}

/// The padding of an empty string.
#[cfg(feature = "alloc")]
pub(crate) static EMPTY: Block = {
    let mut t = [0; 16];
    t[0] = 0x80;
    t
};

struct Expand<'a, A: Aes> {
    key: &'a [u8],
    enc: &'a mut A::Enc,
    sub: &'a mut Subkeys,
}
impl<A: Aes> Kernel for Expand<'_, A> {
    type Out = ();
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        b.expand::<A>(self.key, self.enc);
        *self.sub = subkeys_alone(b.one(), self.enc);
    }
}

/// The subkeys; `omac` becomes the cipher's output for 0, 1, 2.
#[inline(always)]
pub fn subkeys<B: Backend, S: Schedule, const N: usize>(b: B, enc: &S, omac: &mut [Block; N]) -> Subkeys {
    let mut x = [b.zero(); N];
    for i in 0..N {
        x[i] = b.splat(&(i as u128).to_be_bytes());
    }
    b.encrypt(&Enc(enc), &mut x);
    for i in 0..N {
        b.store(&mut omac[i], x[i]);
    }
    let twice = double(u128::from_be_bytes(omac[0]));
    [twice.to_be_bytes(), double(twice).to_be_bytes()]
}

/// The subkeys where L is not kept.
#[inline(always)]
pub fn subkeys_alone<B: Backend, S: Schedule>(b: B, enc: &S) -> Subkeys {
    let mut l = [[0; 16]];
    let sub = subkeys(b, enc, &mut l);
    crate::memory::wipe::Wipe::wipe(&mut l);
    sub
}

/// The CMAC of one message.
pub(crate) struct Mac<'a, S> {
    pub keys: &'a S,
    pub sub: &'a Subkeys,
    pub message: &'a [u8],
}
impl<S: Schedule> Kernel for Mac<'_, S> {
    type Out = Block;
    const ONE_BLOCK: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Block {
        let (b, keys) = (b.one(), Enc(self.keys));
        let edge = EdgeKeys::new(b, &keys, 0);
        let mut lane = MacLane::new(b, &edge, self.sub, b.zero(), self.message);
        finish(b, &keys, &edge, &mut lane);
        let mut tag = [0; 16];
        b.store(&mut tag, lane.x);
        tag
    }
}
