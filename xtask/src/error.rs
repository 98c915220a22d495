//! Errors of building, testing and serving.
//!
//! Every error is made where the fact is known and says what the task was doing; `main` prints it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The result of everything that can fail here.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a task stopped.
#[derive(Debug)]
pub enum Error {
    /// The command line does not say anything we understand.
    Usage(String),
    /// A program or package is not there and cannot be installed from here.
    Missing {
        /// What is missing, and for what.
        what: String,
        /// How to get it.
        remedy: String,
    },
    /// A command could not be started.
    Start {
        /// The program.
        program: String,
        /// Why it did not start.
        source: io::Error,
    },
    /// A command ran and failed.
    Command {
        /// The command as one would type it.
        line: String,
        /// Its exit status, in words.
        status: String,
    },
    /// A file could not be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// Something was checked and found wanting.
    Check(String),
}

impl Error {
    /// For `map_err`: says which file an I/O error is about.
    pub fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::File { path, doing, source }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(message) | Error::Check(message) => f.write_str(message),
            Error::Missing { what, remedy } => write!(f, "{what} is missing: {remedy}"),
            Error::Start { program, source } => write!(f, "cannot start `{program}`: {source}"),
            Error::Command { line, status } => write!(f, "`{line}` failed ({status})"),
            Error::File { path, doing, source } => write!(f, "cannot {doing} {}: {source}", path.display()),
        }
    }
}

impl std::error::Error for Error {}
