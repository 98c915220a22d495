//! Rewriting of wasm-bindgen's module into a core that can be started again.
//!
//! wasm-bindgen's module keeps its one instance in variables of the module. Only another instance
//! can replace a core that trapped, and callbacks of the old one must not reach the new one; so the
//! module becomes the body of a function, and each call of it makes an instance with variables of
//! its own. The exports of the WebAssembly pass through a function of the caller's before anything
//! calls them. That function gets those that the engine calls back by value: names are shortened
//! later.
//!
//! A call that may throw, or that takes a part of the memory, is written so that it makes no
//! garbage: for a dispatch with numbers, which is both, that was a third of its time.

use crate::error::{Error, Result};
use crate::split;

/// Where wasm-bindgen's module takes the exports of the WebAssembly.
const EXPORTS: &str = "    wasm = instance.exports;";
/// Where it begins to list what it gives to the WebAssembly.
const IMPORTS: &str = "    const import0 = {";
/// Its last line.
const LAST: &str = "export { initSync, __wbg_init as default };";

/// How a function begins that may throw: each call makes another function, and a list of its
/// arguments.
const THROWS: &str = "function() { return handleError(function (";
/// How it ends.
const THROWN: &str = "        }, arguments); },";
/// Who catches, before and after.
const CATCHER: [&str; 2] = [
    "function handleError(f, args) {
    try {
        return f.apply(this, args);
    } catch (e) {
        const idx = addToExternrefTable0(e);
        wasm.__wbindgen_exn_store(idx);
    }
}",
    "function handleError(e) {
    const idx = addToExternrefTable0(e);
    wasm.__wbindgen_exn_store(idx);
}",
];
/// What is given an array over a part of the memory and where to begin in it: it can as well be
/// given the array over all of it.
const PARTS: [[&str; 2]; 2] = [
    ["getArrayU32FromWasm0(arg3, arg4), arg5, ", "getUint32ArrayMemory0(), (arg3 >>> 2) + arg5, "],
    ["getArrayU8FromWasm0(arg3, arg4), arg5, ", "getUint8ArrayMemory0(), (arg3 >>> 0) + arg5, "],
];

/// How a list of words and one of numbers are put into the memory: an operation's arguments are a
/// few numbers, for which a loop takes less than the engine takes to look at both.
const LISTS: [[&str; 2]; 2] = [
    [
        "    getUint32ArrayMemory0().set(arg, ptr / 4);",
        "    if (arg.length > 32) getUint32ArrayMemory0().set(arg, ptr / 4);
    else for (let n = 0, words = getUint32ArrayMemory0(); n < arg.length; n++) words[ptr / 4 + n] = arg[n];",
    ],
    [
        "    getFloat64ArrayMemory0().set(arg, ptr / 8);",
        "    if (arg.length > 32) getFloat64ArrayMemory0().set(arg, ptr / 8);
    else for (let n = 0, words = getFloat64ArrayMemory0(); n < arg.length; n++) words[ptr / 8 + n] = arg[n];",
    ],
];

/// How a closure takes what the engine calls it with, and hands it on. Lists are spread by an
/// iterator that anybody may replace, who would then be given devices.
const ARGUMENTS: [[&str; 2]; 2] =
    [["const real = (...args) => {", "const real = (arg) => {"], [", ...args);", ", arg);"]];
/// What else takes lists apart.
const SPREAD: &str = "...";

/// What declares [`factory`]'s function to TypeScript; wasm-bindgen's own declarations lie beside
/// it.
pub const DECLARATIONS: &str = r#"/** One instance of the core. */
export type Core = typeof import("./weft_wasm.js");
/** Gets the exports of the WebAssembly, the callbacks of the engine, and a function that reports
 * memory that could not be had; yields what is called instead of the exports. */
export type Guard = (exports: WebAssembly.Exports, callbacks: readonly unknown[], failedAllocation: () => number) => WebAssembly.Exports;
/** Makes an instance, which its `default` starts. `loadRest` is called when a function of the rest
 * is entered that is not loaded yet. */
export function instance(guard: Guard, loadRest: () => void): Core;
"#;

/// A module whose function `instance(guard)` does what `module`, written by wasm-bindgen for the
/// target `web`, does when it is imported. Fails when the module is not of the expected form.
pub fn factory(module: &str) -> Result<String> {
    let (mut body, mut names) = (String::new(), Vec::new());
    let (mut guarded, mut listed, mut ended) = (0, 0, 0);
    let module = &without_garbage(module)?;
    for line in module.lines() {
        if let Some(function) = line.strip_prefix("export function ") {
            names.push(function.split('(').next().unwrap_or_default());
            body += "function ";
            body += function;
        } else if line == EXPORTS {
            guarded += 1;
            body += EXPORTS;
            body += &format!(
                "\n    wasm = guardExports(wasm, [{}], wasm.failed_allocation);",
                callbacks(module).join(", ")
            );
        } else if line == IMPORTS {
            listed += 1;
            body += &format!("{IMPORTS}\n        {}: loadRest,", split::LOAD);
        } else if line == LAST {
            ended += 1;
        } else if line.starts_with("export ") || line.starts_with("import ") {
            return Err(unexpected(&format!("has the line `{line}`")));
        } else if !line.starts_with("/* @ts-self-types") {
            body += line;
        }
        body.push('\n');
    }
    if (guarded, listed, ended) != (1, 1, 1) || names.is_empty() {
        return Err(unexpected("lacks a line that was expected"));
    }
    let exports = names.join(", ");
    Ok(format!(
        "export function instance(guardExports, loadRest) {{\n{body}return {{ default: __wbg_init, initSync, {exports} }};\n}}\n"
    ))
}

/// The module with functions that throw and take parts of the memory without making anything.
fn without_garbage(module: &str) -> Result<String> {
    let begun = module.matches(THROWS).count();
    if module.lines().filter(|&line| line == THROWN).count() != begun
        || module.matches("handleError(").count() != begun + 1
    {
        return Err(unexpected("catches in another way"));
    }
    let lines = module.lines().map(|line| match line.split_once(THROWS) {
        Some((name, rest)) => format!("{name}function({rest} try {{\n"),
        None if line == THROWN => "        } catch (e) { handleError(e); } },\n".to_owned(),
        None => format!("{line}\n"),
    });
    let mut module: String = lines.collect();
    for [before, after] in [CATCHER].into_iter().chain(PARTS).chain(LISTS).chain(ARGUMENTS) {
        if !module.contains(before) {
            return Err(unexpected(&format!("lacks `{before}`")));
        }
        module = module.replace(before, after);
    }
    if module.contains(SPREAD) {
        return Err(unexpected("spreads a list"));
    }
    // A closure of more than one argument would lack the others: besides them it is given its two
    // words.
    if called_back(&module).any(|list| list.split(',').count() > 3) {
        return Err(unexpected("calls a closure with more than one argument"));
    }
    Ok(module)
}

/// The parameters of the functions by which closures that take a list are called.
fn called_back(module: &str) -> impl Iterator<Item = &str> {
    const MAKES: &str = "= makeMutClosure(arg0, arg1, ";
    module.match_indices(MAKES).filter_map(|(at, makes)| {
        let name = module[at + makes.len()..].split(')').next()?;
        let begun = module.split_once(&format!("function {name}("))?.1;
        begun.split(')').next()
    })
}

/// What the module calls of the WebAssembly on behalf of closures.
fn callbacks(module: &str) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found: Vec<String> = Vec::new();
    for (at, member) in module.match_indices("wasm.") {
        let rest = &module[at + member.len()..];
        let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
        let whole = !module[..at].ends_with(is_name);
        let call = format!("wasm.{name}");
        if whole && name.contains("closure") && !found.contains(&call) {
            found.push(call);
        }
    }
    found
}

fn unexpected(what: &str) -> Error {
    Error::Check(format!("what wasm-bindgen wrote {what}: see xtask/src/glue.rs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = "/* @ts-self-types=\"./weft_wasm.d.ts\" */

export function add(a, b) {
    return wasm.add(a, b);
}
function real(a) {
    wasm.closures_invoke_1(a);
    wasm.destroy_closure(a);
    wasm.closures_invoke_1(a);
}
function invoke_2(arg0, arg1, arg2) {
    wasm.closures_invoke_1(arg0);
}
function makeMutClosure(arg0, arg1, f) {
    const real = (...args) => {
        return f(a, state.b, ...args);
    };
}
function passWords(arg, ptr) {
    getUint32ArrayMemory0().set(arg, ptr / 4);
}
function passNumbers(arg, ptr) {
    getFloat64ArrayMemory0().set(arg, ptr / 8);
}
function __wbg_get_imports() {
    const import0 = {
        __proto__: null,
        __wbg_a: a,
        __wbg_closure: function(arg0, arg1) {
            const ret = makeMutClosure(arg0, arg1, invoke_2);
        },
        __wbg_write: function() { return handleError(function (arg0, arg1, arg2, arg3, arg4, arg5, arg6) {
            arg0.write(arg1, arg2, getArrayU8FromWasm0(arg3, arg4), arg5, arg6);
        }, arguments); },
        __wbg_bind: function() { return handleError(function (arg0, arg1, arg2, arg3, arg4, arg5, arg6) {
            const ret = arg0.bind(arg1 >>> 0, arg2, getArrayU32FromWasm0(arg3, arg4), arg5, arg6 >>> 0);
            return ret;
        }, arguments); },
    };
}
function handleError(f, args) {
    try {
        return f.apply(this, args);
    } catch (e) {
        const idx = addToExternrefTable0(e);
        wasm.__wbindgen_exn_store(idx);
    }
}
let wasm;
function __wbg_finalize_init(instance) {
    wasm = instance.exports;
}
function initSync() {}
function __wbg_init() {}
export { initSync, __wbg_init as default };
";

    #[test]
    fn a_module_becomes_a_function_that_returns_what_it_exported() {
        let made = factory(MODULE).unwrap();
        assert!(made.starts_with("export function instance(guardExports, loadRest) {\n"));
        assert!(made.contains("\nfunction add(a, b) {"));
        let guarded =
            "guardExports(wasm, [wasm.closures_invoke_1, wasm.destroy_closure], wasm.failed_allocation);";
        assert!(made.contains(guarded), "{made}");
        assert!(
            made.contains("const import0 = {\n        __weft_load_rest: loadRest,\n        __proto__: null,")
        );
        assert!(made.ends_with("return { default: __wbg_init, initSync, add };\n}\n"));
        assert_eq!(made.matches("export ").count(), 1);
    }

    #[test]
    fn what_throws_makes_no_function_and_what_takes_memory_no_array() {
        let made = factory(MODULE).unwrap();
        let write = "        __wbg_write: function(arg0, arg1, arg2, arg3, arg4, arg5, arg6) { try {
            arg0.write(arg1, arg2, getUint8ArrayMemory0(), (arg3 >>> 0) + arg5, arg6);
        } catch (e) { handleError(e); } },\n";
        assert!(made.contains(write), "{made}");
        assert!(
            made.contains("arg2, getUint32ArrayMemory0(), (arg3 >>> 2) + arg5, arg6 >>> 0);\n"),
            "{made}"
        );
        assert!(made.contains("function handleError(e) {\n    const idx"), "{made}");
    }

    #[test]
    fn few_numbers_are_put_into_the_memory_one_by_one() {
        let made = factory(MODULE).unwrap();
        for (view, bytes) in [("Uint32", 4), ("Float64", 8)] {
            let many = format!("if (arg.length > 32) get{view}ArrayMemory0().set(arg, ptr / {bytes});\n");
            let few =
                format!("words = get{view}ArrayMemory0(); n < arg.length; n++) words[ptr / {bytes} + n] =");
            assert!(made.contains(&many) && made.contains(&few), "{made}");
        }
        assert!(factory(&MODULE.replace("set(arg, ptr / 8)", "set(arg, ptr >> 3)")).is_err());
    }

    #[test]
    fn a_closure_takes_one_argument_and_spreads_no_list() {
        let made = factory(MODULE).unwrap();
        assert!(made.contains("const real = (arg) => {\n        return f(a, state.b, arg);\n"), "{made}");
        assert!(!made.contains("..."));
        assert!(
            factory(&MODULE.replace("invoke_2(arg0, arg1, arg2)", "invoke_2(arg0, arg1, arg2, arg3)"))
                .is_err()
        );
        assert!(
            factory(
                &MODULE
                    .replace("    wasm = instance.exports;", "    f(...list);\n    wasm = instance.exports;")
            )
            .is_err()
        );
    }

    #[test]
    fn another_form_is_refused() {
        assert!(factory(&MODULE.replace("f.apply", "f.call")).is_err());
        assert!(factory(&MODULE.replace("{ return handleError", "{ const ret = handleError")).is_err());
        assert!(factory(&MODULE.replace("}, arguments)", "} , arguments)")).is_err());
        assert!(factory(&MODULE.replace("(arg3, arg4), arg5", "(arg4, arg5), arg6")).is_err());
        assert!(factory(&MODULE.replace("instance.exports", "exports")).is_err());
        assert!(factory(&format!("import * as x from './x.js';\n{MODULE}")).is_err());
        assert!(factory("").is_err());
    }
}
