//! What the archive's schemes ask of the AES unit: their calls of the cipher, and how many of them
//! wait for one another. Counted from the definitions; what depends on the key alone, and can be
//! made once, is left out, and so is all that is no call of the cipher (hashes, products, key
//! schedules within a message).

use crate::subjects::op::Op;

/// Calls of the cipher for one message.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Calls {
    /// All of them.
    pub all: f64,
    /// Those of the inverse cipher among them.
    pub inverse: f64,
    /// How many at least follow one another, where a scheme chains its calls from block to block;
    /// 0 where it does not.
    pub chain: f64,
}

/// The calls for a message of `bytes` bytes with `ad` bytes of associated data, by the family's
/// name; `None` for families that are not in this table.
pub fn calls(family: &str, op: Op, bytes: usize, ad: usize) -> Option<Calls> {
    let opens = matches!(op, Op::Open | Op::Reject);
    let (m, full) = (bytes.div_ceil(16), bytes / 16);
    let (data, some, rest) = (ad.div_ceil(16), m.max(1), usize::from(m > full));
    let (all, inverse, chain) = match family {
        // The nonce, the blocks of which the last takes the length, the tag.
        "ocb1" => (some + 2, some - 1, 0),
        "ocb2" => (some + 2 + data, some - 1, 0),
        // Two blocks a round of Feistel, so that nothing is inverted.
        "otr-p-v1" | "otr-p-v2" | "otr-p-v3" => (m + 2 + data, 0, 0),
        "otr-s-v1" | "otr-s-v2" | "otr-s-v3" => (m + 2 + data, 0, data),
        // Encryption, and the hash of the ciphertext one block behind it.
        "cloc-v1" | "cloc-v1-nonce8" | "cloc-v3" => (2 * m + 1 + data, 0, m + 1 + data),
        "silc-v1" | "silc-v1-nonce8" | "silc-v3" => (2 * m + 3 + data, 0, m + 3 + data),
        // Blocks of 8 bytes, one call after the other.
        "jambu" => (ad / 8 + bytes / 8 + 5, 0, ad / 8 + bytes / 8 + 5),
        "copa-v1" => {
            let body = if full == 0 { 2 } else { 2 * full + 3 * rest };
            (1 + data + body + 2, body, 0)
        }
        "copa-v2" => {
            let blocks = full + usize::from(rest == 1 || full == 0);
            (1 + data + 2 * blocks + 2, 2 * blocks, 0)
        }
        "colm0" => (1 + data + 2 * some + 2, 2 * some, 0),
        "colm127" | "colm127-mask3l" => {
            let between = ((some - 1) / 127).min(32);
            (1 + data + 2 * some + 2 + between, 2 * some, 0)
        }
        // Twice each block and the tag, of 14 rounds where AES-128 has 10.
        "deoxys-ii-128" => {
            let calls = 1.4 * (2 * m + 1 + data) as f64;
            return Some(Calls { all: calls, ..Calls::default() });
        }
        // A top and a bottom chain, and the cipher between them.
        "poet-v1" => (3 * some + 5 + data, some, some + 3),
        "poet-v2" => (3 * some + 6 + if ad > 0 { ad / 16 + 1 } else { 0 }, some, some + 4),
        "julius-ecb" | "julius-ecb-as-coded" => (m + 2, m + 1, 0),
        "cwc" => (m + 2, 0, 0),
        "mcoe-g" | "mcoe-g-both-masks" | "mcoe-x" | "mcoe-d" => {
            let header = 1 + if ad > 0 { ad / 16 + 1 } else { 0 };
            // McOE-D's first call for a block, or last in opening, does not wait; nor does
            // McOE-G's where the mask is on one side alone, which is behind the inverse.
            let each = if family == "mcoe-d" { 2 } else { 1 };
            let chain = if opens && family == "mcoe-g" { header + rest + 1 } else { header + m + 1 };
            (each * (header + full + 2 * rest + 1), each * (full + rest), chain)
        }
        // The chain is CBC's, which there is only in sealing.
        "cbc-hmac-sha-256" => (full + 1, full + 1, if opens { 0 } else { full + 1 }),
        _ => return None,
    };
    let inverse = if opens { inverse } else { 0 };
    Some(Calls { all: all as f64, inverse: inverse as f64, chain: chain as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects::scheme::Scheme;

    /// A scheme without a limit would look as if it had none to reach.
    #[test]
    fn every_scheme_of_the_archive_is_counted() {
        // (Stream ciphers make no calls of the AES.)
        for scheme in Scheme::all().filter(|scheme| scheme.is_archived() && !scheme.is_system()) {
            for op in [Op::Seal, Op::Open] {
                for bytes in [0, 1, 15, 16, 17, 1500, 16384] {
                    let calls = calls(scheme.short(), op, bytes, 20).unwrap_or_else(|| panic!("{scheme:?}"));
                    let one = if scheme.takes_ad() { 1.0 } else { 0.0 };
                    assert!(calls.all >= one + (bytes / 16) as f64 && calls.all >= calls.inverse, "{scheme:?} {bytes}");
                    assert!(calls.chain <= calls.all, "{scheme:?} {bytes}");
                }
            }
        }
    }

    #[test]
    fn as_the_definitions_have_it() {
        let of = |family, op, bytes, ad| {
            let Calls { all, inverse, chain } = calls(family, op, bytes, ad).unwrap();
            (all, inverse, chain)
        };
        assert_eq!(of("otr-p-v3", Op::Seal, 64, 0), (6.0, 0.0, 0.0));
        assert_eq!(of("cloc-v1", Op::Seal, 64, 0), (9.0, 0.0, 5.0));
        assert_eq!(of("jambu", Op::Open, 64, 0), (13.0, 0.0, 13.0));
        assert_eq!(of("copa-v1", Op::Open, 40, 0), (10.0, 7.0, 0.0));
        assert_eq!(of("copa-v2", Op::Open, 40, 0), (9.0, 6.0, 0.0));
        assert_eq!(of("colm127", Op::Seal, 128 * 16, 0), (1.0 + 256.0 + 2.0 + 1.0, 0.0, 0.0));
        assert_eq!(of("poet-v2", Op::Seal, 64, 0), (18.0, 0.0, 8.0));
        assert_eq!(of("mcoe-d", Op::Open, 40, 0), (12.0, 6.0, 5.0));
        assert_eq!(of("mcoe-g", Op::Open, 64, 0), (6.0, 4.0, 2.0));
        assert_eq!(of("cbc-hmac-sha-256", Op::Open, 64, 0), (5.0, 5.0, 0.0));
    }
}
