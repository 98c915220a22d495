//! Addresses that functions and data hold, from the relocations that the linker keeps.
//!
//! A call names the function it calls, but an address is a number like any other. With
//! `--emit-relocs` the linker says which numbers are addresses, and of what. wasm-bindgen numbers
//! functions anew and leaves the relocations as they were, so they are read from the linker's own
//! output. What stays is the name of a function, its slot in the table, and where data is in
//! memory.

use std::collections::HashMap;
use std::ops::Range;
use wasmparser::{
    DataKind, ElementItems, ElementKind, ExternalKind, KnownCustom, Linking, Name, Operator, Parser, Payload,
    RelocationEntry, RelocationType, SymbolInfo, TypeRef,
};

/// The error says what is not as expected.
pub type Outcome<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// What an address leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A function, by its slot in the table.
    Slot(u32),
    /// A value in memory, by its place among [`Links::data`].
    Datum(usize),
}

/// A value that memory holds from the start: a text, a table of functions, a static.
#[derive(Clone, Debug)]
pub struct Datum {
    /// Where it is in memory, with the padding behind it.
    pub range: Range<u32>,
    /// What the addresses in it lead to.
    pub refers: Vec<Target>,
}

/// What functions and data refer to by address.
#[derive(Default)]
pub struct Links {
    /// What each function refers to, by its name.
    pub functions: HashMap<String, Vec<Target>>,
    /// All that memory holds from the start, in order.
    pub data: Vec<Datum>,
}

impl Links {
    /// Reads what the linker wrote.
    pub fn read(wasm: &[u8]) -> Outcome<Links> {
        Linked::read(wasm)?.links()
    }

    /// What a function refers to by address, or nothing where the linker did not know it.
    pub fn of(&self, function: &str) -> Option<&[Target]> {
        // wasm-bindgen writes them around calls, and they use the stack only.
        if function.ends_with(" shim") {
            return Some(&[]);
        }
        self.functions.get(function).map(Vec::as_slice)
    }

    /// The place of what holds an address.
    pub fn datum_at(&self, address: u32) -> Option<usize> {
        datum_at(&self.data, address)
    }
}

/// The module as the linker wrote it.
#[derive(Default)]
struct Linked<'a> {
    wasm: &'a [u8],
    /// The names of functions: their own, and those under which wasm-bindgen will export them.
    names: HashMap<u32, Vec<&'a str>>,
    imported: u32,
    /// The slot of each function that has one.
    slots: HashMap<u32, u32>,
    /// Where the sections of code and data begin in the file, and each function and segment.
    code: u64,
    bodies: Vec<Range<u64>>,
    data: u64,
    segments: Vec<Segment>,
    symbols: Vec<Symbol>,
    code_entries: Vec<RelocationEntry>,
    data_entries: Vec<RelocationEntry>,
}

/// Bytes that are copied into memory.
struct Segment {
    address: u32,
    file: Range<u64>,
}

enum Symbol {
    Function(u32),
    /// A segment, and what of it.
    Data(u32, Range<u32>),
    Other,
}

impl<'a> Linked<'a> {
    fn read(wasm: &'a [u8]) -> Outcome<Linked<'a>> {
        let mut linked = Linked { wasm, ..Linked::default() };
        for payload in Parser::new(0).parse_all(wasm) {
            linked.take(payload?)?;
        }
        Ok(linked)
    }

    fn take(&mut self, payload: Payload<'a>) -> Outcome<()> {
        match payload {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    self.imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export?;
                    if export.kind == ExternalKind::Func {
                        self.names.entry(export.index).or_default().push(without_hash(export.name));
                    }
                }
            }
            Payload::ElementSection(elements) => {
                for element in elements {
                    let element = element?;
                    let (ElementKind::Active { offset_expr, .. }, ElementItems::Functions(functions)) =
                        (element.kind, element.items)
                    else {
                        continue;
                    };
                    let start = constant(&offset_expr)?;
                    for (slot, function) in (start..).zip(functions) {
                        self.slots.insert(function?, slot);
                    }
                }
            }
            Payload::CodeSectionStart { unchecked_range, .. } => self.code = unchecked_range.start,
            Payload::CodeSectionEntry(body) => self.bodies.push(body.range()),
            Payload::DataSection(segments) => {
                self.data = segments.range().start;
                for segment in segments {
                    let segment = segment?;
                    let end = segment.range.end;
                    let file = end - segment.data.len() as u64..end;
                    if let DataKind::Active { offset_expr, .. } = &segment.kind {
                        self.segments.push(Segment { address: constant(offset_expr)?, file });
                    }
                }
            }
            Payload::CustomSection(section) => match section.as_known() {
                KnownCustom::Name(names) => {
                    for name in names {
                        if let Name::Function(functions) = name? {
                            for naming in functions {
                                let naming = naming?;
                                self.names.entry(naming.index).or_default().push(naming.name);
                            }
                        }
                    }
                }
                KnownCustom::Linking(linking) => {
                    for part in linking.subsections() {
                        if let Linking::SymbolTable(symbols) = part? {
                            for symbol in symbols {
                                self.symbols.push(symbol_of(symbol?));
                            }
                        }
                    }
                }
                KnownCustom::Reloc(relocations) => {
                    let entries = match section.name() {
                        "reloc.CODE" => &mut self.code_entries,
                        "reloc.DATA" => &mut self.data_entries,
                        _ => return Ok(()),
                    };
                    for entry in relocations.entries() {
                        entries.push(entry?);
                    }
                }
                _ => {}
            },
            _ => {}
        }
        Ok(())
    }

    fn links(self) -> Outcome<Links> {
        if self.code_entries.is_empty() || self.data_entries.is_empty() {
            return Err("the linker kept no relocations".into());
        }
        let mut links = Links { functions: HashMap::new(), data: self.data() };
        for at in 0..self.bodies.len() {
            for name in self.names(at) {
                links.functions.entry(name.to_string()).or_default();
            }
        }
        for entry in &self.code_entries {
            let Some(target) = self.target(entry, self.code, &links.data)? else { continue };
            let place = self.code + u64::from(entry.offset);
            let at = self.bodies.partition_point(|body| body.end <= place);
            for name in self.names(at) {
                links.functions.entry(name.to_string()).or_default().push(target);
            }
        }
        for entry in &self.data_entries {
            let Some(target) = self.target(entry, self.data, &links.data)? else { continue };
            let place = self.data + u64::from(entry.offset);
            let segment = self.segments.iter().find(|segment| segment.file.contains(&place));
            let segment = segment.ok_or("a relocation is outside of the data")?;
            let address = segment.address + (place - segment.file.start) as u32;
            let holder = links.datum_at(address).ok_or("an address is in the data of nobody")?;
            links.data[holder].refers.push(target);
        }
        Ok(links)
    }

    fn names(&self, body: usize) -> &[&'a str] {
        self.names.get(&(self.imported + body as u32)).map_or(&[], Vec::as_slice)
    }

    /// The values in memory; those that overlap count as one.
    fn data(&self) -> Vec<Datum> {
        let mut ranges: Vec<Range<u32>> =
            self.symbols.iter().filter_map(|symbol| self.range(symbol)).collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        let mut data: Vec<Datum> = Vec::new();
        for range in ranges {
            match data.last_mut() {
                Some(last) if range.start < last.range.end => {
                    last.range.end = last.range.end.max(range.end);
                }
                _ => data.push(Datum { range, refers: Vec::new() }),
            }
        }
        // Padding goes with what it follows.
        for at in 0..data.len() {
            let Datum { range, .. } = &data[at];
            let segment = self.segments.iter().find(|segment| segment.memory().contains(&range.start));
            let end = segment.map_or(range.end, |segment| segment.memory().end);
            let next = data.get(at + 1).map_or(end, |next| next.range.start.min(end));
            data[at].range.end = next.max(data[at].range.end);
        }
        data
    }

    /// Where a symbol is in memory, if it has bytes of its own there.
    fn range(&self, symbol: &Symbol) -> Option<Range<u32>> {
        let Symbol::Data(segment, range) = symbol else { return None };
        let address = self.segments.get(*segment as usize)?.address;
        (!range.is_empty()).then(|| address + range.start..address + range.end)
    }

    /// What a relocation of a section that begins at `start` leads to, if it is an address.
    fn target(&self, entry: &RelocationEntry, start: u64, data: &[Datum]) -> Outcome<Option<Target>> {
        use RelocationType::*;
        let symbol = || self.symbols.get(entry.index as usize).ok_or("a relocation names no symbol");
        let (target, written) = match entry.ty {
            TableIndexSleb | TableIndexI32 => {
                let Symbol::Function(function) = symbol()? else {
                    return Err("a slot is of something else than a function".into());
                };
                let slot = *self.slots.get(function).ok_or("a function has no slot")?;
                (Target::Slot(slot), slot)
            }
            MemoryAddrLeb | MemoryAddrSleb | MemoryAddrI32 => {
                // Memory that starts as zeros refers to nothing, and is nobody's.
                let Some(range) = self.range(symbol()?) else { return Ok(None) };
                let at = datum_at(data, range.start).ok_or("a symbol has no data")?;
                (Target::Datum(at), range.start.wrapping_add(entry.addend as u32))
            }
            FunctionIndexLeb | TypeIndexLeb | GlobalIndexLeb | TableNumberLeb => return Ok(None),
            other => return Err(format!("relocations like {other:?} are not known").into()),
        };
        let place = (start + u64::from(entry.offset)) as usize;
        let bytes = self.wasm.get(place..place + entry.ty.extent()).ok_or("a relocation is outside")?;
        if number(bytes) != written {
            return Err(format!("{:?} at {place} holds another number than {written}", entry.ty).into());
        }
        Ok(Some(target))
    }
}

impl Segment {
    fn memory(&self) -> Range<u32> {
        self.address..self.address + (self.file.end - self.file.start) as u32
    }
}

/// The name of an export without the hash that wasm-bindgen gave it for the linker.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((name, hash)) if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => name,
        _ => name,
    }
}

fn symbol_of(symbol: SymbolInfo<'_>) -> Symbol {
    match symbol {
        SymbolInfo::Func { index, .. } => Symbol::Function(index),
        SymbolInfo::Data { symbol: Some(data), .. } => {
            Symbol::Data(data.index, data.offset..data.offset + data.size)
        }
        _ => Symbol::Other,
    }
}

/// The place of what holds an address.
fn datum_at(data: &[Datum], address: u32) -> Option<usize> {
    let at = data.partition_point(|datum| datum.range.end <= address);
    data.get(at).is_some_and(|datum| datum.range.contains(&address)).then_some(at)
}

/// A number of four bytes, or one of five in LEB128.
fn number(bytes: &[u8]) -> u32 {
    match bytes {
        &[a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        _ => bytes.iter().rev().fold(0, |number, byte| number << 7 | u32::from(byte & 0x7F)),
    }
}

/// The value of an expression that is a number.
pub fn constant(expression: &wasmparser::ConstExpr<'_>) -> Outcome<u32> {
    match expression.get_operators_reader().read()? {
        Operator::I32Const { value } => Ok(value as u32),
        _ => Err("an offset is not a number".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        CodeSection, ConstExpr, CustomSection, DataSection, DataSymbolDefinition, ElementSection, Elements,
        ExportKind, ExportSection, Function, FunctionSection, LinkingSection, Module, SymbolTable,
        TypeSection,
    };

    /// `a` has the address of a text in memory; behind the text is a table with the slot of `a`,
    /// which says `slot`.
    fn linked(slot: u8) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut functions = FunctionSection::new();
        functions.function(0);
        let mut exports = ExportSection::new();
        exports.export("a_0123456789abcdef", ExportKind::Func, 0);
        let mut elements = ElementSection::new();
        elements.active(None, &ConstExpr::i32_const(1), Elements::Functions([0].as_slice().into()));
        let mut code = CodeSection::new();
        let mut body = Function::new([]);
        // The constant 1024 in five bytes, dropped.
        body.raw([0x41, 0x80, 0x88, 0x80, 0x80, 0x00, 0x1A, 0x0B]);
        code.function(&body);
        let mut data = DataSection::new();
        data.active(0, &ConstExpr::i32_const(1024), [b't', b'e', b'x', b't', slot, 0, 0, 0]);
        let mut symbols = SymbolTable::new();
        symbols.function(0, 0, Some("a"));
        symbols.data(0, "text", Some(DataSymbolDefinition { index: 0, offset: 0, size: 4 }));
        symbols.data(0, "table", Some(DataSymbolDefinition { index: 0, offset: 4, size: 4 }));
        let mut linking = LinkingSection::new();
        linking.symbol_table(&symbols);
        // The section, how many, and for each its kind, where it is, of which symbol, and what is
        // added to an address.
        let of_code = [3, 1, RelocationType::MemoryAddrSleb as u8, 4, 1, 0];
        let of_data = [4, 1, RelocationType::TableIndexI32 as u8, 11, 0];
        let custom =
            |name: &'static str, data: Vec<u8>| CustomSection { name: name.into(), data: data.into() };
        let mut module = Module::new();
        module.section(&types).section(&functions).section(&exports).section(&elements).section(&code);
        module.section(&data).section(&linking);
        module.section(&custom("reloc.CODE", of_code.to_vec()));
        module.section(&custom("reloc.DATA", of_data.to_vec()));
        module.finish()
    }

    #[test]
    fn relocations_say_what_functions_and_data_refer_to() {
        let links = Links::read(&linked(1)).unwrap();
        let ranges: Vec<Range<u32>> = links.data.iter().map(|datum| datum.range.clone()).collect();
        assert_eq!(ranges, [1024..1028, 1028..1032]);
        assert_eq!(links.of("a"), Some(&[Target::Datum(0)][..]));
        assert_eq!(links.data[0].refers, []);
        assert_eq!(links.data[1].refers, [Target::Slot(1)]);
        assert_eq!(links.of("unheard of"), None);
    }

    #[test]
    fn a_number_that_is_not_what_its_relocation_says_is_refused() {
        let refused = Links::read(&linked(2)).err().unwrap().to_string();
        assert!(refused.contains("holds another number than 1"), "{refused}");
    }
}
