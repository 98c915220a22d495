//! Times of single binaries and files, which parts leave for the report.

use super::parts::folder;
use crate::error::{Error, Result};
use crate::paths;
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// How long the tests of a file, or of a module of a binary, took.
#[derive(Debug, Clone, PartialEq)]
pub struct Time {
    /// Seconds.
    pub seconds: f64,
    /// The part that ran it.
    pub part: String,
    /// Its name.
    pub name: String,
}

/// The file of a part: a line for each time, seconds and name with a tabulator between.
pub fn file(part: &str) -> PathBuf {
    folder("times").join(part).with_extension("tsv")
}

/// Where a workspace's tests leave JUnit's report.
pub fn junit_file(workspace: &str) -> PathBuf {
    folder("times").join(workspace).with_extension("xml")
}

/// Forgets the times of the last run.
pub fn forget() -> Result<()> {
    let folder = folder("times");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Error::file("remove", &folder))?;
    }
    paths::make_dir(&folder)
}

/// Adds the times in a JUnit report to those of a part. Where the tests did not come to write one
/// there is nothing to add.
pub fn keep_junit(part: &str, report: &Path) -> Result<()> {
    if !report.is_file() {
        return Ok(());
    }
    let text = fs::read_to_string(report).map_err(Error::file("read", report))?;
    let times = junit(&text).map_err(|error| Error::Check(format!("{}: {error}", report.display())))?;
    let file = file(part);
    paths::make_dir(&folder("times"))?;
    let mut out =
        OpenOptions::new().create(true).append(true).open(&file).map_err(Error::file("write", &file))?;
    for (name, seconds) in times {
        writeln!(out, "{seconds:.3}\t{name}").map_err(Error::file("write", &file))?;
    }
    Ok(())
}

/// What failed by a JUnit report, with the first line of its message. A runner that ends before it
/// prints them has written them there.
pub fn failures(report: &Path) -> Result<Vec<String>> {
    if !report.is_file() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(report).map_err(Error::file("read", report))?;
    failed(&text).map_err(|error| Error::Check(format!("{}: {error}", report.display())))
}

fn failed(text: &str) -> std::result::Result<Vec<String>, roxmltree::Error> {
    let document = roxmltree::Document::parse(text)?;
    let failures = document.descendants().filter(|node| node.has_tag_name("failure"));
    let line = |node: roxmltree::Node<'_, '_>| {
        let name = node.parent().and_then(|case| case.attribute("name")).unwrap_or("?");
        let message = node.attribute("message").unwrap_or_default();
        format!("FAIL {name}: {}", message.lines().next().unwrap_or_default())
    };
    Ok(failures.map(line).collect())
}

/// Seconds by module of a Rust binary, or by file of JavaScript.
fn junit(text: &str) -> std::result::Result<BTreeMap<String, f64>, roxmltree::Error> {
    let document = roxmltree::Document::parse(text)?;
    let mut times = BTreeMap::new();
    for suite in document.descendants().filter(|node| node.has_tag_name("testsuite")) {
        let suite_name = suite.attribute("name").unwrap_or("?");
        for case in suite.children().filter(|node| node.has_tag_name("testcase")) {
            let seconds: f64 = case.attribute("time").and_then(|time| time.parse().ok()).unwrap_or(0.0);
            // A Rust test is named by its modules and its function; what JavaScript's are called
            // says nothing of their place.
            let module =
                case.attribute("name").and_then(|name| name.rsplit_once("::")).map(|(module, _)| module);
            let name = match module {
                Some(module) if !suite_name.contains('/') => format!("{suite_name} {module}"),
                _ => suite_name.to_owned(),
            };
            *times.entry(name).or_default() += seconds;
        }
    }
    Ok(times)
}

/// All times that parts have left, longest first.
pub fn ranked() -> Result<Vec<Time>> {
    let mut times = Vec::new();
    for file in paths::files_under(&folder("times"), &[])? {
        if file.extension().is_none_or(|extension| extension != "tsv") {
            continue;
        }
        let part = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).map_err(Error::file("read", &file))?;
        times.extend(text.lines().filter_map(|line| {
            let (seconds, name) = line.split_once('\t')?;
            Some(Time { seconds: seconds.parse().ok()?, part: part.clone(), name: name.to_owned() })
        }));
    }
    times.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_summed_by_module_and_by_file() {
        let rust = r#"<testsuites><testsuite name="weft::main">
            <testcase name="ops::sizes::picks" time="1.5"/><testcase name="ops::sizes::scans" time="0.25"/>
            <testcase name="lazy::tune::races" time="2"/></testsuite></testsuites>"#;
        let found: Vec<_> = junit(rust).unwrap().into_iter().collect();
        let module = |name: &str| format!("weft::main {name}");
        assert_eq!(found, [(module("lazy::tune"), 2.0), (module("ops::sizes"), 1.75)]);
        let script = r#"<testsuites><testsuite name="test/ops.test.ts" time="9">
            <testcase name="a::b" time="1"/><testcase name="c" time="2"/></testsuite></testsuites>"#;
        assert_eq!(
            junit(script).unwrap().into_iter().collect::<Vec<_>>(),
            [("test/ops.test.ts".to_owned(), 3.0)]
        );
        assert!(junit("<testsuites>").is_err());
        let failure = r#"<testsuites><testsuite name="test/core/carry.test.ts"><testcase name="stays flat">
            <failure message="turn 300: 9 bytes are live&#10;there were 3">at a place</failure></testcase></testsuite></testsuites>"#;
        assert_eq!(failed(failure).unwrap(), ["FAIL stays flat: turn 300: 9 bytes are live"]);
    }
}
