//! What a ranking says to somebody who wants to know what to take: first a recommendation in three
//! lines, then the figures behind it, then why not the others.

use super::columns;
use super::lines::hanging;
use combseal_lab::answers::rank::{self, Direction, How, Ranked, Ranking};
use combseal_lab::answers::{Advice, Need, advise};
use combseal_lab::results::{Run, Unit};
use std::io::{self, Write};

/// The widest name of somebody else's code in a table.
const PEER: usize = 24;

/// Prints what to take for a run's ranking and why. Says whether any scheme has all `needs`.
///
/// # Errors
/// Those of `out`.
pub(super) fn print(
    run: &Run,
    ranking: &Ranking,
    wanted: Direction,
    needs: &[Need],
    out: &mut impl Write,
) -> io::Result<bool> {
    let advice = advise(ranking, needs);
    let (fit, others): (Vec<&Advice>, Vec<&Advice>) = advice.iter().partition(|a| a.lacks.is_empty());
    recommend(run, ranking, needs, &advice, &fit, out)?;
    if ranking.direction != wanted {
        writeln!(out, "note: these results have no opening of it; it is ranked by sealing alone")?;
    }
    if advice.is_empty() {
        return Ok(false);
    }
    figures(run, ranking, &fit, &others, out)?;
    why_not(ranking, &fit, &others, out)?;
    Ok(!fit.is_empty())
}

fn unit(run: &Run) -> &'static str {
    match run.machine.clock.unit {
        Unit::Cycles => "cycles",
        Unit::Nanoseconds => "ns",
    }
}

/// The three lines.
fn recommend(
    run: &Run,
    ranking: &Ranking,
    needs: &[Need],
    advice: &[Advice],
    fit: &[&Advice],
    out: &mut impl Write,
) -> io::Result<()> {
    let way = if ranking.direction == Direction::Both { " each way" } else { "" };
    match fit.first() {
        Some(first) => {
            let r = first.ranked;
            let rate = r.gbits.map_or(String::new(), |gbits| format!(", {gbits:.1} Gbit/s{way} a core"));
            let (per_byte, unit, done) = (r.per_byte, unit(run), ranking.direction.done());
            writeln!(out, "Take {}, by {}: {per_byte:.3} {unit} a byte {done}{rate}.", r.scheme, r.implementation)?;
            writeln!(out, "{}", beside(ranking, first, fit))?;
        }
        None if run.machine.emulated.is_some() => {
            writeln!(
                out,
                "An emulator ran this study: its times say nothing of a real machine, and nothing is ranked."
            )?;
        }
        None if advice.is_empty() => {
            writeln!(
                out,
                "Nothing can be ranked: no scheme that is for use was measured, or too few times without a disturbance."
            )?;
        }
        None => {
            let names: Vec<_> = needs.iter().map(|need| need.name()).collect();
            writeln!(
                out,
                "None of the {} schemes measured has all that is needed: {}.",
                advice.len(),
                names.join(", ")
            )?;
        }
    }
    let about = if ranking.about.is_empty() { String::new() } else { format!(": {}", ranking.about) };
    // Of what is named first, and of what stands behind it.
    let shown = || if fit.is_empty() { advice.iter().collect() } else { fit.to_vec() };
    let how = shown().first().map_or(String::new(), |a| format!("; {}", how(run, ranking, a.ranked.how)));
    writeln!(out, "For {}{about}{how}.", ranking.traffic)?;
    let beyond = shown().iter().skip(1).filter(|a| a.ranked.how == How::Beyond).count();
    if beyond > 0 && shown()[0].ranked.how != How::Beyond {
        writeln!(out, "note: {beyond} of the others were not measured at such lengths, and are taken beyond theirs.")?;
    }
    Ok(())
}

/// How the traffic was measured.
fn how(run: &Run, ranking: &Ranking, how: How) -> String {
    let all = run.traffic.iter().find(|t| ranking.about == rank::about(t)).map(|t| t.messages);
    match (how, ranking.sample, all) {
        (How::Measured, Some(sample), Some(all)) if ranking.measured && sample < all => {
            format!("measured, by {sample} that stand for {all}")
        }
        (How::Measured, ..) => "measured".into(),
        (How::Between, ..) => "between measured lengths".into(),
        (How::Beyond, ..) => "NOT MEASURED: beyond the lengths measured, on a straight line".into(),
    }
}

/// What else there is to know before one looks at figures: ties, and what to take for a want of one's own.
fn beside(ranking: &Ranking, first: &Advice, fit: &[&Advice]) -> String {
    let mut said = Vec::new();
    // Another library's code of the same scheme may be as good.
    let library = |r: &Ranked| r.implementation.split(' ').next().unwrap_or_default().to_string();
    let mine = library(first.ranked);
    let same = |r: &&Ranked| r.scheme == first.ranked.scheme && library(r) != mine && r.ties(first.ranked);
    if let Some(peer) = ranking.ranked.iter().find(same) {
        said.push(format!("{} has it as fast", peer.implementation));
    }
    let ties: Vec<&str> = fit.iter().skip(1).filter(|a| a.ties).map(|a| a.ranked.scheme.as_str()).collect();
    match ties[..] {
        [] => {}
        [one] => said.push(format!("{one} is as fast")),
        [one, ref more @ ..] => said.push(format!("{one} and {} more are as fast", more.len())),
    }
    for (need, what) in [(Need::Nist, "approved by NIST"), (Need::MisuseResistant, "when nonces may repeat")] {
        let has = |a: &&&Advice| need.lacking(&a.ranked.scheme).is_none();
        if need.lacking(&first.ranked.scheme).is_some()
            && let Some(a) = fit.iter().find(has)
        {
            let times = a.times.map_or(String::new(), |times| format!(" ({times:.2} times)"));
            said.push(format!("{what}: {}{times}", a.ranked.scheme));
        }
    }
    match said[..] {
        [] => "Nothing that fits is as fast.".into(),
        _ => {
            let text = said.join("; ");
            let mut letters = text.chars();
            letters.next().map_or(String::new(), |c| c.to_uppercase().collect::<String>()) + letters.as_str() + "."
        }
    }
}

/// The table, no wider than a terminal: schemes that fit, then the others.
fn figures(run: &Run, ranking: &Ranking, fit: &[&Advice], others: &[&Advice], out: &mut impl Write) -> io::Result<()> {
    let way = if ranking.direction == Direction::Both { ", each way" } else { "" };
    let head = ["scheme", "seal", "open", "both", "Gbit/s", "times", "by", "others' best", "times ours"];
    let mut rows = vec![head.map(String::from)];
    let number = |value: Option<f64>, digits: usize| value.map_or("-".into(), |value| format!("{value:.digits$}"));
    for (place, a) in fit.iter().chain(others).enumerate() {
        let Ranked { scheme, implementation, seal, open, gbits, per_byte, .. } = a.ranked;
        let peer = a.peer.map_or("-".into(), |peer| clipped(&peer.implementation));
        let tie = if a.ties && place > 0 { "=" } else { "" };
        let times = a.times.map_or("-".into(), |times| format!("{times:.2}{tie}"));
        let lacks = if a.lacks.is_empty() { "" } else { "*" };
        rows.push([
            format!("{scheme}{lacks}"),
            number(*seal, 3),
            number(*open, 3),
            number(seal.zip(*open).map(|(seal, open)| seal + open), 3),
            number(*gbits, 1),
            times,
            clipped(implementation),
            peer,
            number(a.peer.map(|peer| peer.per_byte / per_byte), 2),
        ]);
    }
    writeln!(out)?;
    columns(out, &rows)?;
    let unit = unit(run);
    let mut legend = format!("Seal, open and both: {unit} a byte. Gbit/s: of one core{way}.");
    if fit.iter().skip(1).any(|a| a.ties) {
        legend += &format!(
            " =: a tie, within {:.0} % or, up to {:.0} %, the noise.",
            100.0 * rank::TIE,
            100.0 * rank::NO_TIE
        );
    }
    if !others.is_empty() {
        legend += " *: lacks what is needed.";
    }
    writeln!(out, "\n{legend}\nMeasured on {}.", run.machine.cpu)
}

/// A sentence for each that is not the first.
fn why_not(ranking: &Ranking, fit: &[&Advice], others: &[&Advice], out: &mut impl Write) -> io::Result<()> {
    if fit.len() + others.len() > 1 {
        writeln!(out, "\nWhy not the others:")?;
    }
    for a in fit.iter().skip(1) {
        let slower = match a.times {
            _ if a.ties => "is as fast".to_string(),
            Some(times) => format!("takes {times:.2} times as long"),
            None => String::new(),
        };
        let beyond = if a.beyond.is_empty() { String::new() } else { format!(", but has {}", a.beyond.join(", ")) };
        hanging(out, &a.ranked.scheme, &format!("{slower}{beyond}"))?;
    }
    for a in others.iter().skip(usize::from(fit.is_empty() && others.len() == 1)) {
        hanging(out, &a.ranked.scheme, &a.lacks.join("; "))?;
    }
    for (scheme, implementation) in &ranking.doubtful {
        hanging(out, scheme, &format!("by {implementation}: too disturbed to be ranked; measure again"))?;
    }
    Ok(())
}

fn clipped(name: &str) -> String {
    if name.chars().count() <= PEER {
        return name.into();
    }
    name.chars().take(PEER - 1).chain(['…']).collect()
}
