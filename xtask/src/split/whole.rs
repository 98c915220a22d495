//! The module as wasm-bindgen leaves it, and what leads to what in it.

use super::links::{Datum, Links, Outcome, Target, constant};
use crate::deferred::Mark;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use wasmparser::{
    DataKind, ElementItems, ElementKind, ExternalKind, FuncType, FunctionBody, KnownCustom, Name, Operator,
    Parser, Payload, TypeRef,
};

/// What has to be known of the module.
#[derive(Default)]
pub struct Whole<'a> {
    pub types: Vec<FuncType>,
    /// The type of each function, imported ones first.
    pub functions: Vec<u32>,
    /// How many functions are imported, and from which module the first is.
    pub imported: u32,
    pub from: &'a str,
    pub bodies: Vec<FunctionBody<'a>>,
    /// What each body calls by name.
    calls: Vec<Vec<u32>>,
    names: HashMap<u32, &'a str>,
    pub exported: Vec<u32>,
    /// What is in the first table, by slots.
    pub slots: BTreeMap<u32, u32>,
    pub tables: Vec<wasmparser::TableType>,
    pub memories: Vec<wasmparser::MemoryType>,
    pub globals: Vec<wasmparser::GlobalType>,
    /// What memory holds from the start, by addresses.
    pub memory: Vec<(u32, &'a [u8])>,
    /// What each body refers to by address.
    refers: Vec<Vec<Target>>,
    pub data: Vec<Datum>,
    pub id: u32,
}

/// What can be reached from somewhere.
#[derive(Default)]
pub struct Reached {
    pub functions: BTreeSet<u32>,
    pub slots: BTreeSet<u32>,
    pub data: BTreeSet<usize>,
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
    pub fn read(wasm: &'a [u8], links: Links) -> Outcome<Whole<'a>> {
        let mut hasher = DefaultHasher::new();
        wasm.hash(&mut hasher);
        let mut whole = Whole { id: hasher.finish() as u32, ..Whole::default() };
        for payload in Parser::new(0).parse_all(wasm) {
            whole.take(payload?)?;
        }
        for at in 0..whole.bodies.len() {
            let name = whole.names.get(&(whole.imported + at as u32)).copied().unwrap_or_default();
            let refers = match links.of(name) {
                Some(targets) => targets.to_vec(),
                None => whole.numbers(at, &links)?,
            };
            whole.refers.push(refers);
        }
        whole.data = links.data;
        Ok(whole)
    }

    fn take(&mut self, payload: Payload<'a>) -> Outcome<()> {
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
                    let element = element?;
                    if let Some((start, functions)) = listed(&element)? {
                        self.slots.extend((start..).zip(functions));
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
            Payload::DataSection(segments) => {
                for segment in segments {
                    let segment = segment?;
                    let DataKind::Active { memory_index: 0, offset_expr } = segment.kind else {
                        return Err("data is not copied into memory at the start".into());
                    };
                    self.memory.push((constant(&offset_expr)?, segment.data));
                }
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(names) = section.as_known() {
                    for name in names {
                        if let Name::Function(functions) = name? {
                            for naming in functions {
                                let naming = naming?;
                                self.names.insert(naming.index, naming.name);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What a body may refer to by address whose relocations nobody kept: every number in it may be
    /// an address.
    fn numbers(&self, at: usize, links: &Links) -> wasmparser::Result<Vec<Target>> {
        let mut targets = Vec::new();
        for operator in self.bodies[at].get_operators_reader()? {
            if let Operator::I32Const { value } = operator? {
                let number = value as u32;
                targets.extend(links.datum_at(number).map(Target::Datum));
                targets.extend(self.slots.contains_key(&number).then_some(Target::Slot(number)));
            }
        }
        Ok(targets)
    }

    /// What a function calls by name.
    pub fn calls(&self, function: u32) -> &[u32] {
        function.checked_sub(self.imported).map_or(&[], |at| &self.calls[at as usize])
    }

    /// The paths of all functions that are not imported.
    pub fn paths(&self) -> HashMap<u32, String> {
        let defined = self.names.iter().filter(|(function, _)| **function >= self.imported);
        defined.map(|(&function, name)| (function, super::path(name))).collect()
    }

    /// Marks that defer no function.
    pub fn idle(paths: &HashMap<u32, String>, marks: &[Mark]) -> Vec<String> {
        let defers = |mark: &Mark| paths.values().any(|path| mark.defers(path));
        marks.iter().filter(|mark| !defers(mark)).map(Mark::to_string).collect()
    }

    /// All that some functions lead to, themselves included, without entering what `enters`
    /// refuses.
    pub fn reach(
        &self,
        from: impl IntoIterator<Item = u32>,
        enters: impl Fn(u32) -> bool,
        enters_data: impl Fn(usize) -> bool,
    ) -> Reached {
        let mut reached = Reached::default();
        let mut next: Vec<u32> = from.into_iter().collect();
        let mut targets: Vec<Target> = Vec::new();
        loop {
            if let Some(target) = targets.pop() {
                match target {
                    Target::Slot(slot) if reached.slots.insert(slot) => next.extend(self.slots.get(&slot)),
                    Target::Datum(datum) if enters_data(datum) && reached.data.insert(datum) => {
                        targets.extend(&self.data[datum].refers);
                    }
                    _ => {}
                }
            } else if let Some(function) = next.pop() {
                if function >= self.imported && enters(function) && reached.functions.insert(function) {
                    next.extend(self.calls(function));
                    targets.extend(&self.refers[(function - self.imported) as usize]);
                }
            } else {
                return reached;
            }
        }
    }

    /// The functions that are deferred.
    pub fn deferred(&self, paths: &HashMap<u32, String>, marks: &[Mark]) -> HashSet<u32> {
        let deferred = paths
            .iter()
            .filter(|(_, path)| !super::is_derived(path) && marks.iter().any(|mark| mark.defers(path)));
        deferred.map(|(function, _)| *function).collect()
    }
}

/// Where the functions of an element begin in the first table, and which they are.
pub fn listed(element: &wasmparser::Element<'_>) -> Outcome<Option<(u32, Vec<u32>)>> {
    let ElementKind::Active { table_index: None | Some(0), offset_expr } = &element.kind else {
        return Ok(None);
    };
    let mut functions = Vec::new();
    match &element.items {
        ElementItems::Functions(items) => append(&mut functions, items.clone())?,
        ElementItems::Expressions(..) => return Err("the table is not listed by numbers".into()),
    }
    Ok(Some((constant(offset_expr)?, functions)))
}
