//! Names of failed tests, read from a part's output, so that the end of a report lists what to look
//! at.

/// How many names the report lists for a part.
const MOST: usize = 12;
/// How many letters of a line it shows.
const WIDTH: usize = 160;
/// How many letters of an error that takes several lines.
const WIDTH_OF_SEVERAL: usize = 480;

/// Lines that name a failure: nextest's, vitest's, Node's, the browser's test runner's, and
/// compilers'. A line that comes twice is listed once.
pub fn named(output: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut lines = output.lines().map(plain).map(|line| line.trim().to_owned());
    while let Some(line) = lines.next() {
        if !tells_of_failure(&line) {
            continue;
        }
        let shown: String = match line.strip_suffix("|-") {
            Some(key) => several(key, &mut lines),
            None => line.chars().take(WIDTH).collect(),
        };
        if !found.contains(&shown) {
            found.push(shown);
        }
    }
    let left = found.len().saturating_sub(MOST);
    found.truncate(MOST);
    if left > 0 {
        found.push(format!("and {left} more"));
    }
    found
}

/// A YAML text of several lines, in one. It ends at the next key that Node's runner writes.
fn several(key: &str, lines: &mut impl Iterator<Item = String>) -> String {
    let ends = ["code: ", "name: ", "stack: ", "expected: ", "actual: ", "..."];
    let text: Vec<String> = lines
        .take_while(|line| !ends.iter().any(|end| line.starts_with(end)))
        .filter(|line| !line.is_empty())
        .collect();
    format!("{key}{}", text.join(" ")).chars().take(WIDTH_OF_SEVERAL).collect()
}

fn tells_of_failure(line: &str) -> bool {
    let starts = [
        "FAIL ",
        "TIMEOUT [",
        "SIGABRT [",
        "SIGSEGV [",
        "ABORT [",
        "not ok ",
        "# failed twice: ",
        "# flaky, which is a failure: ",
        "error: ",
        "error[",
        "error TS",
    ];
    let ends = ["... FAILED", "... FAIL"];
    starts.iter().any(|start| line.starts_with(start)) || ends.iter().any(|end| line.ends_with(end))
}

/// A line without the terminal's colours.
fn plain(line: &str) -> String {
    let mut pieces = line.split('\u{1b}');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        text += piece.split_once('m').map_or(piece, |(_, rest)| rest);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_runner_s_failures_are_named_once() {
        let output = "\u{1b}[41m\u{1b}[1m FAIL \u{1b}[22m\u{1b}[49m test/failure.test.ts > a core\n\
            ok 4 - a slider\nnot ok 5 - a network learns\n        FAIL [   0.005s] (1/2) weft::main ops::sums\n\
            \x20       FAIL [   0.005s] (1/2) weft::main ops::sums\ntest conformance::all ... FAIL\nerror: unused\n";
        let expected = [
            "FAIL  test/failure.test.ts > a core",
            "not ok 5 - a network learns",
            "FAIL [   0.005s] (1/2) weft::main ops::sums",
            "test conformance::all ... FAIL",
            "error: unused",
        ];
        assert_eq!(named(output), expected);
    }

    #[test]
    fn an_error_of_several_lines_is_shown_whole() {
        let output = "not ok 2 - a limit\n  ---\n  error: |-\n    Expected values to be equal:\n    \n    1 !== 2\n    \n  \
            code: 'ERR_ASSERTION'\n  ...\n# failed twice: safety/heap.test.mjs\n";
        let expected = [
            "not ok 2 - a limit",
            "error: Expected values to be equal: 1 !== 2",
            "# failed twice: safety/heap.test.mjs",
        ];
        assert_eq!(named(output), expected);
    }

    #[test]
    fn a_long_list_is_cut_and_says_so() {
        let output: String = (0..20).map(|i| format!("not ok {i} - a\n")).collect();
        let found = named(&output);
        assert_eq!((found.len(), found[MOST].as_str()), (MOST + 1, "and 8 more"));
        assert!(named("all is well\n").is_empty());
    }
}
