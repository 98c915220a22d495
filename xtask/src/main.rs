//! Tasks of the repository: building, serving and testing Weft.
//!
//! `cargo xtask build | generate | play | bench | hardware | test | fetch-mnist`; each installs
//! what it lacks. One module per topic, std for nearly all.

mod args;
mod arrange;
mod bench;
mod browser;
mod build;
mod comparison;
mod deferred;
mod error;
mod generate;
mod glue;
mod graphics;
mod hardware;
mod json;
mod mnist;
mod paths;
mod play;
mod process;
mod request;
mod serve;
mod size;
mod split;
mod stamp;
mod test;
mod tools;
mod visit;

use args::Task;
use error::Error;
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = args::parse(std::env::args().skip(1)).and_then(|task| match task {
        Task::Help => {
            print!("{}", args::USAGE);
            Ok(ExitCode::SUCCESS)
        }
        Task::Build => build::build(build::Shrinking::Full).map(|()| ExitCode::SUCCESS),
        Task::Generate => generate::generate().map(|()| ExitCode::SUCCESS),
        Task::Play(options) => play::play(&options),
        Task::Bench(options) => bench::bench(&options),
        Task::Hardware(options) => hardware::hardware(&options),
        Task::Test(options) => test::test(&options),
        Task::FetchMnist(options) => mnist::fetch(&options).map(|()| ExitCode::SUCCESS),
    });
    outcome.unwrap_or_else(|error| {
        eprintln!("xtask: {error}");
        if let Error::Usage(_) = error {
            eprint!("\n{}", args::USAGE);
            return ExitCode::from(2);
        }
        ExitCode::FAILURE
    })
}
