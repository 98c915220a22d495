//! The playground on one's own machine.
//!
//! Builds, serves the site on localhost, and either waits for readers or runs one notebook in
//! headless Chromium.

use crate::args::{Headless, Play};
use crate::error::{Error, Result};
use crate::serve::{self, Mount, Site};
use crate::{browser, build, paths, process};
use std::path::{self, Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

/// The port that is tried first.
const USUAL_PORT: u16 = 8080;

/// How long the notebook's runner may take, past its own timeout, to report and close the browser.
const GRACE: Duration = Duration::from_secs(60);

/// Builds and serves; returns when a headless notebook has run, else never.
pub fn play(options: &Play) -> Result<ExitCode> {
    // What can be wrong with the command line is said before anything is built.
    let site = site(options)?;
    let chrome = match &options.headless {
        Some(_) => Some(browser::chromium(options.chrome.as_deref())?),
        None => None,
    };
    build::build(build::Shrinking::Full)?;
    // A headless run needs no well-known address, and several may run at once.
    let usual = if options.headless.is_some() { 0 } else { USUAL_PORT };
    let address = serve::start(site, serve::listen(options.port, usual)?)?;
    let url = format!("http://{address}/");
    if let (Some(headless), Some(chrome)) = (&options.headless, chrome) {
        return run_notebook(headless, &chrome, &url);
    }
    println!("the playground is at {url}");
    if options.open {
        open(&url)?;
    }
    loop {
        thread::park();
    }
}

fn site(options: &Play) -> Result<Site> {
    let mut mounts = Vec::new();
    if let Some(headless) = &options.headless {
        let notebook = existing(&headless.notebook)?;
        if !notebook.is_file() {
            return Err(Error::Check(format!("{} is not a notebook", headless.notebook.display())));
        }
        mounts.push(Mount { at: site_path(&notebook)?, target: notebook });
    }
    let data = match &options.data {
        Some(data) => existing(data)?,
        None => paths::local_data(),
    };
    if data.is_file() {
        return Err(Error::Check(format!("--data needs a folder, and {} is a file", data.display())));
    }
    mounts.push(Mount { at: "data/".into(), target: data });
    Ok(Site { folder: paths::site(), mounts })
}

/// Where a notebook of this name stands in the site.
fn site_path(notebook: &Path) -> Result<String> {
    let name = notebook.file_name().and_then(|name| name.to_str());
    let name =
        name.ok_or_else(|| Error::Check(format!("{} has no name that fits a URL", notebook.display())))?;
    Ok(format!("notebooks/{name}"))
}

fn existing(named: &Path) -> Result<PathBuf> {
    let absolute = path::absolute(named).map_err(Error::file("find", named))?;
    if absolute.exists() {
        Ok(absolute)
    } else {
        Err(Error::Check(format!("there is no {}", named.display())))
    }
}

/// Runs all cells in order; the exit code tells whether each succeeded in time.
fn run_notebook(headless: &Headless, chrome: &Path, url: &str) -> Result<ExitCode> {
    let mut runner = process::command("node");
    runner.arg(paths::root().join("playwright/headless.mjs"));
    runner.args(["--url", url, "--notebook", &site_path(&headless.notebook)?]);
    runner.args(["--timeout", &headless.timeout.as_secs().to_string()]).arg("--chrome").arg(chrome);
    if let Some(screenshot) = &headless.screenshot {
        let screenshot = path::absolute(screenshot).map_err(Error::file("find", screenshot))?;
        runner.arg("--screenshot").arg(screenshot);
    }
    if let Some(device) = &headless.device {
        runner.args(["--device", device]);
    }
    let not_started = |source| Error::Start { program: "node".into(), source };
    let mut child = runner.spawn().map_err(not_started)?;
    let deadline = Instant::now() + headless.timeout + GRACE;
    loop {
        if let Some(status) = child.try_wait().map_err(not_started)? {
            // A runner that a signal ended has no code, and has not succeeded.
            let code = status.code().map_or(1, |code| u8::try_from(code).unwrap_or(1));
            return Ok(ExitCode::from(code));
        }
        if Instant::now() > deadline {
            // Nothing more can be done for a runner that neither stops nor dies.
            let _ = child.kill();
            let _ = child.wait();
            let seconds = headless.timeout.as_secs();
            return Err(Error::Check(format!("the notebook did not end within {seconds} s")));
        }
        thread::sleep(Duration::from_millis(50));
    }
}

fn open(url: &str) -> Result<()> {
    let mut opener = if cfg!(target_os = "macos") {
        process::command("open")
    } else if cfg!(windows) {
        let mut cmd = process::command("cmd");
        cmd.args(["/C", "start", ""]);
        cmd
    } else {
        process::command("xdg-open")
    };
    process::run(opener.arg(url))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::scratch::Scratch;

    fn headless(notebook: PathBuf) -> Play {
        let headless = Headless { notebook, timeout: Duration::from_secs(1), screenshot: None, device: None };
        Play { headless: Some(headless), ..Play::default() }
    }

    #[test]
    fn a_notebook_from_anywhere_stands_among_the_sites_own() {
        let scratch = Scratch::new();
        let site = site(&headless(scratch.write("somewhere/mine.md", "# Mine"))).unwrap();
        assert_eq!(site.mounts[0].at, "notebooks/mine.md");
        assert!(site.mounts[0].target.is_absolute());
        assert_eq!(site.mounts[1].at, "data/");
    }

    #[test]
    fn what_is_not_there_is_said_before_anything_is_built() {
        let error = |options: &Play| site(options).err().unwrap().to_string();
        assert_eq!(error(&headless("no/such.md".into())), "there is no no/such.md");
        let data = Some(PathBuf::from("no/such/data"));
        assert_eq!(error(&Play { data, ..Play::default() }), "there is no no/such/data");
        let scratch = Scratch::new();
        let data = Some(scratch.write("file", ""));
        assert!(error(&Play { data, ..Play::default() }).starts_with("--data needs a folder"));
        assert!(error(&headless(scratch.to_path_buf())).ends_with("is not a notebook"));
    }
}
