//! The modes that are no schemes of authenticated encryption, as timed loops over whole batches.

use super::arena::Arena;
use super::turns::Turns;
use super::way::Way;
use crate::measure::{Bench, Work};
use combseal::Aes128;
use combseal::hazmat::{Cmac, Comb, Message};
use std::hint::black_box;

/// CBC, CFB or OFB.
pub(super) struct Plain<K> {
    pub(super) keys: Turns<K>,
    pub(super) arena: Arena,
    pub(super) comb: Comb,
    pub(super) way: Way,
    pub(super) one: fn(&K, &[u8; 16], &mut [u8]),
    pub(super) many: fn(&mut [Message<'_, K>], &mut Comb),
}

impl<K> Work for Plain<K> {
    fn run(&mut self, _: &mut Bench, batches: u64) {
        let Self { keys, arena, comb, way, one, many } = self;
        let iv = black_box([9; 16]);
        for _ in 0..batches {
            if *way == Way::Single {
                for (buf, key) in arena.each().zip(keys.take()) {
                    one(key, &iv, buf);
                }
            } else {
                let messages = arena.each().zip(keys.take()).map(|(buf, key)| Message::new(key, &iv, buf));
                many(&mut messages.collect::<Vec<_>>(), comb);
            }
        }
    }
}

/// ECB or CTR, which have no lanes: together is one after the other.
pub(super) struct Parallel<K> {
    pub(super) keys: Turns<K>,
    pub(super) arena: Arena,
    pub(super) one: fn(&K, &mut [u8]),
}

impl<K> Work for Parallel<K> {
    fn run(&mut self, _: &mut Bench, batches: u64) {
        let Self { keys, arena, one } = self;
        for _ in 0..batches {
            for (buf, key) in arena.each().zip(keys.take()) {
                one(key, buf);
            }
        }
    }
}

/// CMAC.
pub(super) struct Macs {
    pub(super) keys: Turns<Cmac<Aes128>>,
    pub(super) arena: Arena,
    pub(super) comb: Comb,
    pub(super) way: Way,
    pub(super) tags: Vec<[u8; 16]>,
}

impl Work for Macs {
    fn run(&mut self, _: &mut Bench, batches: u64) {
        let Self { keys, arena, comb, way, tags } = self;
        for _ in 0..batches {
            if *way == Way::Single {
                for ((buf, tag), key) in arena.each().zip(tags.iter_mut()).zip(keys.take()) {
                    tag.copy_from_slice(key.tag(buf).as_bytes());
                }
            } else {
                let messages = arena.each().zip(keys.take()).map(|(buf, key)| (key, &*buf));
                Cmac::tag_many(&messages.collect::<Vec<_>>(), tags, comb).expect("a tag a message");
            }
            black_box(&mut *tags);
        }
    }
}
