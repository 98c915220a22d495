//! Writing of the two parts.

use super::LOAD;
use super::cut::Cut;
use super::whole::{Whole, listed};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use wasm_encoder::reencode::{self, Reencode, RoundtripReencoder, utils};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, DataSection, ElementSection, Elements, EntityType, ExportKind,
    ExportSection, Function, FunctionSection, GlobalSection, GlobalType, ImportSection, Instruction, Module,
    TableSection, TypeSection, ValType,
};
use wasmparser::{FunctionBody, Parser};

/// The longest gap in the data of the main part that is filled with zeros: another segment takes
/// more of the gzip.
const BRIDGED: u32 = 64;

/// Makes the main part of the whole, whose functions come one after another.
struct Main<'w, 'a> {
    whole: &'w Whole<'a>,
    cut: &'w Cut,
    /// The next function.
    at: u32,
}

pub fn main_part(wasm: &[u8], whole: &Whole<'_>, cut: &Cut) -> Outcome<Vec<u8>> {
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
            table.ty.initial = self.cut.slots();
            table.ty.maximum = table.ty.maximum.map(|most| most.max(self.cut.slots()));
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
        for (place, (kind, index)) in Cut::shared(self.whole).into_iter().enumerate() {
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

    fn parse_element_section(
        &mut self,
        elements: &mut ElementSection,
        section: wasmparser::ElementSectionReader<'_>,
    ) -> Outcome<()> {
        utils::parse_element_section(self, elements, section)?;
        let start = self.cut.slots() - self.cut.added.len() as u64;
        let added = self.cut.added.iter().map(|&function| self.function_index(function));
        let added: Vec<u32> = added.collect::<Outcome<_>>()?;
        elements.active(None, &ConstExpr::i32_const(start as i32), Elements::Functions(added.into()));
        Ok(())
    }

    fn parse_element(
        &mut self,
        elements: &mut ElementSection,
        element: wasmparser::Element<'_>,
    ) -> Outcome<()> {
        let (start, mut functions) = match listed(&element) {
            Ok(Some(list)) => list,
            _ => return utils::parse_element(self, elements, element),
        };
        // What no one calls until the rest is there repeats what is before it, which takes no room
        // in the gzip.
        let mut last = functions.iter().copied().find(|&function| !self.cut.moved.contains(&function));
        for (slot, function) in (start..).zip(&mut functions) {
            match last {
                Some(last) if self.cut.empty.contains(&slot) => *function = last,
                _ => last = Some(*function),
            }
            *function = self.function_index(*function)?;
        }
        elements.active(None, &ConstExpr::i32_const(start as i32), Elements::Functions(functions.into()));
        Ok(())
    }

    fn parse_data_section(
        &mut self,
        data: &mut DataSection,
        _: wasmparser::DataSectionReader<'_>,
    ) -> Outcome<()> {
        for &(start, bytes) in &self.whole.memory {
            let end = start + bytes.len() as u32;
            let mut kept = Vec::new();
            let mut at = start;
            for moved in self.cut.data.iter().filter(|moved| start <= moved.start && moved.end <= end) {
                kept.push(at..moved.start);
                at = moved.end;
            }
            kept.push(at..end);
            write_data(data, kept, &self.whole.memory, BRIDGED);
        }
        Ok(())
    }

    fn data_count(&mut self, _: u32) -> Outcome<u32> {
        unreachable!("memory is filled at the start, so that nothing counts its parts")
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

pub fn rest_part(whole: &Whole<'_>, cut: &Cut) -> Outcome<Vec<u8>> {
    let mut types = TypeSection::new();
    for ty in &whole.types {
        types.ty().func_type(&RoundtripReencoder.func_type(ty.clone())?);
    }
    let mut imports = ImportSection::new();
    let module = (whole.id as i32).to_string();
    let mut numbers = HashMap::new();
    for (place, (kind, index)) in Cut::shared(whole).into_iter().enumerate().skip(1) {
        let ty: EntityType = match kind {
            ExportKind::Table => {
                let mut table = whole.tables[index as usize];
                if index == 0 {
                    table.initial = cut.slots();
                }
                table.maximum = None;
                RoundtripReencoder.table_type(table)?.into()
            }
            ExportKind::Memory => RoundtripReencoder.memory_type(whole.memories[index as usize])?.into(),
            _ => RoundtripReencoder.global_type(whole.globals[index as usize])?.into(),
        };
        imports.import(&module, &format!("-{place}"), ty);
    }
    for (&function, slot) in &cut.called {
        numbers.insert(function, numbers.len() as u32);
        let ty = EntityType::Function(whole.functions[function as usize]);
        imports.import(&module, &slot.to_string(), ty);
    }
    let mut functions = FunctionSection::new();
    for &function in &cut.moved {
        numbers.insert(function, numbers.len() as u32);
        functions.function(whole.functions[function as usize]);
    }
    let mut elements = ElementSection::new();
    let entered: Vec<u32> = cut.entered.iter().map(|function| numbers[function]).collect();
    elements.active(None, &ConstExpr::i32_const(cut.base as i32), Elements::Functions(entered.into()));
    for (start, functions) in runs(&cut.filled) {
        let functions: Vec<u32> = functions.iter().map(|function| numbers[function]).collect();
        elements.active(None, &ConstExpr::i32_const(start as i32), Elements::Functions(functions.into()));
    }
    let mut data = DataSection::new();
    write_data(&mut data, cut.data.clone(), &whole.memory, 0);
    let (mut code, mut rest) = (CodeSection::new(), Rest(numbers));
    for &function in &cut.moved {
        let body = whole.bodies[(function - whole.imported) as usize].clone();
        utils::parse_function_body(&mut rest, &mut code, body)?;
    }
    let mut module = Module::new();
    module.section(&types).section(&imports).section(&functions).section(&elements).section(&code);
    module.section(&data);
    Ok(module.finish())
}

/// Functions of slots that follow each other, and the first slot of each row.
fn runs(slots: &BTreeMap<u32, u32>) -> Vec<(u32, Vec<u32>)> {
    let mut runs: Vec<(u32, Vec<u32>)> = Vec::new();
    for (&slot, &function) in slots {
        match runs.last_mut() {
            Some((start, run)) if *start + run.len() as u32 == slot => run.push(function),
            _ => runs.push((slot, vec![function])),
        }
    }
    runs
}

/// Writes ranges of memory, with zeros between those that are at most `bridged` apart.
fn write_data(data: &mut DataSection, ranges: Vec<Range<u32>>, memory: &[(u32, &[u8])], bridged: u32) {
    let bytes_of = |range: &Range<u32>| {
        let &(start, bytes) = memory
            .iter()
            .find(|(start, bytes)| *start <= range.start && range.end <= start + bytes.len() as u32)
            .expect("what moves is within what memory holds from the start");
        &bytes[(range.start - start) as usize..(range.end - start) as usize]
    };
    let mut pieces: Vec<(u32, Vec<u8>)> = Vec::new();
    for range in ranges.into_iter().filter(|range| !range.is_empty()) {
        match pieces.last_mut() {
            Some((start, piece)) if range.start <= *start + piece.len() as u32 + bridged => {
                piece.resize((range.start - *start) as usize, 0);
                piece.extend(bytes_of(&range));
            }
            _ => pieces.push((range.start, bytes_of(&range).to_vec())),
        }
    }
    for (start, piece) in pieces {
        data.active(0, &ConstExpr::i32_const(start as i32), piece);
    }
}
