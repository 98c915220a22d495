//! Names of failed tests, read from a part's output, so that the end of a report lists what to look
//! at.

/// How many names the report lists for a part.
const MOST: usize = 12;
/// How many letters of a line it shows.
const WIDTH: usize = 160;

/// Lines that name a failure: nextest's, vitest's, Node's, the browser's test runner's, and
/// compilers'. A line that comes twice is listed once.
pub fn named(output: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in output.lines() {
        let line = plain(line);
        let line = line.trim();
        if tells_of_failure(line) && !found.iter().any(|known| known == line) {
            found.push(line.chars().take(WIDTH).collect());
        }
    }
    let left = found.len().saturating_sub(MOST);
    found.truncate(MOST);
    if left > 0 {
        found.push(format!("and {left} more"));
    }
    found
}

fn tells_of_failure(line: &str) -> bool {
    let starts = [
        "FAIL ",
        "TIMEOUT [",
        "SIGABRT [",
        "SIGSEGV [",
        "ABORT [",
        "not ok ",
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
    fn a_long_list_is_cut_and_says_so() {
        let output: String = (0..20).map(|i| format!("not ok {i} - a\n")).collect();
        let found = named(&output);
        assert_eq!((found.len(), found[MOST].as_str()), (MOST + 1, "and 8 more"));
        assert!(named("all is well\n").is_empty());
    }
}
