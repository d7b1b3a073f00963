//! The bodies of the fuzz targets (`fuzz/`), here so that the ordinary tests
//! run them too, with seeded input, on stable.

pub mod streams;

use crate::schemes::{Kind, SCHEMES};
use crate::subject::{Context, Fault, Form, Subject};
use crate::vectors::{self, Limits, Vectors, check::check};
use combseal::hazmat::Relaxed;
use combseal::{Aead, Algorithm, Batch, Columns, Cpu, Error, Key, Nonces, Values};

/// Any bytes as a vector file: read, and if that works, checked on the fastest
/// tier and in software.
///
/// # Panics
/// Never: that is what is tested.
pub fn vectors_check(data: &[u8]) {
    let Ok(Vectors::Suite(mut suite)) = vectors::read(data, Limits { generated: 4096 }) else { return };
    // Each is 385 sealings.
    suite.iterated.truncate(1);
    check(&suite, &[Cpu::detect(), Cpu::soft()]);
}

/// Any bytes as a capture or a list of lengths, and a sample of what was read.
///
/// # Panics
/// If counts do not add up; never for what `data` holds.
pub fn traffic(data: &[u8]) {
    use combseal_lab::traffic::{LONGEST, Payload, parse};
    for payload in [Payload::Ip, Payload::Udp, Payload::Frame] {
        let Ok(reading) = parse(data, "fuzz", payload) else { continue };
        let traffic = reading.traffic;
        assert!(traffic.messages > 0 && traffic.lengths.is_sorted_by_key(|&(bytes, _)| bytes));
        assert!(traffic.lengths.iter().all(|&(bytes, count)| bytes <= LONGEST && count > 0));
        let sample = traffic.sample(1);
        assert!((1..=512).contains(&sample.len()) && sample.len() as u64 <= traffic.messages);
        assert!(sample.iter().all(|&n| traffic.lengths.iter().any(|&(bytes, _)| bytes == n as u64)));
    }
}

/// Seals and opens with a scheme, tiers, lengths, a form and a flipped bit that
/// `data` chooses.
///
/// # Panics
/// If two tiers disagree, if what was sealed does not open, if a changed copy
/// does, if a refusal leaves anything but zeros, or if the library panics.
pub fn seal_open(data: &[u8]) {
    let mut input = Input(data);
    let scheme = input.one_of(&SCHEMES);
    let tiers: Vec<Cpu> = Cpu::all().collect();
    let (cpu, other) = (*input.one_of(&tiers), *input.one_of(&tiers));
    // Mostly lengths that are right, sometimes any.
    let key_len = match input.byte() {
        0 => usize::from(input.byte() % 80),
        _ => *input.one_of(&scheme.key_lens()),
    };
    let tag_len = match input.byte() & 7 {
        0 => usize::from(input.byte() % 40),
        _ => *input.one_of(scheme.tag_lens()),
    };
    let nonce_len = match input.byte() {
        _ if scheme.kind == Kind::Mac => 0,
        0..128 => 12,
        128..160 => 16,
        160..192 => 24,
        192..224 => 32,
        n => usize::from(n - 224),
    };
    let (ad_len, mut msg_len) = (input.length(), input.length());
    if scheme.kind == Kind::Mac {
        msg_len = 0;
    }
    let (form, flip, offset) = (input.byte(), input.number(), input.byte());
    let key = input.bytes(key_len);
    let nonce = input.bytes(nonce_len);
    let ads = [input.bytes(ad_len)];
    let msg = input.bytes(msg_len);

    let build = |cpu| scheme.key(cpu, &key, tag_len, Some(nonce_len));
    let (Ok(mut a), Ok(mut b)) = (build(cpu), build(other)) else { return };
    let c = Context { nonce: Some(&nonce), ads: &ads, offset: offset.into() };
    let forms = a.forms(&c);
    let form = forms[usize::from(form) % forms.len()];
    let sealed = answer(a.seal(form, &c, &msg));
    assert_eq!(sealed, answer(b.seal(Form::InPlace, &c, &msg)), "{scheme:?}: {cpu:?} {form:?}, {other:?}");
    let Some((ct, tag)) = sealed else { return };
    assert_eq!(tag.len(), tag_len);
    assert_eq!(answer(b.open(form, &c, &ct, &tag)).as_ref(), Some(&msg), "{scheme:?}: {other:?} {form:?}");
    if scheme.kind != Kind::Stream {
        changed(a.as_mut(), form, &nonce, &ads[0], &ct, &tag, flip);
    }
}

/// What was sealed, with one bit changed anywhere, is refused; and so is a tag cut short.
fn changed(key: &mut dyn Subject, form: Form, nonce: &[u8], ad: &[u8], ct: &[u8], tag: &[u8], flip: usize) {
    let mut all = [nonce, ad, ct, tag].concat();
    if all.is_empty() {
        return;
    }
    let bit = flip % (8 * all.len());
    all[bit / 8] ^= 1 << (bit % 8);
    let (nonce, rest) = all.split_at(nonce.len());
    let (ad, rest) = rest.split_at(ad.len());
    let (ct, changed) = rest.split_at(ct.len());
    let c = Context { nonce: Some(nonce), ads: &[ad.to_vec()], offset: 0 };
    let opened = answer(key.open(form, &c, ct, changed));
    // One in 256^n guesses of an n-byte tag is right.
    assert!(opened.is_none() || changed == tag && tag.len() < 8, "{form:?}: opened with bit {bit} changed");
    let opened = answer(key.open(form, &c, ct, &changed[..changed.len() - 1]));
    assert!(opened.is_none() || tag.len() < 8, "{form:?}: opened with a short tag");
}

/// A batch of jobs that `data` chooses: schemes, tiers, keys (hazmat ones too), lengths,
/// lanes, some in place, some forged, some with a nonce again. Each must come out as by
/// itself, and a message that was to be sealed and is refused as zeros.
///
/// # Panics
/// If one does not, or if the library panics.
pub fn batch(data: &[u8]) {
    let mut input = Input(data);
    let tiers: Vec<Cpu> = Cpu::all().collect();
    let lanes = input.byte() % 20;
    let keys: Vec<Key> = (0..1 + input.byte() % 6)
        .map(|_| {
            let (algorithm, cpu) = (*input.one_of(Algorithm::ALL), *input.one_of(&tiers));
            let tag_len = *input.one_of(algorithm.tag_lens());
            let (rules, nonce_len) = (input.byte(), usize::from(input.byte() % 34));
            let rules: Vec<Relaxed> = [Relaxed::ShortNonces, Relaxed::Fse2011, Relaxed::ShortTags]
                .into_iter()
                .enumerate()
                .filter_map(|(i, rule)| (rules >> i & 1 == 1).then_some(rule))
                .collect();
            let key = input.bytes(algorithm.key_len());
            let hazmat = Key::hazmat_build(cpu, algorithm, &key, usize::from(input.byte() % 18), &rules)
                .or_else(|_| Key::hazmat_build(cpu, algorithm, &key, tag_len, &rules));
            let mut key = match hazmat {
                Err(Error::Unsupported) => Key::build(cpu, algorithm, &key, tag_len),
                key => key,
            }
            .expect("lengths of the scheme's own");
            // Where the scheme does not take it, the usual length stays.
            let _ = key.set_nonce_len(nonce_len);
            key
        })
        .collect();
    let jobs: Vec<Asked> = (0..input.byte() % 40).map(|i| Asked::read(&mut input, &keys, i)).collect();
    let mut bufs: Vec<Vec<u8>> =
        jobs.iter().map(|j| if j.separate { vec![0xee; j.src.len()] } else { j.src.clone() }).collect();
    let mut tags: Vec<Vec<u8>> = jobs.iter().map(|j| j.tag.clone()).collect();
    let mut batch = match lanes {
        0 => Batch::new(),
        18 | 19 => Batch::for_threads(),
        _ => Batch::with_lanes(lanes.into()),
    };
    for ((job, buf), tag) in jobs.iter().zip(&mut bufs).zip(&mut tags) {
        let key = &keys[job.key];
        let (nonce, ad, src) = (&job.nonce, &job.ad, &job.src);
        let added = match (job.open, job.separate) {
            (false, true) => batch.seal_to(key, nonce, ad, src, buf, tag),
            (true, true) => batch.open_to(key, nonce, ad, src, buf, tag),
            (false, false) => Ok(batch.seal(key, nonce, ad, buf, tag)),
            (true, false) => Ok(batch.open(key, nonce, ad, buf, tag)),
        };
        added.expect("buffers of one length");
    }
    let results = if lanes == 19 { batch.run_on(2) } else { batch.run() };
    for (i, job) in jobs.iter().enumerate() {
        let again = |j: &Asked| !j.open && j.key == job.key && j.nonce == job.nonce;
        let key = &keys[job.key];
        let (result, buf, tag) = if !job.open && !key.algorithm().allows_repeats() && jobs[..i].iter().any(again) {
            (Err(Error::NonceRepeated), vec![0; job.src.len()], vec![0; job.tag.len()])
        } else {
            job.alone(key)
        };
        let at = format!("job {i} of {}, {}", jobs.len(), key.name());
        assert_eq!(results[i], result, "{at}");
        assert_eq!((&bufs[i], &tags[i]), (&buf, &tag), "{at}: {result:?}");
    }
}

/// A column that `data` chooses: scheme, tier, lengths of tags, nonces and values, keys and
/// associated data one or each, nonces given or none, bytes in front. Each value must come out as by
/// itself; and when one byte of all is changed, or one cell cut short, that one alone is refused.
///
/// # Panics
/// If it is not so, or if the library panics.
pub fn columns(data: &[u8]) {
    let mut input = Input(data);
    let (algorithm, cpu) = (*input.one_of(Algorithm::ALL), *input.one_of(&Cpu::all().collect::<Vec<_>>()));
    let (tag_len, nonce_len) = (*input.one_of(algorithm.tag_lens()), usize::from(input.byte() % 34));
    let keys: Vec<Key> = (0..1 + input.byte() % 3)
        .map(|_| {
            let bytes = input.bytes(algorithm.key_len());
            let mut key = Key::build(cpu, algorithm, &bytes, tag_len).expect("lengths of the scheme's own");
            // Where the scheme does not take it, the usual length stays.
            let _ = key.set_nonce_len(nonce_len);
            key
        })
        .collect();
    let (way, front, count) = (input.byte(), usize::from(input.byte() % 20), usize::from(input.byte() % 50));
    let values: Vec<Vec<u8>> = (0..count)
        .map(|_| {
            let len = input.length();
            input.bytes(len)
        })
        .collect();
    let ads: Vec<Vec<u8>> = (0..count)
        .map(|_| {
            let len = usize::from(input.byte() % 40);
            input.bytes(len)
        })
        .collect();
    let (each_key, each_ad) = (way & 1 == 1, way & 2 == 2);
    let has_none = algorithm.description().tag_first && way & 4 == 4;
    let nonces: Vec<u8> = (0..count * keys[0].nonce_len()).map(|i| (i / 3) as u8).collect();
    let key = |i: usize| &keys[if each_key { i % keys.len() } else { 0 }];
    let (same_ad, each): (Vec<u8>, Vec<&Key>) = (input.bytes(usize::from(way) / 8), (0..count).map(key).collect());
    let ad = |i: usize| if each_ad { &ads[i][..] } else { &same_ad };
    let (ad_data, ad_places) = joined(&ads);
    let columns = if each_key { Columns::with_keys(&each).expect("keys alike") } else { Columns::new(&keys[0]) };
    let columns = if each_ad {
        columns.ads(Values::new(&ad_data, &ad_places).expect("places in order"))
    } else {
        columns.ad(&same_ad)
    };
    let columns = columns.front(front);
    let given = || if has_none { Nonces::none() } else { Nonces::given(&nonces) };

    let (plain, places) = joined(&values);
    let plain = Values::new(&plain, &places).expect("places in order");
    let mut sealed = vec![0x77; columns.sealed_len(&plain).expect("a few values")];
    columns.seal(&plain, given(), &mut sealed).expect("lengths of the scheme's own");
    let mut cells: Vec<Vec<u8>> = (0..count)
        .map(|i| {
            let nonce = &nonces[i * key(i).nonce_len()..][..key(i).nonce_len()];
            let mut text = values[i].clone();
            let whole = if has_none {
                let tag = key(i).seal_vectored(&[ad(i)], &mut text).expect("one string");
                [tag.as_bytes(), &text].concat()
            } else {
                key(i).seal(nonce, ad(i), &values[i]).expect("lengths of the scheme's own")
            };
            [vec![0x77; front], whole].concat()
        })
        .collect();
    assert_eq!(sealed, cells.concat(), "{algorithm} {cpu:?}");

    let (mut wrong, mut expected) = (count, values.clone());
    if count > 0 && way & 0x80 != 0 {
        wrong = usize::from(input.byte()) % count;
        let cell = &mut cells[wrong];
        expected[wrong].fill(0);
        if input.byte() < 200 {
            let at = front + input.number() % (cell.len() - front);
            cell[at] ^= 1;
        } else {
            cell.truncate(input.number() % (front + tag_len));
            expected[wrong].clear();
        }
    }
    let (bytes, places) = joined(&cells);
    let cells = Values::new(&bytes, &places).expect("places in order");
    let mut opened = vec![0x77; columns.opened_len(&cells)];
    let mut bits = vec![0x77; count.div_ceil(8)];
    let done = columns.open(&cells, given(), &mut opened, &mut bits);
    assert_eq!(done, if wrong < count { Err(Error::Forged) } else { Ok(()) }, "{algorithm} {cpu:?}");
    assert_eq!(opened, expected.concat(), "{algorithm} {cpu:?}");
    for i in 0..8 * bits.len() {
        assert_eq!(bits[i / 8] >> (i % 8) & 1 == 1, i < count && i != wrong, "{algorithm} {cpu:?}: bit {i}");
    }
}

/// Values one behind the other, and where they begin.
fn joined(values: &[Vec<u8>]) -> (Vec<u8>, Vec<u32>) {
    let mut places = vec![0];
    for value in values {
        places.push(places[places.len() - 1] + value.len() as u32);
    }
    (values.concat(), places)
}

/// A job as it was asked for.
struct Asked {
    key: usize,
    open: bool,
    separate: bool,
    nonce: Vec<u8>,
    ad: Vec<u8>,
    src: Vec<u8>,
    tag: Vec<u8>,
}

impl Asked {
    fn read(input: &mut Input<'_>, keys: &[Key], i: u8) -> Self {
        let (key, way) = (usize::from(input.byte()) % keys.len(), input.byte());
        let it = &keys[key];
        let nonce_len = if way & 0x70 == 0x70 { usize::from(input.byte() % 34) } else { it.nonce_len() };
        let mut nonce = vec![i; nonce_len];
        if way & 0x0c == 0x0c {
            nonce.fill(0);
        }
        let (ad_len, len) = (input.length() % 200, input.length());
        let (ad, mut src) = (input.bytes(ad_len), input.bytes(len));
        let mut tag = vec![0; it.tag_len()];
        let open = way & 1 == 1;
        if open && let Ok(sealed) = it.seal_in_place(&nonce, &ad, &mut src) {
            tag = sealed.as_bytes().to_vec();
        }
        if way & 0x80 != 0 {
            // A forgery, or a tag of the wrong length.
            match input.byte() {
                n @ 0..200 => tag[usize::from(n) % it.tag_len()] ^= 1,
                _ => drop(tag.pop()),
            }
        }
        Self { key, open, separate: way & 2 != 0, nonce, ad, src, tag }
    }

    /// What comes of it by itself: the result, the output, the tag.
    fn alone(&self, key: &Key) -> (Result<(), Error>, Vec<u8>, Vec<u8>) {
        let mut buf = if self.separate { vec![0xee; self.src.len()] } else { self.src.clone() };
        if self.open {
            let done = if self.separate {
                key.open_to(&self.nonce, &self.ad, &self.src, &mut buf, &self.tag)
            } else {
                key.open_in_place(&self.nonce, &self.ad, &mut buf, &self.tag)
            };
            return (done, buf, self.tag.clone());
        }
        let sealed = match key.seal_to(&self.nonce, &self.ad, &self.src, &mut buf) {
            _ if self.tag.len() != key.tag_len() => Err(Error::TagLength),
            sealed => sealed,
        };
        match sealed {
            Ok(tag) => (Ok(()), buf, tag.as_bytes().to_vec()),
            Err(e) => (Err(e), vec![0; self.src.len()], vec![0; self.tag.len()]),
        }
    }
}

/// What the library answers, unless it did something that it must not do.
fn answer<T>(done: Result<T, Fault>) -> Option<T> {
    match done {
        Ok(t) => Some(t),
        Err(Fault::Refused(_)) => None,
        Err(Fault::Broken(what)) => panic!("{what}"),
    }
}

/// Choices, read from the front of the fuzzer's bytes; zeros when they end.
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    fn number(&mut self) -> usize {
        usize::from(self.byte()) << 8 | usize::from(self.byte())
    }

    /// Mostly short; up to 4 KiB.
    fn length(&mut self) -> usize {
        match self.byte() {
            n @ 0..224 => n.into(),
            n => usize::from(n & 15) << 8 | usize::from(self.byte()),
        }
    }

    fn one_of<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[usize::from(self.byte()) % of.len()]
    }

    /// `n` bytes: what is there, over and over.
    fn bytes(&mut self, n: usize) -> Vec<u8> {
        let from = if self.0.is_empty() { &[0x5c] } else { self.0 };
        let out = from.iter().copied().cycle().take(n).collect();
        self.0 = &self.0[n.min(self.0.len())..];
        out
    }
}
