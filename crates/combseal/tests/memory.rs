//! Memory is searched for what keys were made of: the place where a key was, or where another
//! has taken its place, and every block that goes back to the allocator.
#![cfg(not(miri))]
// The allocator's spy, and places read whose values are gone.
#![allow(unsafe_code)]

mod common;

use aes::cipher::{BlockCipherEncrypt, KeyInit};
use combseal::hazmat::{Cbc, CbcMac, Cfb, Cmac, Comb, Ctr, Message, Ofb};
use combseal::{Aead, Algorithm, Batch, Cpu, Key, NonceCounter, Opener, Sealer};
use combseal::{Aegis128, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4};
use combseal::{Aes128, Aes192, Aes256, Ccm, Eax, Gcm, GcmSiv, Ocb3, Siv};
use combseal::{ChaCha20Poly1305, XChaCha20Poly1305};
use common::{Random, is_model};
use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{LazyLock, Mutex, MutexGuard};

/// The byte at each place from `place` on.
///
/// # Safety
/// `len` bytes from there on are in one allocation.
unsafe fn bytes_at(place: *const u8, len: usize) -> impl Iterator<Item = u8> {
    (0..len).map(move |i| {
        // SAFETY: the caller says so. A byte that nothing was written to is read as whatever
        // stands there, which is what the volatile read is for.
        unsafe { place.add(i).read_volatile() }
    })
}

/// Where the first eight bytes begin that are among the secrets, as a little-endian number.
fn find(bytes: impl Iterator<Item = u8>, is_secret: impl Fn(u64) -> bool) -> Option<usize> {
    let mut window = 0;
    for (i, byte) in bytes.enumerate() {
        window = window >> 8 | u64::from(byte) << 56;
        if i >= 7 && is_secret(window) {
            return Some(i - 7);
        }
    }
    None
}

/// What must not be found: the eight bytes at every multiple of eight of secret blocks, as
/// little-endian numbers in ascending order. Any 16 bytes of a block have eight such in them.
#[derive(Clone, Default)]
struct Secrets(Vec<u64>);

impl Secrets {
    fn add(&mut self, bytes: &[u8]) {
        self.0.extend(bytes.as_chunks().0.iter().map(|piece| u64::from_le_bytes(*piece)));
    }

    /// A block, and its bytes in reverse order.
    fn add_both_ways(&mut self, block: u128) {
        self.add(&block.to_be_bytes());
        self.add(&block.to_le_bytes());
    }

    fn has(&self, piece: u64) -> bool {
        self.0.binary_search(&piece).is_ok()
    }

    /// What can be known of a key: its bytes, the AES round keys, and the cipher's outputs from
    /// which masks and hash keys are made. They are computed on another thread, so that no
    /// value of this one's stack has them.
    fn of(algorithm: Algorithm, bytes: &[u8]) -> Self {
        let bytes = bytes[..algorithm.key_len()].to_vec();
        std::thread::spawn(move || {
            let mut it = Self::default();
            it.add(&bytes);
            let halves = bytes.split_at(bytes.len() / 2);
            match algorithm.name() {
                name if name.starts_with("AEGIS") || name.contains("ChaCha20") => {}
                name if name.ends_with("-SIV") && !name.contains("GCM") => {
                    it.add_aes(halves.0);
                    it.add_aes(halves.1);
                }
                _ => it.add_aes(&bytes),
            }
            it.sorted()
        })
        .join()
        .unwrap()
    }

    /// Round keys, and E(0) times 1, x, x^2 and x^3.
    fn add_aes(&mut self, key: &[u8]) {
        for block in round_keys(key) {
            self.add_both_ways(u128::from_be_bytes(block));
        }
        let mut l = encrypt(key, 0);
        for _ in 0..4 {
            self.add_both_ways(l);
            l = double(l);
        }
    }

    /// What OCB3's cache has besides: Ktop for nonces that `nonce` begins, of 12 bytes with a
    /// tag of 16, and the hash of one block of associated data.
    fn with_ocb3_cache(mut self, key: &[u8], nonce: &[u8; 12], ad: &[u8; 16]) -> Self {
        let (key, nonce, ad) = (key.to_vec(), *nonce, *ad);
        let more = std::thread::spawn(move || {
            let mut it = Self::default();
            let number = nonce.iter().fold(1, |n, &b| n << 8 | u128::from(b));
            it.add_both_ways(encrypt(&key, number & !63));
            let offset = double(double(encrypt(&key, 0)));
            it.add_both_ways(encrypt(&key, u128::from_be_bytes(ad) ^ offset));
            it
        });
        self.0.extend(more.join().unwrap().0);
        self.sorted()
    }

    fn sorted(mut self) -> Self {
        self.0.sort_unstable();
        self
    }
}

/// E(block).
fn encrypt(key: &[u8], block: u128) -> u128 {
    let mut x = block.to_be_bytes().into();
    match key.len() {
        16 => aes::Aes128::new_from_slice(key).unwrap().encrypt_block(&mut x),
        24 => aes::Aes192::new_from_slice(key).unwrap().encrypt_block(&mut x),
        _ => aes::Aes256::new_from_slice(key).unwrap().encrypt_block(&mut x),
    }
    u128::from_be_bytes(x.into())
}

/// `v * x` modulo x^128 + x^7 + x^2 + x + 1, as OCB3 and CMAC have it.
fn double(v: u128) -> u128 {
    v << 1 ^ 0x87 & 0u128.wrapping_sub(v >> 127)
}

/// FIPS 197's S-box.
static SUB: LazyLock<[u8; 256]> = LazyLock::new(|| {
    let times = |mut a: u8, b: u8| {
        (0..8).fold(0, |z, i| {
            let term = a & 0u8.wrapping_sub(b >> i & 1);
            a = a << 1 ^ 0x1b & 0u8.wrapping_sub(a >> 7);
            z ^ term
        })
    };
    core::array::from_fn(|x| {
        let i = (1..=255).find(|&y| times(x as u8, y) == 1).unwrap_or(0);
        i ^ i.rotate_left(1) ^ i.rotate_left(2) ^ i.rotate_left(3) ^ i.rotate_left(4) ^ 0x63
    })
});

/// FIPS 197's key expansion.
fn round_keys(key: &[u8]) -> Vec<[u8; 16]> {
    let mut words: Vec<[u8; 4]> = key.as_chunks().0.to_vec();
    let (n, mut turn) = (words.len(), 1u8);
    for i in n..4 * (n + 7) {
        let [a, b, c, d] = words[i - 1];
        let sub = |x: u8| SUB[usize::from(x)];
        let t = match i % n {
            0 => {
                let t = [sub(b) ^ turn, sub(c), sub(d), sub(a)];
                turn = turn << 1 ^ 0x1b & 0u8.wrapping_sub(turn >> 7);
                t
            }
            4 if n == 8 => [sub(a), sub(b), sub(c), sub(d)],
            _ => [a, b, c, d],
        };
        let before = words[i - n];
        words.push(core::array::from_fn(|j| t[j] ^ before[j]));
    }
    words.as_chunks().0.iter().map(|w: &[[u8; 4]; 4]| w.as_flattened().try_into().unwrap()).collect()
}

/// The tests' allocator: the system's, but that every block is searched before it goes back.
struct Spy;

#[global_allocator]
static SPY: Spy = Spy;

/// Whether blocks are searched.
static ARMED: AtomicBool = AtomicBool::new(false);
/// What for, as in [`Secrets`]; fixed, since the spy must not allocate.
static WANTED: [AtomicU64; 8192] = [const { AtomicU64::new(0) }; 8192];
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// Blocks that were searched, those that had something in them, and the last such one's size
/// and where in it that was.
static SEEN: AtomicUsize = AtomicUsize::new(0);
static FOUND: AtomicUsize = AtomicUsize::new(0);
static LAST: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

// SAFETY: the system's allocator does it all.
unsafe impl GlobalAlloc for Spy {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Zeroed, as what others left there, these tests' own copies of keys too, would be taken
        // for what the library leaves.
        // SAFETY: what the caller promises is what the system's allocator wants.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if ARMED.load(SeqCst) {
            let wanted = &WANTED[..COUNT.load(SeqCst)];
            let secret = |piece| wanted.binary_search_by(|it| it.load(SeqCst).cmp(&piece)).is_ok();
            SEEN.fetch_add(1, SeqCst);
            // SAFETY: the block has that size, and is the caller's until the end of this call.
            if let Some(at) = find(unsafe { bytes_at(block, layout.size()) }, secret) {
                FOUND.fetch_add(1, SeqCst);
                LAST[0].store(layout.size(), SeqCst);
                LAST[1].store(at, SeqCst);
            }
        }
        // SAFETY: as in `alloc`.
        unsafe { System.dealloc(block, layout) }
    }

    // `realloc` is the trait's own, which allocates, copies and gives the old block back, so
    // that a block that moves is seen too.
}

/// While it lives, the blocks that any thread gives back are searched.
struct Armed(#[allow(dead_code)] MutexGuard<'static, ()>);

impl Armed {
    fn new(secrets: &Secrets) -> Self {
        // One test at a time; each has secrets of its own, so that the others' do not matter.
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(|e| e.into_inner());
        for (wanted, &piece) in WANTED.iter().zip(&secrets.0) {
            wanted.store(piece, SeqCst);
        }
        assert!(secrets.0.len() <= WANTED.len());
        COUNT.store(secrets.0.len(), SeqCst);
        SEEN.store(0, SeqCst);
        FOUND.store(0, SeqCst);
        ARMED.store(true, SeqCst);
        Self(turn)
    }

    /// Says what was found; nothing more is looked at.
    fn end(self, faults: &mut Faults, what: &str) {
        ARMED.store(false, SeqCst);
        assert!(SEEN.load(SeqCst) > 0, "{what}: nothing was given back");
        if FOUND.load(SeqCst) > 0 {
            let [size, at] = [&LAST[0], &LAST[1]].map(|it| it.load(SeqCst));
            faults.add("secrets in memory given back", format!("{what}: at {at} of {size} bytes"));
        }
    }
}

impl Drop for Armed {
    fn drop(&mut self) {
        ARMED.store(false, SeqCst);
    }
}

/// What was found wrong, by its kind.
#[derive(Default)]
struct Faults(BTreeMap<&'static str, Vec<String>>);

impl Faults {
    fn add(&mut self, kind: &'static str, what: String) {
        self.0.entry(kind).or_default().push(what);
    }
}

impl Drop for Faults {
    fn drop(&mut self) {
        if self.0.is_empty() || std::thread::panicking() {
            return;
        }
        let mut text = String::new();
        for (kind, all) in &self.0 {
            text += &format!("\n{kind}, {} times:", all.len());
            // The first of each algorithm, as a rule.
            let mut names = Vec::new();
            for what in all {
                let name = what.split(' ').next();
                if !names.contains(&name) {
                    names.push(name);
                    text += &format!("\n    {what}");
                }
            }
        }
        panic!("{text}");
    }
}

/// A place on the heap where one value after the other is, and which can be looked at when
/// there is none.
struct Place<T>(Vec<T>);

impl<T> Place<T> {
    fn new() -> Self {
        let mut it = Vec::with_capacity(1);
        // SAFETY: there is room for one. What was there before must not be taken for the
        // library's, nor be zero by chance.
        unsafe { core::ptr::write_bytes(it.as_mut_ptr(), 0xa5, 1) };
        Self(it)
    }

    fn bytes(&self) -> impl Iterator<Item = u8> {
        // SAFETY: the vector has room for a value, whether there is one or not.
        unsafe { bytes_at(self.0.as_ptr().cast(), size_of::<T>()) }
    }

    /// Puts a value there, does `with` with it, and drops it. Its secrets must be gone then; those
    /// of a value that was there `before` must not come back at any time.
    fn take_turn(
        &mut self,
        value: T,
        secrets: &Secrets,
        before: Option<&Secrets>,
        faults: &mut Faults,
        what: &dyn Fn() -> String,
        with: impl FnMut(&mut T),
    ) {
        self.0.push(value);
        let mut stale = |at: &'static str| {
            if let Some(place) = before.and_then(|it| find(self.bytes(), |piece| it.has(piece))) {
                faults.add(at, format!("{}: at {place} of {} bytes", what(), size_of::<T>()));
            }
        };
        stale("another key's secrets in a new one");
        self.0.iter_mut().for_each(with);
        self.0.clear();
        if let Some(place) = find(self.bytes(), |piece| secrets.has(piece)) {
            faults.add("secrets behind a dropped value", format!("{}: at {place} of {}", what(), size_of::<T>()));
        }
        if let Some(place) = before.and_then(|it| find(self.bytes(), |piece| it.has(piece))) {
            faults.add("another key's secrets behind a dropped one", format!("{}: at {place}", what()));
        }
    }

    /// Whether nothing but zeros is behind a dropped value.
    fn is_zero(&self, faults: &mut Faults, what: &dyn Fn() -> String) {
        let left = self.bytes().filter(|&b| b != 0).count();
        if left > 0 {
            let first = self.bytes().position(|b| b != 0).unwrap_or(0);
            faults.add(
                "not all zero behind a dropped value",
                format!("{}: {left} of {} bytes, the first at {first}", what(), size_of::<T>()),
            );
        }
    }
}

fn real_tiers() -> Vec<Cpu> {
    Cpu::all().filter(|&cpu| !is_model(cpu)).collect()
}

type Build = fn(Cpu, Algorithm, &[u8]) -> Key;

/// A key from a call, by way of that call's result.
#[inline(never)]
fn apart(cpu: Cpu, algorithm: Algorithm, bytes: &[u8]) -> Key {
    common::key(cpu, algorithm, bytes)
}

/// A key made where it is wanted.
#[inline(always)]
fn here(cpu: Cpu, algorithm: Algorithm, bytes: &[u8]) -> Key {
    Key::build(cpu, algorithm, &bytes[..algorithm.key_len()], algorithm.tag_lens()[0]).unwrap()
}

/// Seals a message and opens it.
fn used<K: Aead>(key: &K) {
    let (nonce, mut buf) = ([0x5a; 64], [0x3c; 150]);
    let nonce = &nonce[..key.nonce_len()];
    let tag = key.seal_in_place(nonce, b"associated data", &mut buf).unwrap();
    key.open_in_place(nonce, b"associated data", &mut buf, tag.as_bytes()).unwrap();
}

/// The tests' own arithmetic: FIPS 197, A.1 and A.3.
#[test]
fn expansion() {
    let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
    assert_eq!(round_keys(&key)[10], 0xd014_f9a8_c9ee_2589_e13f_0cc8_b663_0ca6_u128.to_be_bytes());
    let key: Vec<u8> = [0x603d_eb10_15ca_71be_2b73_aef0_857d_7781_u128, 0x1f35_2c07_3b61_08d7_2d98_10a3_0914_dff4]
        .iter()
        .flat_map(|half| half.to_be_bytes())
        .collect();
    assert_eq!(round_keys(&key)[14], 0xfe48_90d1_e618_8d0b_046d_f344_706c_631e_u128.to_be_bytes());
    assert_eq!([16, 24, 32].map(|n| round_keys(&[0; 32][..n]).len()), [11, 13, 15]);
}

/// The spy sees a block that is dropped and one that moves, and the search finds a key that
/// is there.
#[test]
fn the_spy_sees() {
    let mut random = Random::new(101);
    let bytes = random.bytes(64);
    for &algorithm in Algorithm::ALL {
        let secrets = Secrets::of(algorithm, &bytes);
        let mut place = Place::new();
        place.0.push(apart(Cpu::detect(), algorithm, &bytes));
        assert!(find(place.bytes(), |piece| secrets.has(piece)).is_some(), "{algorithm}");
    }
    let secrets = Secrets::of(Algorithm::Ocb3Aes128, &bytes);
    for moves in [false, true] {
        let mut faults = Faults::default();
        let armed = Armed::new(&secrets);
        let mut copy = Vec::with_capacity(40);
        copy.extend_from_slice(&bytes[..16]);
        if moves {
            copy.reserve(1000);
            copy.fill(0);
        }
        drop(copy);
        armed.end(&mut faults, "a copy");
        assert_eq!(core::mem::take(&mut faults.0).len(), 1);
    }
}

/// Nothing of a key is left where it was.
#[test]
fn dropped_keys() {
    let mut random = Random::new(102);
    let mut faults = Faults::default();
    for &algorithm in Algorithm::ALL {
        let bytes = random.bytes(64);
        let secrets = Secrets::of(algorithm, &bytes);
        for cpu in Cpu::all() {
            let what = || format!("{algorithm} on {cpu:?}");
            for build in [apart, here] {
                let mut place = Place::new();
                place.take_turn(build(cpu, algorithm, &bytes), &secrets, None, &mut faults, &what, |key| used(key));
            }
            let armed = Armed::new(&secrets);
            let key = Box::new(here(cpu, algorithm, &bytes));
            used(&*key);
            drop(key);
            armed.end(&mut faults, &what());
        }
    }
}

/// All bytes of a key are zero where it was, those between its fields too.
#[test]
fn dropped_keys_are_zero() {
    let mut random = Random::new(103);
    let mut faults = Faults::default();
    for &algorithm in Algorithm::ALL {
        let bytes = random.bytes(64);
        for cpu in Cpu::all() {
            for build in [apart, here] {
                let mut place = Place::new();
                place.0.push(build(cpu, algorithm, &bytes));
                place.0.iter().for_each(used);
                place.0.clear();
                place.is_zero(&mut faults, &|| format!("{algorithm} on {cpu:?}"));
            }
        }
    }
}

/// A key that takes another's place has nothing of it, where its scheme needs fewer bytes
/// either: for every pair of schemes.
#[test]
fn one_key_after_another() {
    let mut random = Random::new(104);
    let mut faults = Faults::default();
    // Each scheme's two keys, and their secrets.
    let mut two_keys = |algorithm| {
        let bytes = [random.bytes(64), random.bytes(64)];
        (algorithm, bytes.map(|it| (it.clone(), Secrets::of(algorithm, &it))))
    };
    let all: Vec<_> = Algorithm::ALL.iter().map(|&algorithm| two_keys(algorithm)).collect();
    for cpu in real_tiers() {
        for (i, (first, [(one, before), _])) in all.iter().enumerate() {
            // All pairs on the best tier, some on the others.
            if cpu != Cpu::detect() && i % 4 != 0 {
                continue;
            }
            for (second, [_, (two, secrets)]) in &all {
                let what = || format!("{second} after {first} on {cpu:?}");
                let ways: [[Build; 2]; 3] = [[apart, here], [here, apart], [apart, apart]];
                for [build, build_next] in ways {
                    let mut place = Place::new();
                    place.take_turn(build(cpu, *first, one), before, None, &mut faults, &what, |key| used(key));
                    let next = build_next(cpu, *second, two);
                    place.take_turn(next, secrets, Some(before), &mut faults, &what, |key| used(key));
                }
            }
        }
    }
}

/// A key of a type of its own.
fn typed<K>(faults: &mut Faults, random: &mut Random, algorithm: Algorithm, build: impl Fn(Cpu, &[u8]) -> K) {
    let bytes = random.bytes(algorithm.key_len());
    let secrets = Secrets::of(algorithm, &bytes);
    for cpu in real_tiers() {
        let what = || format!("{} on {cpu:?}", core::any::type_name::<K>());
        Place::new().take_turn(build(cpu, &bytes), &secrets, None, faults, &what, |_| {});
        let armed = Armed::new(&secrets);
        drop(Box::new(build(cpu, &bytes)));
        armed.end(faults, &what());
    }
}

/// All bytes of such a key.
fn typed_is_zero<K>(faults: &mut Faults, random: &mut Random, algorithm: Algorithm, build: impl Fn(Cpu, &[u8]) -> K) {
    let bytes = random.bytes(algorithm.key_len());
    for cpu in real_tiers() {
        let mut place = Place::new();
        place.0.push(build(cpu, &bytes));
        place.0.clear();
        place.is_zero(faults, &|| format!("{} on {cpu:?}", core::any::type_name::<K>()));
    }
}

/// `typed` or `typed_is_zero` with every type of key; those under `hazmat` have the same secrets
/// as AES-CCM's.
macro_rules! all_types {
    ($typed:ident, $random:expr) => {
        let (mut random, mut faults) = ($random, Faults::default());
        all_types! { $typed, random, faults, [16],
            Ocb3Aes128 Ocb3<Aes128>, Ocb3Aes192 Ocb3<Aes192>, Ocb3Aes256 Ocb3<Aes256>,
            GcmAes128 Gcm<Aes128>, GcmAes192 Gcm<Aes192>, GcmAes256 Gcm<Aes256>,
            GcmSivAes128 GcmSiv<Aes128>, GcmSivAes256 GcmSiv<Aes256>,
            CcmAes128 Ccm<Aes128>, CcmAes192 Ccm<Aes192>, CcmAes256 Ccm<Aes256>,
            EaxAes128 Eax<Aes128>, EaxAes192 Eax<Aes192>, EaxAes256 Eax<Aes256>,
            SivAes128 Siv<Aes128>, SivAes192 Siv<Aes192>, SivAes256 Siv<Aes256>,
            Aegis128 Aegis128, Aegis128L Aegis128L, Aegis128X2 Aegis128X2, Aegis128X4 Aegis128X4,
            Aegis256 Aegis256, Aegis256X2 Aegis256X2, Aegis256X4 Aegis256X4,
            ChaCha20Poly1305 ChaCha20Poly1305, XChaCha20Poly1305 XChaCha20Poly1305,
            CcmAes128 Cmac<Aes128>, CcmAes256 Cmac<Aes256>
        }
        all_types! { $typed, random, faults, [],
            CcmAes128 Cbc<Aes128>, CcmAes256 Cbc<Aes256>, CcmAes128 Cfb<Aes128>,
            CcmAes128 Ofb<Aes128>, CcmAes128 Ctr<Aes128>, CcmAes128 CbcMac<Aes128>
        }
    };
    ($typed:ident, $random:ident, $faults:ident, $tag:tt, $($algorithm:ident $key:ty),*) => {
        $($typed(&mut $faults, &mut $random, Algorithm::$algorithm, |cpu, bytes| {
            all_types!(@build $key, cpu, bytes, $tag).unwrap()
        });)*
    };
    (@build $key:ty, $cpu:ident, $bytes:ident, [16]) => { <$key>::build($cpu, $bytes, 16) };
    (@build $key:ty, $cpu:ident, $bytes:ident, []) => { <$key>::build($cpu, $bytes) };
}

/// As for [`Key`], for each scheme's own type.
#[test]
fn dropped_typed_keys() {
    all_types!(typed, Random::new(105));
}

/// The same.
#[test]
fn dropped_typed_keys_are_zero() {
    all_types!(typed_is_zero, Random::new(106));
}

/// What senders and receivers keep between messages, OCB3's Ktop and hash among it, is gone
/// with them.
#[test]
fn sealers_and_openers() {
    let mut random = Random::new(107);
    let mut faults = Faults::default();
    for &algorithm in Algorithm::ALL {
        let bytes = random.bytes(64);
        let ad: [u8; 16] = random.bytes(16).try_into().unwrap();
        let mut secrets = Secrets::of(algorithm, &bytes);
        let ocb3 = algorithm.name().starts_with("OCB3");
        if ocb3 {
            secrets = secrets.with_ocb3_cache(&bytes[..algorithm.key_len()], b"us->\0\0\0\0\0\0\0\0", &ad);
        }
        for cpu in real_tiers() {
            let prefix = &b"us->, and some more bytes of prefix"[..algorithm.nonce_len() - 8];
            let sealer = || Sealer::new(here(cpu, algorithm, &bytes), NonceCounter::new(prefix).unwrap()).unwrap();
            let opener = || Opener::new(here(cpu, algorithm, &bytes));
            let mut sent = Vec::new();
            let mut seal = |sealer: &mut Sealer<Key>| {
                for _ in 0..3 {
                    let mut buf = [7; 40];
                    let (nonce, tag) = sealer.seal_in_place(&ad, &mut buf).unwrap();
                    sent.push((nonce, buf, tag));
                }
            };
            let mut place = Place::new();
            let what = || format!("{algorithm}'s Sealer on {cpu:?}");
            place.take_turn(sealer(), &secrets, None, &mut faults, &what, &mut seal);
            place.is_zero(&mut faults, &what);
            let armed = Armed::new(&secrets);
            let mut boxed = Box::new(sealer());
            seal(&mut boxed);
            drop(boxed);
            armed.end(&mut faults, &what());

            let open = |opener: &mut Opener<Key>| {
                for (nonce, mut buf, tag) in sent.iter().copied() {
                    opener.open_in_place(&nonce, &ad, &mut buf, tag.as_bytes()).unwrap();
                }
            };
            let what = || format!("{algorithm}'s Opener on {cpu:?}");
            let mut place = Place::new();
            place.take_turn(opener(), &secrets, None, &mut faults, &what, open);
            place.is_zero(&mut faults, &what);
            let armed = Armed::new(&secrets);
            let mut boxed = Box::new(opener());
            open(&mut boxed);
            // What is looked for is there, until it is dropped.
            let kept = find(
                // SAFETY: the box has that size.
                unsafe { bytes_at((&raw const *boxed).cast(), size_of_val(&*boxed)) },
                |piece| secrets.has(piece),
            );
            drop(boxed);
            armed.end(&mut faults, &what());
            assert!(kept.is_some(), "{}", what());
        }
    }
}

/// Keys of one scheme for the messages of a batch, and the secrets of them all.
fn keys(random: &mut Random, cpu: Cpu, algorithm: Algorithm, count: usize) -> (Vec<Key>, Vec<Vec<u8>>, Secrets) {
    let bytes: Vec<Vec<u8>> = (0..count).map(|_| random.bytes(64)).collect();
    let mut secrets = Secrets::default();
    for bytes in &bytes {
        secrets.0.extend(Secrets::of(algorithm, bytes).0);
    }
    (bytes.iter().map(|it| here(cpu, algorithm, it)).collect(), bytes, secrets.sorted())
}

/// Messages, a nonce and a tag each.
struct Messages {
    bufs: Vec<Vec<u8>>,
    nonces: Vec<[u8; 16]>,
    tags: Vec<[u8; 16]>,
}

impl Messages {
    fn new(count: usize) -> Self {
        let bufs = (0..count).map(|i| vec![i as u8; 16 * (i % 7) + 5]).collect();
        Self { bufs, nonces: (0..count).map(|i| [i as u8; 16]).collect(), tags: vec![[0; 16]; count] }
    }

    fn seal<'a>(&'a mut self, batch: &mut Batch<'a>, keys: &'a [Key]) {
        for (i, ((buf, nonce), tag)) in self.bufs.iter_mut().zip(&self.nonces).zip(&mut self.tags).enumerate() {
            let key = &keys[i % keys.len()];
            batch.seal(key, &nonce[..key.nonce_len()], b"header", buf, tag);
        }
    }
}

/// The schemes whose messages go side by side, for which a batch has round keys in its memory.
fn serial() -> impl Iterator<Item = Algorithm> {
    Algorithm::ALL.iter().copied().filter(|a| {
        let name = a.name();
        name.ends_with("-CCM") || name.ends_with("-EAX") || name.ends_with("-SIV") && !name.contains("GCM")
    })
}

/// The round keys of messages side by side are gone with the batch, one that is used again too.
#[test]
fn batches() {
    let mut random = Random::new(108);
    let mut faults = Faults::default();
    for algorithm in serial() {
        for cpu in real_tiers() {
            let (keys, _bytes, secrets) = keys(&mut random, cpu, algorithm, 16);
            let mut messages = [Messages::new(16), Messages::new(50)];
            let armed = Armed::new(&secrets);
            let mut done = Batch::new().run();
            for some in &mut messages {
                let mut batch = done.reuse();
                some.seal(&mut batch, &keys);
                done = batch.run();
                done.all().unwrap();
            }
            drop(done);
            armed.end(&mut faults, &format!("{algorithm} on {cpu:?}"));
        }
    }
}

/// The same for the threads' memories, when there are more of them or fewer than before.
#[cfg(feature = "rayon")]
#[test]
fn batches_on_threads() {
    let mut random = Random::new(109);
    let mut faults = Faults::default();
    let pools = [1, 4, 9, 2].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    for algorithm in serial() {
        for cpu in real_tiers() {
            let (keys, _bytes, secrets) = keys(&mut random, cpu, algorithm, 16);
            let mut messages = pools.each_ref().map(|_| Messages::new(48));
            let armed = Armed::new(&secrets);
            let mut done = Batch::new().run();
            for (some, pool) in messages.iter_mut().zip(&pools) {
                let mut batch = done.reuse();
                some.seal(&mut batch, &keys);
                done = pool.install(|| batch.run_parallel());
                done.all().unwrap();
            }
            drop(done);
            armed.end(&mut faults, &format!("{algorithm} on {cpu:?}"));
        }
    }
}

/// The same for the comb's memory under `hazmat`.
#[test]
fn combs() {
    let mut random = Random::new(110);
    let mut faults = Faults::default();
    for cpu in real_tiers() {
        let bytes: Vec<Vec<u8>> = (0..16).map(|_| random.bytes(16)).collect();
        let keys: Vec<_> = bytes.iter().map(|it| Ofb::<Aes128>::build(cpu, it).unwrap()).collect();
        let mut secrets = Secrets::default();
        bytes.iter().for_each(|it| secrets.0.extend(Secrets::of(Algorithm::CcmAes128, it).0));
        let secrets = secrets.sorted();
        let mut bufs: Vec<Vec<u8>> = (0..16).map(|i| vec![7; 20 * i]).collect();
        let mut messages: Vec<_> =
            keys.iter().zip(&mut bufs).map(|(key, buf)| Message::new(key, &[3; 16], buf)).collect();
        let armed = Armed::new(&secrets);
        let mut comb = Comb::new();
        Ofb::apply_many(&mut messages, &mut comb);
        drop(comb);
        armed.end(&mut faults, &format!("OFB on {cpu:?}"));
    }
}
