//! Numbers modulo 2^130 - 5 in plain 64-bit words: products, and what is above 2^130 folded in.

/// `h r` modulo 2^130 - 5, reduced to a few bits above it, by r as it is clamped.
#[inline(always)]
pub(super) fn by_key(h: [u64; 3], r: [u64; 2]) -> [u64; 3] {
    folded(unreduced(h, r))
}

/// The same in three words, of which the last is below 2^63.
#[inline(always)]
pub(super) fn unreduced([h0, h1, h2]: [u64; 3], [r0, r1]: [u64; 2]) -> [u64; 3] {
    let wide = |x: u64| x as u128;
    let (low, high) = (|x: u128| x as u64, |x: u128| (x >> 64) as u64);
    // 2^128 r1 is 5/4 r1, without a remainder: r's clamp makes r1 a multiple of 4.
    let s1 = r1 + (r1 >> 2);
    let d0 = wide(h0) * wide(r0) + wide(h1) * wide(s1);
    let d1 = wide(h0) * wide(r1) + wide(h1) * wide(r0) + wide(h2 * s1) + (d0 >> 64);
    [low(d0), low(d1), h2 * r0 + high(d1)]
}

/// `a b` modulo 2^130 - 5, but for a few hundred above it, of numbers below 2^131.
#[inline(always)]
pub(super) fn product(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
    let wide = |x: u64| x as u128;
    let times = |x: u64, y: u64| wide(x) * wide(y);
    let (low, high) = (|x: u128| x as u64, |x: u128| (x >> 64) as u64);
    // Five words. Sums of two high words and of products of a few bits fit; two whole products
    // do not.
    let d = times(a[0], b[0]);
    let (e, f) = (times(a[0], b[1]), times(a[1], b[0]));
    let t = wide(high(d)) + wide(low(e)) + wide(low(f));
    let (w0, w1) = (low(d), low(t));
    let (g, k) = (times(a[1], b[1]), times(a[0], b[2]) + times(a[2], b[0]));
    let t = wide(low(g)) + wide(low(k)) + wide(high(e)) + wide(high(f)) + (t >> 64);
    let w2 = low(t);
    let t = wide(high(g)) + wide(high(k)) + wide(high(t)) + times(a[1], b[2]) + times(a[2], b[1]);
    let (w3, w4) = (low(t), high(t) + a[2] * b[2]);
    // What is above 2^130, five times: four times it is already in place.
    let mut h = [w0, w1, w2 & 3];
    let mut add = |x: [u64; 3]| {
        let t = wide(h[0]) + wide(x[0]);
        let u = wide(h[1]) + wide(x[1]) + (t >> 64);
        h = [low(t), low(u), h[2] + x[2] + high(u)];
    };
    add([w2 & !3, w3, w4]);
    add([w2 >> 2 | w3 << 62, w3 >> 2 | w4 << 62, w4 >> 2]);
    folded(h)
}

/// What is above 2^130, five times, added to what is below.
#[inline(always)]
pub(super) fn folded([h0, h1, h2]: [u64; 3]) -> [u64; 3] {
    // 2^130 is 5: four times are the last word without its two low bits, once is that word moved down by two.
    let t = h0 as u128 + ((h2 & !3) + (h2 >> 2)) as u128;
    let u = h1 as u128 + (t >> 64);
    [t as u64, u as u64, (h2 & 3) + (u >> 64) as u64]
}
