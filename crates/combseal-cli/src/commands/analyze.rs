//! `combseal analyze`: what the papers computed once, computed again.

mod comb;

use super::amount::bytes;
use super::{FAILED, OK, columns};
use combseal_lab::analyze::{
    Cost, Timer, doubling, gf2, gf128, lfsr, lfsr_search, lfsr_speed, ocb2, short_nonces, stretch,
};
use std::io::{self, Write};

/// What to compute again.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Args {
    /// domSize(c): how many nonces one Ktop of OCB3 can serve, for a stretch by c bits
    ///
    /// By ranks over GF(2), as in Krovetz and Rogaway 2011, sect. 4.1 and Fig. 5. Exits with 1 if the row is not the
    /// paper's.
    Stretch,
    /// The word-oriented LFSRs: polynomials, primitivity, speed against Gray-code offsets
    ///
    /// Krovetz and Rogaway 2011, Appendix A, and a search for more of their kind. Exits with 1 if one of the paper's is
    /// not maximal.
    Lfsr {
        /// Candidates to try in the search: about 4,000 a second
        #[arg(long, value_name = "N", default_value_t = 20_000)]
        candidates: usize,
        /// Where the search begins
        #[arg(long, value_name = "N", default_value_t = 2011)]
        seed: u64,
    },
    /// Products and doublings in GF(2^128)
    ///
    /// Classical against Haswell multiplication, aggregated reduction, the ways to double: Bogdanov, Lauridsen and
    /// Tischhauser 2014, sect. 6.3 to 6.5 and Fig. 4.
    Gf128,
    /// The comb: the windows in which messages of these lengths walk side by side
    ///
    /// Bogdanov, Lauridsen and Tischhauser 2014, Algorithms 1 and 2, as the library's batches schedule them. The list of
    /// the paper's Fig. 1 is 94 5 5 5 85 94 94.
    Comb {
        /// Lengths of messages, in blocks of 16 bytes
        #[arg(required = true, value_name = "BLOCKS", value_parser = bytes)]
        lengths: Vec<u64>,
        /// Messages that walk side by side, P: 1 to 16
        #[arg(long, value_name = "P", default_value_t = 7, value_parser = clap::value_parser!(u64).range(1..=16))]
        lanes: u64,
    },
    /// The break of OCB2: a message forged after one question, and the same attempt against OCB3
    ///
    /// The smallest forgery of Inoue, Iwata, Minematsu and Poettering, CRYPTO 2019, step by step. Exits with 1 unless
    /// OCB2 falls, and OCB3 and OCB1 do not.
    Ocb2 {
        /// What key, nonce and message are made from
        #[arg(long, value_name = "N", default_value_t = 2019)]
        seed: u64,
    },
    /// The break of OCB3 with nonces that are too short, which the library refuses
    ///
    /// Liénardy and Lafitte 2023, step by step: under an empty nonce the tag of the empty message gives one key in four
    /// away. Exits with 1 unless it does, and the library refuses that nonce.
    ShortNonces {
        /// What keys and nonces are made from
        #[arg(long, value_name = "N", default_value_t = 2023)]
        seed: u64,
    },
}

/// Runs the command and returns the exit code.
///
/// # Errors
/// When `out` cannot be written.
pub fn run(args: &Args, out: &mut impl Write) -> io::Result<u8> {
    match args {
        Args::Stretch => stretch(out),
        Args::Lfsr { candidates, seed } => lfsr(*candidates, *seed, out),
        Args::Gf128 => gf128(out).map(|()| OK),
        Args::Comb { lengths, lanes } => comb::run(lengths, *lanes as usize, out).map(|()| OK),
        Args::Ocb2 { seed } => ocb2(&ocb2::analyze(*seed).map_err(io::Error::other)?, out),
        Args::ShortNonces { seed } => short_nonces(*seed, out),
    }
}

fn stretch(out: &mut impl Write) -> io::Result<u8> {
    let ours: Vec<usize> = (1..=stretch::PUBLISHED.len()).map(stretch::dom_size).collect();
    let row =
        |name: &str, values: &[usize]| values.iter().fold(format!("{name:<11}"), |row, v| row + &format!("{v:>4}"));
    let shifts: Vec<usize> = (1..=ours.len()).collect();
    writeln!(out, "{}", row("c", &shifts))?;
    writeln!(out, "{}", row("domSize(c)", &ours))?;
    let same = ours == stretch::PUBLISHED;
    if !same {
        writeln!(out, "{}", row("the paper", &stretch::PUBLISHED))?;
    }
    writeln!(
        out,
        "\n{} OCB3 stretches by 8 bits and uses 64 of the 85.",
        if same { "As in Krovetz and Rogaway 2011, Fig. 5." } else { "NOT as in Krovetz and Rogaway 2011, Fig. 5." }
    )?;
    Ok(if same { OK } else { FAILED })
}

fn lfsr(candidates: usize, seed: u64, out: &mut impl Write) -> io::Result<u8> {
    writeln!(out, "Krovetz and Rogaway 2011, Appendix A. + is XOR.\n")?;
    let mut all = true;
    for lfsr in lfsr::LFSRS {
        let analysis = lfsr::analyze(lfsr.step);
        all &= analysis.maximal;
        let maximal = if analysis.maximal { "primitive: all 2^128 - 1 blocks on one cycle" } else { "NOT primitive" };
        writeln!(out, "{:<9} {}\n          {maximal}", lfsr.name, lfsr.formula)?;
        writeln!(out, "          {}", wrapped(&gf2::polynomial(analysis.polynomial), 100, 10))?;
    }
    writeln!(
        out,
        "\nIn (1) the paper prints 10^120 1010001, which does not fit a 64-bit word; 10^56 1010001 is maximal.\n"
    )?;
    out.flush()?;

    let mut timer = Timer::new();
    let mut rows = vec![["one step and its store".to_string(), timer.unit().into(), "middle half".into()]];
    for row in lfsr_speed::measure(&mut timer) {
        rows.push([row.name, cycles(row.cost), spread(row.cost)]);
    }
    columns(out, &rows)?;
    writeln!(out, "\nSearching {candidates} candidates from seed {seed}…")?;
    out.flush()?;
    let found = lfsr_search::search(candidates, seed);
    writeln!(out, "{} of {} are maximal; fewest operations first:\n", found.maximal.len(), found.tried)?;
    let mut rows = vec![["operations".to_string(), "LFSR".into()]];
    rows.extend(found.maximal.iter().map(|c| [c.operations().to_string(), c.formula()]));
    columns(out, &rows)?;
    Ok(if all { OK } else { FAILED })
}

fn gf128(out: &mut impl Write) -> io::Result<()> {
    let mut timer = Timer::new();
    let unit = timer.unit();
    writeln!(out, "Products in GF(2^128), {unit} each, by registers in flight; hashing a block, by products between")?;
    writeln!(out, "reductions (one block a register).\n")?;
    let mut rows = vec![vec!["tier".to_string(), "method".into()]];
    rows[0].extend(gf128::IN_FLIGHT.map(|n| format!("{n} at once")));
    rows[0].extend(gf128::AT_ONCE.map(|n| format!("hash, {n}")));
    for row in gf128::measure(&mut timer) {
        let mut cells = vec![row.cpu.name().to_string(), row.method.name().into()];
        cells.extend(row.product.iter().chain(&row.hash).map(|cost| cycles(*cost)));
        rows.push(cells);
    }
    if rows.len() == 1 {
        writeln!(out, "This machine has no instruction for carry-less products.")?;
    } else {
        columns(out, &rows)?;
    }
    writeln!(
        out,
        "\nDoubling, each waiting for the one before, {unit}; the paper's are of a Core i5-4300U (Haswell).\n"
    )?;
    let mut rows = vec![["top bit by", "as a mask", "with a jump", "the paper"].map(String::from)];
    for row in doubling::measure(&mut timer) {
        let or_dash = |cost: Option<String>| cost.unwrap_or("-".into());
        rows.push([
            row.way.name().into(),
            cycles(row.free),
            or_dash(row.jump.map(cycles)),
            or_dash(row.way.published().map(|c| c.to_string())),
        ]);
    }
    columns(out, &rows)
}

fn ocb2(it: &ocb2::Analysis, out: &mut impl Write) -> io::Result<u8> {
    let attempt = &it.ocb2;
    let ([m1, m2], [c1, c2], nonce) = (attempt.asked, attempt.ciphertext, hex(&attempt.nonce));
    writeln!(
        out,
        "The smallest forgery of Inoue, Iwata, Minematsu and Poettering (CRYPTO 2019). + is XOR, and products are
those of GF(2^128). E is the AES under the key, D is E(nonce), and len is the number of bits in a block.

1. The attacker has two blocks sealed, M1 and M2, of which the first is len, without associated data.

   key      {:032x}  (the attacker does not know it)
   nonce    {nonce}
   M1       {m1:032x}  = len
   M2       {m2:032x}  (any block)
   C1       {c1:032x}  = 2D + E(len + 2D)
   C2       {c2:032x}  = M2 + E(len + 4D)
   tag      {:032x}

2. From that comes a message of one block under the same nonce, which nobody has sealed.

   C        {:032x}  = C1 + len
   T        {:032x}  = C2 + M2 = E(len + 4D)

   OCB2 opens it to M = C + E(len + 2D) = len + 2D, for which it wants the tag E(M + 3·2D) = E(len + 4D).
",
        it.key, attempt.tag, attempt.forged, attempt.forged_tag
    )?;
    let falls = if let (Some(message), Some(twice), Some(delta)) = (attempt.opened, attempt.offset(), attempt.delta()) {
        let right = delta == it.delta;
        writeln!(
            out,
            "3. It is opened. Who sees the message knows the offset, and with it what the cipher makes of the nonce.

   M        {message:032x}
   2D       {twice:032x}  = M + len
   D        {delta:032x}  = E(nonce), {}
",
            if right { "as the key has it" } else { "NOT as the key has it" }
        )?;
        right
    } else {
        writeln!(out, "3. It is NOT opened.\n")?;
        false
    };
    writeln!(
        out,
        "4. The same against the versions before and after, with the same key and blocks, and as much of the nonce as\n   they take:\n"
    )?;
    let mut row =
        |scheme: &str, c: &str, t: &str, outcome: &str| writeln!(out, "   {scheme:<12}  {c:<32}  {t:<32}  {outcome}");
    row("scheme", "C", "T", "it is")?;
    for attempt in [&it.ocb2, &it.others[0], &it.others[1]] {
        let [c, t] = [attempt.forged, attempt.forged_tag].map(|block| format!("{block:032x}"));
        let outcome = if attempt.opened.is_some() { "opened" } else { "refused" };
        row(attempt.version.name(), &c, &t, outcome)?;
    }
    writeln!(
        out,
        "
   OCB1 enciphers the length, and OCB3 the checksum, at offsets that no block of a message has (OCB3 needs no
   length). Their ciphertext does not show what another message's last block or tag is made of."
    )?;
    let as_published = falls && it.is_as_published();
    writeln!(
        out,
        "\n{}",
        if as_published {
            "OCB2 falls, as published; OCB3 and OCB1 do not."
        } else {
            "NOT as published: OCB2 was to fall, and OCB3 and OCB1 were not."
        }
    )?;
    Ok(if as_published { OK } else { FAILED })
}

fn short_nonces(seed: u64, out: &mut impl Write) -> io::Result<u8> {
    let it = short_nonces::analyze(seed).map_err(io::Error::other)?;
    let (attack, star) = (&it.attack, it.attack.short_tag);
    let [two, one] = &attack.forgeries;
    writeln!(
        out,
        "Liénardy and Lafitte (2023) on OCB3-AES-128 with tags of 16 bytes. + is XOR, and products are those of
GF(2^128). E is the AES under the key; L = E(0), the L_* of RFC 7253, is what all offsets are made of.

The nonce block of the empty nonce is the number 1: Ktop is E(0) = L, and the first offset is L << 1, with
a bit b behind it, bit 0 of L + bit 8. The tag of the empty message is E(offset + 2L), and 2L is L << 1,
with 0x87 added if bit 0 of L is one. With bits 0 and 8 zero, as in one key of four, it is E(0) = L itself.

1. The library refuses the nonce: {}.
   What follows has called hazmat_allow_short_nonces.

2. Under one key after the other, the attacker has the empty message sealed with the empty nonce, takes
   the tag for L, and tries what follows. Key {} is the first that falls.

   key      {:032x}  (the attacker does not know it)
   tag      {star:032x}
   L        {:032x}  = E(0) by the key: {}

3. Somebody seals a message with the same key and an ordinary nonce of 12 bytes, without associated data.

   nonce    {}
   C        {}
   T        {:032x}
",
        it.refused.map_or_else(|e| format!("Error::{e:?}, {e}"), |()| "NOT refused".into()),
        it.tried,
        attack.key,
        it.star,
        if star == it.star { "the same" } else { "NOT the same" },
        hex(&attack.nonce),
        wrapped_hex(&attack.ciphertext),
        attack.tag,
    )?;
    writeln!(
        out,
        "4. The hash of associated data, A1 and A2, is E(A1 + 4L) + E(A2 + 4L + 8L): no nonce is in it. With A1 = 4L
   and A2 = 4L + 8L it is E(0) + E(0) = 0, as without any; with A1 alone it is L. So these open too:

   A1       {:032x}
   A2       {:032x}
   T        {:032x}
            {}

   A1       {:032x}
   T + L    {:032x}
            {}
",
        two.ad[0],
        two.ad[1],
        two.tag,
        verdict(two),
        one.ad[0],
        one.tag,
        verdict(one),
    )?;
    writeln!(
        out,
        "   So it goes with every message until the key is changed, and who has forgeries opened reads them all.

Which nonces do it: those of fewer than 6 bits, whose block has nothing but zeros in front of its last six
bits. Of whole bytes that is the empty nonce alone. Of 1,000 keys each:
"
    )?;
    let mut rows = vec![["bytes of nonce", "keys that fall"].map(String::from)];
    let mut others = 0;
    for len in 0..=6 {
        let weak = short_nonces::weak_keys(seed, len, 1_000).map_err(io::Error::other)?;
        others += if len > 0 { weak } else { 0 };
        rows.push([len.to_string(), weak.to_string()]);
    }
    columns(out, &rows)?;
    let as_published = it.is_as_published() && others == 0;
    writeln!(
        out,
        "\n{}",
        if as_published {
            "As published. The library refuses every nonce of fewer than 6 bytes."
        } else {
            "NOT as published."
        }
    )?;
    Ok(if as_published { OK } else { FAILED })
}

/// What came of a forgery.
fn verdict(it: &short_nonces::Forgery) -> String {
    match &it.opened {
        Some(message) => format!("opened: {:?}", String::from_utf8_lossy(message)),
        None => "NOT opened".into(),
    }
}

/// Bytes in hexadecimal.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The same, a block a line, behind the column of names.
fn wrapped_hex(bytes: &[u8]) -> String {
    bytes.chunks(16).map(hex).collect::<Vec<_>>().join("\n            ")
}

/// A cost, marked where no reading was undisturbed.
fn cycles(cost: Cost) -> String {
    format!("{:.2}{}", cost.median, if cost.clean == 0 { "?" } else { "" })
}

fn spread(cost: Cost) -> String {
    format!("{:.2} to {:.2}", cost.p25, cost.p75)
}

/// Breaks at spaces into lines of `width`, the later ones behind `indent` spaces.
fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let (mut lines, mut length) = (String::new(), 0);
    for term in text.split_inclusive("+ ") {
        if length + term.len() > width {
            lines += &format!("\n{:indent$}", "");
            length = 0;
        }
        lines += term;
        length += term.len();
    }
    lines
}
