//! CryptMT v2 and v3, a word at a time.

fn little_endian(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|word| word.iter().rev().fold(0, |w, &byte| w << 8 | u32::from(byte))).collect()
}

/// A step of version 2's booter.
fn mix(words: &mut [u32], i: usize, to: usize, y: u32, lung: &mut u32) {
    let mut x = words[i];
    words[i] ^= y;
    *lung = lung.wrapping_mul(y | 1);
    x ^= *lung;
    words[to] ^= (x ^ (!x >> 16)).wrapping_add(y << 1);
}

/// The key stream of version 2.
pub fn keystream_v2(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    const N: usize = 623;
    let (k, v) = (little_endian(key), little_endian(nonce));
    let (n, s) = (k.len(), v.len());
    let total = 2 * N + 4 * s;
    let mut words = k.clone();
    words.resize(total + 2 * n, 0);
    let mut lung = words[1] | 1;
    for i in 0..total + n {
        let y = words[n - 2 + i] ^ (n - 1 + i) as u32;
        mix(&mut words, i, n + i, y, &mut lung);
    }
    let expanded = words[2 * n..].to_vec();
    let mut words = [&v[..], &expanded[N + 2 * s..]].concat();
    let mut lung = words[1] | 1;
    for i in 0..2 * s {
        let y = words[s - 2 + i] ^ expanded[i];
        mix(&mut words, i, s + i, y, &mut lung);
    }
    let mut product = words[s - 1] | 1;
    let (mut words, expanded) = (words[2 * s..].to_vec(), &expanded[2 * s..]);
    let mut lung = words[1] | 1;
    let mut out = Vec::new();
    for i in 0..N {
        let y = words[s - 2 + i] ^ expanded[i];
        mix(&mut words, i, s + i, y, &mut lung);
        product = product.wrapping_mul(words[i] | 1);
        out.push((product >> 24) as u8);
    }
    let mut y = 0x4d48_4e53;
    for i in (0..N).cycle() {
        if out.len() >= len {
            break;
        }
        y ^= words[i] << 7;
        y ^= words[(i + 609) % N];
        words[i] ^= y ^ (y >> 3);
        product = product.wrapping_mul(words[i] | 1);
        out.push((product >> 24) as u8);
    }
    out.truncate(len);
    out
}

type Four = [u32; 4];

/// A step of version 3's booter on an array that begins with `l` elements: renews element `i` and
/// appends one.
fn boot(array: &mut Vec<Four>, l: usize, i: usize, lung: &mut Four) {
    let (p, q, r) = (array[i], array[l - 2 + i], array[l - 1 + i]);
    let s = [0, 1, 2, 3].map(|j: usize| p[j].wrapping_add(q[j]));
    let a = [s[3] ^ s[0] >> 13, s[0] ^ s[1] >> 13, s[1] ^ s[2] >> 13, s[2] ^ s[3] >> 13];
    let b = [r[3] ^ r[0] >> 11, r[2] ^ r[1] >> 11, r[0] ^ r[2] >> 11, r[1] ^ r[3] >> 11];
    *lung = [0, 1, 2, 3].map(|j| {
        let twice = b[j].wrapping_mul(2).wrapping_add(1);
        twice.wrapping_mul(lung[j]).wrapping_add(b[j])
    });
    array[i] = s;
    array.push([0, 1, 2, 3].map(|j| a[j].wrapping_sub(lung[j])));
}

/// The element behind `c`, from the oldest and the one 108 places on.
fn recursion(a: Four, b: Four, c: Four) -> Four {
    let half = |low: u32, high: u32| (u64::from(high) << 32 | u64::from(low)) >> 3;
    let (t, u) = (half(b[0], b[1]), half(b[2], b[3]));
    [
        a[1] ^ b[1] ^ t as u32 ^ (c[0] & 0xffdf_afdf),
        a[2] ^ b[3] ^ (t >> 32) as u32 ^ (c[1] & 0xf5da_bfff),
        a[3] ^ b[0] ^ u as u32 ^ (c[2] & 0xffdb_ffff),
        a[0] ^ b[2] ^ (u >> 32) as u32 ^ (c[3] & 0xef7b_ffff),
    ]
}

/// 16 bits of each word of the filter behind an element.
fn filter(a: &mut Four, x: Four) -> Four {
    let turned = [a[0] ^ a[1] >> 1, a[1] ^ a[2] >> 1, a[2] ^ a[3] >> 1, a[3] ^ a[0] >> 1];
    *a = [0, 1, 2, 3].map(|j: usize| {
        let twice = turned[j].wrapping_mul(2).wrapping_add(1);
        twice.wrapping_mul(x[j]).wrapping_add(turned[j])
    });
    a.map(|word| (word ^ word >> 16) & 0xffff)
}

/// The key stream of version 3.
pub fn keystream_v3(key: &[u8], nonce: &[u8], len: usize) -> Vec<u8> {
    const N: usize = 156;
    let words = little_endian(&[nonce, key].concat());
    let mut array: Vec<Four> = words.chunks(4).map(|words| words.try_into().unwrap()).collect();
    array.extend(array.clone());
    let l = array.len();
    for (word, digits) in array[l - 1].iter_mut().zip([314_159, 265_358, 979_323, 846_264]) {
        *word = word.wrapping_add(digits);
    }
    let mut lung = array[4 * (nonce.len() / 64)].map(|word| word | 1);
    for i in 0..l + 2 {
        boot(&mut array, l, i, &mut lung);
    }
    let mut a = array[2 * l + 1];
    let mut array = array.split_off(l + 2);
    for i in 0..N {
        boot(&mut array, l, i, &mut lung);
    }
    array.truncate(N);
    let mut out = Vec::new();
    let mut first = true;
    while out.len() < len {
        for two in array.chunks(2) {
            let (low, high) = (filter(&mut a, two[0]), filter(&mut a, two[1]));
            for j in 0..4 {
                out.extend((low[j] | high[j] << 16).to_le_bytes());
            }
        }
        if first {
            array[0][3] = 0x4d73_4e48;
            let next = recursion(array[0], array[108], array[N - 1]);
            array.remove(0);
            array.push(next);
            first = false;
        }
        for i in 0..N {
            array[i] = recursion(array[i], array[(i + 108) % N], array[(i + N - 1) % N]);
        }
    }
    out.truncate(len);
    out
}
