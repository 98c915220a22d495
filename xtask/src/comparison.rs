//! Pages that compare names of other libraries with their counterparts here, written from the
//! tables `docs/comparison.txt` and `docs/comparison-jax.txt`.

use crate::error::{Error, Result};
use crate::paths;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// The tables, and how the page of each begins.
const TABLES: [(&str, &str); 2] = [
    (
        "comparison",
        "# Names in jax-js and here\n\n\
        For each public name of jax-js 0.1.25, which has JAX's and NumPy's names in camelCase: what does the same in Weft, or why nothing does. The\n\
        order of arguments may differ; the reference has the signatures.\n\n\
        Some differences are intended. There are no reference counts (`.ref`): tensors never change, and Weft frees those that nobody holds. Values are awaited\n\
        (`data()`, `array()`, `item()` for `js()` and `dataSync()`), because a GPU delivers them later, and so are shapes that depend on values. There is no f64,\n\
        because WebGPU has none. A tensor keeps its dtype beside a number that fits it; i32 + 2.8 is f32. `slice` takes no\n\
        tensors of indices; use `take` or `at(…).get()`. `vjp` without cotangents returns the function that takes them. `grad` and `vjp` of a function that\n\
        returns a second result are `valueAndGradAux` and `vjpAux`.\n",
    ),
    (
        "comparison-jax",
        "# Names in JAX, NumPy and optax and here\n\n\
        For each public function of `jax.numpy` (NumPy's names), `jax.nn`, `jax.lax` and `jax.scipy.special` (SciPy's names) of JAX 0.10.2, and of optax 0.2.6: what does the same in Weft,\n\
        or why nothing does. The order of arguments may differ; the reference has the signatures.\n",
    ),
];

/// The pages, and what is to be in each.
pub fn pages() -> Result<Vec<(PathBuf, String)>> {
    let docs = paths::root().join("docs");
    let page = |(name, head): (&str, &str)| {
        let table = docs.join(format!("{name}.txt"));
        let text = fs::read_to_string(&table).map_err(Error::file("read", &table))?;
        let page = written(&text).map_err(|line| {
            Error::Check(format!("docs/{name}.txt: {line:?} names no counterpart and no reason"))
        })?;
        let source = format!("\nWritten by `cargo xtask generate` from `docs/{name}.txt`: change that.\n");
        Ok((docs.join(format!("{name}.md")), [head, &source, &page].concat()))
    };
    TABLES.into_iter().map(page).collect()
}

/// A table in Markdown, or the line of it that is wrong.
fn written(table: &str) -> std::result::Result<String, &str> {
    let mut page = String::new();
    let mut space = "";
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, counterpart) = match (line.split_once(" = "), line.split_once(" - ")) {
            (Some((name, counterpart)), _) => match counterpart.split_once("; ") {
                Some((counterpart, how)) => (name, format!("`{counterpart}`: {how}")),
                None => (name, format!("`{counterpart}`")),
            },
            (None, Some((name, reason))) if !reason.is_empty() => (name, reason.to_owned()),
            _ => return Err(line),
        };
        let (own, name) = name.rsplit_once('.').ok_or(line)?;
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
        assert!(written("numpy.a = b; as c\n").unwrap().contains("| `a` | `b`: as c |"));
        assert!(written("numpy.abs\n").is_err());
        assert!(written("abs = abs\n").is_err());
    }
}
