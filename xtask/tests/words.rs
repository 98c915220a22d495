//! Words that are not used here, with those to write instead: they made readers decode a sentence,
//! or named a value by what was done to it.

use crate::{files, text};

/// Words and phrases that no file has, and what to write.
const PHRASES: [(&str, &str); 12] = [
    ("told", "the actor and a verb: reports, shows, says; a value by what it holds"),
    ("whoever", "the reader, the caller, or no word at all"),
    ("weighed", "weighted"),
    ("dear", "expensive"),
    ("who serves", "the name of what serves"),
    ("so many as", "as many as"),
    ("what few need", "deferred"),
    ("by fours", "in vectors of four"),
    ("turned_below", "permutation_below"),
    ("standing_still", "masked"),
    ("Ladder", "the algorithm's name"),
    ("Seats", "layout"),
];

/// Names that are declared nowhere, because they say nothing of the value.
const NAMES: [&str; 9] =
    ["Again", "Going", "Puts", "asking", "fresh", "hold", "looks", "remembered", "spares"];

/// What comes before a name where it is declared.
const DECLARATIONS: [&str; 12] =
    ["class", "const", "enum", "fn", "function", "interface", "let", "mod", "struct", "trait", "type", "var"];

/// Whether a file holds sentences and names of this project: not data, licences or lists of
/// others'.
fn is_written_here(path: &str) -> bool {
    const LANGUAGES: [&str; 13] =
        ["rs", "ts", "js", "mjs", "cjs", "py", "css", "wgsl", "html", "md", "txt", "toml", "yml"];
    let is_text = path.rsplit_once('.').is_some_and(|(_, e)| LANGUAGES.contains(&e));
    is_text && path != "xtask/tests/words.rs" && path != "CODE_OF_CONDUCT.md"
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// The words of a line, a space between each two and around them.
fn spaced(line: &str) -> String {
    words(line).fold(" ".to_owned(), |text, word| text + word + " ")
}

/// A line whose names are cut into the words that they are made of: `is_told` and `isTold` are two.
fn with_names_cut(line: &str) -> String {
    let (mut cut, mut before) = (String::new(), ' ');
    for letter in line.chars() {
        if before.is_lowercase() && letter.is_uppercase() {
            cut.push(' ');
        }
        cut.push(if letter == '_' { ' ' } else { letter });
        before = letter;
    }
    cut
}

/// What a line should not have, if there is any.
fn objection(line: &str) -> Option<String> {
    let exact = spaced(line) + &spaced(&with_names_cut(line));
    let small = exact.to_lowercase();
    for (phrase, instead) in PHRASES {
        let line = if phrase.starts_with(char::is_uppercase) { &exact } else { &small };
        if line.contains(&format!(" {phrase} ")) {
            return Some(format!("“{phrase}”: write {instead}"));
        }
    }
    let mut before = "";
    for word in words(line).filter(|word| !["mut", "async", "static"].contains(word)) {
        if DECLARATIONS.contains(&before) && NAMES.contains(&word) {
            return Some(format!("`{word}`: name the value by what it holds"));
        }
        before = word;
    }
    None
}

#[test]
fn no_file_has_a_word_that_is_not_used_here() {
    let mut found = Vec::new();
    for path in files().into_iter().filter(|path| is_written_here(path)) {
        for (n, line) in text(&path).lines().enumerate() {
            found.extend(objection(line).map(|what| format!("{path}:{}: {what}", n + 1)));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_word_is_found_in_comments_names_and_texts() {
    for line in [
        "// An error is told at the end.",
        "Whoever opens it runs it.",
        "let mut fresh = 1;",
        "struct Going<'a>(&'a str);",
        "  throw new Error(`${name} is told`);",
        "fn turned_below() {}",
        "use Ladder;",
        "Nodes are taken by fours.",
        "fn an_error_is_told_by_name() {}",
        "const isTold = true;",
        "struct WideSeats;",
    ] {
        assert!(objection(line).is_some(), "{line}");
    }
    for line in
        ["// A fresh clone holds it.", "let refreshed = hold();", "it looks again", "const letters = untold;"]
    {
        assert_eq!(objection(line), None, "{line}");
    }
}
