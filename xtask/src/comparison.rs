//! Which names of another library have which counterpart here? The page of it, written from the table `docs/comparison.txt`.

use crate::error::{Error, Result};
use crate::paths;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// The page, and what is to be in it.
pub fn page() -> Result<(PathBuf, String)> {
    let docs = paths::root().join("docs");
    let table = docs.join("comparison.txt");
    let text = fs::read_to_string(&table).map_err(Error::file("read", &table))?;
    Ok((docs.join("comparison.md"), written(&text)?))
}

fn written(table: &str) -> Result<String> {
    let mut page = "# Names in jax-js and here\n\n\
        For each public name of jax-js 0.1.25, which has JAX's and NumPy's in camelCase, what does the same in Weft, or why nothing does. Arguments\n\
        may stand in another order: the reference says how each is called.\n\n\
        Written by `cargo xtask generate` from `docs/comparison.txt`: change that.\n"
        .to_owned();
    let mut space = "";
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let wrong =
            || Error::Check(format!("docs/comparison.txt: {line:?} names no counterpart and no reason"));
        let (name, counterpart) = match (line.split_once(" = "), line.split_once(" - ")) {
            (Some((name, counterpart)), _) => (name, format!("`{counterpart}`")),
            (None, Some((name, reason))) if !reason.is_empty() => (name, reason.to_owned()),
            _ => return Err(wrong()),
        };
        let (own, name) = name.rsplit_once('.').ok_or_else(wrong)?;
        if own != space {
            space = own;
            let _ = write!(page, "\n## {space}\n\n| there | here |\n|---|---|\n");
        }
        let _ = writeln!(page, "| `{name}` | {} |", counterpart.replace('|', "\\|"));
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_counterpart_or_reason_is_refused() {
        assert!(written("numpy.abs = abs\nnumpy.e - `Math.E`\n").unwrap().contains("| `e` | `Math.E` |"));
        assert!(written("numpy.abs\n").is_err());
        assert!(written("abs = abs\n").is_err());
    }
}
