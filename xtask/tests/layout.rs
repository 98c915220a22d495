//! Limits of files and folders: a header that says what the file is, comments of at most 100
//! columns, at most 600 lines, and at most 25 files to a folder.
//!
//! Each limit has a list of the folders that still break it. A folder that no longer does must
//! leave the list.

use crate::{files, files_of, text};
use std::collections::BTreeMap;

/// Languages whose files are read by people.
const SOURCES: [&str; 9] = ["rs", "ts", "js", "mjs", "cjs", "py", "css", "wgsl", "html"];
/// Lines of a file.
const LINES: usize = 600;
/// Files of a folder.
const FILES: usize = 25;
/// Columns of a line that is a comment.
const COLUMNS: usize = 100;

/// Folders of content, which a reader of the page meets in a gallery with sections: one file an
/// entry.
const CONTENT: &str = "notebooks";

/// Folders with headers that are still questions.
const QUESTIONS: [&str; 0] = [];

/// The words of the comment that a file begins with, without its signs.
fn header(text: &str) -> String {
    let lines = text.lines().skip_while(|line| {
        line.is_empty()
            || line.starts_with("#!")
            || line.starts_with("/// <")
            || line.starts_with("<!doctype")
    });
    let mut words = Vec::new();
    let (mut block, mut first) = (None, true);
    for line in lines.map(str::trim) {
        if first {
            let ends = [("/*", "*/"), ("\"\"\"", "\"\"\""), ("<!--", "-->")];
            block = ends.into_iter().find(|(begin, _)| line.starts_with(begin));
        }
        let is_comment = block.is_some() || line.starts_with("//") || line.starts_with('#');
        if !is_comment {
            break;
        }
        let bare = line.trim_matches(|c: char| "/*!#\"<>-".contains(c) || c.is_whitespace());
        words.extend(bare.split_whitespace().map(str::to_owned));
        let rest = match block {
            Some((begin, _)) if first => &line[begin.len()..],
            _ => line,
        };
        if block.is_some_and(|(_, end)| rest.contains(end)) {
            break;
        }
        first = false;
    }
    words.join(" ")
}

/// Whether the first sentence is a question.
fn is_question(header: &str) -> bool {
    let end = header.split_whitespace().find(|word| word.ends_with(['.', '?', '!']));
    end.is_some_and(|word| word.ends_with('?'))
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

#[test]
fn no_header_is_a_question() {
    let questions: Vec<String> =
        files_of(&SOURCES).into_iter().filter(|path| is_question(&header(&text(path)))).collect();
    let later = |path: &String| QUESTIONS.iter().any(|folder| is_below(path, folder));
    let found: Vec<&String> = questions.iter().filter(|path| !later(path)).collect();
    assert!(found.is_empty(), "headers that are questions instead of saying what the file is: {found:#?}");
    let done: Vec<&&str> =
        QUESTIONS.iter().filter(|folder| !questions.iter().any(|path| is_below(path, folder))).collect();
    assert!(done.is_empty(), "no header is a question in {done:?}: take it off the list `QUESTIONS`");
}

/// The numbers of the comment lines that are too long. Examples, tables and types of JSDoc may be,
/// and a word that fits no line.
fn long_comments(text: &str) -> Vec<usize> {
    let (mut in_block, mut in_example, mut in_fence) = (false, false, false);
    let mut found = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let bare = line.trim_start();
        let begins = bare.starts_with("/*");
        if !(in_block || begins || bare.starts_with("//") || bare.starts_with("# ")) {
            (in_example, in_fence) = (false, false);
            continue;
        }
        in_block = (in_block || begins) && !bare.contains("*/");
        let content = bare.trim_start_matches(|c: char| "/*!#".contains(c));
        let words = content.trim();
        in_fence ^= words.starts_with("```");
        if words.starts_with('@') || begins {
            in_example = words.starts_with("@example");
        }
        let is_type = words.contains('@') && words.contains('{');
        let is_laid_out = in_example || in_fence || words.starts_with('|') || content.starts_with("   ");
        let is_free = is_laid_out || is_type || !words.contains(' ');
        if line.chars().count() > COLUMNS && !is_free {
            found.push(n + 1);
        }
    }
    found
}

#[test]
fn no_comment_is_too_wide() {
    let written = |path: &String| !path.contains("/generated/") && !path.contains("/snapshots/");
    let found: Vec<(String, Vec<usize>)> = files_of(&SOURCES)
        .into_iter()
        .filter(written)
        .map(|path| (path.clone(), long_comments(&text(&path))))
        .filter(|(_, lines)| !lines.is_empty())
        .collect();
    assert!(found.is_empty(), "comments of more than {COLUMNS} columns: {found:#?}");
}

#[test]
fn a_wide_comment_is_found_in_every_kind_of_comment() {
    let wide = "long ".repeat(20);
    for comment in [
        format!("//! {wide}\n"),
        format!("let a = 1;\n    // {wide}\n"),
        format!("/** {wide} */\n"),
        format!("/**\n * A.\n * {wide}\n */\n"),
        format!("/**\n * @example\n * a;\n */\n/** {wide} */\n"),
        format!("/* {wide}*/\n"),
        format!("# {wide}\n"),
    ] {
        assert_eq!(long_comments(&comment).len(), 1, "{comment}");
    }
    for other in [
        format!("let text = \"{wide}\";\n"),
        format!("*a = \"{wide}\";\n"),
        format!("/**\n * @example\n * f({wide}); // 2\n */\n"),
        format!("//! | a | {wide} |\n"),
        format!("/// ```\n/// {wide}\n/// ```\n"),
        format!("//     {wide}\n"),
        format!("/** @type {{{wide}}} */\n"),
        format!("// {}\n", wide.replace(' ', "-")),
    ] {
        assert_eq!(long_comments(&other), [0; 0], "{other}");
    }
}

#[test]
fn no_file_is_too_long() {
    let lines = |path: String| (text(&path).lines().count(), path);
    let found: Vec<(usize, String)> =
        files_of(&SOURCES).into_iter().map(lines).filter(|(lines, _)| *lines > LINES).collect();
    assert!(found.is_empty(), "files of more than {LINES} lines: {found:#?}");
}

#[test]
fn no_folder_is_crowded() {
    let mut folders = BTreeMap::<String, usize>::new();
    for path in files() {
        if let Some((folder, _)) = path.rsplit_once('/') {
            *folders.entry(folder.to_owned()).or_default() += 1;
        }
    }
    folders.retain(|folder, files| *files > FILES && folder != CONTENT && !is_below(folder, CONTENT));
    assert!(folders.is_empty(), "folders of more than {FILES} files: {folders:?}");
}

#[test]
fn a_question_is_found_in_every_kind_of_comment() {
    for question in [
        "//! How long?\n\nuse a;",
        "// How many of a\n// sort? All of it.\nimport a;",
        "/// <reference lib=\"a\" />\n// What is it?\n",
        "/* What does it look like? */\n",
        "/**\n * What is it? This.\n */\n",
        "#!/usr/bin/env python3\n\"\"\"What is it? This.\n\nMore.\n\"\"\"\n",
        "<!doctype html>\n<!-- What is it? -->\n",
    ] {
        assert!(is_question(&header(question)), "{question}");
    }
    for statement in [
        "//! Quantiles by sorting. What else?\n",
        "// Quantiles.\n\n// How?\n",
        "fn a() {} // How?\n",
        "/* Quantiles. */\n// How?\n",
        "\"\"\"Quantiles.\"\"\"\nx = 'How?'\n",
        "",
    ] {
        assert!(!is_question(&header(statement)), "{statement}");
    }
}

/// A library with `test = false` has no binary for the tests inside of it: a file that has some is
/// included, by its path, in a binary of tests.
#[test]
fn tests_inside_of_libraries_run() {
    let without: Vec<String> = files_of(&["toml"])
        .into_iter()
        .filter_map(|path| path.strip_suffix("/Cargo.toml").map(str::to_owned))
        .filter(|folder| text(&format!("{folder}/Cargo.toml")).contains("[lib]"))
        .filter(|folder| text(&format!("{folder}/Cargo.toml")).lines().any(|line| line == "test = false"))
        .collect();
    assert!(!without.is_empty());
    let sources = files_of(&["rs"]);
    let included: String =
        sources.iter().filter(|path| path.contains("/tests/")).map(|path| text(path)).collect();
    let is_left = |path: &&String| {
        let folder = without.iter().find(|folder| path.starts_with(&format!("{folder}/src/")));
        let place = folder.map(|folder| {
            let parent = format!("{}/", folder.rsplit('/').next().unwrap_or(folder));
            let inner = &path[folder.len() + 1..];
            [format!("\"../../{inner}\""), format!("\"../../{parent}{inner}\"")]
        });
        let has_tests = text(path).lines().any(|line| line.trim() == "#[cfg(test)]");
        place.is_some_and(|places| has_tests && !places.iter().any(|place| included.contains(place)))
    };
    let left: Vec<&String> = sources.iter().filter(is_left).collect();
    assert!(left.is_empty(), "tests that never run, include these files in a binary of tests: {left:#?}");
}
