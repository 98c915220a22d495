//! Generated modules of the JavaScript package, from the table of operations.
//!
//! A module for each domain of `crate/weft/src/op/table`: functions with their types and
//! documentation; and a module of those functions that are methods too. The files are committed, so
//! that people can read and review them; a test fails when one is not as it would be written.

use crate::comparison;
use crate::error::{Error, Result};
use crate::paths;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// A group of operations, which becomes a module.
struct Group {
    name: &'static str,
    title: &'static str,
    rows: &'static [Row],
}

/// An operation.
struct Row {
    name: &'static str,
    /// The lines of its comment.
    docs: &'static [&'static str],
    parameters: &'static [Parameter],
    takes: &'static str,
    gives: &'static str,
    gradient: &'static str,
    /// The attributes, as `crate/weft/src/op/table/mod.rs` lists them.
    attributes: &'static [&'static str],
}

impl Row {
    /// Whether it yields several tensors, which `gives` names.
    fn is_several(&self) -> bool {
        self.attributes.contains(&"several")
    }

    /// Whether its JavaScript function is written by hand.
    fn is_by_hand(&self) -> bool {
        self.docs.is_empty()
    }

    /// Whether tensors have a method of its name.
    fn is_method(&self) -> bool {
        !self.is_by_hand() && !self.name.contains('.') && !self.attributes.contains(&"function")
    }

    /// What its module exports it as: what belongs to a namespace is exported from the module of
    /// that.
    fn own_name(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or(self.name)
    }
}

struct Parameter {
    name: &'static str,
    kind: &'static str,
    default: Option<&'static str>,
}

macro_rules! default {
    () => {
        None
    };
    ($default:literal) => {
        Some(stringify!($default))
    };
}

/// What the crate's macro of this name makes Rust of, as text.
macro_rules! operations {
    ($group:ident $title:literal $(
        $(#[doc = $doc:literal])*
        $name:ident $(. $member:ident)? ($($parameter:ident: $kind:ident $(= $default:literal)?),*)
            [$takes:literal -> $gives:literal, $gradient:ident $(, $attribute:ident)*] => $call:expr;
    )*) => {
        pub(super) const GROUP: Group = Group {
            name: stringify!($group),
            title: $title,
            rows: &[$(
                Row {
                    name: concat!(stringify!($name) $(, ".", stringify!($member))?),
                    docs: &[$($doc),*],
                    parameters: &[$(
                        Parameter {
                            name: stringify!($parameter),
                            kind: stringify!($kind),
                            default: default!($($default)?),
                        },
                    )*],
                    takes: $takes,
                    gives: $gives,
                    gradient: stringify!($gradient),
                    attributes: &[$(stringify!($attribute)),*],
                },
            )*],
        };
    };
}

macro_rules! groups {
    ($($group:ident)*) => {
        $(mod $group {
            use super::{Group, Parameter, Row};
            // Relative to the file that names the groups.
            include!(concat!(stringify!($group), ".rs"));
        })*

        const GROUPS: &[Group] = &[$($group::GROUP),*];
    };
}

include!("../../crate/weft/src/op/table/groups.rs");

/// Writes all files.
pub fn generate() -> Result<()> {
    for (path, text) in files()? {
        fs::write(&path, text).map_err(Error::file("write", &path))?;
    }
    Ok(())
}

/// The files, and what is to be in each.
fn files() -> Result<Vec<(PathBuf, String)>> {
    let folder = paths::root().join("js/src/ops/generated");
    let mut files = Vec::new();
    for group in GROUPS.iter().filter(|group| generated(group).next().is_some()) {
        files.push((folder.join(format!("{}.ts", group.name)), module(group)?));
    }
    files.push((folder.join("methods.ts"), methods()));
    files.push((paths::root().join("tests/conformance/operations.json"), parameters()));
    files.push((paths::root().join("js/test/deferred.json"), deferred()));
    files.extend(comparison::pages()?);
    Ok(files)
}

/// The rows of a group whose functions are generated.
fn generated(group: &Group) -> impl Iterator<Item = &'static Row> {
    group.rows.iter().filter(|row| !row.is_by_hand())
}

/// Names and kinds of the parameters of each operation, and whether there is a default, from which
/// tests know how to call it.
fn parameters() -> String {
    let row = |row: &Row| {
        let given = row.parameters.iter().filter(|parameter| parameter.kind != "device");
        let parameters: Vec<String> =
            given.map(|p| format!("[\"{}\", \"{}\", {}]", p.name, p.kind, p.default.is_some())).collect();
        format!("\"{}\": [{}]", row.name, parameters.join(", "))
    };
    let rows: Vec<String> = GROUPS.iter().flat_map(generated).map(row).collect();
    format!("{{\n{}\n}}\n", rows.join(",\n"))
}

/// The names of deferred operations, as JavaScript's tests expect them.
fn deferred() -> String {
    let rows = GROUPS.iter().flat_map(|group| group.rows);
    let names = rows.filter(|row| row.attributes.contains(&"deferred"));
    let names: Vec<String> = names.map(|row| format!("\"{}\"", row.name)).collect();
    format!("[\n{}\n]\n", names.join(",\n"))
}

/// A module of the functions that are methods of tensors, too.
fn methods() -> String {
    let mut text = String::from(
        "// Operations that are methods of tensors.\n//\n// Written by `cargo xtask generate` from `crate/weft/src/op/table`: change that.\n\n",
    );
    let (mut exports, mut imports, mut picks) = (String::new(), String::new(), Vec::new());
    for group in GROUPS {
        let names: Vec<&str> = group.rows.iter().filter(|row| row.is_method()).map(Row::own_name).collect();
        if !names.is_empty() {
            let name = group.name;
            let _ = writeln!(imports, "import type * as {name} from \"./{name}.js\";");
            let _ = writeln!(exports, "export {{ {} }} from \"./{name}.js\";", names.join(", "));
            picks.push(format!("Pick<typeof {name}, \"{}\">", names.join("\" | \"")));
        }
    }
    // The type of a module that only exports others' functions has lost their documentation.
    let _ = write!(text, "{imports}\n{exports}\nexport type Functions =\n  {};\n", picks.join("\n  & "));
    text
}

fn module(group: &Group) -> Result<String> {
    let Group { name, title, .. } = group;
    let mut functions = String::new();
    for row in generated(group) {
        function(&mut functions, row)?;
    }
    let written = functions.lines().filter_map(|line| line.strip_prefix("export ")?.split_once(" = "));
    let signatures: Vec<&str> = written.map(|(signature, _)| signature).collect();
    let mut imports = String::new();
    for (file, names) in TYPES {
        let named = |name: &str| signatures.iter().any(|signature| mentions(signature, name));
        let names: Vec<&str> = names.iter().copied().filter(|name| named(name)).collect();
        if !names.is_empty() {
            let _ = writeln!(imports, "import type {{ {} }} from \"{file}\";", names.join(", "));
        }
    }
    let makers: BTreeSet<&str> = generated(group).map(maker).collect();
    let makers = Vec::from_iter(makers).join(", ");
    let _ = write!(
        imports,
        "import * as kind from \"../kinds.js\";\nimport {{ {makers} }} from \"../operation.js\";\n"
    );
    Ok(format!(
        "// {title}\n//\n// Written by `cargo xtask generate` from `crate/weft/src/op/table/{name}.rs`: change that.\n\n{imports}{functions}"
    ))
}

/// Whether a name stands in code as a word of its own.
fn mentions(code: &str, name: &str) -> bool {
    code.split(|c: char| !c.is_alphanumeric()).any(|word| word == name)
}

/// Which modules types come from.
const TYPES: &[(&str, &[&str])] = &[
    ("../../core/check/check.js", &["Axes", "Shape"]),
    ("../../core/tensor/dtype.js", &["DType"]),
    ("../../core/tensor/tensor.js", &["Operand", "Tensor"]),
    (
        "../signatures.js",
        &[
            "ArgReduction",
            "Binary",
            "Draw",
            "ClosenessOptions",
            "EqualityOptions",
            "FoldOptions",
            "CrossAxes",
            "MembershipOptions",
            "PartOptions",
            "QuantileOptions",
            "ReduceOptions",
            "Reduction",
            "RunningOptions",
            "Unary",
            "MatrixOrder",
            "SpacingOptions",
            "SumOptions",
            "MeanOptions",
            "TriangleOptions",
            "Uplo",
            "InterpOptions",
            "UnwrapOptions",
            "VarianceOptions",
        ],
    ),
];

/// Types of functions that have a name.
const FORMS: &[(&str, &str)] = &[
    ("(x: Operand) => Tensor", "Unary"),
    ("(a: Operand, b: Operand) => Tensor", "Binary"),
    ("(x: Operand, axis?: Axes, options?: ReduceOptions) => Tensor", "Reduction"),
    ("(x: Operand, axis?: number | null, options?: ReduceOptions) => Tensor", "ArgReduction"),
];

fn function(out: &mut String, row: &Row) -> Result<()> {
    let (mut signature, mut kinds) = (Vec::new(), Vec::new());
    for parameter in row.parameters.iter().filter(|parameter| parameter.kind != "device") {
        let (written, kind) = in_javascript(row, parameter)?;
        signature.push(written);
        kinds.push(kind);
    }
    let any_number = row.gives.starts_with("each ");
    let gives = if any_number { "first, second" } else { row.gives };
    let names: Vec<&str> = gives.split(", ").map(|part| part.split(' ').next().unwrap_or_default()).collect();
    let result = if any_number {
        "Tensor[]".to_owned()
    } else if row.is_several() {
        format!("[{}]", names.iter().map(|name| format!("{name}: Tensor")).collect::<Vec<_>>().join(", "))
    } else {
        "Tensor".to_owned()
    };
    let signature = match maker(row) {
        // With a key before them or without.
        "drawn" => format!("Draw<[{}]>", signature[1..].join(", ")),
        _ => format!("({}) => {result}", signature.join(", ")),
    };
    let kinds = if maker(row) == "drawn" { &kinds[1..] } else { &kinds[..] };
    let form =
        FORMS.iter().find(|(written, _)| *written == signature).map_or(&signature[..], |(_, form)| form);
    let said: Vec<&str> = row.docs.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let (text, example) = match said.iter().position(|line| line.starts_with("@example")) {
        Some(at) => said.split_at(at),
        None => return Err(Error::Check(format!("{} has no example", row.name))),
    };
    let facts = facts(row)?;
    let _ = writeln!(out, "\n/**");
    for line in text.iter().copied().chain([&facts[..], ""]).chain(example.iter().copied()) {
        let _ = writeln!(out, "{}", format!(" * {line}").trim_end());
    }
    let _ = writeln!(out, " */");
    let kinds: String = kinds.iter().map(|kind| format!(", {kind}")).collect();
    let maker = maker(row);
    let parts = if row.is_several() { format!(", \"{}\"", names.join(", ")) } else { String::new() };
    let (own, name) = (row.own_name(), row.name);
    let _ = writeln!(out, "export const {own}: {form} = {maker}(\"{name}\"{parts}{kinds});");
    Ok(())
}

/// What makes the function of an operation in JavaScript.
fn maker(row: &Row) -> &'static str {
    if row.parameters.first().is_some_and(|first| first.kind == "key") {
        "drawn"
    } else if row.is_several() {
        "several"
    } else {
        "operation"
    }
}

/// What the reference says of every operation in the same words.
fn facts(row: &Row) -> Result<String> {
    let gradient = match row.gradient {
        "smooth" => "Differentiable",
        "zero" => "No gradient flows through it",
        "none" => "Without a gradient",
        "draws" => {
            let takes = if row.takes.is_empty() { String::new() } else { "Takes any dtype; g".to_owned() };
            let gives = if row.takes.is_empty() { "G" } else { "" };
            return Ok(format!(
                "{takes}{gives}ives {}. Without a gradient; under `vmap` each member draws by a key of its own.",
                row.gives
            ));
        }
        other => return Err(Error::Check(format!("{}: no gradient is {other}", row.name))),
    };
    let text = |dtypes: &'static str| match dtypes {
        "any" => "any dtype",
        "same" => "the same",
        "promoted" => "the promoted dtype",
        other => other,
    };
    let gives = text(row.gives);
    if row.takes.is_empty() {
        return Ok(format!("Gives {gives}."));
    }
    // One after the other where operands differ.
    let takes: Vec<&str> = row.takes.split("; ").map(text).collect();
    Ok(format!("Takes {}; gives {gives}. {gradient}; `vmap` batches it.", takes.join(", then ")))
}

/// A parameter in a signature, and what reads it.
fn in_javascript(row: &Row, parameter: &Parameter) -> Result<(String, String)> {
    let Parameter { name, kind, default } = parameter;
    let own = format!("kind.{kind}");
    let checked = format!("kind.{kind}(\"the {name}\")");
    let (written, optional, kind) = match *kind {
        "tensor" | "operand" | "integers" => ("Operand", false, own),
        "storedOperand" => ("Operand", false, "kind.operand".to_owned()),
        "tensors" | "scalars" => ("readonly Operand[]", false, own),
        "maybe" => ("Operand | null", true, own),
        "key" => ("Tensor", false, "kind.tensor".to_owned()),
        "stored" => ("Operand", false, "kind.tensor".to_owned()),
        "outer" => ("Shape", true, own),
        "number" | "finite" | "count" | "whole" => ("number", false, checked),
        "wholes" | "counts" => ("number | readonly number[]", false, checked),
        "places" => ("number | readonly number[]", false, own),
        "flag" => ("boolean", false, checked),
        "bound" => ("number | null", true, checked),
        "axis" => ("number", false, own),
        "axes" => ("Axes", true, own),
        "position" => ("number | null", true, own),
        "order" => ("readonly number[]", false, own),
        "reshape" | "extents" => ("Shape", false, own),
        "dtype" => ("DType", false, own),
        "keepdims" => ("ReduceOptions", true, "kind.options({ keepdims: false })".to_owned()),
        "initial" => ("RunningOptions", true, "kind.options({ includeInitial: false })".to_owned()),
        "fold" => ("FoldOptions", true, own),
        "part" => ("PartOptions", true, own),
        "totalled" => ("SumOptions", true, own),
        "averaged" => ("MeanOptions", true, own),
        "spacing" => ("SpacingOptions", true, own),
        "equality" => ("EqualityOptions", true, "kind.options({ equalNan: false })".to_owned()),
        "inversion" => ("MembershipOptions", true, "kind.options({ invert: false })".to_owned()),
        "shifts" => ("number | readonly number[] | Tensor", false, checked),
        "ends" => ("InterpOptions", true, own),
        "winding" => ("UnwrapOptions", true, own),
        "thirds" => ("CrossAxes", true, own),
        "half" => ("Uplo", true, own),
        "spread" => ("VarianceOptions", true, own),
        "closeness" => {
            ("ClosenessOptions", true, "kind.options({ rtol: 1e-5, atol: 1e-8, equalNan: false })".to_owned())
        }
        "triangle" => (
            "TriangleOptions",
            true,
            "kind.options({ lower: true, transposed: false, unitDiagonal: false })".to_owned(),
        ),
        "matrixOrder" => ("MatrixOrder", true, own),
        "between" => ("QuantileOptions", true, own),
        "text" => ("string", false, checked),
        other => {
            return Err(Error::Check(format!("{}: JavaScript knows no parameter of kind {other}", row.name)));
        }
    };
    Ok(match default {
        Some(default) => (format!("{name}?: {written}"), format!("kind.or({kind}, {default})")),
        None => (format!("{name}{}: {written}", if optional { "?" } else { "" }), kind),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_parameter_is_one_that_javascript_reads() {
        let read = |path: &str| fs::read_to_string(paths::root().join(path)).unwrap();
        let (table, kinds) = (read("crate/weft/src/op/table/mod.rs"), read("js/src/ops/kinds.ts"));
        let known =
            table.lines().filter_map(|line| Some(line.trim().strip_prefix('(')?.split_once(") => {")?.0));
        let mut generated = 0;
        for kind in known {
            let parameter = Parameter { name: "x", kind: kind.to_owned().leak(), default: None };
            let Ok((_, reads)) = in_javascript(&GROUPS[0].rows[0], &parameter) else { continue };
            generated += 1;
            let name = reads.trim_start_matches("kind.").split('(').next().unwrap();
            let is_there = ["const", "function"].iter().any(|word| {
                [":", " =", "("].iter().any(|end| kinds.contains(&format!("export {word} {name}{end}")))
            });
            assert!(is_there, "kinds.ts has no {name}, for parameters of kind {kind}");
        }
        assert!(generated > 10, "the kinds were not found");
    }

    const MEMBERS: [&str; 4] =
        ["union1dWithSize", "intersect1dWithSize", "setdiff1dWithSize", "setxor1dWithSize"];

    /// What else a row is exported as.
    const ALSO: &[(&str, &[&str])] = &[
        ("full", &["full", "zeros", "ones", "zerosLike", "onesLike"]),
        ("unique.values", &["uniqueWithSize"]),
        ("unique.indices", &["uniqueWithSize"]),
        ("unique.inverse", &["uniqueWithSize"]),
        ("unique.counts", &["uniqueWithSize"]),
        ("unique.slices", &["uniqueWithSize"]),
        ("among", &[]),
        ("attentionWeights", &[]),
        ("crossEntropy.weighted", &["crossEntropy"]),
        ("linspace.spaced", &["linspace"]),
        ("repeat.by", &[]),
        ("complex", &[]),
        ("pad.border", &["pad"]),
        ("random.permutation", &["permutation"]),
        ("random.choice", &["choice"]),
        ("members.values", &MEMBERS),
        ("members.count", &MEMBERS),
        ("along.pick", &["takeAlongAxis"]),
        ("along.put", &["putAlongAxis"]),
        ("histogram.edges", &["histogramBinEdges"]),
        ("histogram.counts", &["histogram"]),
        ("at.pick", &["at"]),
        ("at.put", &["at"]),
        ("at.set", &["at"]),
        ("at.add", &["at"]),
        ("at.min", &["at"]),
        ("at.max", &["at"]),
        ("fft", &["fft", "ifft", "rfft", "irfft", "fftn", "ifftn", "rfftn", "irfftn"]),
    ];

    /// The words of a comment on one line.
    fn unwrapped(comment: &str) -> String {
        let words = comment.lines().flat_map(|line| line.trim().trim_start_matches('*').split_whitespace());
        words.collect::<Vec<&str>>().join(" ")
    }

    #[test]
    fn what_is_written_by_hand_says_the_same_of_itself() {
        let folder = paths::root().join("js/src");
        let sources = paths::files_under(&folder, &[]).unwrap();
        let sources: String =
            sources.iter().map(|file| fs::read_to_string(file).unwrap_or_default()).collect();
        let rows = GROUPS.iter().flat_map(|group| group.rows).filter(|row| row.is_by_hand());
        for row in rows {
            let (facts, own) = (facts(row).unwrap(), [row.name]);
            let named = ALSO.iter().find(|(name, _)| *name == row.name).map_or(&own[..], |(_, names)| names);
            for name in named {
                let exports = [format!("*/\nexport function {name}("), format!("*/\nexport const {name}: (")];
                let end = exports.iter().find_map(|export| sources.find(export));
                let end = end.unwrap_or_else(|| panic!("{name} is not exported"));
                let start = sources[..end].rfind("/**").unwrap();
                let said = unwrapped(&sources[start..end]);
                assert!(said.contains(&facts), "the comment of {name} is to say: {facts}");
            }
        }
    }

    #[test]
    fn what_draws_says_what_it_gives() {
        let draws = fs::read_to_string(paths::root().join("js/src/random/draws.ts")).unwrap();
        for (name, gives) in [
            ("bits", "u32"),
            ("uniform", "f32"),
            ("normal", "f32"),
            ("randint", "`dtype`"),
            ("bernoulli", "bool"),
        ] {
            let end = draws.find(&format!("*/\nexport function {name}(")).unwrap();
            let said = &draws[draws[..end].rfind("/**").unwrap()..end];
            let facts = format!(
                "Gives {gives}. Without a gradient; under `vmap` each member draws by a key of its own."
            );
            assert!(unwrapped(said).contains(&facts), "the comment of {name} is to say: {facts}");
        }
    }

    #[test]
    fn what_is_committed_is_what_would_be_written() {
        for (path, text) in files().unwrap() {
            let committed = fs::read_to_string(&path).unwrap_or_default();
            assert!(committed == text, "{} is stale: run `cargo xtask generate`", path.display());
        }
    }
}
