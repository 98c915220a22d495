//! Download size of a first visit to the site, in three stages: until the text can be read, until
//! the notebook can be used, and until its greeting moves. `index.html` names what belongs to each,
//! except the WebAssembly.

use crate::error::{Error, Result};
use crate::{paths, size};
use std::fs;
use std::path::Path;

/// The stages, and the most that each may take with those before it, gzipped, in bytes.
const STAGES: [(&str, u64); 3] =
    [("the text", 70_000), ("the notebook's use", 170_000), ("the greeting", 750_000)];

const GALLERY: &str = "notebooks/index.json";
const FRAME: &str = "runner.html";

/// The bytes of each stage with those before it.
pub fn measure(site: &Path) -> Result<[u64; 3]> {
    let read = |name: &str| {
        let file = site.join(name);
        fs::read_to_string(&file).map_err(Error::file("read", &file))
    };
    let mut stages = named(&read("index.html")?);
    stages[0].insert(0, "index.html".into());
    stages[1].extend([GALLERY.into(), format!("notebooks/{}", first_notebook(&read(GALLERY)?)?)]);
    stages[2].extend([FRAME.into(), core(site)?]);
    let mut sum = 0;
    let mut sums = [0; 3];
    for (total, files) in sums.iter_mut().zip(stages) {
        for (bytes, gzip) in size::gzipped(site, &files)? {
            // What is compressed already is sent as it is.
            sum += bytes.min(gzip);
        }
        *total = sum;
    }
    Ok(sums)
}

/// A table of the stages.
pub fn table(sums: &[u64; 3]) -> String {
    let line = |((name, _), sum): (&(&str, u64), &u64)| {
        format!("  a visit until {name:<18} {:>21.1} KB gzip\n", *sum as f64 / 1000.0)
    };
    STAGES.iter().zip(sums).map(line).collect()
}

/// Fails when a stage is too large.
pub fn check(sums: &[u64; 3]) -> Result<()> {
    for ((name, ceiling), sum) in STAGES.iter().zip(sums) {
        if sum > ceiling {
            let (sum, ceiling) = (*sum as f64 / 1000.0, ceiling / 1000);
            return Err(Error::Check(format!(
                "a visit until {name} takes {sum:.1} KB gzip, more than {ceiling} KB"
            )));
        }
    }
    Ok(())
}

/// The files that a page names, by stage: what is preloaded, its modules, and what a script in its
/// head asks for.
fn named(page: &str) -> [Vec<String>; 3] {
    let mut stages: [Vec<String>; 3] = Default::default();
    for tag in page.split('<') {
        let (head, text) = tag.split_once('>').unwrap_or((tag, ""));
        let stage = if head.contains("rel=\"preload\"") || head.contains("rel=\"stylesheet\"") {
            Some(0)
        } else if head.contains("rel=\"modulepreload\"") || head.contains("type=\"module\"") {
            Some(1)
        } else {
            None
        };
        let address = ["href=\"", "src=\""].iter().find_map(|name| head.split_once(name)?.1.split_once('"'));
        match (stage, address) {
            (Some(stage), Some((address, _))) => {
                stages[stage].push(address.trim_start_matches("./").to_string());
            }
            _ if head == "script" => {
                let quoted = text.split(['"', '`', '\'']).filter(|text| text.starts_with("assets/"));
                stages[2].extend(quoted.map(str::to_string));
            }
            _ => {}
        }
    }
    stages
}

/// The library's WebAssembly, without its deferred part.
fn core(site: &Path) -> Result<String> {
    let names = paths::files_under(&site.join("assets"), &[])?;
    let names = names.iter().filter_map(|file| file.file_name()?.to_str());
    let is_core =
        |name: &&str| name.starts_with("weft-") && name.ends_with(".wasm") && !name.starts_with("weft-rest-");
    let core = names.into_iter().find(is_core);
    core.map(|name| format!("assets/{name}"))
        .ok_or_else(|| Error::Check("the site has no WebAssembly".into()))
}

/// The notebook that opens by itself: the gallery's first.
fn first_notebook(gallery: &str) -> Result<&str> {
    let file = gallery.split_once("\"file\":").and_then(|(_, after)| after.split('"').nth(1));
    file.ok_or_else(|| Error::Check(format!("{GALLERY} lists no notebook")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::scratch::Scratch;

    const PAGE: &str = r#"<head><script>ask([`assets/worker-1.js`])</script>
        <link rel="preload" href="./fonts/serif.woff2" as="font" crossorigin>
        <link rel="icon" href="data:image/svg+xml,%3Csvg">
        <script type="module" crossorigin src="./assets/index-1.js"></script>
        <link rel="modulepreload" crossorigin href="./assets/shared-1.js"></head>"#;

    #[test]
    fn a_page_names_what_it_needs_stage_by_stage() {
        let [text, used, greeting] = named(PAGE);
        assert_eq!(text, ["fonts/serif.woff2"]);
        assert_eq!(used, ["assets/index-1.js", "assets/shared-1.js"]);
        assert_eq!(greeting, ["assets/worker-1.js"]);
    }

    #[test]
    fn stages_add_up_and_a_file_that_is_missing_is_an_error() {
        let scratch = Scratch::new();
        scratch.write("index.html", PAGE);
        scratch.write("notebooks/index.json", r#"[{ "file": "first.md" }]"#);
        for name in ["notebooks/first.md", "runner.html", "assets/index-1.js", "assets/worker-1.js"] {
            scratch.write(name, "x".repeat(1000));
        }
        scratch.write("assets/shared-1.js", "");
        scratch.write("assets/weft-rest-1.wasm", [0; 100]);
        assert!(measure(&scratch).unwrap_err().to_string().contains("no WebAssembly"));
        scratch.write("assets/weft-1.wasm", "");
        assert!(measure(&scratch).is_err(), "no face");
        scratch.write("fonts/serif.woff2", [1, 2, 3]);
        let sums = measure(&scratch).unwrap();
        assert!(sums[0] > 200 && sums[0] < sums[1] && sums[1] < sums[2] && sums[2] < 900, "{sums:?}");
        assert!(check(&sums).is_ok());
        assert!(table(&sums).contains("until the text"));
    }

    #[test]
    fn a_stage_above_its_ceiling_is_refused() {
        let error = check(&[60_000, 170_100, 400_000]).unwrap_err().to_string();
        assert_eq!(error, "a visit until the notebook's use takes 170.1 KB gzip, more than 170 KB");
    }
}
