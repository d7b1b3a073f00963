//! The fewest cycles that a message can cost, as far as the AES unit decides: the number of block
//! rounds that a scheme needs, divided by the rounds that this machine does in a cycle.
//!
//! These are limits of *throughput*, in which messages may overlap. The unit's latency enters only
//! where a scheme chains one AES call to the next (the CBC-MAC of CCM, EAX and SIV; AEGIS). That
//! limit holds for one message by itself: short independent messages overlap in a loop and can come
//! out below it. Carry-less products, the other half of GCM and GCM-SIV, run on an execution port
//! of their own and are left out.

mod archive;

use super::op::Op;
use super::scheme::Scheme;
use crate::measure::AesUnit;

/// Rounds of AES for a key of so many bits: 10, 12, 14.
pub fn rounds(key_bits: u32) -> f64 {
    f64::from(key_bits / 32 + 6)
}

/// The fewest cycles for one message of `bytes` bytes with `ad` bytes of associated data.
/// `None` for key setup, which no such count bounds, for schemes without AES, and for families
/// that are not in this table: what a scheme asks of the AES unit is known here alone.
pub fn limit_cycles(scheme: Scheme, op: Op, key_bits: u32, bytes: usize, ad: usize, unit: &AesUnit) -> Option<f64> {
    if op == Op::Setup {
        return None;
    }
    let blocks = bytes.div_ceil(16) as f64;
    let data = ad.div_ceil(16) as f64;
    let call = rounds(key_bits) / unit.enc;
    let chained = rounds(key_bits) * unit.latency;
    // `steps` that each wait for the one before and do so many rounds.
    let aegis = |rate: usize, rounds: f64, steps: usize| {
        let all = (bytes.div_ceil(rate) + ad.div_ceil(rate) + steps) as f64;
        Some(all * (rounds / unit.enc).max(unit.latency))
    };
    Some(match scheme.short() {
        "ocb3" => match op {
            Op::SealFresh => call * (blocks + data + 2.0),
            // Whole blocks take the inverse cipher; the last part's pad and the tag take the cipher.
            Op::Open | Op::Reject => {
                let whole = (bytes / 16) as f64;
                whole * rounds(key_bits) / unit.dec + call * (blocks - whole + data + 1.0)
            }
            _ => call * (blocks + data + 1.0),
        },
        "gcm" => call * (blocks + 1.0),
        "ctr" => call * blocks,
        // Either the CBC-MAC's chain decides, or the number of all calls, which includes the
        // counter blocks. Associated data begins with its length.
        "ccm" => {
            let data = if ad == 0 { 0.0 } else { (ad + 2).div_ceil(16) as f64 };
            (chained * (blocks + data + 1.0)).max(call * (2.0 * blocks + data + 2.0))
        }
        // Three chains side by side, of which the longest decides; their first blocks depend on
        // the key alone.
        "eax" => (chained * blocks.max(data).max(1.0)).max(call * (2.0 * blocks + data + 1.0)),
        // Sealing must end the message's chain before it has a first counter block; opening
        // reads that from the message.
        "siv" => {
            let chain = chained * blocks.max(data).max(1.0);
            match op {
                Op::Open | Op::Reject => chain.max(call * (2.0 * blocks + data + 1.0)),
                _ => chain + call * blocks,
            }
        }
        // Each step waits for the last: 10 of them to start (16 for 256-bit keys), 7 to end.
        "aegis-128" => return aegis(16, 5.0, 17),
        "aegis-128l" => return aegis(32, 8.0, 17),
        "aegis-128x2" => return aegis(64, 16.0, 17),
        "aegis-128x4" => return aegis(128, 32.0, 17),
        "aegis-256" => return aegis(16, 6.0, 23),
        "aegis-256x2" => return aegis(32, 12.0, 23),
        "aegis-256x4" => return aegis(64, 24.0, 23),
        // Message keys (four calls, six for AES-256) and the tag.
        "gcm-siv" => call * (blocks + if key_bits == 256 { 7.0 } else { 5.0 }),
        family => {
            // Schemes without AES have no such limit.
            let archive::Calls { all, inverse, chain } = archive::calls(family, op, bytes, ad)?;
            let inverse = inverse / all;
            let calls = all * rounds(key_bits) * ((1.0 - inverse) / unit.enc + inverse / unit.dec);
            calls.max(chained * chain)
        }
    })
}

/// The fewest cycles to seal a message of `bytes` in a batch, where other messages fill the waits
/// of a chain, for a scheme of the archive.
pub fn archived_in_batch(scheme: Scheme, key_bits: u32, bytes: usize, enc: f64) -> Option<f64> {
    Some(archive::calls(scheme.short(), Op::Seal, bytes, 0)?.all * rounds(key_bits) / enc)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cascade Lake, on which the bars were set: one round a cycle, four cycles each.
    const CASCADE_LAKE: AesUnit = AesUnit { enc: 1.0, dec: 1.0, latency: 4.0 };

    fn limit(family: &str, op: Op, key_bits: u32, bytes: usize) -> f64 {
        limit_cycles(Scheme::of(family), op, key_bits, bytes, 0, &CASCADE_LAKE).unwrap()
    }

    #[test]
    fn the_published_limits() {
        for (bytes, cycles) in [(1, 20), (16, 20), (44, 40), (64, 50), (576, 370), (1500, 950), (4096, 2570)] {
            assert_eq!(limit("ocb3", Op::Seal, 128, bytes), f64::from(cycles));
            assert_eq!(limit("gcm", Op::Seal, 128, bytes), f64::from(cycles));
            assert_eq!(limit("ocb3", Op::Open, 128, bytes), f64::from(cycles));
            assert_eq!(limit("ocb3", Op::SealFresh, 128, bytes), f64::from(cycles + 10));
        }
        assert_eq!(limit("ocb3", Op::Seal, 128, 16384), 10250.0);
        assert_eq!(limit("gcm", Op::Seal, 256, 64), 70.0);
        assert_eq!(limit("ccm", Op::Seal, 128, 1500), 3800.0);
        assert_eq!(limit("ccm", Op::Seal, 128, 16384), 41000.0);
        assert_eq!(limit("aegis-128l", Op::Seal, 128, 64), 152.0);
        assert_eq!(limit("aegis-128l", Op::Seal, 128, 1500), 512.0);
        assert_eq!(limit("aegis-128l", Op::Seal, 128, 16384), 4232.0);
        assert_eq!(limit("gcm-siv", Op::Seal, 128, 64), 90.0);
        assert_eq!(limit("gcm-siv", Op::Seal, 128, 1500), 990.0);
        assert_eq!(limit("gcm-siv", Op::Seal, 256, 64), 14.0 * 11.0);
    }

    #[test]
    fn associated_data_and_the_other_schemes() {
        let with_data = |family, ad| limit_cycles(Scheme::of(family), Op::Seal, 128, 64, ad, &CASCADE_LAKE).unwrap();
        assert_eq!(with_data("ocb3", 20), 70.0);
        assert_eq!(with_data("gcm", 20), 50.0);
        assert_eq!((with_data("ccm", 14), with_data("ccm", 15)), (240.0, 280.0));
        assert_eq!(with_data("aegis-128l", 33), 168.0);
        assert_eq!(limit("ctr", Op::Seal, 256, 32), 28.0);
        assert_eq!(limit("eax", Op::Seal, 128, 1500), 40.0 * 94.0);
        assert_eq!(limit("siv", Op::Seal, 128, 1500), 50.0 * 94.0);
        assert_eq!(limit("siv", Op::Open, 128, 1500), 40.0 * 94.0);
        assert_eq!(limit("aegis-256", Op::Seal, 256, 160), 6.0 * 33.0);
        assert_eq!(limit("aegis-128x4", Op::Seal, 128, 1280), 32.0 * 27.0);
        assert_eq!(limit_cycles(Scheme::of("chacha20-poly1305"), Op::Seal, 256, 64, 0, &CASCADE_LAKE), None);
    }

    #[test]
    fn a_wide_unit_does_not_shorten_chains() {
        let wide = AesUnit { enc: 4.0, dec: 4.0, latency: 4.0 };
        let cycles = |family| limit_cycles(Scheme::of(family), Op::Seal, 128, 1600, 0, &wide).unwrap();
        assert_eq!(cycles("ocb3"), 10.0 * 101.0 / 4.0);
        assert_eq!(cycles("ccm"), 40.0 * 101.0);
        assert_eq!(cycles("aegis-128l"), 4.0 * 67.0);
    }

    #[test]
    fn decryption_counts_whole_blocks_at_its_own_rate() {
        let unit = AesUnit { enc: 2.0, dec: 1.0, latency: 4.0 };
        assert_eq!(limit_cycles(Scheme::of("ocb3"), Op::Open, 128, 40, 0, &unit), Some(20.0 + 5.0 * 2.0));
        assert_eq!(limit_cycles(Scheme::of("ocb3"), Op::Setup, 128, 0, 0, &unit), None);
    }
}
