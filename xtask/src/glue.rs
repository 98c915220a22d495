//! How does what wasm-bindgen writes become a core that can be started again?
//!
//! wasm-bindgen's module keeps its one instance in variables of the module. A core that trapped can only be replaced by another
//! instance, and callbacks of the old one must not reach the new one; so the module becomes the body of a function, and each
//! call of it makes an instance with variables of its own. The exports of the WebAssembly pass through a function of the
//! caller's before anything calls them. It is told by value which of them the engine calls back: names are shortened later.

use crate::error::{Error, Result};
use crate::split;

/// Where wasm-bindgen's module takes the exports of the WebAssembly.
const EXPORTS: &str = "    wasm = instance.exports;";
/// Where it begins to list what it gives to the WebAssembly.
const IMPORTS: &str = "    const import0 = {";
/// Its last line.
const LAST: &str = "export { initSync, __wbg_init as default };";

/// What declares [`factory`]'s function to TypeScript; wasm-bindgen's own declarations lie beside it.
pub const DECLARATIONS: &str = r#"/** One instance of the core. */
export type Core = typeof import("./weft_wasm.js");
/** Is given the exports of the WebAssembly, those that the engine calls back, and what tells of memory that could not be had; says what
 * is called instead. */
export type Guard = (exports: WebAssembly.Exports, callbacks: readonly unknown[], failedAllocation: () => number) => WebAssembly.Exports;
/** Makes an instance, which its `default` starts. `loadRest` is called when a function of the rest is entered that is not loaded yet. */
export function instance(guard: Guard, loadRest: () => void): Core;
"#;

/// A module whose function `instance(guard)` does what `module`, written by wasm-bindgen for the target `web`, does when it is
/// imported. Fails when the module is not of the expected form.
pub fn factory(module: &str) -> Result<String> {
    let (mut body, mut names) = (String::new(), Vec::new());
    let (mut guarded, mut listed, mut ended) = (0, 0, 0);
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
function __wbg_get_imports() {
    const import0 = {
        __proto__: null,
        __wbg_a: a,
    };
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
    fn another_form_is_refused() {
        assert!(factory(&MODULE.replace("instance.exports", "exports")).is_err());
        assert!(factory(&format!("import * as x from './x.js';\n{MODULE}")).is_err());
        assert!(factory("").is_err());
    }
}
