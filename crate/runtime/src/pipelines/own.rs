//! Errors of the shader compiler in WGSL that users wrote, at their line and column.
//!
//! Deferred: few programs have kernels of users.

use weft_ir::error::{Error, ErrorKind};

/// The error of a kernel whose text the device refused, given what the device says.
///
/// Deferred: few programs have kernels of users.
#[inline(never)]
pub(super) fn refused(name: &str, text: &str, report: &str) -> Error {
    let report = report.trim();
    let what =
        report.split_once("error: ").map_or(report, |(_, what)| what.lines().next().unwrap_or(what)).trim();
    let message = match place(report) {
        Some((line, column)) => {
            let row = text.lines().nth(line - 1).unwrap_or("");
            let caret = " ".repeat(column - 1);
            format!("line {line}, column {column}: {what}\n  {row}\n  {caret}^")
        }
        None => format!("the shader compiler refused it: {report}"),
    };
    Error::new(ErrorKind::Value, name, message)
}

/// The first `:line:column` of a text, both counted from 1.
fn place(report: &str) -> Option<(usize, usize)> {
    let mut parts = report.split(':').skip(1).peekable();
    while let Some(part) = parts.next() {
        let Ok(line) = part.parse::<usize>() else { continue };
        let digits = |text: &&str| text.chars().take_while(char::is_ascii_digit).collect::<String>();
        if let Some(column) = parts.peek().and_then(|next| digits(next).parse::<usize>().ok())
            && line > 0
            && column > 0
        {
            return Some((line, column));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dawn_and_naga_say_where() {
        let dawn = "Error while parsing WGSL: :2:3 error: unresolved value 'foo'\n  foo();\n  ^^^";
        let error = refused("blur", "fn main() {\n  foo();\n}", dawn);
        assert_eq!((error.kind, &error.op[..]), (ErrorKind::Value, "blur"));
        assert_eq!(error.message, "line 2, column 3: unresolved value 'foo'\n    foo();\n    ^");
        let naga = "Shader 'x' parsing error: no definition in scope for identifier: `foo`\n  ┌─ wgsl:2:3\n";
        assert!(refused("x", "a\nb", naga).message.starts_with("line 2, column 3: no definition in scope"));
        assert!(refused("x", "", "lost: no place").message.contains("lost: no place"));
    }
}
