//! Circles of modules. More than three files that use each other in a circle cannot be read one
//! after the other, so this fails for them.
//!
//! A file uses those whose names its paths mention, in `use` or elsewhere, followed through
//! re-exports to where the name is defined. What a child takes from the modules around it does not
//! count: a folder and its `mod.rs` are one thing. Test modules do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// As many files as a circle may have.
const MOST: usize = 3;

pub type Module = Vec<String>;
pub type Arrows = BTreeMap<Module, BTreeSet<Module>>;

/// A file: the paths that its `use` declarations name, whether they are passed on, and those that
/// its code mentions.
struct Source {
    uses: Vec<(bool, Vec<String>)>,
    mentions: Vec<Vec<String>>,
    defines: BTreeSet<String>,
}

/// Names, `::` and single signs, without comments, strings, characters and test modules.
fn tokens(text: &str) -> Vec<String> {
    let signs: Vec<char> = text.chars().collect();
    let at = |n: usize| signs.get(n).copied().unwrap_or(' ');
    let (mut found, mut n) = (Vec::<String>::new(), 0);
    while n < signs.len() {
        let start = n;
        match at(n) {
            '/' if at(n + 1) == '/' => n += signs[n..].iter().take_while(|c| **c != '\n').count(),
            '/' if at(n + 1) == '*' => {
                while n < signs.len() && (at(n), at(n + 1)) != ('*', '/') {
                    n += 1;
                }
                n += 2;
            }
            '"' => {
                n += 1;
                while n < signs.len() && at(n) != '"' {
                    n += if at(n) == '\\' { 2 } else { 1 };
                }
                n += 1;
            }
            // A character, not a lifetime.
            '\'' if at(n + 1) == '\\' => {
                n += 2 + signs[n + 2..].iter().take_while(|c| **c != '\'').count() + 1
            }
            '\'' if at(n + 2) == '\'' => n += 3,
            ':' if at(n + 1) == ':' => {
                found.push("::".to_owned());
                n += 2;
            }
            c if c.is_alphanumeric() || c == '_' => {
                n += signs[n..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').count();
                found.push(signs[start..n].iter().collect());
            }
            c => {
                if !c.is_whitespace() {
                    found.push(c.to_string());
                }
                n += 1;
            }
        }
    }
    without_tests(found)
}

fn without_tests(mut found: Vec<String>) -> Vec<String> {
    let test = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
    while let Some(start) = found.windows(test.len()).position(|window| window == test) {
        let mut depth = 0;
        let end = found[start..].iter().position(|token| {
            depth += i32::from(token == "{") - i32::from(token == "}");
            depth == 0 && (token == "}" || token == ";")
        });
        found.drain(start..=start + end.expect("modules end"));
    }
    found
}

impl Source {
    fn of(text: &str) -> Source {
        let tokens = tokens(text);
        let mut source = Source { uses: Vec::new(), mentions: Vec::new(), defines: BTreeSet::new() };
        let is_name =
            |n: usize| tokens.get(n).is_some_and(|t| t.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        let mut n = 0;
        while n < tokens.len() {
            if tokens[n] == "use" {
                let passed_on = n > 0 && (tokens[n - 1] == "pub" || tokens[n - 1] == ")");
                let end = n + tokens[n..].iter().position(|t| t == ";").expect("declarations end");
                let mut paths = Vec::new();
                tree(&tokens[n + 1..end], &[], &mut paths);
                source.uses.extend(paths.into_iter().map(|path| (passed_on, path)));
                n = end;
            } else if is_name(n) {
                if matches!(&*tokens[n], "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static")
                    && is_name(n + 1)
                {
                    source.defines.insert(tokens[n + 1].clone());
                }
                let mut path = vec![tokens[n].clone()];
                while tokens.get(n + 1).is_some_and(|t| t == "::") && is_name(n + 2) {
                    path.push(tokens[n + 2].clone());
                    n += 2;
                }
                if path.len() > 1 {
                    source.mentions.push(path);
                }
            }
            n += 1;
        }
        source
    }
}

/// The paths of a tree of a `use` declaration, each behind `before`.
fn tree(tokens: &[String], before: &[String], paths: &mut Vec<Vec<String>>) {
    let mut path = before.to_vec();
    for (n, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "::" => {}
            "as" => break,
            "{" => {
                let (mut depth, mut start) = (0, n + 1);
                for (m, token) in tokens.iter().enumerate().skip(n) {
                    depth += i32::from(token == "{") - i32::from(token == "}");
                    let ends = (token == "," && depth == 1) || depth == 0;
                    if ends && start < m {
                        tree(&tokens[start..m], &path, paths);
                    }
                    start = if ends { m + 1 } else { start };
                }
                return;
            }
            name => path.push(name.to_owned()),
        }
    }
    if path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    paths.push(path);
}

struct Crate(BTreeMap<Module, Source>);

impl Crate {
    /// A path from the crate's root on; `None` for one that leads out of the crate.
    fn absolute(&self, from: &Module, path: &[String]) -> Option<Vec<String>> {
        let supers = path.iter().take_while(|name| *name == "super").count();
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([from, &path[1..]].concat()),
            "super" => Some([&from[..from.len().checked_sub(supers)?], &path[supers..]].concat()),
            first => {
                let child = [from.as_slice(), &[first.to_owned()]].concat();
                self.0.contains_key(&child).then(|| [from, path].concat())
            }
        }
    }

    /// The file that defines what a path names.
    fn file(&self, path: &[String], depth: usize) -> Option<Module> {
        let length = (0..=path.len()).rev().find(|&n| self.0.contains_key(&path[..n]))?;
        let (module, rest) = (path[..length].to_vec(), &path[length..]);
        let Some(name) = rest.first().filter(|_| depth < 8) else { return Some(module) };
        for (_, used) in self.0[&module].uses.iter().filter(|(passed_on, _)| *passed_on) {
            let (last, before) = used.split_last()?;
            if last == name {
                let target = self.absolute(&module, used)?;
                return self.file(&[&target, &rest[1..]].concat(), depth + 1);
            }
            if last == "*"
                && let Some(target) = self.absolute(&module, before)
                && self.0.get(&target).is_some_and(|source| source.defines.contains(name))
            {
                return Some(target);
            }
        }
        Some(module)
    }

    fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (module, source) in &self.0 {
            let imported: BTreeMap<&String, &Vec<String>> =
                source.uses.iter().filter_map(|(_, path)| Some((path.last()?, path))).collect();
            let mentions = source.mentions.iter().map(|path| match imported.get(&path[0]) {
                Some(whole) => [whole.as_slice(), &path[1..]].concat(),
                None => path.clone(),
            });
            let paths = source.uses.iter().map(|(_, path)| path.clone()).chain(mentions);
            let targets = paths.filter_map(|path| self.file(&self.absolute(module, &path)?, 0));
            // What stands around a module is no arrow, nor is itself.
            arrows.insert(module.clone(), targets.filter(|target| !module.starts_with(target)).collect());
        }
        arrows
    }
}

/// The files that can be reached from one another, where those are too many.
pub fn circles(arrows: &Arrows) -> Vec<Vec<Module>> {
    let reach = |from: &Module| {
        let (mut seen, mut stack) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(next) = stack.pop() {
            stack.extend(arrows[&next].iter().filter(|to| seen.insert((*to).clone())).cloned());
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> =
        arrows.keys().map(|from| (from, reach(from))).collect();
    let mut found: Vec<Vec<Module>> = Vec::new();
    for (from, all) in &reached {
        let circle: Vec<Module> = all.iter().filter(|to| reached[to].contains(*from)).cloned().collect();
        if circle.len() > MOST && !found.contains(&circle) {
            found.push(circle);
        }
    }
    found
}

fn read(folder: &Path, module: &Module, files: &mut BTreeMap<Module, Source>) {
    for entry in std::fs::read_dir(folder).expect("sources can be read") {
        let path = entry.expect("sources can be read").path();
        let name = path.file_stem().expect("files have names").to_string_lossy().into_owned();
        let inner =
            if matches!(&*name, "mod" | "lib") { module.clone() } else { [&module[..], &[name]].concat() };
        if path.is_dir() {
            read(&path, &inner, files);
        } else if path.extension().is_some_and(|e| e == "rs")
            && inner.last().is_none_or(|name| name != "tests")
        {
            files.insert(inner, Source::of(&std::fs::read_to_string(&path).expect("sources are text")));
        }
    }
}

#[test]
fn no_more_than_three_files_of_a_crate_know_each_other_in_a_circle() {
    for name in ["ir", "compile", "runtime", "weft", "wasm"] {
        let mut files = BTreeMap::new();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crate").join(name).join("src");
        read(&folder, &Vec::new(), &mut files);
        let arrows = Crate(files).arrows();
        assert!(arrows.values().any(|to| !to.is_empty()), "{name}: no file knows another");
        let described = |circle: &Vec<Module>| {
            let line = |from: &Module| {
                let to = arrows[from].iter().filter(|to| circle.contains(to)).map(|to| to.join("::"));
                format!("  {} knows {}\n", from.join("::"), to.collect::<Vec<_>>().join(", "))
            };
            format!("{} files:\n{}", circle.len(), circle.iter().map(line).collect::<String>())
        };
        let found: String = circles(&arrows).iter().map(described).collect();
        assert!(found.is_empty(), "crate/{name} has circles of\n{found}");
    }
}

#[test]
fn a_circle_is_found_through_whatever_ties_it() {
    let source = |name: &str, text: &str| (vec![name.to_owned()], Source::of(text));
    let ring = |last: &str| {
        let files = [
            source("a", "use crate::{b::{self, B}, z};\nfn a(s: &'static str) -> char { '\\'' }"),
            source("b", "pub struct B; fn f() { crate::c::g() } // crate::z::h()"),
            source("c", "use super::shelf::D as Renamed; pub fn g() {}"),
            source("shelf", "pub use super::d::*;"),
            source("d", last),
            source(
                "z",
                "const Z: &str = \"crate::a\"; #[cfg(test)]\nmod tests { use crate::a; mod inner { fn t() {} } }",
            ),
            (Vec::new(), Source::of("mod a; mod b;")),
        ];
        circles(&Crate(files.into_iter().collect()).arrows())
    };
    let named = |names: &[&str]| names.iter().map(|name| vec![(*name).to_owned()]).collect::<Vec<_>>();
    assert_eq!(ring("pub struct D(crate::a::A);"), [named(&["a", "b", "c", "d"])]);
    assert_eq!(ring("pub struct D(crate::z::A);"), Vec::<Vec<Module>>::new());
    // Three may.
    assert_eq!(ring("pub struct D(crate::b::B);"), Vec::<Vec<Module>>::new());
}
