//! Tests of the repository: its folders, its files' headers, lengths and words, and who imports
//! whom.

mod circles;
mod imports;
mod layout;
mod primitives;
mod words;

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The repository's files as paths from its root: what git has, and what it would take.
fn files() -> Vec<String> {
    let list = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git lists files");
    assert!(list.status.success(), "git lists files");
    let text = String::from_utf8(list.stdout).expect("paths are text");
    text.split_terminator('\0').filter(|path| root().join(path).exists()).map(str::to_owned).collect()
}

/// The files with one of these extensions.
fn files_of(extensions: &[&str]) -> Vec<String> {
    let is_one =
        |path: &String| Path::new(path).extension().is_some_and(|e| extensions.iter().any(|one| e == *one));
    files().into_iter().filter(is_one).collect()
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("sources are text")
}
