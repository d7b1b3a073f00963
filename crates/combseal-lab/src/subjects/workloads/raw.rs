//! Whether the modes of SP 800-38A and CMAC are right on a tier, before they are timed: on the known
//! answers of their standards and, on the comb's lanes, by what they give one message at a time.

use crate::subjects::batches::{Mode, Way};
use combseal::hazmat::{Cbc, Cfb, Cmac, Comb, Ctr, Ecb, Message, Ofb};
use combseal::{Aes128, Cpu};

/// The key, the first bytes of the plaintext and the initial value of SP 800-38A, Appendix F, and of SP
/// 800-38B, Appendix D.1; the counter block of the former.
const KEY: u128 = 0x2b7e1516_28aed2a6_abf71588_09cf4f3c;
const TEXT: [u128; 3] = [
    0x6bc1bee2_2e409f96_e93d7e11_7393172a,
    0xae2d8a57_1e03ac9c_9eb76fac_45af8e51,
    0x30c81c46_a35ce411_00000000_00000000,
];
const IV: u128 = 0x00010203_04050607_08090a0b_0c0d0e0f;
const COUNTER: u128 = 0xf0f1f2f3_f4f5f6f7_f8f9fafb_fcfdfeff;

/// Checks a mode on a tier; on lanes under so many keys in turn. `Way::Single` has no lanes to be checked on.
///
/// # Errors
/// What is wrong.
pub(super) fn agrees(mode: Mode, cpu: Cpu, way: Way, keys: usize, lengths: &[usize]) -> Result<(), String> {
    known(mode, cpu)?;
    let Way::Comb(lanes) = way else { return Ok(()) };
    let messages: Vec<Vec<u8>> = lengths.iter().map(|&n| vec![0x5a; mode.bytes(n)]).collect();
    let keys: Vec<[u8; 16]> = (0..keys.min(lengths.len()).max(1)).map(|i| (KEY ^ i as u128).to_be_bytes()).collect();
    let alone = messages.iter().zip(keys.iter().cycle()).map(|(message, key)| one(mode, cpu, key, IV, message.clone()));
    let alone = alone.collect::<Result<Vec<_>, _>>()?;
    match together(mode, cpu, lanes, &keys, messages)?.iter().zip(&alone).find(|(a, b)| a != b) {
        Some((_, wrong)) => Err(format!("another answer at {} bytes", wrong.len())),
        None => Ok(()),
    }
}

/// The first two blocks of the standard's example; of CMAC its example of 40 bytes.
fn known(mode: Mode, cpu: Cpu) -> Result<(), String> {
    let text: Vec<u8> = TEXT.iter().flat_map(|block| block.to_be_bytes()).collect();
    let (iv, bytes, answer): (u128, usize, &[u128]) = match mode {
        Mode::Ecb => (IV, 32, &[0x3ad77bb4_0d7a3660_a89ecaf3_2466ef97, 0xf5d3d585_03b9699d_e785895a_96fdbaaf]),
        Mode::Cbc => (IV, 32, &[0x7649abac_8119b246_cee98e9b_12e9197d, 0x5086cb9b_507219ee_95db113a_917678b2]),
        Mode::Cfb => (IV, 32, &[0x3b3fd92e_b72dad20_333449f8_e83cfb4a, 0xc8a64537_a0b3a93f_cde3cdad_9f1ce58b]),
        Mode::Ofb => (IV, 32, &[0x3b3fd92e_b72dad20_333449f8_e83cfb4a, 0x7789508d_16918f03_f53c52da_c54ed825]),
        Mode::Ctr => (COUNTER, 32, &[0x874d6191_b620e326_1bef6864_990db6ce, 0x9806f66b_7970fdff_8617187b_b9fffdff]),
        Mode::Cmac => (IV, 40, &[0xdfa66747_de9ae630_30ca3261_1497c827]),
        Mode::Aead(_) | Mode::Archived(_) => return Err("no mode of the standards".into()),
    };
    let answer: Vec<u8> = answer.iter().flat_map(|block| block.to_be_bytes()).collect();
    if one(mode, cpu, &KEY.to_be_bytes(), iv, text[..bytes].to_vec())? == answer {
        Ok(())
    } else {
        Err("not the known answer".into())
    }
}

/// One message's ciphertext or tag.
fn one(mode: Mode, cpu: Cpu, key: &[u8; 16], iv: u128, mut message: Vec<u8>) -> Result<Vec<u8>, String> {
    let iv = iv.to_be_bytes();
    let why = |e: combseal::Error| e.to_string();
    match mode {
        Mode::Ecb => Ecb::<Aes128>::build(cpu, key).and_then(|key| key.encrypt(&mut message)).map_err(why)?,
        Mode::Cbc => Cbc::<Aes128>::build(cpu, key).and_then(|key| key.encrypt(&iv, &mut message)).map_err(why)?,
        Mode::Cfb => Cfb::<Aes128>::build(cpu, key).map_err(why)?.encrypt(&iv, &mut message),
        Mode::Ofb => Ofb::<Aes128>::build(cpu, key).map_err(why)?.apply(&iv, &mut message),
        Mode::Ctr => Ctr::<Aes128>::build(cpu, key).map_err(why)?.apply(&iv, &mut message),
        Mode::Cmac => {
            message = Cmac::<Aes128>::build(cpu, key, 16).map_err(why)?.tag(&message).as_bytes().to_vec();
        }
        Mode::Aead(_) | Mode::Archived(_) => return Err("no mode of the standards".into()),
    }
    Ok(message)
}

/// All of them on the comb's lanes: so many, or the tier's own number. What has no lanes is done one
/// message after the other, as it is timed.
fn together(
    mode: Mode,
    cpu: Cpu,
    lanes: Option<usize>,
    keys: &[[u8; 16]],
    mut messages: Vec<Vec<u8>>,
) -> Result<Vec<Vec<u8>>, String> {
    let iv = IV.to_be_bytes();
    let why = |e: combseal::Error| e.to_string();
    let mut comb = lanes.map_or_else(Comb::new, Comb::with_lanes);
    macro_rules! built {
        ($build:expr) => {
            keys.iter().map($build).collect::<Result<Vec<_>, _>>().map_err(why)?
        };
    }
    macro_rules! lanes {
        ($mode:ident, $many:expr) => {{
            let keys = built!(|key| $mode::<Aes128>::build(cpu, key));
            let all = messages.iter_mut().zip(keys.iter().cycle());
            let all = all.map(|(message, key)| Message::new(key, &iv, message));
            $many(&mut all.collect::<Vec<_>>(), &mut comb)
        }};
    }
    match mode {
        Mode::Cbc => lanes!(Cbc, Cbc::<Aes128>::encrypt_many).map_err(why)?,
        Mode::Cfb => lanes!(Cfb, Cfb::<Aes128>::encrypt_many),
        Mode::Ofb => lanes!(Ofb, Ofb::<Aes128>::apply_many),
        Mode::Cmac => {
            let keys = built!(|key| Cmac::<Aes128>::build(cpu, key, 16));
            let mut tags = vec![[0; 16]; messages.len()];
            let all: Vec<_> =
                messages.iter().zip(keys.iter().cycle()).map(|(message, key)| (key, &message[..])).collect();
            Cmac::tag_many(&all, &mut tags, &mut comb).map_err(why)?;
            return Ok(tags.into_iter().map(Vec::from).collect());
        }
        _ => {
            let all = messages.into_iter().zip(keys.iter().cycle());
            return all.map(|(message, key)| one(mode, cpu, key, IV, message)).collect();
        }
    }
    Ok(messages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standards_answers_on_every_tier() {
        for cpu in Cpu::all() {
            for mode in Mode::PAPER.into_iter().filter(|mode| mode.is_raw()) {
                for (way, keys) in [(Way::Single, 1), (Way::Comb(None), 1), (Way::Comb(Some(3)), 3)] {
                    assert_eq!(agrees(mode, cpu, way, keys, &[64, 100, 0, 16]), Ok(()), "{mode:?} on {}", cpu.name());
                }
            }
            assert!(agrees(Mode::PAPER[6], cpu, Way::Single, 1, &[]).is_err());
        }
    }
}
