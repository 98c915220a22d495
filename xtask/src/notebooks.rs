//! Which notebooks does the site have?
//!
//! Copies `notebooks/*.md` into the site and writes `notebooks/index.json`, from which the page makes its list.

use crate::error::{Error, Result};
use crate::{json, paths};
use std::fs;
use std::path::Path;

/// The notebook that a first reader should meet first.
const FIRST: &str = "welcome.md";

/// Copies every notebook, and lists them.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    let mut names = Vec::new();
    for file in paths::files_under(from, &[])? {
        let name = file.strip_prefix(from).expect("a file under the folder it was found in");
        paths::copy(&file, &to.join(name))?;
        if name.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&file).map_err(Error::file("read", &file))?;
            let name = name.to_string_lossy().replace('\\', "/");
            names.push((name != FIRST, name.clone(), title(&text).unwrap_or(&name).to_owned()));
        }
    }
    names.sort();
    let entries: Vec<String> = names
        .iter()
        .map(|(_, file, title)| {
            format!("  {{ \"file\": {}, \"title\": {} }}", json::string(file), json::string(title))
        })
        .collect();
    let index = to.join("index.json");
    paths::make_dir(to)?;
    fs::write(&index, format!("[\n{}\n]\n", entries.join(",\n"))).map_err(Error::file("write", &index))
}

/// The first heading of a notebook.
fn title(markdown: &str) -> Option<&str> {
    markdown.lines().find_map(|line| line.strip_prefix("# ")).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::scratch::Scratch;

    #[test]
    fn notebooks_are_listed_by_their_headings_the_welcome_first() {
        let scratch = Scratch::new();
        scratch.write("in/mnist.md", "Text\n\n# Handwritten \"digits\"\n");
        scratch.write("in/welcome.md", "# Welcome\n");
        scratch.write("in/plain.md", "no heading");
        scratch.write("in/picture.png", [1, 2, 3]);
        copy(&scratch.join("in"), &scratch.join("out")).unwrap();
        let index = fs::read_to_string(scratch.join("out/index.json")).unwrap();
        assert_eq!(
            index,
            "[\n  { \"file\": \"welcome.md\", \"title\": \"Welcome\" },\n  \
             { \"file\": \"mnist.md\", \"title\": \"Handwritten \\\"digits\\\"\" },\n  \
             { \"file\": \"plain.md\", \"title\": \"plain.md\" }\n]\n"
        );
        assert!(scratch.join("out/picture.png").is_file());
    }
}
