//! Circles of TypeScript and JavaScript modules. As among the files of a crate, at most three may
//! import each other in a circle, types included.

use crate::circles::{Arrows, circles};
use crate::{files_of, text};
use std::collections::{BTreeMap, BTreeSet};

/// Arrows that do not count: the type `Tensor` has the operations' functions as methods, and those
/// take tensors. No code runs along this arrow.
const TYPES: [(&str, &str); 1] = [("js/src/core/tensor/tensor.ts", "js/src/start/methods.ts")];

/// The relative addresses that a module imports or exports from, in types too.
fn addresses(text: &str) -> Vec<&str> {
    let is_code = |line: &&str| !["//", "*", "/*"].iter().any(|sign| line.trim_start().starts_with(sign));
    let mut found = Vec::new();
    for line in text.lines().filter(is_code) {
        for (at, quote) in line.match_indices(['"', '\'']) {
            let before = line[..at].trim_end();
            let imports = ["from", "import", "import("].iter().any(|word| {
                let ahead = before.strip_suffix(word);
                ahead.is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
            });
            let inner = &line[at + 1..];
            if let Some(end) = inner.find(quote).filter(|_| imports && inner.starts_with('.')) {
                found.push(&inner[..end]);
            }
        }
    }
    found
}

/// The file at an address seen from the file `from`, if it is one of `files`.
fn resolve(from: &str, address: &str, files: &BTreeSet<String>) -> Option<String> {
    let mut path: Vec<&str> = from.split('/').collect();
    path.pop();
    let address = address.split('?').next().unwrap_or(address);
    for part in address.split('/') {
        match part {
            "." => {}
            ".." => drop(path.pop()?),
            part => path.push(part),
        }
    }
    let path = path.join("/");
    let script = path.strip_suffix(".js").unwrap_or(&path);
    [path.clone(), format!("{script}.ts"), format!("{path}/index.ts")]
        .into_iter()
        .find(|file| files.contains(file))
}

fn arrows(sources: &BTreeMap<String, String>) -> Arrows {
    let files: BTreeSet<String> = sources.keys().cloned().collect();
    let counts = |from: &str, to: &str| from != to && !TYPES.contains(&(from, to));
    let of = |(from, text): (&String, &String)| {
        let to = addresses(text).into_iter().filter_map(|address| resolve(from, address, &files));
        (vec![from.clone()], to.filter(|to| counts(from, to)).map(|to| vec![to]).collect())
    };
    sources.iter().map(of).collect()
}

#[test]
fn no_more_than_three_modules_import_each_other_in_a_circle() {
    let sources: BTreeMap<String, String> =
        files_of(&["ts", "js", "mjs"]).into_iter().map(|path| (path.clone(), text(&path))).collect();
    let arrows = arrows(&sources);
    assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 1000, "imports are found");
    let files: BTreeSet<String> = sources.keys().cloned().collect();
    for (from, to) in TYPES {
        let found = addresses(&sources[from])
            .into_iter()
            .any(|address| resolve(from, address, &files).as_deref() == Some(to));
        assert!(found, "{from} does not import {to}: take it off the list `TYPES`");
    }
    let line = |from: &Vec<String>, circle: &[Vec<String>]| {
        let to = arrows[from].iter().filter(|to| circle.contains(to)).flatten().cloned();
        format!("  {} imports {}\n", from[0], to.collect::<Vec<_>>().join(", "))
    };
    let described = |circle: Vec<Vec<String>>| {
        let lines: String = circle.iter().map(|from| line(from, &circle)).collect();
        format!("{} modules:\n{lines}", circle.len())
    };
    let found: String = circles(&arrows).into_iter().map(described).collect();
    assert!(found.is_empty(), "circles of\n{found}");
}

#[test]
fn a_circle_is_found_through_every_kind_of_import() {
    let ring = |last: &str| {
        let sources = [
            ("a/one.ts", "import {\n  two,\n} from \"./two.js\";\nimport { z } from 'z';"),
            ("a/two.ts", "export * from \"../b\";\n// import \"../z\""),
            ("b/index.ts", "const three = () => import(\"./three?worker\");"),
            ("b/three.ts", last),
            ("z.ts", "import \"./a/one\";"),
        ];
        let sources = sources.map(|(path, text)| (path.to_owned(), text.to_owned()));
        circles(&arrows(&sources.into_iter().collect()))
    };
    let all: Vec<Vec<String>> =
        ["a/one.ts", "a/two.ts", "b/index.ts", "b/three.ts"].map(|path| vec![path.to_owned()]).into();
    assert_eq!(ring("import type { One } from \"../a/one\";"), [all]);
    assert_eq!(ring("import { z } from \"../z\"; const from = \"../a/one\";").len(), 1);
    // Three may.
    assert!(ring("import \"../a/two\";").is_empty());
    assert!(ring("const from = \"../a/one\";").is_empty());
}

/// A first use of the package fetches no parser: `weft-gpu/kernel` is an entry of its own.
#[test]
fn the_front_end_of_kernels_comes_with_its_own_entry() {
    let sources: BTreeMap<String, String> =
        files_of(&["ts"]).into_iter().map(|path| (path.clone(), text(&path))).collect();
    let arrows = arrows(&sources);
    let reached = |entry: &str| {
        let (mut waiting, mut reached) = (vec![vec![entry.to_owned()]], BTreeSet::new());
        while let Some(module) = waiting.pop() {
            if reached.insert(module.clone()) {
                waiting.extend(arrows[&module].iter().cloned());
            }
        }
        reached.into_iter().flatten().collect::<BTreeSet<String>>()
    };
    let parses = |path: &&String| sources[*path].contains("from \"acorn\"");
    let found: Vec<String> = reached("js/src/index.ts").iter().filter(parses).cloned().collect();
    assert!(found.is_empty(), "js/src/index.ts reaches modules that read acorn: {found:#?}");
    assert!(reached("js/src/kernel/index.ts").iter().any(|path| parses(&path)), "imports are followed");
}
