//! Py, Pypy, Py6 and their tweaked forms, from Biham and Seberry's text: the rolling arrays as
//! queues that drop an element in front and take one at the end in every step.

use std::collections::VecDeque;

/// Which of the family.
#[derive(Clone, Copy)]
pub struct Form {
    /// The smaller arrays of Py6.
    pub six: bool,
    /// The set-up of 2007.
    pub tweaked: bool,
    /// The second word of each step alone.
    pub half: bool,
}

/// Py.
pub const PY: Form = Form { six: false, tweaked: false, half: false };
/// Py6.
pub const PY6: Form = Form { six: true, ..PY };
/// Pypy.
pub const PYPY: Form = Form { half: true, ..PY };
/// TPy.
pub const TPY: Form = Form { tweaked: true, ..PY };
/// TPy6.
pub const TPY6: Form = Form { tweaked: true, ..PY6 };
/// TPypy.
pub const TPYPY: Form = Form { tweaked: true, ..PYPY };

/// The word array, whose first element has the number -3.
struct Words(VecDeque<u32>);
impl Words {
    fn at(&self, number: i32) -> u32 {
        self.0[(number + 3) as usize]
    }
    fn roll(&mut self, new: u32) {
        self.0.pop_front();
        self.0.push_back(new);
    }
}

/// Moves element 0 to place `x`, what was there to the end, and drops the first place.
fn roll(p: &mut VecDeque<u8>, x: usize) {
    p.push_back(p[x]);
    p[x] = p[0];
    p.pop_front();
}

fn inner_permutation() -> Vec<u8> {
    let sentence = concat!(
        "This is the seed for generating the fixed internal permutation for Py. ",
        "The permutation is used in the key setup and IV setup as a source of nonlinearity. ",
        "The shifted special keys on a keyboard are ~!@#$%^&*()_+{}:|<>?"
    );
    let mut p: Vec<u8> = (0..=255).collect();
    let mut j = 0;
    for (i, c) in (0..256 * 16).zip(sentence.bytes().cycle()) {
        j = (j + usize::from(c)) % 256;
        p.swap(i % 256, j);
    }
    p
}

fn key_setup(key: &[u8], nonce_len: usize, count: usize) -> Words {
    let p = inner_permutation();
    let p = |x: u32| u32::from(p[(x & 255) as usize]);
    let byte = |i: usize| u32::from(key[i % key.len()]);
    let mut s = p(key.len() as u32 - 1);
    s = s << 8 | p(s ^ (nonce_len as u32 - 1));
    s = s << 8 | p(s ^ byte(0));
    s = s << 8 | p(s ^ byte(key.len() - 1));
    for i in 0..key.len() {
        s = s.wrapping_add(byte(i));
        s = s.rotate_left(8) ^ p(s);
    }
    for i in 0..key.len() {
        s = s.wrapping_add(byte(i));
        s ^= s.rotate_left(8).wrapping_add(p(s));
    }
    let mut next = |i: usize| {
        s = s.wrapping_add(byte(i));
        s = s.rotate_left(8) ^ p(s);
        s
    };
    Words((0..count).map(&mut next).collect())
}

/// The key stream of one of the family.
pub fn keystream(form: Form, key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    let Form { six, tweaked, half } = form;
    // The last word's number is the size of the permutation, too.
    let (top, turn) = if six { (64, 6) } else { (256, 8) };
    let low = |s: u32| s as usize % top as usize;
    let n = nonce.len();
    let mut y = key_setup(key, n, top as usize + 4);

    let mut v = nonce[0] ^ (y.at(0) >> 16) as u8;
    let d = (nonce[1 % n] ^ (y.at(1) >> 16) as u8) | 1;
    let inner = inner_permutation();
    let mut p = VecDeque::new();
    for _ in 0..top {
        p.push_back(if six { v % 64 } else { inner[usize::from(v)] });
        v = v.wrapping_add(d);
    }
    if six {
        v %= 64;
    }
    let mut s = u32::from_be_bytes([v, d, p[top as usize - 2], p[top as usize - 1]]);
    s ^= y.at(-3).wrapping_add(y.at(top));

    let mut first = Vec::new();
    let mut second = Vec::new();
    for i in 0..n {
        s = s.wrapping_add(nonce[i].into()).wrapping_add(y.at(i as i32 - 3));
        first.push(p[low(s)]);
        if six && tweaked {
            second.push(p[low(s >> 2)]);
            s = s.rotate_left(12) ^ u32::from(first[i]) ^ u32::from(second[i]) << 6;
        } else {
            s = s.rotate_left(turn) ^ u32::from(first[i]);
        }
    }
    let mut e = [first, second].concat();
    for i in 0..e.len() {
        let with = if tweaked { e[(i + e.len() - 1) % e.len()] } else { nonce[i] };
        s = s.wrapping_add(with.into()).wrapping_add(y.at(top - i as i32));
        let x = p[low(s)];
        e[i] = (u16::from(e[i]) + u16::from(x)) as u8 & (top - 1) as u8;
        s = s.rotate_left(turn) ^ u32::from(x);
    }
    let mut e: VecDeque<u8> = e[..n].iter().copied().collect();
    for _ in 0..top + 4 {
        let x = e[0] ^ low(s) as u8;
        e.pop_front();
        e.push_back(x);
        roll(&mut p, x.into());
        let new = if tweaked {
            s = s.rotate_left(8).wrapping_add(y.at(top));
            y.at(-3).wrapping_add(s ^ y.at(x.into()))
        } else {
            s = (s ^ y.at(-3)).wrapping_add(y.at(x.into()));
            s
        };
        y.roll(new);
    }
    for number in if six { [8, 21, 48] } else { [26, 153, 208] } {
        s = s.wrapping_add(y.at(number));
    }
    if s == 0 {
        s = (8 * key.len() as u32 + ((8 * n as u32) << 16)).wrapping_add(0x8765_4321);
    }

    let (mixer, [added, taken, turned, renewed], [a, b]) =
        if six { (43, [18, 57, 26, 48], [8, 21]) } else { (185, [72, 239, 116, 153], [26, 208]) };
    let mut out = Vec::new();
    while out.len() < len {
        roll(&mut p, low(y.at(mixer)));
        let named = |y: &Words, place: usize| y.at(p[place].into());
        s = s.wrapping_add(named(&y, added)).wrapping_sub(named(&y, taken));
        s = s.rotate_left(u32::from(p[turned]) % 32);
        // The outputs read the words by their numbers before these roll.
        let outputs = [
            (s.rotate_left(11) ^ y.at(top)).wrapping_add(named(&y, a)),
            (s.rotate_left(18) ^ y.at(-1)).wrapping_add(named(&y, b)),
        ];
        let new = (s ^ y.at(-3)).wrapping_add(named(&y, renewed));
        y.roll(new);
        s = s.rotate_left(18);
        for word in &outputs[usize::from(half)..] {
            out.extend(word.to_le_bytes());
        }
    }
    out.truncate(len);
    out
}
