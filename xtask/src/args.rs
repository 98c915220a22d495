//! Command line of the tasks.
//!
//! `parse` turns words into a `Task`; every mistake becomes an `Error::Usage` that names the word.

use crate::error::{Error, Result};
use std::path::PathBuf;
use std::time::Duration;

/// What `cargo xtask` prints when asked for help.
pub const USAGE: &str = "\
Usage: cargo xtask COMMAND

  build                   write dist/site (the playground, static) and dist/npm (the package)
  generate                write the JavaScript functions of the table of operations
  play                    build, then serve the playground on localhost
      --open              open it in the browser
      --port N            serve on this port (default: 8080, or a free one when that is taken)
      --data DIR          serve DIR as the site's data/; what it lacks comes from the site's own
      --headless NOTEBOOK run all cells of this notebook in headless Chromium instead, printing their text
      --timeout SECONDS   give up on the notebook after this long (default: 600)
      --screenshot FILE   save a picture of the page at the end
      --device DEVICE     webgpu or cpu (default: what the page would take)
      --chrome PATH       use this browser (also: the environment variable CHROME)
  bench                   build, then measure Weft, its peers and the machine's own limits in headless Chromium
      --only REGEX        these workloads alone
      --json FILE         write the report there too
      --headed            in a browser that shows itself
      --software          on SwiftShader instead of the machine's GPU
      --size SIZE         full, medium, software or small (default: full, or software where the CPU computes)
      --quick             small sizes, to try the benchmark itself
      --alone             Weft without its peers
      --chrome PATH       use this browser (also: the environment variable CHROME)
      --pack DIR          instead of measuring, leave files in DIR that measure on a machine without anything else
  hardware                build, then check Weft on this machine's GPU under Node.js and Dawn: committed cases, random programs, identities
      --only PART[,PART]  conformance, programs, gradients, comparisons or identities alone
      --seed N            the first random program (default: 1)
      --count N           so many random programs of each kind (default: 500)
      --quick             a tenth of everything
      --jobs N            so many processes (default: half of the processors, at most 8)
      --json FILE         write the report there too
      --pack DIR          instead of checking, leave a script in DIR that checks on a machine without anything else
  test                    run every check that guards a landing
      --quick             only those that find most mistakes within minutes
      --full              all, with every rotation, the long fuzzers and the largest sizes
      --only PART[,PART]  these parts, and those they need
      --alone PART        this part, in this process, without those it needs
      --seed N            the seed of the fuzzers and rotations (default: made of the commit)
      --list              print the parts
  fetch-mnist             download MNIST and check it
      --out DIR           put it there (default: data-local/mnist, which `play` serves)
      --mirror URL        try this address first; file:// works too
";

/// One command, with its options.
#[derive(Debug, PartialEq)]
pub enum Task {
    /// Print the usage.
    Help,
    /// Build the site and the package.
    Build,
    /// Write what comes from the table of operations.
    Generate,
    /// Build and serve, or run a notebook.
    Play(Play),
    /// Measure, or pack what measures.
    Bench(Bench),
    /// Check on the GPU, or pack what checks.
    Hardware(Hardware),
    /// Run the checks.
    Test(Test),
    /// Download MNIST.
    FetchMnist(FetchMnist),
}

/// Options of `play`.
#[derive(Debug, Default, PartialEq)]
pub struct Play {
    /// Open the page in the user's browser.
    pub open: bool,
    /// Serve on exactly this port.
    pub port: Option<u16>,
    /// A directory that stands in for the site's `data/`.
    pub data: Option<PathBuf>,
    /// The browser to run a notebook in.
    pub chrome: Option<PathBuf>,
    /// Run a notebook rather than wait for readers.
    pub headless: Option<Headless>,
}

/// Options of `play --headless`.
#[derive(Debug, PartialEq)]
pub struct Headless {
    /// The notebook, a Markdown file.
    pub notebook: PathBuf,
    /// How long all of its cells may take.
    pub timeout: Duration,
    /// Where to save a picture of the page.
    pub screenshot: Option<PathBuf>,
    /// The device that its cells compute on, as the page's address names it.
    pub device: Option<String>,
}

/// Options of `bench`.
#[derive(Debug, Default, PartialEq)]
pub struct Bench {
    /// Where to leave the packed benchmark instead of running it.
    pub pack: Option<PathBuf>,
    /// Words for what runs it: `bench/headless.mjs` reads the same options.
    pub passed: Vec<String>,
    /// The browser to run it in.
    pub chrome: Option<PathBuf>,
}

/// Options of `hardware`.
#[derive(Debug, Default, PartialEq)]
pub struct Hardware {
    /// Where to leave the packed script instead of running it.
    pub pack: Option<PathBuf>,
    /// Words for the script, which reads the same options.
    pub passed: Vec<String>,
}

/// Options of `test`.
#[derive(Debug, Default, PartialEq)]
pub struct Test {
    /// How much is run.
    pub tier: Tier,
    /// The parts to run, with those they need; all when empty.
    pub only: Vec<String>,
    /// The one part to run here, whose needs are met.
    pub alone: Option<String>,
    /// The seed of fuzzers and rotations.
    pub seed: Option<u64>,
    /// Print the parts and run none.
    pub list: bool,
}

/// How much `test` runs. Each tier runs what the one before it runs, and more.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Whether a change is plausible.
    Quick,
    /// Whether it can land.
    #[default]
    Landing,
    /// Everything, for a release or a night.
    Full,
}

impl Tier {
    /// Its name: an option, a profile of cargo-nextest, and the value of `WEFT_TIER`.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Quick => "quick",
            Tier::Landing => "landing",
            Tier::Full => "full",
        }
    }
}

/// Options of `fetch-mnist`.
#[derive(Debug, Default, PartialEq)]
pub struct FetchMnist {
    /// Where the files go.
    pub out: Option<PathBuf>,
    /// An address to try before the public ones.
    pub mirror: Option<String>,
}

/// How long a notebook may take when nobody says.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(600);

/// Understands the words after `cargo xtask`.
pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Task> {
    let mut words = Words { rest: words.into_iter().collect::<Vec<_>>().into_iter(), value: None };
    let Some(command) = words.rest.next() else {
        return Err(Error::Usage("say what to do".into()));
    };
    match command.as_str() {
        "help" | "--help" | "-h" => Ok(Task::Help),
        "build" => words.none_but_help(&command, Task::Build),
        "generate" => words.none_but_help(&command, Task::Generate),
        "play" => play(&mut words),
        "bench" => bench(&mut words),
        "hardware" => hardware(&mut words),
        "test" => test(&mut words),
        "fetch-mnist" => fetch_mnist(&mut words),
        _ => Err(Error::Usage(format!("there is no command `{command}`"))),
    }
}

fn play(words: &mut Words) -> Result<Task> {
    let mut play = Play::default();
    let (mut notebook, mut timeout, mut screenshot, mut device) = (None, None, None, None);
    while let Some(option) = words.option()? {
        match option.as_str() {
            "--open" => play.open = true,
            "--port" => play.port = Some(words.number("--port", "a port, 0 to 65535")?),
            "--data" => play.data = Some(words.value("--data")?.into()),
            "--chrome" => play.chrome = Some(words.value("--chrome")?.into()),
            "--headless" => notebook = Some(PathBuf::from(words.value("--headless")?)),
            "--timeout" => timeout = Some(words.number("--timeout", "a whole number of seconds")?),
            "--screenshot" => screenshot = Some(PathBuf::from(words.value("--screenshot")?)),
            "--device" => device = Some(words.value("--device")?),
            "--help" | "-h" => return Ok(Task::Help),
            _ => return Err(unknown("play", &option)),
        }
        words.all_used(&option)?;
    }
    play.headless = match notebook {
        Some(notebook) => {
            let timeout = timeout.map_or(DEFAULT_TIMEOUT, Duration::from_secs);
            Some(Headless { notebook, timeout, screenshot, device })
        }
        None if timeout.is_some() => return Err(Error::Usage("--timeout goes with --headless".into())),
        None if screenshot.is_some() => return Err(Error::Usage("--screenshot goes with --headless".into())),
        None if device.is_some() => return Err(Error::Usage("--device goes with --headless".into())),
        None => None,
    };
    if play.open && play.headless.is_some() {
        return Err(Error::Usage("--open and --headless exclude each other".into()));
    }
    Ok(Task::Play(play))
}

fn bench(words: &mut Words) -> Result<Task> {
    let mut bench = Bench::default();
    while let Some(option) = words.option()? {
        match option.as_str() {
            "--headed" | "--software" | "--quick" | "--alone" => bench.passed.push(option.clone()),
            "--only" | "--size" => bench.passed.extend([option.clone(), words.value(&option)?]),
            "--json" => {
                let file = PathBuf::from(words.value("--json")?);
                let file = std::path::absolute(&file).map_err(Error::file("find", &file))?;
                bench.passed.extend([option.clone(), file.to_string_lossy().into_owned()]);
            }
            "--chrome" => bench.chrome = Some(words.value("--chrome")?.into()),
            "--pack" => bench.pack = Some(words.value("--pack")?.into()),
            "--help" | "-h" => return Ok(Task::Help),
            _ => return Err(unknown("bench", &option)),
        }
        words.all_used(&option)?;
    }
    if bench.pack.is_some() && (!bench.passed.is_empty() || bench.chrome.is_some()) {
        return Err(Error::Usage("--pack measures nothing, and takes no other option".into()));
    }
    Ok(Task::Bench(bench))
}

fn hardware(words: &mut Words) -> Result<Task> {
    let mut hardware = Hardware::default();
    while let Some(option) = words.option()? {
        match option.as_str() {
            "--quick" => hardware.passed.push(option.clone()),
            "--only" | "--seed" | "--count" | "--jobs" | "--json" => {
                hardware.passed.extend([option.clone(), words.value(&option)?]);
            }
            "--pack" => hardware.pack = Some(words.value("--pack")?.into()),
            "--help" | "-h" => return Ok(Task::Help),
            _ => return Err(unknown("hardware", &option)),
        }
        words.all_used(&option)?;
    }
    if hardware.pack.is_some() && !hardware.passed.is_empty() {
        return Err(Error::Usage("--pack checks nothing, and takes no other option".into()));
    }
    Ok(Task::Hardware(hardware))
}

fn test(words: &mut Words) -> Result<Task> {
    let (mut test, mut tiers) = (Test::default(), Vec::new());
    while let Some(option) = words.option()? {
        match option.as_str() {
            "--only" => {
                let parts = words.value("--only")?;
                test.only.extend(parts.split(',').filter(|part| !part.is_empty()).map(str::to_owned));
            }
            "--alone" => test.alone = Some(words.value("--alone")?),
            "--seed" => test.seed = Some(words.number("--seed", "a whole number")?),
            "--quick" => tiers.push(Tier::Quick),
            "--full" => tiers.push(Tier::Full),
            "--list" => test.list = true,
            "--help" | "-h" => return Ok(Task::Help),
            _ => return Err(unknown("test", &option)),
        }
        words.all_used(&option)?;
    }
    test.tier = match tiers[..] {
        [] => Tier::Landing,
        [tier] => tier,
        _ => return Err(Error::Usage("give --quick or --full, once".into())),
    };
    if test.alone.is_some() && !test.only.is_empty() {
        return Err(Error::Usage("--alone and --only exclude each other".into()));
    }
    Ok(Task::Test(test))
}

fn fetch_mnist(words: &mut Words) -> Result<Task> {
    let mut fetch = FetchMnist::default();
    while let Some(option) = words.option()? {
        match option.as_str() {
            "--out" => fetch.out = Some(words.value("--out")?.into()),
            "--mirror" => fetch.mirror = Some(words.value("--mirror")?),
            "--help" | "-h" => return Ok(Task::Help),
            _ => return Err(unknown("fetch-mnist", &option)),
        }
        words.all_used(&option)?;
    }
    Ok(Task::FetchMnist(fetch))
}

fn unknown(command: &str, option: &str) -> Error {
    Error::Usage(format!("`{command}` has no option `{option}`"))
}

/// The words still to be read. `--name=value` is read as a name and a value.
struct Words {
    rest: std::vec::IntoIter<String>,
    value: Option<String>,
}

impl Words {
    fn option(&mut self) -> Result<Option<String>> {
        let Some(word) = self.rest.next() else { return Ok(None) };
        if !word.starts_with('-') {
            return Err(Error::Usage(format!("`{word}` was not expected here")));
        }
        Ok(Some(match word.split_once('=') {
            Some((name, value)) => {
                self.value = Some(value.to_owned());
                name.to_owned()
            }
            None => word,
        }))
    }

    fn value(&mut self, option: &str) -> Result<String> {
        let value = self.value.take().or_else(|| self.rest.next());
        value.filter(|value| !value.is_empty()).ok_or_else(|| Error::Usage(format!("{option} needs a value")))
    }

    fn number<N: std::str::FromStr>(&mut self, option: &str, expected: &str) -> Result<N> {
        let value = self.value(option)?;
        value.parse().map_err(|_| Error::Usage(format!("{option} needs {expected}, not `{value}`")))
    }

    fn all_used(&self, option: &str) -> Result<()> {
        match &self.value {
            Some(value) => Err(Error::Usage(format!("{option} takes no value, but was given `{value}`"))),
            None => Ok(()),
        }
    }

    fn none_but_help(&mut self, command: &str, task: Task) -> Result<Task> {
        match self.option()?.as_deref() {
            None => Ok(task),
            Some("--help" | "-h") => Ok(Task::Help),
            Some(option) => Err(unknown(command, option)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_line(line: &str) -> Result<Task> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    fn complaint(line: &str) -> String {
        parse_line(line).unwrap_err().to_string()
    }

    #[test]
    fn each_command_is_understood() {
        assert_eq!(parse_line("build").unwrap(), Task::Build);
        assert_eq!(parse_line("generate").unwrap(), Task::Generate);
        assert_eq!(parse_line("play").unwrap(), Task::Play(Play::default()));
        assert_eq!(parse_line("test").unwrap(), Task::Test(Test::default()));
        assert_eq!(parse_line("fetch-mnist").unwrap(), Task::FetchMnist(FetchMnist::default()));
        for help in ["help", "--help", "-h", "build --help", "play --help", "test -h", "fetch-mnist -h"] {
            assert_eq!(parse_line(help).unwrap(), Task::Help, "{help}");
        }
    }

    #[test]
    fn a_notebook_runs_headless_with_its_options() {
        let line = "play --headless notebooks/mnist.md --data ../shared/data --timeout 90 --screenshot=page.png --device cpu";
        let Task::Play(play) = parse_line(line).unwrap() else { panic!("not play") };
        assert_eq!(play.data, Some("../shared/data".into()));
        let headless = play.headless.unwrap();
        assert_eq!(headless.notebook, PathBuf::from("notebooks/mnist.md"));
        assert_eq!(headless.timeout, Duration::from_secs(90));
        assert_eq!(headless.screenshot, Some("page.png".into()));
        assert_eq!(headless.device.as_deref(), Some("cpu"));
    }

    #[test]
    fn a_benchmark_is_packed_or_run() {
        let Task::Bench(packed) = parse_line("bench --pack somewhere").unwrap() else { panic!("not bench") };
        assert_eq!(packed, Bench { pack: Some("somewhere".into()), ..Bench::default() });
        let Task::Bench(run) = parse_line("bench --quick --only=softmax --size small --alone").unwrap()
        else {
            panic!("not bench")
        };
        assert_eq!(run.passed, ["--quick", "--only", "softmax", "--size", "small", "--alone"]);
        assert!(complaint("bench --pack somewhere --quick").starts_with("--pack measures nothing"));
    }

    #[test]
    fn checks_on_hardware_are_packed_or_run() {
        let Task::Hardware(packed) = parse_line("hardware --pack somewhere").unwrap() else {
            panic!("not hardware")
        };
        assert_eq!(packed, Hardware { pack: Some("somewhere".into()), ..Hardware::default() });
        let Task::Hardware(run) = parse_line("hardware --quick --only=programs --seed 7").unwrap() else {
            panic!("not hardware")
        };
        assert_eq!(run.passed, ["--quick", "--only", "programs", "--seed", "7"]);
        assert!(complaint("hardware --pack somewhere --quick").starts_with("--pack checks nothing"));
    }

    #[test]
    fn options_take_their_value_after_a_space_or_an_equals_sign() {
        assert_eq!(parse_line("play --port 8000").unwrap(), parse_line("play --port=8000").unwrap());
        let only = vec!["format".to_owned(), "size".to_owned()];
        assert_eq!(
            parse_line("test --only format,size").unwrap(),
            Task::Test(Test { only, ..Test::default() })
        );
        let seeded = Test { tier: Tier::Quick, seed: Some(7), ..Test::default() };
        assert_eq!(parse_line("test --quick --seed=7").unwrap(), Task::Test(seeded));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(complaint(""), "say what to do");
        assert_eq!(complaint("biuld"), "there is no command `biuld`");
        assert_eq!(complaint("build --fast"), "`build` has no option `--fast`");
        assert_eq!(complaint("build now"), "`now` was not expected here");
        assert_eq!(complaint("play --port"), "--port needs a value");
        assert_eq!(complaint("play --port 70000"), "--port needs a port, 0 to 65535, not `70000`");
        assert_eq!(complaint("play --open=yes"), "--open takes no value, but was given `yes`");
        assert_eq!(complaint("play --screenshot a.png"), "--screenshot goes with --headless");
        assert_eq!(complaint("play --device cpu"), "--device goes with --headless");
        assert_eq!(complaint("play --timeout 5"), "--timeout goes with --headless");
        assert_eq!(complaint("play --open --headless a.md"), "--open and --headless exclude each other");
        assert_eq!(complaint("test --only="), "--only needs a value");
        assert_eq!(complaint("test --quick --full"), "give --quick or --full, once");
        assert_eq!(complaint("test --alone rust --only unit"), "--alone and --only exclude each other");
    }
}
