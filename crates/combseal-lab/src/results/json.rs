//! One result as one line of JSON, for programs that read the output of the example `speed`. Files
//! of a whole study have more in a line; `record` has them.

use crate::measure::Summary;
use crate::subjects::Op;

/// What a result is a result of.
#[derive(Clone, Debug)]
pub struct Label {
    /// The scheme with its key's length: `OCB3-AES-128`.
    pub scheme: String,
    /// Whose code.
    pub implementation: String,
    /// What was done with each message.
    pub op: Op,
    /// The message's length; 0 for key setup.
    pub bytes: usize,
    /// The fewest cycles it can take, where that is known.
    pub limit: Option<f64>,
}

/// `{"scheme","implementation","op","bytes","cycles","limit_cycles","clean_samples"}`. The limit
/// is null where there is none: key setup, or a machine without AES instructions.
pub fn line(label: &Label, summary: &Summary) -> String {
    format!(
        r#"{{"scheme":{},"implementation":{},"op":{},"bytes":{},"cycles":{:.2},"limit_cycles":{},"clean_samples":{}}}"#,
        string(&label.scheme),
        string(&label.implementation),
        string(label.op.name()),
        label.bytes,
        summary.median,
        label.limit.map_or("null".into(), |limit| format!("{limit:.2}")),
        summary.clean,
    )
}

fn string(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => quoted += &format!("\\u{:04x}", c as u32),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_the_issue_asks_for() {
        let mut label = Label {
            scheme: "OCB3-AES-128".into(),
            implementation: "a \"b\"\\".into(),
            op: Op::SealFresh,
            bytes: 64,
            limit: Some(60.0),
        };
        let summary = Summary {
            median: 72.256,
            minimum: 70.0,
            p25: 71.0,
            p75: 74.0,
            clean: 31,
            unclean: 0,
            discarded: 2,
            faults: 0,
        };
        assert_eq!(
            line(&label, &summary),
            r#"{"scheme":"OCB3-AES-128","implementation":"a \"b\"\\","op":"seal-fresh","bytes":64,"cycles":72.26,"limit_cycles":60.00,"clean_samples":31}"#
        );
        label.limit = None;
        assert!(line(&label, &summary).contains(r#""limit_cycles":null,"#));
    }
}
