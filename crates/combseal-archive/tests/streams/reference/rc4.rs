//! RC4, a byte at a time.

/// The key stream of keys of any length; there is no nonce.
pub fn keystream(key: &[u8], _: &[u8], len: usize) -> Vec<u8> {
    let mut s: Vec<usize> = (0..256).collect();
    let mut j = 0;
    for i in 0..256 {
        j = (j + s[i] + usize::from(key[i % key.len()])) % 256;
        s.swap(i, j);
    }
    let (mut i, mut j) = (0, 0);
    let mut next = || {
        i = (i + 1) % 256;
        j = (j + s[i]) % 256;
        s.swap(i, j);
        s[(s[i] + s[j]) % 256] as u8
    };
    (0..len).map(|_| next()).collect()
}
