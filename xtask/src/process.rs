//! Child processes.
//!
//! They run from the repository root, without the variables that `cargo run` leaves behind, and
//! with errors that name the command.

use crate::error::{Error, Result};
use crate::paths;
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A command that will run in the repository root.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(paths::root());
    // `cargo run` describes *this* package in the environment. Build scripts that watch such
    // variables would run again each time one switches between `cargo test` and `cargo xtask test`.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// `cargo`, the one that runs us.
pub fn cargo() -> Command {
    command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// `npm`, quiet about everything but errors.
pub fn npm() -> Command {
    let mut npm = command(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.env("npm_config_loglevel", "error");
    npm
}

/// `node` with a script of an installed npm package, such as `vite/bin/vite.js`.
pub fn node_package(script: &str) -> Command {
    let mut node = command("node");
    node.arg(paths::root().join("node_modules").join(script));
    node
}

/// Runs a command, its output going where ours goes.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().map_err(|source| not_started(command, source))?;
    if status.success() { Ok(()) } else { Err(failed(command, &status)) }
}

/// Runs a command and returns what it wrote to standard output; its errors go where ours go.
pub fn capture(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|source| not_started(command, source))?;
    if !output.status.success() {
        return Err(failed(command, &output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What a command prints when asked for its version, or `None` when it is not there or not in
/// order.
pub fn version(program: impl AsRef<OsStr>) -> Option<String> {
    let output = command(program).arg("--version").stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The first of these programs that the search path has.
pub fn find_on_path(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let directories: Vec<PathBuf> = env::split_paths(&path).collect();
    names.iter().find_map(|name| {
        directories
            .iter()
            .map(|directory| directory.join(name).with_extension(env::consts::EXE_EXTENSION))
            .find(|candidate| is_file(candidate))
    })
}

fn is_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file())
}

fn not_started(command: &Command, source: std::io::Error) -> Error {
    Error::Start { program: command.get_program().to_string_lossy().into_owned(), source }
}

fn failed(command: &Command, status: &std::process::ExitStatus) -> Error {
    let program = Path::new(command.get_program());
    let mut line = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&argument.to_string_lossy());
    }
    Error::Command { line, status: status.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_command_is_named_with_its_arguments() {
        let error = run(process_that_fails().arg("--no-such-option")).unwrap_err().to_string();
        assert!(error.contains("--no-such-option"), "{error}");
        assert!(error.contains("failed"), "{error}");
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run(&mut command("weft-no-such-program")).unwrap_err().to_string();
        assert!(error.starts_with("cannot start `weft-no-such-program`"), "{error}");
        assert_eq!(version("weft-no-such-program"), None);
    }

    fn process_that_fails() -> Command {
        let mut cargo = cargo();
        cargo.stderr(Stdio::null());
        cargo
    }
}
