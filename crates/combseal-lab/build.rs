//! Keeps the compiler's version, which every results file names.

fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let output = std::process::Command::new(rustc).arg("--version").output();
    let version = output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_string()).unwrap_or_default();
    println!("cargo:rustc-env=COMBSEAL_COMPILER={version}");
    println!("cargo:rerun-if-changed=build.rs");
}
