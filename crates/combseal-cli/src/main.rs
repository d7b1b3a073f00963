//! The `combseal` command.
fn main() {}
