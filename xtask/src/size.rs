//! Download size of the package.
//!
//! Its WebAssembly and JavaScript, each gzipped; the sum of what everyone downloads has a ceiling.
//! The same check looks for paths of the machine that built them.

use crate::error::{Error, Result};
use crate::{paths, process};
use std::fs;
use std::path::{Path, PathBuf};

/// The most that the package's WebAssembly and JavaScript may take together, gzipped, in bytes,
/// without what is fetched only when it is called.
pub const CEILING: u64 = 489_000;

/// A file of the package.
pub struct Sized {
    name: String,
    bytes: u64,
    gzip: u64,
}

/// What is fetched only when something in it is called, or imported by those who write kernels.
const LATER: [&str; 2] = ["weft-rest.wasm", "kernel.js"];

/// Measures what a page loads of a package: not the entries with the WebAssembly inlined, which
/// stand in its stead.
pub fn measure(package: &Path) -> Result<Vec<Sized>> {
    let loads = |name: &str| {
        let code = [".wasm", ".js", ".mjs"].iter().any(|extension| name.ends_with(extension));
        code && !name.contains("inline")
    };
    let mut files: Vec<String> = Vec::new();
    for file in paths::files_under(package, &["node_modules"])? {
        let name = file.strip_prefix(package).expect("a file of the package").to_string_lossy().into_owned();
        if loads(&name) {
            files.push(name);
        }
    }
    if files.is_empty() {
        return Err(Error::Check(format!("{} has no code in it", package.display())));
    }
    let gzip = gzipped(package, &files)?;
    Ok(files.into_iter().zip(gzip).map(|(name, (bytes, gzip))| Sized { name, bytes, gzip }).collect())
}

/// The sum of what everyone downloads, gzipped.
pub fn total(files: &[Sized]) -> u64 {
    at_once(files).map(|file| file.gzip).sum()
}

fn at_once(files: &[Sized]) -> impl Iterator<Item = &Sized> {
    files.iter().filter(|file| !LATER.contains(&file.name.as_str()))
}

/// A table of the larger files, and the sum of those that everyone downloads.
pub fn table(files: &[Sized]) -> String {
    let mut rows: Vec<&Sized> = files.iter().collect();
    rows.sort_by_key(|file| std::cmp::Reverse(file.gzip));
    let shown = rows.len().min(6);
    let (rest_bytes, rest_gzip) =
        rows[shown..].iter().fold((0, 0), |(bytes, gzip), file| (bytes + file.bytes, gzip + file.gzip));
    let line = |name: &str, bytes: u64, gzip: u64| {
        format!("  {name:<32} {:>8.1} KB {:>8.1} KB gzip\n", kilo(bytes), kilo(gzip))
    };
    let mut table: String =
        rows[..shown].iter().map(|file| line(&file.name, file.bytes, file.gzip)).collect();
    if rows.len() > shown {
        table += &line(&format!("{} more", rows.len() - shown), rest_bytes, rest_gzip);
    }
    let bytes = at_once(files).map(|file| file.bytes).sum();
    table + &line(&format!("package without {}", LATER.join(", ")), bytes, total(files))
}

/// Fails when the package is too large.
pub fn check(files: &[Sized]) -> Result<()> {
    let total = total(files);
    if total <= CEILING {
        return Ok(());
    }
    let (total, ceiling) = (kilo(total), kilo(CEILING));
    Err(Error::Check(format!("the package takes {total:.1} KB gzip, more than {ceiling:.0} KB")))
}

/// Fails when a file of the package names one of `places`, which are this machine's own.
pub fn check_places(package: &Path, files: &[Sized], places: &[(PathBuf, &str)]) -> Result<()> {
    for file in files {
        let path = package.join(&file.name);
        let bytes = fs::read(&path).map_err(Error::file("read", &path))?;
        for (place, _) in places {
            // As a folder that something lies in: `/root` alone may be anything.
            let mut place = place.as_os_str().as_encoded_bytes().to_vec();
            place.push(std::path::MAIN_SEPARATOR as u8);
            if bytes.windows(place.len()).any(|window| window == place) {
                let place = String::from_utf8_lossy(&place).into_owned();
                return Err(Error::Check(format!(
                    "{} contains {place}, the path where it was built",
                    file.name
                )));
            }
        }
    }
    Ok(())
}

fn kilo(bytes: u64) -> f64 {
    bytes as f64 / 1000.0
}

/// The bytes of a file, gzipped.
pub fn gzip(file: &Path) -> Result<u64> {
    let (folder, name) = (file.parent(), file.file_name());
    let (Some(folder), Some(name)) = (folder, name) else {
        return Err(Error::Check(format!("{} is no file", file.display())));
    };
    Ok(gzipped(folder, &[name.to_string_lossy().into_owned()])?[0].1)
}

/// Bytes, and bytes gzipped, of each file. Node.js has gzip, and is there: the build needs it.
pub fn gzipped(folder: &Path, files: &[String]) -> Result<Vec<(u64, u64)>> {
    const SCRIPT: &str = "
        const { readFileSync } = require('node:fs');
        const { gzipSync } = require('node:zlib');
        for (const file of process.argv.slice(1)) {
            const bytes = readFileSync(file);
            console.log(bytes.length, gzipSync(bytes, { level: 9 }).length);
        }";
    let mut node = process::command("node");
    node.args(["--eval", SCRIPT, "--"]).args(files.iter().map(|file| folder.join(file)));
    let printed = process::capture(&mut node)?;
    let sizes: Vec<(u64, u64)> = printed
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(bytes, gzip)| Some((bytes.parse().ok()?, gzip.parse().ok()?)))
        .collect();
    if sizes.len() == files.len() {
        Ok(sizes)
    } else {
        Err(Error::Check("not every file was measured".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::scratch::Scratch;

    #[test]
    fn wasm_and_javascript_count_and_nothing_else() {
        let scratch = Scratch::new();
        scratch.write("weft.wasm", vec![0; 100_000]);
        scratch.write("dist/index.js", "export {}\n");
        scratch.write("dist/inline.js", "export {}\n");
        scratch.write("dist/index.d.ts", "export {}\n");
        let files = measure(&scratch).unwrap();
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["dist/index.js", "weft.wasm"]);
        assert_eq!(files[1].bytes, 100_000);
        assert!(files[1].gzip < 1_000, "zeros compress");
        assert!(table(&files).contains("package"));
        assert!(check(&files).is_ok());
    }

    #[test]
    fn what_is_fetched_when_it_is_called_is_shown_and_does_not_count() {
        let file = |name: &str, gzip| Sized { name: name.into(), bytes: 2 * gzip, gzip };
        let files = [file("weft.wasm", 400_000), file(LATER[0], 200_000), file(LATER[1], 60_000)];
        assert_eq!(total(&files), 400_000);
        assert!(check(&files).is_ok());
        assert!(table(&files).contains("weft-rest.wasm"));
    }

    #[test]
    fn a_place_of_the_machine_in_a_file_is_found() {
        let scratch = Scratch::new();
        scratch.write("weft.wasm", b"\0\x01/home/someone/.cargo/registry/a.rs\0");
        let files = measure(&scratch).unwrap();
        assert!(
            check_places(&scratch, &files, &[("/home/other".into(), ""), ("/home/some".into(), "")]).is_ok()
        );
        let error =
            check_places(&scratch, &files, &[("/home/someone".into(), "home")]).unwrap_err().to_string();
        assert_eq!(error, "weft.wasm contains /home/someone/, the path where it was built");
    }

    #[test]
    fn a_package_above_the_ceiling_is_refused() {
        let files = [Sized { name: "weft.wasm".into(), bytes: 900_000, gzip: 525_345 }];
        assert_eq!(
            check(&files).unwrap_err().to_string(),
            "the package takes 525.3 KB gzip, more than 489 KB"
        );
        let empty = Scratch::new();
        assert!(measure(&empty).is_err());
    }
}
