//! `combseal analyze`: what the papers computed once, computed again.

use super::{FAILED, OK, columns};
use combseal_lab::analyze::{Cost, Timer, doubling, gf2, gf128, lfsr, lfsr_search, lfsr_speed, stretch};
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
}

/// Runs the command and returns the exit code.
///
/// # Errors
/// When `out` cannot be written.
pub fn run(args: &Args, out: &mut impl Write) -> io::Result<u8> {
    match *args {
        Args::Stretch => stretch(out),
        Args::Lfsr { candidates, seed } => lfsr(candidates, seed, out),
        Args::Gf128 => gf128(out).map(|()| OK),
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
    rows[0].extend(gf128::IN_FLIGHT.map(|n| format!("{n} in flight")));
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
