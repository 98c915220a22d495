//! Chromium for the page and the tests, and its installation.
//!
//! As root on Debian this installs what is missing; elsewhere it names the missing package.

use crate::error::{Error, Result};
use crate::{graphics, json, process};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The switches under which Chromium, without a window, has WebGPU on any machine: on the CPU,
/// through SwiftShader. The last keeps Chromium from opening two pages of its own for the address
/// bar. Painting without a GPU's imitation (`playwright/lib/browser.mjs`) is not for these tests,
/// which read a canvas back.
pub const FLAGS: [&str; 13] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
    "--use-angle=swiftshader",
    "--enable-features=Vulkan",
    "--use-vulkan=swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
];

/// Where Chromium is, by the names that systems give it.
const CHROMIUM: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// Where it is when the search path does not have it.
const CHROMIUM_ELSEWHERE: [&str; 4] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
];

/// Where Debian and Ubuntu have put the driver when the search path does not have it.
const DRIVER_ELSEWHERE: [&str; 2] =
    ["/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver"];

/// A Debian package, how to tell that its content is there, and what it is for.
struct Package {
    name: &'static str,
    what: &'static str,
    present: fn() -> bool,
}

const PACKAGES: [Package; 4] = [
    Package { name: "chromium", what: "Chromium", present: || find_chromium().is_some() },
    Package {
        name: "chromium-driver",
        what: "chromedriver, of Chromium's version",
        present: || find_driver().is_some(),
    },
    Package { name: "libvulkan1", what: "the Vulkan loader", present: graphics::has_loader },
    Package { name: "mesa-vulkan-drivers", what: "a Vulkan driver", present: graphics::has_driver },
];

/// The browser: the one asked for, else `CHROME`, else an installed one, else a newly installed
/// one.
pub fn chromium(asked: Option<&Path>) -> Result<PathBuf> {
    let named = asked.map(Path::to_owned).or_else(|| env::var_os("CHROME").map(PathBuf::from));
    if let Some(chrome) = named {
        if chrome.is_file() {
            return Ok(chrome);
        }
        let by_name = chrome.to_str().and_then(|name| process::find_on_path(&[name]));
        return by_name.ok_or_else(|| Error::Check(format!("there is no browser at {}", chrome.display())));
    }
    install(&["chromium", "libvulkan1"])?;
    find_chromium().ok_or_else(|| missing(&PACKAGES[0]))
}

/// The driver through which tests steer the browser.
pub fn chromedriver() -> Result<PathBuf> {
    install(&["chromium-driver"])?;
    find_driver().ok_or_else(|| missing(&PACKAGES[1]))
}

/// Makes sure that native tests find a GPU, or a CPU that stands in for one.
pub fn vulkan() -> Result<()> {
    if cfg!(target_os = "linux") { install(&["libvulkan1", "mesa-vulkan-drivers"]) } else { Ok(()) }
}

/// Makes sure of everything at once, so that packages are fetched in one go.
pub fn everything() -> Result<()> {
    let mut names = vec!["chromium-driver"];
    if env::var_os("CHROME").is_none() {
        names.push("chromium");
    }
    if cfg!(target_os = "linux") {
        names.extend(["libvulkan1", "mesa-vulkan-drivers"]);
    }
    install(&names)
}

/// What `wasm-bindgen-test-runner` asks of the driver: this browser, with those flags.
pub fn capabilities(chrome: &Path) -> String {
    let flags: Vec<String> = FLAGS.iter().map(|flag| json::string(flag)).collect();
    let binary = json::string(&chrome.to_string_lossy());
    format!("{{\"goog:chromeOptions\": {{\"binary\": {binary}, \"args\": [{}]}}}}\n", flags.join(", "))
}

fn find_chromium() -> Option<PathBuf> {
    process::find_on_path(&CHROMIUM).or_else(|| first_file(&CHROMIUM_ELSEWHERE))
}

fn find_driver() -> Option<PathBuf> {
    let named = env::var_os("CHROMEDRIVER").map(PathBuf::from);
    named.or_else(|| process::find_on_path(&["chromedriver"])).or_else(|| first_file(&DRIVER_ELSEWHERE))
}

fn first_file(paths: &[&str]) -> Option<PathBuf> {
    paths.iter().map(PathBuf::from).find(|path| path.is_file())
}

/// Installs those of these packages whose content is not there.
fn install(names: &[&str]) -> Result<()> {
    let lacking = |package: &&Package| names.contains(&package.name) && !(package.present)();
    let lacking: Vec<&Package> = PACKAGES.iter().filter(lacking).collect();
    let Some(first) = lacking.first() else { return Ok(()) };
    if !may_install() {
        return Err(missing(first));
    }
    let packages: Vec<&str> = lacking.iter().map(|package| package.name).collect();
    println!("installing {}", packages.join(", "));
    process::run(apt_get().arg("update"))?;
    process::run(apt_get().args(["install", "--yes", "--no-install-recommends"]).args(packages))
}

fn apt_get() -> std::process::Command {
    let mut apt = process::command("apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive").arg("--quiet").stdout(Stdio::null());
    apt
}

fn may_install() -> bool {
    let root = || process::capture(process::command("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    Path::new("/etc/debian_version").is_file() && process::find_on_path(&["apt-get"]).is_some() && root()
}

fn missing(package: &Package) -> Error {
    let name = package.name;
    Error::Missing {
        what: package.what.to_owned(),
        remedy: match name {
            "chromium" => {
                "install Chromium or Chrome (Debian: `apt-get install chromium`), or name one in CHROME"
                    .into()
            }
            "chromium-driver" => {
                "install it (Debian: `apt-get install chromium-driver`), or name one in CHROMEDRIVER".into()
            }
            _ => format!("install it (Debian: `apt-get install {name}`)"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_driver_gets_browser_and_flags() {
        let json = capabilities(Path::new("/opt/a \"quoted\" name/chrome"));
        assert!(
            json.starts_with(
                r#"{"goog:chromeOptions": {"binary": "/opt/a \"quoted\" name/chrome", "args": ["#
            )
        );
        assert!(json.contains(r#""--headless=new", "--no-sandbox""#));
    }

    #[test]
    fn a_browser_that_is_not_there_is_named() {
        let error = chromium(Some(Path::new("/nowhere/chrome"))).unwrap_err().to_string();
        assert_eq!(error, "there is no browser at /nowhere/chrome");
    }

    #[test]
    fn what_is_missing_is_said_with_its_package() {
        let error = missing(&PACKAGES[3]).to_string();
        assert_eq!(
            error,
            "a Vulkan driver is missing: install it (Debian: `apt-get install mesa-vulkan-drivers`)"
        );
    }
}
