//! Download of MNIST.
//!
//! The four published files, from a public mirror, by `curl`; each is kept only if it has the
//! published checksum.

use crate::args::FetchMnist;
use crate::error::{Error, Result};
use crate::{paths, process};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::{io, path};

/// Where the files are published.
const MIRRORS: [&str; 2] =
    ["https://ossci-datasets.s3.amazonaws.com/mnist", "https://storage.googleapis.com/cvdf-datasets/mnist"];

/// A file and the SHA-256 of its bytes.
struct Published {
    name: &'static str,
    sha256: &'static str,
}

const FILES: [Published; 4] = [
    Published {
        name: "train-images-idx3-ubyte.gz",
        sha256: "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
    },
    Published {
        name: "train-labels-idx1-ubyte.gz",
        sha256: "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
    },
    Published {
        name: "t10k-images-idx3-ubyte.gz",
        sha256: "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
    },
    Published {
        name: "t10k-labels-idx1-ubyte.gz",
        sha256: "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
    },
];

/// Downloads what is not there yet.
pub fn fetch(options: &FetchMnist) -> Result<()> {
    let folder = match &options.out {
        Some(out) => path::absolute(out).map_err(Error::file("find", out))?,
        None => paths::local_data().join("mnist"),
    };
    let mirrors: Vec<&str> = options.mirror.as_deref().into_iter().chain(MIRRORS).collect();
    for file in &FILES {
        fetch_file(file, &folder, &mirrors)?;
    }
    println!("MNIST is in {}", folder.display());
    Ok(())
}

fn fetch_file(file: &Published, folder: &Path, mirrors: &[&str]) -> Result<()> {
    let path = folder.join(file.name);
    if path.is_file() && sha256(&path)? == file.sha256 {
        println!("{} is there", file.name);
        return Ok(());
    }
    paths::make_dir(folder)?;
    // Under another name until it is checked, so that a download cut short never looks like the
    // file.
    let partial = folder.join(format!("{}.part", file.name));
    let mut reasons = Vec::new();
    for mirror in mirrors {
        let url = format!("{}/{}", mirror.trim_end_matches('/'), file.name);
        println!("{url}");
        match download(&url, &partial).and_then(|()| sha256(&partial)) {
            Ok(found) if found == file.sha256 => {
                return fs::rename(&partial, &path).map_err(Error::file("rename", &partial));
            }
            Ok(found) => reasons.push(format!("{url} has SHA-256 {found}, not {}", file.sha256)),
            // curl has said why; its command line would only hide the address.
            Err(Error::Command { status, .. }) => reasons.push(format!("{url}: curl failed ({status})")),
            Err(error) => return Err(error),
        }
        let _ = fs::remove_file(&partial);
    }
    Err(Error::Check(format!("no mirror had {}:\n  {}", file.name, reasons.join("\n  "))))
}

fn download(url: &str, to: &PathBuf) -> Result<()> {
    let mut curl = process::command("curl");
    curl.args([
        "--fail",
        "--location",
        "--silent",
        "--show-error",
        "--retry",
        "2",
        "--connect-timeout",
        "20",
    ]);
    process::run(curl.arg("--output").arg(to).arg(url))
}

fn sha256(path: &Path) -> Result<String> {
    let mut file = File::open(path).map_err(Error::file("open", path))?;
    let mut hasher = Hasher(Sha256::new());
    io::copy(&mut file, &mut hasher).map_err(Error::file("read", path))?;
    Ok(hasher.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Lets `io::copy` write into a hash.
struct Hasher(Sha256);

impl io::Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::scratch::Scratch;

    /// The SHA-256 of "abc", from FIPS 180-2, appendix B.1.
    const ABC: Published = Published {
        name: "abc.gz",
        sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    };

    fn mirror(folder: &Path) -> String {
        format!("file://{}", folder.display())
    }

    #[test]
    fn a_file_is_kept_only_with_the_published_checksum() {
        let scratch = Scratch::new();
        scratch.write("bad/abc.gz", "abd");
        scratch.write("good/abc.gz", "abc");
        let (bad, good) = (mirror(&scratch.join("bad")), mirror(&scratch.join("good")));
        let out = scratch.join("out");

        let error = fetch_file(&ABC, &out, &[&bad]).unwrap_err().to_string();
        assert!(error.contains("abc.gz has SHA-256"), "{error}");
        assert_eq!(fs::read_dir(&out).unwrap().count(), 0, "nothing is left behind");

        fetch_file(&ABC, &out, &[&bad, &good]).unwrap();
        assert_eq!(fs::read(out.join("abc.gz")).unwrap(), b"abc");
    }

    #[test]
    fn a_file_that_is_there_is_not_fetched_and_a_damaged_one_is() {
        let scratch = Scratch::new();
        scratch.write("out/abc.gz", "abc");
        fetch_file(&ABC, &scratch.join("out"), &[]).unwrap();
        scratch.write("out/abc.gz", "ab");
        scratch.write("good/abc.gz", "abc");
        fetch_file(&ABC, &scratch.join("out"), &[&mirror(&scratch.join("good"))]).unwrap();
        assert_eq!(fs::read(scratch.join("out/abc.gz")).unwrap(), b"abc");
    }

    #[test]
    fn every_mirror_that_fails_is_named() {
        let scratch = Scratch::new();
        let absent = mirror(&scratch.join("absent"));
        let error = fetch_file(&ABC, &scratch.join("out"), &[&absent]).unwrap_err().to_string();
        assert!(error.starts_with("no mirror had abc.gz"), "{error}");
        assert!(error.contains(&absent), "{error}");
    }
}
