//! Tools that the build needs, and their installation.
//!
//! Each function is quick when its tool is there. Browsers and GPU drivers have a module of their
//! own: `browser`.

use crate::error::{Error, Result};
use crate::{paths, process};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Rust's name for the browser.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// The version of cargo-nextest that is installed where there is none.
const NEXTEST: &str = "0.9.143";

/// The oldest Node.js that the npm packages run on.
const NODE: (u32, u32) = (20, 19);

/// Makes sure that the compiler can target the browser.
pub fn wasm_target() -> Result<()> {
    let mut rustc = process::command(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let library = process::capture(rustc.args(["--print", "target-libdir", "--target", WASM_TARGET]))?;
    if PathBuf::from(library.trim()).is_dir() {
        return Ok(());
    }
    if process::version("rustup").is_none() {
        return Err(Error::Missing {
            what: format!("Rust's {WASM_TARGET} target"),
            remedy: "install it as you installed Rust, or use rustup (https://rustup.rs)".into(),
        });
    }
    println!("installing Rust's {WASM_TARGET} target");
    process::run(process::command("rustup").args(["target", "add", WASM_TARGET]))
}

/// Makes sure of a component of the Rust toolchain, given the cargo command that it adds.
pub fn rust_component(command: &str) -> Result<()> {
    let mut cargo = process::cargo();
    if cargo.args([command, "--version"]).output().is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    let component = if command == "fmt" { "rustfmt" } else { command };
    if process::version("rustup").is_none() {
        return Err(Error::Missing {
            what: component.to_owned(),
            remedy: "install it as you installed Rust, or use rustup (https://rustup.rs)".into(),
        });
    }
    println!("installing {component}");
    process::run(process::command("rustup").args(["component", "add", component]))
}

/// Clippy's driver, a compiler that lints; Clippy's component has it beside the compiler's own.
pub fn clippy_driver() -> Result<PathBuf> {
    let mut rustc = process::command(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let root = PathBuf::from(process::capture(rustc.args(["--print", "sysroot"]))?.trim());
    Ok(root.join("bin").join("clippy-driver").with_extension(env::consts::EXE_EXTENSION))
}

/// Makes sure of cargo-nextest, which runs Rust tests: each in a process of its own, with an end to
/// each and times for all.
pub fn nextest() -> Result<()> {
    let mut cargo = process::cargo();
    if cargo.args(["nextest", "--version"]).output().is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    println!("installing cargo-nextest");
    process::run(process::cargo().args(["install", "cargo-nextest", "--locked", "--version", NEXTEST]))
}

/// A program of wasm-bindgen's, of exactly the version that the crates link; installed under the
/// build directory.
pub fn wasm_bindgen(program: &str) -> Result<PathBuf> {
    let lock_path = paths::root().join("Cargo.lock");
    let lock = fs::read_to_string(&lock_path).map_err(Error::file("read", &lock_path))?;
    let version = locked_version(&lock, "wasm-bindgen")
        .ok_or_else(|| Error::Check("Cargo.lock names no wasm-bindgen".into()))?;
    let tools = paths::target().join("tools");
    let installed = tools.join("bin").join(program).with_extension(env::consts::EXE_EXTENSION);
    let candidates = [Some(installed.clone()), process::find_on_path(&[program])];
    for candidate in candidates.into_iter().flatten() {
        if process::version(&candidate).is_some_and(|printed| is_version(&printed, version)) {
            return Ok(candidate);
        }
    }
    println!("installing wasm-bindgen-cli {version} under {}", tools.display());
    // Not `--locked`: some mirrors of the registry lack a version that the lock file published with
    // it names.
    let mut install = process::cargo();
    install.args(["install", "wasm-bindgen-cli", "--version", version, "--root"]).arg(&tools);
    process::run(install.arg("--force"))?;
    Ok(installed)
}

/// Makes sure that `node_modules` is what `package-lock.json` says.
pub fn npm_packages() -> Result<()> {
    npm_packages_of(paths::root())
}

/// Makes sure of the npm packages of a folder with a lock file of its own.
pub fn npm_packages_of(folder: &Path) -> Result<()> {
    node()?;
    let lock = folder.join("package-lock.json");
    let installed = folder.join("node_modules/.package-lock.json");
    let time = |path: &PathBuf| fs::metadata(path).and_then(|meta| meta.modified()).ok();
    // `npm install` writes the lock file a moment after the packages.
    let slack = Duration::from_secs(5);
    if time(&installed).is_some_and(|installed| time(&lock).is_some_and(|lock| lock <= installed + slack)) {
        return Ok(());
    }
    println!("installing npm packages of {}", folder.display());
    process::run(process::npm().args(["ci", "--no-fund", "--no-audit", "--prefix"]).arg(folder))
}

fn node() -> Result<()> {
    let missing = |found: &str| Error::Missing {
        what: format!("Node.js {}.{} or newer ({found})", NODE.0, NODE.1),
        remedy: "install it, with npm, from https://nodejs.org or as your system's package".into(),
    };
    let version = process::version("node").ok_or_else(|| missing("there is none on the search path"))?;
    if is_at_least(&version, NODE) { Ok(()) } else { Err(missing(&format!("this is {version}"))) }
}

/// The version of a package in the text of a `Cargo.lock`.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

/// Whether a program that printed `tool 1.2.3 (note)` is of this version.
fn is_version(printed: &str, version: &str) -> bool {
    printed.split_whitespace().any(|word| word == version)
}

/// Whether a version such as `v22.1.0` is this one or newer.
fn is_at_least(version: &str, (major, minor): (u32, u32)) -> bool {
    let mut numbers = version.trim_start_matches('v').split('.').map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= (major, minor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_tells_the_version() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.1.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\nsource = \"registry\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(lock, "wgpu"), None);
    }

    #[test]
    fn a_tool_must_be_of_exactly_the_version() {
        assert!(is_version("wasm-bindgen 0.2.130", "0.2.130"));
        assert!(is_version("wasm-bindgen 0.2.130 (a1b2c3)", "0.2.130"));
        assert!(!is_version("wasm-bindgen 0.2.13", "0.2.130"));
        assert!(!is_version("wasm-bindgen 0.2.130", "0.2.13"));
    }

    #[test]
    fn node_must_be_new_enough() {
        assert!(is_at_least("v20.19.0", NODE));
        assert!(is_at_least("v24.0.1", NODE));
        assert!(!is_at_least("v20.9.5", NODE));
        assert!(!is_at_least("nonsense", NODE));
    }
}
