//! Clippy as the compiler: what compiles the tests lints them too.
//!
//! `cargo clippy` checks without writing code, so that a build beside it would read every crate
//! again. Clippy's driver is a compiler that lints: as Cargo's wrapper for the workspace's own
//! crates it does both in one go.

use crate::error::Result;
use crate::{process, tools};
use std::process::Command;

/// What Clippy's driver reads options from, and what it expects behind each: `cargo clippy -- …`
/// hands them on so.
const OPTIONS: (&str, &str) = ("CLIPPY_ARGS", "--deny__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");

/// `cargo`, whose builds fail at Clippy's warnings and the compiler's.
pub fn cargo() -> Result<Command> {
    let mut cargo = process::cargo();
    cargo.env("RUSTC_WORKSPACE_WRAPPER", tools::clippy_driver()?).env(OPTIONS.0, OPTIONS.1);
    Ok(cargo)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths;
    use std::fs;

    /// Compiles `source` as Cargo would have it compiled.
    fn compiles(source: &str) -> bool {
        let folder = paths::state().join("tmp/lints");
        paths::make_dir(&folder).unwrap();
        let file = folder.join("probe.rs");
        fs::write(&file, source).unwrap();
        let mut driver = process::command(tools::clippy_driver().unwrap());
        driver.env(OPTIONS.0, OPTIONS.1).args(["rustc", "--crate-type", "lib", "--emit", "metadata"]);
        driver.arg("--out-dir").arg(&folder).arg(&file).output().unwrap().status.success()
    }

    #[test]
    fn warnings_of_clippy_and_of_the_compiler_are_errors() {
        assert!(compiles("pub fn same(x: f32) -> f32 { x }"));
        assert!(!compiles("pub fn same(x: f32) -> f32 { return x; }"), "clippy::needless_return");
        assert!(!compiles("fn unused() {}"), "dead_code");
    }
}
