//! Splitting of the WebAssembly into a main part and a rest, which a page fetches only when it
//! calls something in it.
//!
//! Functions that are marked move to the rest, and with them all functions and data that only they
//! lead to, by a call or by an address. The two share memory, tables and globals. For each moved
//! function that the main part calls, the main part keeps a few instructions: they load the rest
//! unless it is loaded, and call the function through a slot at the end of the table, which the
//! rest fills when it is instantiated. So which functions move changes what a page downloads, never
//! what anything computes.
//!
//! The rest imports the main part's functions by their slots in the table, which take less room
//! than names do, and all else by place: the import `-3` of the rest is the main part's export at
//! place 3. Names of exports may be shortened afterwards, their order stays. A number that is the
//! first export's value names the module of all imports: parts of different builds do not fit
//! together, and instantiating them fails.

mod cut;
mod links;
mod parts;
mod whole;

pub use links::Links;

use crate::deferred::Mark;
use crate::error::{Error, Result};
use cut::Cut;
use whole::Whole;

/// What the main part calls to have the rest loaded: an import of wasm-bindgen's module.
pub const LOAD: &str = "__weft_load_rest";

/// The two parts.
pub struct Parts {
    /// What is loaded first.
    pub main: Vec<u8>,
    /// What is loaded when it is called.
    pub rest: Vec<u8>,
}

/// Splits `wasm`, which must have names: functions that `marks` defer, and what only they lead to,
/// become the rest. `linked` is the module as the linker wrote it. Errors with `Check` where a mark
/// defers no function: it was deleted, or the compiler inlines it everywhere.
pub fn split(wasm: &[u8], linked: &[u8], marks: &[Mark]) -> Result<Parts> {
    split_by(wasm, Links::read(linked).map_err(unexpected)?, marks)
}

fn split_by(wasm: &[u8], links: Links, marks: &[Mark]) -> Result<Parts> {
    let whole = Whole::read(wasm, links).map_err(unexpected)?;
    let paths = whole.paths();
    let idle = Whole::idle(&paths, marks);
    if !idle.is_empty() {
        return Err(Error::Check(format!(
            "no function of the WebAssembly is one of {}: remove what defers them",
            idle.join(", ")
        )));
    }
    let cut = Cut::new(&whole, &whole.deferred(&paths, marks));
    let main = parts::main_part(wasm, &whole, &cut).map_err(unexpected)?;
    let rest = parts::rest_part(&whole, &cut).map_err(unexpected)?;
    Ok(Parts { main, rest })
}

fn unexpected(error: impl std::fmt::Display) -> Error {
    Error::Check(format!("the WebAssembly is not of the expected form: {error}; see xtask/src/split"))
}

/// The path of a function, without the hashes of its crates and what stands before it where it is a
/// method, `<` and `&`.
fn path(name: &str) -> String {
    let demangled = rustc_demangle::demangle(name).to_string();
    let mut path = String::with_capacity(demangled.len());
    let mut rest = demangled.as_str();
    while let Some(at) = rest.find('[') {
        let (before, after) = rest.split_at(at);
        path += before;
        let hash = after[1..]
            .find(']')
            .filter(|&end| end >= 12 && after[1..=end].bytes().all(|byte| byte.is_ascii_hexdigit()));
        match hash {
            Some(end) => rest = &after[end + 2..],
            None => {
                path.push('[');
                rest = &after[1..];
            }
        }
    }
    path += rest;
    path.trim_start_matches(['<', '&', '(', '[', '*']).to_owned()
}

/// Whether a function is derived, or an instance that libraries make of a type: a compiler makes
/// one of all that do the same, under the name of any.
fn is_derived(path: &str) -> bool {
    let traits = [
        " as core::cmp::",
        " as core::hash::",
        " as core::slice::",
        " as core::clone::",
        " as hashbrown::",
        " as <[_]>",
    ];
    traits.iter().any(|derived| path.contains(derived))
}

#[cfg(test)]
mod tests {
    use super::links::{Datum, Target};
    use super::*;
    use std::collections::HashMap;
    use wasm_encoder::{
        CodeSection, ConstExpr, DataSection, ElementSection, Elements, EntityType, ExportKind, ExportSection,
        Function, FunctionSection, ImportSection, Instruction, MemorySection, MemoryType, Module, NameMap,
        NameSection, RefType, TableSection, TableType, TypeSection, ValType,
    };
    use wasmparser::{FunctionBody, Parser, Payload};

    const NAMES: [&str; 7] = ["log", "x::a", "_RNvNtCsh0i1HcYuHoU_1x4rare1b", "x::c", "x::d", "x::e", "x::f"];

    /// `b` and `c`, which only `b` calls, move; `a` calls `b`, and `c` calls `d`, which `a` calls
    /// too. `e` and `f` are in the table.
    fn module() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([ValType::I32], [ValType::I32]);
        let mut imports = ImportSection::new();
        imports.import("./x_bg.js", "log", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        (0..6).for_each(|_| {
            functions.function(0);
        });
        let mut tables = TableSection::new();
        tables.table(TableType {
            element_type: RefType::FUNCREF,
            minimum: 5,
            maximum: None,
            table64: false,
            shared: false,
        });
        let mut memories = MemorySection::new();
        memories.memory(MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        let mut exports = ExportSection::new();
        exports.export("a", ExportKind::Func, 1);
        let mut elements = ElementSection::new();
        elements.active(None, &ConstExpr::i32_const(1), Elements::Functions([5, 6].as_slice().into()));
        let mut code = CodeSection::new();
        for calls in [&[2, 4][..], &[3], &[4, 0], &[], &[], &[]] {
            let mut body = Function::new([]);
            body.instruction(&Instruction::LocalGet(0));
            for &called in calls {
                body.instruction(&Instruction::Call(called));
            }
            code.function(body.instruction(&Instruction::End));
        }
        let mut data = DataSection::new();
        data.active(0, &ConstExpr::i32_const(96), *b"of a    of b");
        let mut named = NameMap::new();
        for (index, name) in NAMES.iter().enumerate() {
            named.append(index as u32, name);
        }
        let mut names = NameSection::new();
        names.functions(&named);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&tables).section(&memories);
        module.section(&exports).section(&elements).section(&code).section(&data).section(&names);
        module.finish()
    }

    /// `a` has the address of the first datum and that of `e`, `b` that of the second datum, which
    /// has that of `f`.
    fn links() -> Links {
        let mut functions: HashMap<String, Vec<Target>> =
            NAMES.iter().map(|name| (name.to_string(), Vec::new())).collect();
        functions.insert(NAMES[1].to_owned(), vec![Target::Datum(0), Target::Slot(1)]);
        functions.insert(NAMES[2].to_owned(), vec![Target::Datum(1)]);
        let data = vec![
            Datum { range: 96..104, refers: Vec::new() },
            Datum { range: 104..108, refers: vec![Target::Slot(2)] },
        ];
        Links { functions, data }
    }

    fn split(marks: &[Mark]) -> Result<Parts> {
        split_by(&module(), links(), marks)
    }

    fn read(part: &[u8]) -> Whole<'_> {
        Whole::read(part, Links::default()).unwrap()
    }

    fn operators(body: &FunctionBody<'_>) -> Vec<String> {
        body.get_operators_reader()
            .unwrap()
            .into_iter()
            .map(|operator| format!("{:?}", operator.unwrap()))
            .collect()
    }

    #[test]
    fn a_mark_that_defers_nothing_is_refused() {
        let refused = split(&["x::rare", "x::gone", "log"].map(Mark::prefix)).err().unwrap();
        assert!(refused.to_string().contains("is one of x::gone, log:"), "{refused}");
    }

    #[test]
    fn what_moved_is_entered_through_slots_and_calls_back_by_place() {
        let parts = split(&[Mark::prefix("x::*re::b")]).unwrap();
        let (main, rest) = (read(&parts.main), read(&parts.rest));
        assert_eq!((main.imported, main.tables[0].initial), (2, 8));
        let entry = operators(&main.bodies[1]);
        let expected = ["I32Const { value: 5 }", "TableGet { table: 0 }", "RefIsNull"];
        assert_eq!(entry[..3], expected);
        assert!(entry.contains(&"Call { function_index: 1 }".to_owned()), "{entry:?}");
        assert!(entry.contains(&"CallIndirect { type_index: 0, table_index: 0 }".to_owned()), "{entry:?}");
        assert_eq!(operators(&main.bodies[2]), ["Unreachable", "End"]);

        // The number, the table and the memory; and the slots of what is called, `log` and `d`.
        let mut exports = Vec::new();
        let mut imports = Vec::new();
        for payload in Parser::new(0).parse_all(&parts.main) {
            if let Payload::ExportSection(section) = payload.unwrap() {
                exports.extend(section.into_iter().map(|export| export.unwrap().index));
            }
        }
        for payload in Parser::new(0).parse_all(&parts.rest) {
            if let Payload::ImportSection(section) = payload.unwrap() {
                imports.extend(section.into_imports().map(|import| import.unwrap().name));
            }
        }
        assert_eq!(exports, [0, 0, 0, 2]);
        assert_eq!(imports, ["-1", "-2", "6", "7"]);
        assert_eq!(rest.bodies.len(), 3, "b, c and f");
        assert!(operators(&rest.bodies[1]).contains(&"Call { function_index: 1 }".to_owned()));
    }

    #[test]
    fn data_and_slots_that_only_the_rest_refers_to_move() {
        let parts = split(&[Mark::prefix("x::*re::b")]).unwrap();
        let (main, rest) = (read(&parts.main), read(&parts.rest));
        assert_eq!(main.memory, [(96, &b"of a    "[..])]);
        assert_eq!(rest.memory, [(104, &b"of b"[..])]);
        // `e` twice, `log` and `d`; in the rest, `b` behind the table's own slots, and `f` in its
        // slot.
        assert_eq!(Vec::from_iter(main.slots), [(1, 6), (2, 6), (6, 0), (7, 5)]);
        assert_eq!(Vec::from_iter(rest.slots), [(2, 4), (5, 2)]);
    }

    #[test]
    fn what_cannot_be_split_is_refused() {
        assert!(split(&[Mark::prefix("x::absent")]).is_err());
        assert!(split_by(b"\0asm", links(), &[Mark::prefix("x::rare")]).is_err());
        let unlinked = super::split(&module(), &module(), &[]).err().unwrap().to_string();
        assert!(unlinked.contains("kept no relocations"), "{unlinked}");
    }

    #[test]
    fn a_path_has_no_hashes_and_no_signs_before_it() {
        assert_eq!(path("_RNvNtCsh0i1HcYuHoU_1x4rare1b"), "x::rare::b");
        assert_eq!(path("plain[7]"), "plain[7]");
    }
}
