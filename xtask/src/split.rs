//! Splitting of the WebAssembly into a main part and a rest, which a page fetches only when it
//! calls something in it.
//!
//! The functions of certain modules move to the rest, and with them all functions that only they
//! reach. The two share memory, tables and globals. For each moved function that the main part
//! calls, the main part keeps a few instructions: they load the rest unless it is loaded, and call
//! the function through a slot at the end of the table, which the rest fills when it is
//! instantiated. So which functions move changes what a page downloads, never what anything
//! computes.
//!
//! The rest imports from the main part by place: the import `3` of the rest is the main part's
//! export at place 3. Names of exports may be shortened afterwards, their order stays. A number
//! that is the first export's value names the module of all imports: parts of different builds do
//! not fit together, and instantiating them fails.

use crate::deferred::Mark;
use crate::error::{Error, Result};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use wasm_encoder::reencode::{self, Reencode, RoundtripReencoder, utils};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection,
    Function, FunctionSection, GlobalSection, GlobalType, ImportSection, Instruction, Module, TableSection,
    TypeSection, ValType,
};
use wasmparser::{ElementItems, ExternalKind, FuncType, FunctionBody, KnownCustom, Name, Operator, Parser};
use wasmparser::{Payload, TypeRef};

/// What the main part calls to have the rest loaded: an import of wasm-bindgen's module.
pub const LOAD: &str = "__weft_load_rest";

/// The two parts.
pub struct Parts {
    /// What is loaded first.
    pub main: Vec<u8>,
    /// What is loaded when it is called.
    pub rest: Vec<u8>,
}

/// Splits `wasm`, which must have names: functions that `marks` defer, and what only they lead to, become the rest. Errors with `Check` where a mark
/// defers no function: it was deleted, or the compiler inlines it everywhere.
pub fn split(wasm: &[u8], marks: &[Mark]) -> Result<Parts> {
    let whole = Whole::read(wasm).map_err(unexpected)?;
    let idle = whole.idle(marks);
    if !idle.is_empty() {
        return Err(Error::Check(format!(
            "no function of the WebAssembly is one of {}: remove what defers them",
            idle.join(", ")
        )));
    }
    let moved = whole.moved(marks);
    let cut = Cut::new(&whole, moved);
    let main = main_part(wasm, &whole, &cut).map_err(unexpected)?;
    let rest = rest_part(&whole, &cut).map_err(unexpected)?;
    Ok(Parts { main, rest })
}

fn unexpected(error: impl std::fmt::Display) -> Error {
    Error::Check(format!("the WebAssembly is not of the expected form: {error}; see xtask/src/split.rs"))
}

/// What has to be known of the module.
#[derive(Default)]
struct Whole<'a> {
    types: Vec<FuncType>,
    /// The type of each function, imported ones first.
    functions: Vec<u32>,
    /// How many functions are imported, and from which module the first is.
    imported: u32,
    from: &'a str,
    bodies: Vec<FunctionBody<'a>>,
    /// What each body calls by name, or takes the address of.
    calls: Vec<Vec<u32>>,
    names: HashMap<u32, String>,
    exported: Vec<u32>,
    /// What stands in tables.
    listed: Vec<u32>,
    tables: Vec<wasmparser::TableType>,
    memories: Vec<wasmparser::MemoryType>,
    globals: Vec<wasmparser::GlobalType>,
    id: u32,
}

/// Takes what a section holds, until something cannot be read.
fn append<T>(
    to: &mut Vec<T>,
    section: impl IntoIterator<Item = wasmparser::Result<T>>,
) -> wasmparser::Result<()> {
    for item in section {
        to.push(item?);
    }
    Ok(())
}

impl<'a> Whole<'a> {
    fn read(wasm: &'a [u8]) -> wasmparser::Result<Whole<'a>> {
        let mut hasher = DefaultHasher::new();
        wasm.hash(&mut hasher);
        let mut whole = Whole { id: hasher.finish() as u32, ..Whole::default() };
        for payload in Parser::new(0).parse_all(wasm) {
            whole.take(payload?)?;
        }
        Ok(whole)
    }

    fn take(&mut self, payload: Payload<'a>) -> wasmparser::Result<()> {
        match payload {
            Payload::TypeSection(types) => append(&mut self.types, types.into_iter_err_on_gc_types())?,
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let import = import?;
                    if let TypeRef::Func(ty) = import.ty {
                        self.from = import.module;
                        self.functions.push(ty);
                        self.imported += 1;
                    }
                }
            }
            Payload::FunctionSection(functions) => append(&mut self.functions, functions)?,
            Payload::TableSection(tables) => {
                append(&mut self.tables, tables.into_iter().map(|table| Ok(table?.ty)))?;
            }
            Payload::MemorySection(memories) => append(&mut self.memories, memories)?,
            Payload::GlobalSection(globals) => {
                append(&mut self.globals, globals.into_iter().map(|global| Ok(global?.ty)))?;
            }
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export?;
                    if export.kind == ExternalKind::Func {
                        self.exported.push(export.index);
                    }
                }
            }
            Payload::ElementSection(elements) => {
                for element in elements {
                    match element?.items {
                        ElementItems::Functions(functions) => append(&mut self.listed, functions)?,
                        ElementItems::Expressions(_, expressions) => {
                            for expression in expressions {
                                for operator in expression?.get_operators_reader() {
                                    if let Operator::RefFunc { function_index } = operator? {
                                        self.listed.push(function_index);
                                    }
                                }
                            }
                        }
                    }
                }
            }
            Payload::CodeSectionEntry(body) => {
                let mut calls = Vec::new();
                for operator in body.get_operators_reader()? {
                    if let Operator::Call { function_index } | Operator::RefFunc { function_index } =
                        operator?
                    {
                        calls.push(function_index);
                    }
                }
                self.calls.push(calls);
                self.bodies.push(body);
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(names) = section.as_known() {
                    for name in names {
                        if let Name::Function(functions) = name? {
                            for naming in functions {
                                let naming = naming?;
                                self.names.insert(naming.index, path(naming.name));
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn defined(&self) -> std::ops::Range<u32> {
        self.imported..self.functions.len() as u32
    }

    fn calls(&self, function: u32) -> &[u32] {
        function.checked_sub(self.imported).map_or(&[], |at| &self.calls[at as usize])
    }

    /// Marks that defer no function.
    fn idle(&self, marks: &[Mark]) -> Vec<String> {
        let paths =
            || self.names.iter().filter(|(function, _)| **function >= self.imported).map(|(_, path)| path);
        marks.iter().filter(|mark| !paths().any(|path| mark.defers(path))).map(Mark::to_string).collect()
    }

    /// The functions that are deferred, and those that nothing else leads to.
    fn moved(&self, marks: &[Mark]) -> BTreeSet<u32> {
        let deferred = self.names.iter().filter(|(function, path)| {
            **function >= self.imported && !is_derived(path) && marks.iter().any(|mark| mark.defers(path))
        });
        let deferred: HashSet<u32> = deferred.map(|(function, _)| *function).collect();
        let named = |function: &u32| deferred.contains(function);
        let mut stays = HashSet::new();
        let mut next: Vec<u32> = self.exported.iter().chain(&self.listed).copied().collect();
        while let Some(function) = next.pop() {
            if !named(&function) && stays.insert(function) {
                next.extend(self.calls(function));
            }
        }
        // What is never called at all stays, too: wasm-opt drops it.
        let mut moved: BTreeSet<u32> = self.defined().filter(|function| named(function)).collect();
        let mut next: Vec<u32> = moved.iter().copied().collect();
        while let Some(function) = next.pop() {
            for &called in self.calls(function) {
                if called >= self.imported && !stays.contains(&called) && moved.insert(called) {
                    next.push(called);
                }
            }
        }
        moved
    }
}

/// The path of a function, without the hashes of its crates and what stands before it where it is a method, `<` and `&`.
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

/// Where the two meet.
struct Cut {
    moved: BTreeSet<u32>,
    /// The functions of the rest that the main part enters, in the order of their slots.
    entered: Vec<u32>,
    /// The first slot.
    base: u64,
    /// The functions of the main part that the rest calls, in the order of their exports.
    shared: Vec<u32>,
}

impl Cut {
    fn new(whole: &Whole<'_>, moved: BTreeSet<u32>) -> Cut {
        let (mut entered, mut shared) = (BTreeSet::new(), BTreeSet::new());
        let outside = whole.exported.iter().chain(&whole.listed);
        entered.extend(outside.filter(|function| moved.contains(function)));
        for caller in whole.defined() {
            for &called in whole.calls(caller) {
                match (moved.contains(&caller), moved.contains(&called)) {
                    (false, true) => entered.insert(called),
                    (true, false) => shared.insert(called),
                    _ => false,
                };
            }
        }
        let base = whole.tables.first().map_or(0, |table| table.initial);
        Cut { moved, entered: entered.into_iter().collect(), base, shared: shared.into_iter().collect() }
    }

    fn slot(&self, function: u32) -> Option<i32> {
        self.entered.binary_search(&function).ok().map(|at| (self.base as usize + at) as i32)
    }

    /// What the main part exports for the rest: its number, tables, memories, globals, and functions, in this order.
    fn shared(&self, whole: &Whole<'_>) -> Vec<(ExportKind, u32)> {
        let all = |kind, count: usize| (0..count as u32).map(move |index| (kind, index));
        let id = (ExportKind::Global, whole.globals.len() as u32);
        let mut shared = vec![id];
        shared.extend(all(ExportKind::Table, whole.tables.len()));
        shared.extend(all(ExportKind::Memory, whole.memories.len()));
        shared.extend(all(ExportKind::Global, whole.globals.len()));
        shared.extend(self.shared.iter().map(|&function| (ExportKind::Func, function)));
        shared
    }
}

/// Makes the main part of the whole, whose functions come one after another.
struct Main<'w, 'a> {
    whole: &'w Whole<'a>,
    cut: &'w Cut,
    /// The next function.
    at: u32,
}

fn main_part(wasm: &[u8], whole: &Whole<'_>, cut: &Cut) -> Outcome<Vec<u8>> {
    let mut module = Module::new();
    let mut main = Main { whole, cut, at: whole.imported };
    utils::parse_core_module(&mut main, &mut module, Parser::new(0), wasm)?;
    Ok(module.finish())
}

type Outcome<T> = std::result::Result<T, reencode::Error<std::convert::Infallible>>;

impl Reencode for Main<'_, '_> {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Outcome<u32> {
        // One more is imported.
        Ok(if function < self.whole.imported { function } else { function + 1 })
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: wasmparser::TypeSectionReader<'_>,
    ) -> Outcome<()> {
        utils::parse_type_section(self, types, section)?;
        types.ty().function([], []);
        Ok(())
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: wasmparser::ImportSectionReader<'_>,
    ) -> Outcome<()> {
        utils::parse_import_section(self, imports, section)?;
        imports.import(self.whole.from, LOAD, EntityType::Function(self.whole.types.len() as u32));
        Ok(())
    }

    fn parse_table(&mut self, tables: &mut TableSection, mut table: wasmparser::Table<'_>) -> Outcome<()> {
        if tables.is_empty() {
            let slots = self.cut.entered.len() as u64;
            table.ty.initial += slots;
            table.ty.maximum = table.ty.maximum.map(|most| most + slots);
        }
        utils::parse_table(self, tables, table)
    }

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: wasmparser::GlobalSectionReader<'_>,
    ) -> Outcome<()> {
        utils::parse_global_section(self, globals, section)?;
        let ty = GlobalType { val_type: ValType::I32, mutable: false, shared: false };
        globals.global(ty, &ConstExpr::i32_const(self.whole.id as i32));
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: wasmparser::ExportSectionReader<'_>,
    ) -> Outcome<()> {
        for (place, (kind, index)) in self.cut.shared(self.whole).into_iter().enumerate() {
            let index = if kind == ExportKind::Func { self.function_index(index)? } else { index };
            // Not a number: objects have those first, whatever the order.
            exports.export(&format!("-{place}"), kind, index);
        }
        utils::parse_export_section(self, exports, section)
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Outcome<()> {
        let function = self.at;
        self.at += 1;
        if !self.cut.moved.contains(&function) {
            return utils::parse_function_body(self, code, body);
        }
        let mut entry = Function::new([]);
        match self.cut.slot(function) {
            Some(slot) => self.enter(&mut entry, function, slot),
            None => {
                entry.instruction(&Instruction::Unreachable);
            }
        }
        code.function(entry.instruction(&Instruction::End));
        Ok(())
    }

    /// Names are of no use any more.
    fn parse_custom_section(
        &mut self,
        _: &mut Module,
        _: wasmparser::CustomSectionReader<'_>,
    ) -> Outcome<()> {
        Ok(())
    }
}

impl Main<'_, '_> {
    /// What stands in the place of a function that moved.
    fn enter(&self, entry: &mut Function, function: u32, slot: i32) {
        let type_index = self.whole.functions[function as usize];
        for instruction in [
            Instruction::I32Const(slot),
            Instruction::TableGet(0),
            Instruction::RefIsNull,
            Instruction::If(BlockType::Empty),
            // The last import.
            Instruction::Call(self.whole.imported),
            Instruction::End,
        ] {
            entry.instruction(&instruction);
        }
        for parameter in 0..self.whole.types[type_index as usize].params().len() as u32 {
            entry.instruction(&Instruction::LocalGet(parameter));
        }
        entry.instruction(&Instruction::I32Const(slot));
        entry.instruction(&Instruction::CallIndirect { type_index, table_index: 0 });
    }
}

/// Numbers functions as they are in the rest.
struct Rest(HashMap<u32, u32>);

impl Reencode for Rest {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Outcome<u32> {
        Ok(self.0[&function])
    }
}

fn rest_part(whole: &Whole<'_>, cut: &Cut) -> Outcome<Vec<u8>> {
    let mut types = TypeSection::new();
    for ty in &whole.types {
        types.ty().func_type(&RoundtripReencoder.func_type(ty.clone())?);
    }
    let mut imports = ImportSection::new();
    let module = (whole.id as i32).to_string();
    let mut numbers = HashMap::new();
    for (place, (kind, index)) in cut.shared(whole).into_iter().enumerate().skip(1) {
        let ty = match kind {
            ExportKind::Table => {
                let mut table = whole.tables[index as usize];
                // The slots included.
                table.initial += if index == 0 { cut.entered.len() as u64 } else { 0 };
                table.maximum = None;
                RoundtripReencoder.table_type(table)?.into()
            }
            ExportKind::Memory => RoundtripReencoder.memory_type(whole.memories[index as usize])?.into(),
            ExportKind::Global => RoundtripReencoder.global_type(whole.globals[index as usize])?.into(),
            _ => {
                numbers.insert(index, numbers.len() as u32);
                EntityType::Function(whole.functions[index as usize])
            }
        };
        imports.import(&module, &place.to_string(), ty);
    }
    let mut functions = FunctionSection::new();
    for &function in &cut.moved {
        numbers.insert(function, numbers.len() as u32);
        functions.function(whole.functions[function as usize]);
    }
    let mut elements = ElementSection::new();
    let entered: Vec<u32> = cut.entered.iter().map(|function| numbers[function]).collect();
    elements.active(None, &ConstExpr::i32_const(cut.base as i32), Elements::Functions(entered.into()));
    let (mut code, mut rest) = (CodeSection::new(), Rest(numbers));
    for &function in &cut.moved {
        let body = whole.bodies[(function - whole.imported) as usize].clone();
        utils::parse_function_body(&mut rest, &mut code, body)?;
    }
    let mut module = Module::new();
    module.section(&types).section(&imports).section(&functions).section(&elements).section(&code);
    Ok(module.finish())
}

/// Whether a function is derived, or an instance that libraries make of a type: a compiler makes one of all that do the same, under the name of any.
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
    use super::*;
    use wasm_encoder::{NameMap, NameSection, TableType};

    /// `b` and `c`, which only `b` calls, move; `a` calls `b`, and `c` calls `d`, which `a` calls too.
    fn module() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([ValType::I32], [ValType::I32]);
        let mut imports = ImportSection::new();
        imports.import("./x_bg.js", "log", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        (0..4).for_each(|_| {
            functions.function(0);
        });
        let mut tables = TableSection::new();
        tables.table(TableType {
            element_type: wasm_encoder::RefType::FUNCREF,
            minimum: 5,
            maximum: None,
            table64: false,
            shared: false,
        });
        let mut exports = ExportSection::new();
        exports.export("a", ExportKind::Func, 1);
        let mut code = CodeSection::new();
        for calls in [&[2, 4][..], &[3], &[4, 0], &[]] {
            let mut body = Function::new([]);
            body.instruction(&Instruction::LocalGet(0));
            for &called in calls {
                body.instruction(&Instruction::Call(called));
            }
            code.function(body.instruction(&Instruction::End));
        }
        let mut named = NameMap::new();
        for (index, name) in
            ["log", "x::a", "_RNvNtCsh0i1HcYuHoU_1x4rare1b", "x::c", "x::d"].iter().enumerate()
        {
            named.append(index as u32, name);
        }
        let mut names = NameSection::new();
        names.functions(&named);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&tables).section(&exports);
        module.section(&code).section(&names);
        module.finish()
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
        let refused = split(&module(), &["x::rare", "x::gone", "log"].map(Mark::prefix)).err().unwrap();
        assert!(refused.to_string().contains("is one of x::gone, log:"), "{refused}");
    }

    #[test]
    fn what_moved_is_entered_through_slots_and_calls_back_by_place() {
        let parts = split(&module(), &[Mark::prefix("x::*re::b")]).unwrap();
        let (main, rest) = (Whole::read(&parts.main).unwrap(), Whole::read(&parts.rest).unwrap());
        assert_eq!((main.imported, main.tables[0].initial), (2, 6));
        let entry = operators(&main.bodies[1]);
        let expected = ["I32Const { value: 5 }", "TableGet { table: 0 }", "RefIsNull"];
        assert_eq!(entry[..3], expected);
        assert!(entry.contains(&"Call { function_index: 1 }".to_owned()), "{entry:?}");
        assert!(entry.contains(&"CallIndirect { type_index: 0, table_index: 0 }".to_owned()), "{entry:?}");
        assert_eq!(operators(&main.bodies[2]), ["Unreachable", "End"]);

        // The number, the table, and what is called: `log` and `d`.
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
        assert_eq!(exports, [0, 0, 0, 5, 2]);
        assert_eq!(imports, ["1", "2", "3"]);
        assert_eq!(rest.bodies.len(), 2);
        assert!(operators(&rest.bodies[1]).contains(&"Call { function_index: 1 }".to_owned()));
    }

    #[test]
    fn what_cannot_be_split_is_refused() {
        assert!(split(&module(), &[Mark::prefix("x::absent")]).is_err());
        assert!(split(b"\0asm", &[Mark::prefix("x::rare")]).is_err());
    }

    #[test]
    fn a_path_has_no_hashes_and_no_signs_before_it() {
        assert_eq!(path("_RNvNtCsh0i1HcYuHoU_1x4rare1b"), "x::rare::b");
        assert_eq!(path("plain[7]"), "plain[7]");
    }
}
