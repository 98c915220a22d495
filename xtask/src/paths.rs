//! Paths of the repository.
//!
//! The one place that knows the layout of the repository and of what the tasks write.

use crate::error::{Error, Result};
use crate::process;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the repository")
}

/// Cargo's build directory.
pub fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(directory) => root().join(directory),
        None => root().join("target"),
    }
}

/// What these tasks remember between runs.
pub fn state() -> PathBuf {
    target().join("xtask")
}

/// The site that `build` writes: static files, no server logic.
pub fn site() -> PathBuf {
    root().join("dist/site")
}

/// The npm package that `build` writes.
pub fn package() -> PathBuf {
    root().join("dist/npm")
}

/// Projects that use the packed package, with bundlers of their own.
pub fn consumers() -> PathBuf {
    root().join("consumers")
}

/// Where the JavaScript sources expect the compiled core.
pub fn js_wasm() -> PathBuf {
    root().join("js/wasm")
}

/// Data that is fetched rather than committed; `play` serves it as the site's `data/`.
pub fn local_data() -> PathBuf {
    root().join("data-local")
}

/// Paths of this machine that must not be in what ships, each after those it may lie in, and what
/// stands for them there.
pub fn of_this_machine() -> Result<Vec<(PathBuf, &'static str)>> {
    let home = env::home_dir();
    let cargo = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(".cargo")));
    let mut rustc = process::command(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let rust = process::capture(rustc.args(["--print", "sysroot"]))?;
    let places = [
        (home, "home"),
        (Some(rust.trim().into()), "rust"),
        (cargo, "cargo"),
        (Some(root().to_owned()), "weft"),
        (Some(target()), "target"),
    ];
    // The root of a file system tells nothing.
    let tells =
        |(place, name): (Option<PathBuf>, _)| Some((place.filter(|place| place.parent().is_some())?, name));
    Ok(places.into_iter().filter_map(tells).collect())
}

/// Makes a directory and those above it.
pub fn make_dir(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(Error::file("make the directory", path))
}

/// Copies a file, making the directory it goes to.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(parent) = to.parent() {
        make_dir(parent)?;
    }
    fs::copy(from, to).map(|_| ()).map_err(Error::file("copy", from))
}

/// Every file under a directory, or the file itself; sorted; `skip` names folders that are left
/// out.
pub fn files_under(path: &Path, skip: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_file() {
            found.push(path);
        } else if path.is_dir() {
            for entry in fs::read_dir(&path).map_err(Error::file("list", &path))? {
                let entry = entry.map_err(Error::file("list", &path))?;
                if !skip.iter().any(|name| entry.file_name() == *name) {
                    open.push(entry.path());
                }
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
pub mod scratch {
    //! Directories for tests, gone when the test is done.

    use std::fs;
    use std::ops::Deref;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A directory of one test's own.
    pub struct Scratch(PathBuf);

    impl Scratch {
        /// An empty directory that no other test has.
        pub fn new() -> Scratch {
            static NEXT: AtomicUsize = AtomicUsize::new(0);
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("weft-xtask-{}-{number}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Scratch(path)
        }

        /// Writes a file, and the directories above it.
        pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
            let path = self.0.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, content).unwrap();
            path
        }
    }

    impl Deref for Scratch {
        type Target = Path;
        fn deref(&self) -> &Path {
            &self.0
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_the_workspace() {
        assert!(root().join("Cargo.lock").is_file());
    }

    #[test]
    fn files_are_found_at_every_depth_and_skipped_folders_are_not() {
        let scratch = scratch::Scratch::new();
        scratch.write("b.txt", "");
        scratch.write("a/deep/c.txt", "");
        scratch.write("node_modules/d.txt", "");
        let found = files_under(&scratch, &["node_modules"]).unwrap();
        let names: Vec<_> = found.iter().map(|file| file.strip_prefix(&*scratch).unwrap()).collect();
        assert_eq!(names, [Path::new("a/deep/c.txt"), Path::new("b.txt")]);
        assert_eq!(files_under(&scratch.join("absent"), &[]).unwrap(), Vec::<PathBuf>::new());
    }
}
