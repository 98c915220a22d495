//! Check of Weft on a real GPU, under Node.js and Dawn.
//!
//! Builds, packs `tests/hardware` into one script that needs nothing else, and runs it here; or
//! only leaves the script.

use crate::args::Hardware;
use crate::error::{Error, Result};
use crate::{browser, build, graphics, paths, process};
use std::env::{self, consts};
use std::path;
use std::process::ExitCode;

/// Packs, and unless that was all that is wanted, runs; the exit code tells whether everything was
/// the same.
pub fn hardware(options: &Hardware) -> Result<ExitCode> {
    build::build(build::Shrinking::Full)?;
    let folder = match &options.pack {
        Some(folder) => path::absolute(folder).map_err(Error::file("find", folder))?,
        None => paths::state().join("hardware"),
    };
    let mut pack = process::command("node");
    process::run(pack.arg(paths::root().join("tests/hardware/pack.mjs")).arg(&folder))?;
    let script = folder.join("hardware.mjs");
    if options.pack.is_some() {
        println!("packed into {}", script.display());
        println!("there: DAWN=dawn.node node hardware.mjs [--only PART[,PART]] [--count N] [--json FILE]");
        return Ok(ExitCode::SUCCESS);
    }
    let mut runner = process::command("node");
    runner.arg(script).args(&options.passed);
    if env::var_os("DAWN").is_none() {
        runner.env("DAWN", paths::root().join("node_modules/webgpu/dist").join(platform()).join("dawn.node"));
    }
    if let Ok(chrome) = browser::chromium(None) {
        graphics::for_node(&mut runner, &chrome);
    }
    let status = runner.status().map_err(|source| Error::Start { program: "node".into(), source })?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The folder of this machine's Dawn in the npm package `webgpu`.
fn platform() -> &'static str {
    match (consts::OS, consts::ARCH) {
        ("macos", _) => "darwin-universal",
        ("windows", "aarch64") => "win32-arm64",
        ("windows", _) => "win32-x64",
        (_, "aarch64") => "linux-arm64",
        _ => "linux-x64",
    }
}
