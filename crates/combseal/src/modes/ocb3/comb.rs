//! OCB3 in a batch: the Ktops of up to 16 messages go through the cipher together,
//! where one message would wait for its own; then each message is one pass.

use super::{Ocb3, nonce};
use crate::aead::{self, Error};
use crate::cpu::Aes;
use crate::modes::many::{Group, Many};
use crate::modes::strands::Strands;
use crate::modes::walk::Ring;

impl<A: Aes> Many for Ocb3<A> {
    const TOGETHER: bool = true;

    #[inline(always)]
    fn admits(&self, nonce: &[u8], ad: &[u8], len: usize) -> Result<(), Error> {
        self.check(nonce, ad, len)
    }

    fn group<J>(group: &Group<'_, '_, J, Self>, _open: bool, _: &mut Ring) {
        let (jobs, keys, n) = (group.jobs, group.keys, group.len());
        let mut tops = [0; 16];
        let mut ktops = Strands::new(group.cpu, n, |i| &keys[i].enc);
        for i in 0..n {
            tops[i] = nonce::block(keys[i].named_tag_bits, jobs[i].nonce) & !63;
            ktops.x[i] = tops[i].to_be_bytes();
        }
        ktops.cipher();
        let stretches = ktops.x.map(|ktop| nonce::Stretch::of(u128::from_be_bytes(ktop)));
        let mut cache = aead::Cache::default();
        for (i, stretch) in stretches.into_iter().enumerate().take(n) {
            if i > 0 && !core::ptr::eq(keys[i], keys[i - 1]) {
                cache.ocb3.forget();
            }
            cache.ocb3.set(tops[i], stretch);
            group.one(i, Some(&mut cache));
        }
    }
}
