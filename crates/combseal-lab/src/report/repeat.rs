//! The command that measures a run again, made of the options that its results name.

use crate::results::Machine;
use crate::study::{Options, Peers, Scope};

/// The command; with a file's name for the user's traffic, where there was some.
pub fn command(machine: &Machine) -> String {
    let map = machine.options.clone().into_iter().collect();
    // Results of a program that knew other options are repeated by those that are known here.
    let options: Options = serde_json::from_value(serde_json::Value::Object(map)).unwrap_or_default();
    let mut words = vec!["combseal study".to_string()];
    let mut add = |word: String| words.push(word);
    match options.scope {
        Scope::Quick => add("--quick".into()),
        Scope::Full => add("--full".into()),
        Scope::Default => {}
    }
    if !options.papers.is_empty() {
        add(format!("--papers {}", options.papers.iter().map(u16::to_string).collect::<Vec<_>>().join(",")));
    }
    for (name, values) in [("schemes", &options.schemes), ("tiers", &options.tiers)] {
        if !values.is_empty() {
            add(format!("--{name} {}", values.join(",")));
        }
    }
    match &options.peers {
        Peers::All => {}
        Peers::None => add("--peers none".into()),
        Peers::Named(names) => add(format!("--peers '{}'", names.join(","))),
    }
    if !options.lengths.is_empty() {
        add(format!("--lengths {}", ranges(&options.lengths).join(",")));
    }
    if let Some(traffic) = &options.traffic {
        add(format!("--traffic '{}'", traffic.name));
        if traffic.payload != "given" {
            add(format!("--payload {}", traffic.payload));
        }
    }
    if let (true, Ok(method)) = (options.method != Default::default(), serde_json::to_value(options.method)) {
        add(format!("--method {}", method.as_str().unwrap_or_default()));
    }
    if let Some(seconds) = options.seconds {
        add(format!("--seconds {seconds}"));
    }
    if options.seed > 0 {
        add(format!("--seed {}", options.seed));
    }
    words.join(" ")
}

/// Lengths as the command line takes them: those that follow each other as one range.
fn ranges(lengths: &[u64]) -> Vec<String> {
    let runs = lengths.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let written = |run: &[u64]| match run {
        [one] => one.to_string(),
        run => format!("{}-{}", run[0], run[run.len() - 1]),
    };
    runs.map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Method;
    use crate::traffic::Traffic;

    #[test]
    fn options_to_a_command() {
        let of = |options: &Options| {
            let options = serde_json::to_value(options).unwrap();
            let options = options.as_object().unwrap().clone().into_iter().collect();
            command(&Machine { options, ..Machine::default() })
        };
        assert_eq!(of(&Options { seed: 7, ..Options::default() }), "combseal study --seed 7");
        let all = Options {
            scope: Scope::Quick,
            papers: vec![2011, 2021],
            schemes: vec!["ocb3".into(), "gcm".into()],
            tiers: vec!["soft".into()],
            peers: Peers::Named(vec!["ring".into()]),
            lengths: vec![1, 2, 3, 64],
            traffic: Some(Traffic { name: "day.pcap".into(), payload: "udp".into(), ..Traffic::realistic() }),
            method: Method::ProcessTime,
            seed: 1,
            seconds: Some(5.5),
        };
        assert_eq!(
            of(&all),
            "combseal study --quick --papers 2011,2021 --schemes ocb3,gcm --tiers soft --peers 'ring' --lengths 1-3,64 --traffic 'day.pcap' --payload udp --method process-time --seconds 5.5 --seed 1"
        );
        assert_eq!(command(&Machine::default()), "combseal study");
    }
}
