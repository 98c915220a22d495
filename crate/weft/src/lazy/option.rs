//! Options given by name, looked up in a table. The error for any other lists the names.

use weft_ir::{Error, Result};

/// What `name` stands for in `table`. Errors with `Value`, which tells `what` it is and all names,
/// where none is it.
pub(crate) fn by_name<T: Copy>(op: &str, what: &str, table: &[(&str, T)], name: &str) -> Result<T> {
    let found = table.iter().find(|(known, _)| *known == name).map(|&(_, found)| found);
    found.ok_or_else(|| {
        let names: Vec<&str> = table.iter().map(|(known, _)| *known).collect();
        Error::value(op, format!("the {what} is one of {}, got \"{name}\"", names.join(", ")))
    })
}
