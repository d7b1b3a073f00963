//! Serial schemes: a message by itself, and up to 16 side by side, by the same code.
//!
//! A scheme says how a message begins, how its whole blocks go, and how it ends ([`Serial`]);
//! between these a message is a few blocks of state. By itself, a message is all of it in one
//! run. Of messages side by side, whole blocks go on lanes, those of associated data too.
//! Beginnings and ends, a few calls of the cipher each that wait for one another, are written
//! for `M` messages together, each in a register of one block and under its own key: [`SIDE`] at a
//! time on lanes, one of a message by itself. (Left to the CPU, no more than two or three overlap,
//! as far as it looks ahead.)

use crate::archived::{Job, Tail, Work};
use crate::xex::One;
use combseal::Cpu;
use combseal::cpu::{Backend, Block, Kernel, Keys, ReturnedBlock};
use combseal::internals::lanes::{Blocks, Lanes};
use combseal::internals::lockstep::LaneKeys;
use combseal::internals::plan::MAX_LANES;
use combseal::internals::{InOut, Wipe};

/// What is known of a message between its blocks: [`Serial::STATE`] blocks, and others that
/// nobody looks at.
pub type State<V> = [V; 4];

/// The states of messages side by side, those of the first block, of the second, and so on.
pub type States = [[Block; MAX_LANES]; 4];

/// Messages whose beginnings and ends are done together, where [`Serial::TOGETHER`] says so.
const SIDE: usize = 4;

/// What goes on lanes: associated data.
pub const AD: u8 = 0;
/// A message to be sealed.
pub const SEAL: u8 = 1;
/// A message to be opened.
pub const OPEN: u8 = 2;

/// The key of a serial scheme. What has a backend must be `#[inline(always)]`.
pub trait Serial: Sized {
    /// Blocks in a state.
    const STATE: usize;

    /// Bytes in a tail.
    const TAIL: usize = 16;

    /// Whether beginnings and ends are done for several messages together: where several calls of
    /// the cipher wait for one another. Of fewer calls the CPU overlaps one message's with the
    /// next one's by itself, and the shorter code is the faster.
    const TOGETHER: bool = false;

    /// The tier that the key was expanded for.
    fn cpu(&self) -> Cpu;

    /// Before the associated data, of `M` messages. A scheme where that is parallel leaves this and
    /// the next two as they are here, and does all in [`ready`](Self::ready).
    #[inline(always)]
    fn start<B: Backend, const M: usize>(b: B, _: [&Self; M], _: [Header<'_>; M]) -> [State<One<B>>; M] {
        [[b.one().zero(); 4]; M]
    }

    /// The whole blocks of the associated data that [`absorb`](Self::absorb) takes.
    fn middle(_ad: &[u8]) -> &[u8] {
        &[]
    }

    /// Associated data that is whole blocks, at least one.
    #[inline(always)]
    fn absorb<B: Backend>(&self, _: B, state: State<One<B>>, _blocks: &[u8]) -> State<One<B>> {
        state
    }

    /// What is left of the associated data, and what else is done before the first block of
    /// messages that are to be sealed or opened.
    fn ready<B: Backend, const M: usize>(
        b: B,
        keys: [&Self; M],
        states: [State<One<B>>; M],
        open: bool,
        it: [Header<'_>; M],
    ) -> [State<One<B>>; M];

    /// Whole blocks of the message, at least one.
    fn blocks<B: Backend, const OPEN: bool>(&self, b: B, state: State<One<B>>, io: InOut<'_>) -> State<One<B>>;

    /// Seals the last blocks of `M` messages, of 1 to 16 bytes, or none where a message is empty;
    /// gives the tails.
    fn seal_ends<B: Backend<One = B>, const M: usize>(
        b: B,
        keys: [&Self; M],
        states: [State<B::V>; M],
        last: &mut [InOut<'_>; M],
    ) -> [B::V; M];

    /// Opens the last blocks; says which messages are authentic.
    fn open_ends<B: Backend<One = B>, const M: usize>(
        b: B,
        keys: [&Self; M],
        states: [State<B::V>; M],
        last: &mut [InOut<'_>; M],
        tails: [&[u8]; M],
    ) -> [bool; M];

    /// Whole blocks on lanes, of the kind `KIND`: [`AD`], [`SEAL`] or [`OPEN`]. No message has
    /// more of them than the one before it.
    fn walk<const KIND: u8>(keys: &[&Self], lane_keys: &mut LaneKeys, lanes: &mut Lanes<'_>, states: &mut States);
}

/// What a message begins with.
#[derive(Clone, Copy)]
pub struct Header<'a> {
    pub nonce: &'a [u8],
    pub ad: &'a [u8],
    /// Bytes in the message.
    pub len: usize,
}

/// Bytes in all blocks of a message but its last, which is treated apart even if it is whole.
#[inline(always)]
fn before_last(len: usize) -> usize {
    len.saturating_sub(1) & !15
}

/// Seals a message by itself.
#[inline(always)]
pub fn seal<T: Serial>(key: &T, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
    let sealed = key.cpu().run(Seal(Message { key, nonce, ad, io }));
    tail.copy_from_slice(&sealed.block()[..T::TAIL]);
}

/// Opens a message by itself; says whether it is authentic.
#[inline(always)]
pub fn open<T: Serial>(key: &T, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
    key.cpu().run(Open(Message { key, nonce, ad, io }, tail))
}

/// One message.
struct Message<'a, T> {
    key: &'a T,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
}

impl<'a, T: Serial> Message<'a, T> {
    /// Up to its last block.
    #[inline(always)]
    fn up_to_last<B: Backend, const OPEN: bool>(self, b: B) -> (State<One<B>>, InOut<'a>) {
        let Self { key, nonce, ad, mut io } = self;
        let header = [Header { nonce, ad, len: io.len() }];
        let [mut state] = T::start(b, [key], header);
        let middle = T::middle(ad);
        if !middle.is_empty() {
            state = key.absorb(b, state, middle);
        }
        [state] = T::ready(b, [key], [state], OPEN, header);
        let whole = io.cut(before_last(io.len()));
        if !whole.is_empty() {
            state = key.blocks::<B, OPEN>(b, state, whole);
        }
        (state, io)
    }
}

struct Seal<'a, T>(Message<'a, T>);
impl<T: Serial> Kernel for Seal<'_, T> {
    type Out = ReturnedBlock;
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let (key, one) = (self.0.key, b.one());
        let (state, last) = self.0.up_to_last::<B, false>(b);
        let [tail] = T::seal_ends(one, [key], [state], &mut [last]);
        one.returned(tail)
    }
}

struct Open<'a, T>(Message<'a, T>, &'a [u8]);
impl<T: Serial> Kernel for Open<'_, T> {
    type Out = bool;
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let Self(message, tail) = self;
        let key = message.key;
        let (state, last) = message.up_to_last::<B, true>(b);
        let [right] = T::open_ends(b.one(), [key], [state], &mut [last], [tail]);
        right
    }
}

/// [`group`] of keys that are within others.
pub fn group_of<K, T: Serial>(
    works: &[Work<'_, '_, K>],
    within: impl Fn(&K) -> &T,
    open: bool,
    lane_keys: &mut LaneKeys,
) {
    let mut works_within = [Work { key: within(works[0].key), job: works[0].job }; MAX_LANES];
    for i in 1..works.len().min(MAX_LANES) {
        works_within[i] = Work { key: within(works[i].key), job: works[i].job };
    }
    group(&works_within[..works.len()], open, lane_keys);
}

/// Does 1 to 16 messages side by side, all to be sealed or all to be opened, none with more
/// blocks than the one before it.
pub fn group<T: Serial>(works: &[Work<'_, '_, T>], open: bool, lane_keys: &mut LaneKeys) {
    let cpu = works[0].key.cpu();
    let mut states = [[[0; 16]; MAX_LANES]; 4];
    if works.iter().any(|it| !T::middle(it.job.ad).is_empty()) {
        cpu.run(Begin { works, part: Part::Start, open, states: &mut states });
        absorb_all(works, lane_keys, &mut states);
        cpu.run(Begin { works, part: Part::Ready, open, states: &mut states });
    } else {
        cpu.run(Begin { works, part: Part::Both, open, states: &mut states });
    }
    let keys = keys(works);
    let mut io: [InOut<'_>; MAX_LANES] = std::array::from_fn(|_| InOut::in_place(&mut []));
    for i in 0..works.len().min(MAX_LANES) {
        io[i] = works[i].job.take();
    }
    let mut each = io.iter_mut();
    let mut lanes = Lanes::of(works.len(), |_| match each.next() {
        Some(io) => {
            let whole = before_last(io.len());
            Blocks::write(io.reborrow().cut(whole))
        }
        None => unreachable!("there are as many as lanes"),
    });
    if open {
        T::walk::<OPEN>(&keys[..works.len()], lane_keys, &mut lanes, &mut states);
        cpu.run(Ends::<_, true> { works, states: &states, io: &mut io });
    } else {
        T::walk::<SEAL>(&keys[..works.len()], lane_keys, &mut lanes, &mut states);
        cpu.run(Ends::<_, false> { works, states: &states, io: &mut io });
    }
}

/// The keys of 1 to 16 messages, and the first again.
#[inline(always)]
fn keys<'k, T>(works: &[Work<'k, '_, T>]) -> [&'k T; MAX_LANES] {
    let mut keys = [works[0].key; MAX_LANES];
    for i in 1..works.len().min(MAX_LANES) {
        keys[i] = works[i].key;
    }
    keys
}

/// Associated data on lanes, the longest first, in which order it need not come.
#[cold]
fn absorb_all<T: Serial>(works: &[Work<'_, '_, T>], lane_keys: &mut LaneKeys, states: &mut States) {
    let n = works.len();
    let middle = |i: usize| T::middle(works[i].job.ad);
    let mut order: [usize; MAX_LANES] = std::array::from_fn(|i| i);
    order[..n].sort_by_key(|&i| std::cmp::Reverse(middle(i).len()));
    let mut sorted = states.map(|it| order.map(|i| it[i]));
    let keys = order.map(|i| works.get(i).unwrap_or(&works[0]).key);
    let mut lanes = Lanes::of(n, |i| Blocks::read(middle(order[i])));
    T::walk::<AD>(&keys[..n], lane_keys, &mut lanes, &mut sorted);
    for (to, from) in states.iter_mut().zip(&sorted) {
        for i in 0..n {
            to[order[i]] = from[i];
        }
    }
    // A message without associated data may still be where the key put it.
    sorted.iter_mut().for_each(Wipe::wipe);
}

/// The registers of lanes behind a call of the cipher. Where they hold four blocks, the compiler
/// may not put one of them through several calls before the next: the CPU does not look far
/// enough ahead to overlap these. (Narrower ones are kept in step by [`Keys::IN_STEP`].)
///
/// [`Keys::IN_STEP`]: combseal::cpu::Keys::IN_STEP
#[inline(always)]
pub fn together<B: Backend, const N: usize>(b: B, mut x: [B::V; N]) -> [B::V; N] {
    for j in 0..N {
        x[j] = b.hold(x[j]);
    }
    x
}

/// Registers of one block, each under a key of its own.
pub struct Each<'a, const M: usize>(pub [&'a [Block; 11]; M]);
impl<B: Backend, const M: usize> Keys<B> for Each<'_, M> {
    const ROUNDS: usize = 10;
    const SHARED: bool = M == 1;
    const IN_STEP: bool = M > 1;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        b.splat(&self.0[j][r])
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        false
    }
}

/// `x` where `wanted`, else `y`: without a branch, since which of several messages side by side
/// end where is not to be guessed.
#[inline(always)]
pub fn either<B: Backend<One = B>>(b: B, wanted: bool, x: B::V, y: B::V) -> B::V {
    static MASKS: [Block; 2] = [[0; 16], [0xff; 16]];
    b.xor(y, b.and(b.xor(x, y), b.load(&MASKS[usize::from(wanted)])))
}

/// A message's last block, of 1 to 16 bytes. A whole one goes by an instruction of its own:
/// what was stored through a mask, a load would wait for until it has reached the cache.
#[inline(always)]
pub fn load_last<B: Backend<One = B>>(b: B, last: &InOut<'_>) -> B::V {
    if last.len() == 16 { last.load(b, 0) } else { last.load_part(b) }
}

/// Writes it.
#[inline(always)]
pub fn store_last<B: Backend<One = B>>(b: B, last: &mut InOut<'_>, v: B::V) {
    if last.len() == 16 {
        last.store(b, 0, v);
    } else {
        last.store_part(b, v);
    }
}

/// Bytes of blocks, moved: those from `n` on are the first.
const PLACES: [u8; 32] = {
    let mut places = [0; 32];
    let mut i = 0;
    while i < 32 {
        places[i] = i as u8 % 16;
        i += 1;
    }
    places
};

/// The last `n` bytes of `x`, from 0 to 16, and the others behind them.
#[inline(always)]
pub fn behind<B: Backend>(b: B, x: B::V, n: usize) -> B::V {
    match PLACES[(16 - n) % 16..].first_chunk() {
        Some(places) => b.permute(x, places),
        None => x,
    }
}

/// The first `n` bytes of `x`, from 0 to 16, and the first ones of `y` behind them.
#[inline(always)]
pub fn filled_up<B: Backend>(b: B, x: B::V, y: B::V, n: usize) -> B::V {
    let y = behind(b, y, n);
    b.xor(y, b.keep(b.xor(x, y), n))
}

/// The tail of a message whose last block has `n` bytes, from 0 to 16: those bytes of `c` that
/// are not the message's, and as many of `t` as make 16.
#[inline(always)]
pub fn tail<B: Backend>(b: B, c: B::V, t: B::V, n: usize) -> B::V {
    filled_up(b, behind(b, c, 16 - n), t, 16 - n)
}

/// The state of message `i`.
#[inline(always)]
fn load<T: Serial, B: Backend<One = B>>(b: B, states: &States, i: usize) -> State<B::V> {
    let mut state = [b.zero(); 4];
    for k in 0..T::STATE {
        state[k] = b.load(&states[k][i]);
    }
    state
}

#[inline(always)]
fn store<T: Serial, B: Backend<One = B>>(b: B, states: &mut States, i: usize, state: State<B::V>) {
    for k in 0..T::STATE {
        b.store(&mut states[k][i], state[k]);
    }
}

/// What of a message's beginning is done: what is before its associated data's whole blocks,
/// what is behind them, or both, as there are none.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Start,
    Ready,
    Both,
}

/// The beginnings of messages.
struct Begin<'g, 'j, 'a, T> {
    works: &'g [Work<'j, 'a, T>],
    part: Part,
    open: bool,
    states: &'g mut States,
}
impl<T: Serial> Kernel for Begin<'_, '_, '_, T> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { works, part, open, states } = self;
        let (together, rest) = works.split_at(if T::TOGETHER { works.len() / SIDE * SIDE } else { 0 });
        let mut at = 0;
        for works in together.as_chunks::<SIDE>().0 {
            begin(b, works, part, open, states, at);
            at += SIDE;
        }
        // In registers, not in arrays, which the compiler would keep in memory.
        for work in rest {
            let (key, header) = ([work.key], [header(work)]);
            let mut state =
                if part == Part::Ready { [load::<T, _>(b.one(), states, at)] } else { T::start(b, key, header) };
            if part != Part::Start {
                state = T::ready(b, key, state, open, header);
            }
            let [state] = state;
            store::<T, _>(b.one(), states, at, state);
            at += 1;
        }
    }
}

/// The beginnings of `M` messages, of which the first is the group's message `at`.
#[inline(always)]
fn begin<T: Serial, B: Backend, const M: usize>(
    b: B,
    works: &[Work<'_, '_, T>; M],
    part: Part,
    open: bool,
    states: &mut States,
    at: usize,
) {
    let one = b.one();
    let (mut keys, mut headers) = ([works[0].key; M], [header(&works[0]); M]);
    for j in 1..M {
        (keys[j], headers[j]) = (works[j].key, header(&works[j]));
    }
    let mut all = [[one.zero(); 4]; M];
    if part == Part::Ready {
        for j in 0..M {
            all[j] = load::<T, _>(one, states, at + j);
        }
    } else {
        all = T::start(b, keys, headers);
    }
    if part != Part::Start {
        all = T::ready(b, keys, all, open, headers);
    }
    for j in 0..M {
        store::<T, _>(one, states, at + j, all[j]);
    }
}

/// What a job's message begins with.
#[inline(always)]
fn header<'a, T>(work: &Work<'_, 'a, T>) -> Header<'a> {
    let Job { nonce, ad, len, .. } = *work.job;
    Header { nonce, ad, len }
}

/// The ends of messages.
struct Ends<'g, 'j, 'a, T, const OPEN: bool> {
    works: &'g [Work<'j, 'a, T>],
    states: &'g States,
    io: &'g mut [InOut<'a>; MAX_LANES],
}
impl<T: Serial, const OPEN: bool> Kernel for Ends<'_, '_, '_, T, OPEN> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { works, states, io } = self;
        let (b, side) = (b.one(), if T::TOGETHER { works.len() / SIDE * SIDE } else { 0 });
        let ((together, rest), (io_together, io_rest)) = (works.split_at(side), io.split_at_mut(side));
        let mut at = 0;
        for (works, io) in together.as_chunks::<SIDE>().0.iter().zip(io_together.as_chunks_mut::<SIDE>().0) {
            end::<T, B::One, OPEN, SIDE>(b, works, states, at, io);
            at += SIDE;
        }
        // In registers, as beginnings are.
        for (Work { key, job }, io) in rest.iter().zip(io_rest) {
            let mut last = io.reborrow();
            let _ = last.cut(before_last(last.len()));
            let state = load::<T, _>(b, states, at);
            match &job.tail {
                Tail::Seal(to) if !OPEN => {
                    let [tail] = T::seal_ends(b, [key], [state], &mut [last]);
                    // Of known length: a masked store takes longer.
                    to.take().copy_from_slice(&b.block(tail)[..T::TAIL]);
                    job.done.set(Some(Ok(())));
                }
                Tail::Open(tail) if OPEN => {
                    let [right] = T::open_ends(b, [key], [state], &mut [last], [tail]);
                    job.opened(right, io.reborrow());
                }
                _ => unreachable!("a group has jobs of one direction"),
            }
            at += 1;
        }
    }
}

/// The ends of `M` messages, of which the first is the group's message `at`.
#[inline(always)]
fn end<T: Serial, B: Backend<One = B>, const OPEN: bool, const M: usize>(
    b: B,
    works: &[Work<'_, '_, T>; M],
    states: &States,
    at: usize,
    io: &mut [InOut<'_>; M],
) {
    let mut keys = [works[0].key; M];
    let mut mine = [[b.zero(); 4]; M];
    for j in 0..M {
        keys[j] = works[j].key;
        mine[j] = load::<T, _>(b, states, at + j);
    }
    let mut last: [InOut<'_>; M] = std::array::from_fn(|_| InOut::in_place(&mut []));
    for (last, io) in last.iter_mut().zip(io.iter_mut()) {
        *last = io.reborrow();
        let _ = last.cut(before_last(last.len()));
    }
    if OPEN {
        let mut tails: [&[u8]; M] = [&[]; M];
        for j in 0..M {
            let Tail::Open(tail) = &works[j].job.tail else { unreachable!("a group has jobs of one direction") };
            tails[j] = tail;
        }
        let right = T::open_ends(b, keys, mine, &mut last, tails);
        for j in 0..M {
            works[j].job.opened(right[j], io[j].reborrow());
        }
    } else {
        let tails = T::seal_ends(b, keys, mine, &mut last);
        for j in 0..M {
            let Tail::Seal(to) = &works[j].job.tail else { unreachable!("a group has jobs of one direction") };
            // Of known length: a masked store takes longer.
            to.take().copy_from_slice(&b.block(tails[j])[..T::TAIL]);
            works[j].job.done.set(Some(Ok(())));
        }
    }
}
