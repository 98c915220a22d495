//! Order of the functions in the WebAssembly, similar ones beside each other.
//!
//! Gzip looks back 32 KB and no further, and Rust compiles generic code to much the same for each
//! type: the order alone decides a quarter of the download. Each function in turn is the one most
//! similar to those before it, by the runs of four bytes that they have in common, weighted by
//! their rarity.

use crate::error::{Error, Result};
use std::convert::Infallible;
use wasm_encoder::reencode::{self, Reencode, utils};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{CodeSectionReader, FunctionBody, FunctionSectionReader, Parser, Payload, TypeRef};

/// Bytes of a run.
const RUN: usize = 4;
/// How much likeness to a function counts when another stands after it. Which is best changes with
/// every build, by up to 2 KB, so each is tried.
pub const FADINGS: [f32; 4] = [0.5, 0.6, 0.7, 0.8];

/// The module `wasm` with its functions in the order in which each is like those before it, where
/// likeness fades by each of `fadings`.
pub fn by_likeness(wasm: &[u8], fadings: &[f32]) -> Result<Vec<Vec<u8>>> {
    let unexpected = |error: &dyn std::fmt::Display| {
        Error::Check(format!("this is not the WebAssembly of wasm-opt: {error}"))
    };
    let functions = Functions::read(wasm).map_err(|error| unexpected(&error))?;
    let bytes: Vec<&[u8]> = functions.bodies.iter().map(FunctionBody::as_bytes).collect();
    let common = Common::of(&bytes);
    let arranged = |&fading: &f32| {
        let order = common.order(fading);
        let mut places = vec![0; order.len()];
        for (place, &function) in order.iter().enumerate() {
            places[function] = place as u32;
        }
        let mut module = Module::new();
        let mut arranged = Arranged { functions: functions.clone(), order, places };
        utils::parse_core_module(&mut arranged, &mut module, Parser::new(0), wasm)
            .map_err(|error| unexpected(&error))?;
        Ok(module.finish())
    };
    fadings.iter().map(arranged).collect()
}

/// The functions of a module.
#[derive(Clone, Default)]
struct Functions<'a> {
    /// How many are imported, which come before its own.
    imported: u32,
    bodies: Vec<FunctionBody<'a>>,
}

impl<'a> Functions<'a> {
    fn read(wasm: &'a [u8]) -> wasmparser::Result<Functions<'a>> {
        let mut functions = Functions::default();
        for payload in Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        functions.imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionEntry(body) => functions.bodies.push(body),
                _ => {}
            }
        }
        Ok(functions)
    }
}

/// Writes a module with its functions in another order.
struct Arranged<'a> {
    functions: Functions<'a>,
    /// The old places in the new order, and the new places in the old one.
    order: Vec<usize>,
    places: Vec<u32>,
}

type Outcome<T> = std::result::Result<T, reencode::Error<Infallible>>;

impl Reencode for Arranged<'_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Outcome<u32> {
        let imported = self.functions.imported;
        Ok(match function.checked_sub(imported) {
            Some(own) => imported + self.places[own as usize],
            None => function,
        })
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Outcome<()> {
        let types: Vec<u32> = section.into_iter().collect::<wasmparser::Result<_>>()?;
        for &function in &self.order {
            functions.function(types[function]);
        }
        Ok(())
    }

    fn parse_code_section(&mut self, code: &mut CodeSection, _: CodeSectionReader<'_>) -> Outcome<()> {
        for at in 0..self.order.len() {
            let body = self.functions.bodies[self.order[at]].clone();
            self.parse_function_body(code, body)?;
        }
        Ok(())
    }
}

/// What functions have in common.
struct Common {
    /// The functions that have the same run, for each run that is not too common.
    sharing: Vec<Vec<usize>>,
    /// The places in `sharing` of a function's runs that others have too.
    runs: Vec<Vec<usize>>,
    /// How much each place of `sharing` says.
    weights: Vec<f32>,
    /// What a function's likeness is divided by.
    sizes: Vec<f32>,
}

impl Common {
    fn of(functions: &[&[u8]]) -> Common {
        let mut all: Vec<(u32, usize)> = Vec::new();
        for (number, function) in functions.iter().enumerate() {
            all.extend(runs(function).into_iter().map(|run| (run, number)));
        }
        all.sort_unstable();
        // What many have says little about any, and is most of the work.
        let most = functions.len() / 8 + 1;
        let having = all.chunk_by(|a, b| a.0 == b.0).filter(|having| having.len() <= most);
        let sharing: Vec<Vec<usize>> =
            having.map(|having| having.iter().map(|&(_, number)| number).collect()).collect();
        let weight = |sharing: usize| ((functions.len() + 1) as f32 / (sharing + 1) as f32).ln();
        let weights: Vec<f32> = sharing.iter().map(|sharing| weight(sharing.len())).collect();
        let mut runs = vec![Vec::new(); functions.len()];
        for (place, sharing) in sharing.iter().enumerate() {
            sharing.iter().for_each(|&function| runs[function].push(place));
        }
        let size = |runs: &Vec<usize>| runs.iter().map(|&run| weights[run]).sum::<f32>().max(1.0).sqrt();
        let sizes = runs.iter().map(size).collect();
        // What one function alone has makes it like no other.
        runs.iter_mut().for_each(|runs| runs.retain(|&run| sharing[run].len() > 1));
        Common { sharing, runs, weights, sizes }
    }

    /// The functions' numbers, each after those it is most like.
    fn order(&self, fading: f32) -> Vec<usize> {
        let mut likeness = vec![0.0f32; self.runs.len()];
        let mut left: Vec<usize> = (0..self.runs.len()).collect();
        let mut order = Vec::with_capacity(self.runs.len());
        // The first among equals, so that the order is the same wherever it is made.
        while let Some(at) =
            (0..left.len()).reduce(|a, b| if likeness[left[b]] > likeness[left[a]] { b } else { a })
        {
            let taken = left.remove(at);
            order.push(taken);
            likeness.iter_mut().for_each(|like| *like *= fading);
            for &run in &self.runs[taken] {
                let shared = self.weights[run] / self.sizes[taken];
                for &other in &self.sharing[run] {
                    likeness[other] += shared / self.sizes[other];
                }
            }
        }
        order
    }
}

/// The distinct runs of bytes in a function.
fn runs(function: &[u8]) -> Vec<u32> {
    let mut runs: Vec<u32> =
        function.windows(RUN).map(|run| u32::from_le_bytes([run[0], run[1], run[2], run[3]])).collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::Instruction::{Call, Drop, End, I64Const};
    use wasm_encoder::{
        EntityType, ExportKind, ExportSection, Function, ImportSection, TypeSection, ValType,
    };

    #[test]
    fn like_functions_stand_together() {
        let (a, b) = (b"one way to write a function", b"0123456789 and other digits");
        let functions: Vec<Vec<u8>> =
            (0..8u8).map(|n| [if n % 2 == 0 { &a[..] } else { &b[..] }, &[n; 5]].concat()).collect();
        let functions: Vec<&[u8]> = functions.iter().map(Vec::as_slice).collect();
        // The runs are not in more functions than a few of very many.
        let many: Vec<&[u8]> = functions.into_iter().chain([&b""[..]; 64]).collect();
        let order = Common::of(&many).order(0.7);
        let kinds: Vec<usize> = order.iter().filter(|&&n| n < 8).map(|n| n % 2).collect();
        assert_eq!(kinds, [0, 0, 0, 0, 1, 1, 1, 1]);
        let mut all = order;
        all.sort_unstable();
        assert_eq!(all, (0..72).collect::<Vec<_>>(), "each stands once");
    }

    #[test]
    fn calls_find_functions_in_their_new_places() {
        // What only two of few have is rare enough to be compared.
        const OTHERS: usize = 6;
        // An imported function; the second of the module's own calls it and the third, and the
        // first and the third are alike.
        let mut types = TypeSection::new();
        types.ty().function([], []);
        types.ty().function([], [ValType::I64]);
        let mut imports = ImportSection::new();
        imports.import("a", "f", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        functions.function(1).function(0).function(1);
        (0..OTHERS).for_each(|_| {
            functions.function(0);
        });
        let mut exports = ExportSection::new();
        exports.export("alike", ExportKind::Func, 3);
        let mut code = CodeSection::new();
        let alike = [I64Const(0x123456789), End];
        let others = [&[End][..]; OTHERS];
        for body in [&alike[..], &[Call(0), Call(3), Drop, End], &alike].into_iter().chain(others) {
            let mut function = Function::new([]);
            body.iter().for_each(|instruction| {
                function.instruction(instruction);
            });
            code.function(&function);
        }
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&exports).section(&code);
        let arranged = &by_likeness(&module.finish(), &[0.7]).unwrap()[0];

        let read = Functions::read(arranged).unwrap();
        let operators = |body: &FunctionBody<'_>| -> Vec<String> {
            body.get_operators_reader().unwrap().into_iter().map(|o| format!("{:?}", o.unwrap())).collect()
        };
        let calls: Vec<Vec<String>> = read.bodies.iter().map(operators).collect();
        assert_eq!(calls[0], calls[1], "both that are alike come first");
        assert!(calls[2][..2] == ["Call { function_index: 0 }", "Call { function_index: 2 }"], "{calls:?}");
        for payload in Parser::new(0).parse_all(arranged) {
            match payload.unwrap() {
                Payload::FunctionSection(types) => {
                    let types: Vec<u32> = types.into_iter().map(|ty| ty.unwrap()).collect();
                    assert_eq!(types[..3], [1, 1, 0]);
                }
                Payload::ExportSection(exports) => {
                    assert!(exports.into_iter().all(|export| export.unwrap().index == 2));
                }
                _ => {}
            }
        }
    }

    #[test]
    fn what_is_no_module_is_refused() {
        for bytes in
            [&b""[..], b"\0asm", b"\0asm\x01\0\0\0\x0a\x7f", b"\0asm\x01\0\0\0\x02\x05\x01\x01a\x01f\x09"]
        {
            assert!(by_likeness(bytes, &[0.7]).is_err(), "{bytes:?}");
        }
    }
}
