//! What the command prints and how it exits: `tests/transcripts`.
//! `TRYCMD=overwrite cargo test -p combseal-cli --test transcripts` rewrites them.

#[test]
fn transcripts() {
    trycmd::TestCases::new().case("tests/transcripts/*.trycmd");
}
