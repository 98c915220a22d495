//! Order of the functions in the WebAssembly, similar ones beside each other.
//!
//! Gzip looks back 32 KB and no further, and Rust compiles generic code to much the same for each
//! type: the order alone decides a quarter of the download. Each function in turn is the one most
//! similar to those before it, by the runs of four bytes that they have in common, weighted by
//! their rarity. `wasm-opt` can order functions by name, and renumbers their callers, so it gets
//! the order as names.

use crate::error::{Error, Result};
use std::collections::HashMap;

/// Bytes of a run.
const RUN: usize = 4;
/// How much likeness to a function counts when another stands after it. Which is best changes with
/// every build, by up to 2 KB, so each is tried.
pub const FADINGS: [f32; 4] = [0.5, 0.6, 0.7, 0.8];

const IMPORTS: u8 = 2;
const CODE: u8 = 10;
const CUSTOM: u8 = 0;
/// The subsection of a name section that has the names of functions.
const FUNCTION_NAMES: u8 = 1;
const FUNCTION: u8 = 0;

/// The module `wasm`, which must have no names, with names for its functions that sort as they are to stand,
/// where likeness fades by `fading`.
pub fn named_by_likeness(wasm: &[u8], fading: f32) -> Result<Vec<u8>> {
    let module =
        Module::read(wasm).ok_or_else(|| Error::Check("this is not the WebAssembly of wasm-opt".into()))?;
    let mut names = vec![String::new(); module.imported];
    names.resize(module.imported + module.functions.len(), String::new());
    for (place, function) in by_likeness(&module.functions, fading).into_iter().enumerate() {
        names[module.imported + function] = format!("f{place:06}");
    }
    let mut list = Vec::new();
    let named = names.iter().enumerate().skip(module.imported);
    write(&mut list, module.functions.len());
    for (number, name) in named {
        write(&mut list, number);
        write(&mut list, name.len());
        list.extend(name.as_bytes());
    }
    let mut section = b"\x04name".to_vec();
    section.push(FUNCTION_NAMES);
    write(&mut section, list.len());
    section.extend(list);
    let mut out = wasm.to_vec();
    out.push(CUSTOM);
    write(&mut out, section.len());
    out.extend(section);
    Ok(out)
}

/// The functions' numbers, each after those it is most like.
fn by_likeness(functions: &[&[u8]], fading: f32) -> Vec<usize> {
    let runs: Vec<Vec<u32>> = functions.iter().map(|function| runs(function)).collect();
    let mut having: HashMap<u32, Vec<usize>> = HashMap::new();
    for (number, runs) in runs.iter().enumerate() {
        for &run in runs {
            having.entry(run).or_default().push(number);
        }
    }
    // What many have says little about any, and is most of the work.
    let most = functions.len() / 8 + 1;
    having.retain(|_, functions| functions.len() <= most);
    let weight = |sharing: usize| ((functions.len() + 1) as f32 / (sharing + 1) as f32).ln();
    let size = |runs: &Vec<u32>| {
        let weights = runs.iter().filter_map(|run| having.get(run)).map(|sharing| weight(sharing.len()));
        weights.sum::<f32>().max(1.0).sqrt()
    };
    let sizes: Vec<f32> = runs.iter().map(size).collect();
    let mut likeness = vec![0.0f32; functions.len()];
    let mut left: Vec<usize> = (0..functions.len()).collect();
    let mut order = Vec::with_capacity(functions.len());
    // The first among equals, so that the order is the same wherever it is made.
    while let Some(at) =
        (0..left.len()).reduce(|a, b| if likeness[left[b]] > likeness[left[a]] { b } else { a })
    {
        let taken = left.remove(at);
        order.push(taken);
        likeness.iter_mut().for_each(|like| *like *= fading);
        for sharing in runs[taken].iter().filter_map(|run| having.get(run)) {
            let shared = weight(sharing.len()) / sizes[taken];
            for &other in sharing {
                likeness[other] += shared / sizes[other];
            }
        }
    }
    order
}

/// The distinct runs of bytes in a function.
fn runs(function: &[u8]) -> Vec<u32> {
    let mut runs: Vec<u32> =
        function.windows(RUN).map(|run| u32::from_le_bytes([run[0], run[1], run[2], run[3]])).collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

/// What is to be known of a module here.
struct Module<'a> {
    /// Number of functions that are imported, which come before its own.
    imported: usize,
    /// The bytes of each function.
    functions: Vec<&'a [u8]>,
}

impl<'a> Module<'a> {
    fn read(wasm: &'a [u8]) -> Option<Module<'a>> {
        let mut module = Module { imported: 0, functions: Vec::new() };
        let mut rest = Bytes(wasm.strip_prefix(b"\0asm\x01\0\0\0")?);
        while let Some(id) = rest.byte() {
            let mut section = Bytes(rest.counted()?);
            match id {
                IMPORTS => {
                    for _ in 0..section.number()? {
                        module.imported += usize::from(section.import()?);
                    }
                }
                CODE => {
                    for _ in 0..section.number()? {
                        module.functions.push(section.counted()?);
                    }
                }
                _ => {}
            }
        }
        Some(module)
    }
}

/// Bytes that are read from the front.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// A number in LEB128.
    fn number(&mut self) -> Option<usize> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7F).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
            shift += 7;
        }
    }

    /// As many bytes as the number in front of them says.
    fn counted(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        let (counted, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(counted)
    }

    /// Passes an import, and tells whether it is a function. Others than tables, memories and globals are not known.
    fn import(&mut self) -> Option<bool> {
        self.counted()?;
        self.counted()?;
        let kind = self.byte()?;
        match kind {
            FUNCTION => {
                self.number()?;
            }
            1 | 2 => {
                if kind == 1 {
                    self.byte()?;
                }
                let bounded = self.byte()? & 1 == 1;
                self.number()?;
                if bounded {
                    self.number()?;
                }
            }
            3 => {
                self.byte()?;
                self.byte()?;
            }
            _ => return None,
        }
        Some(kind == FUNCTION)
    }
}

/// Appends a number in LEB128.
fn write(out: &mut Vec<u8>, mut number: usize) {
    while number > 0x7F {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_functions_stand_together() {
        let (a, b) = (b"one way to write a function", b"0123456789 and other digits");
        let functions: Vec<Vec<u8>> =
            (0..8u8).map(|n| [if n % 2 == 0 { &a[..] } else { &b[..] }, &[n; 5]].concat()).collect();
        let functions: Vec<&[u8]> = functions.iter().map(Vec::as_slice).collect();
        // The runs are not in more functions than a few of very many.
        let many: Vec<&[u8]> = functions.into_iter().chain([&b""[..]; 64]).collect();
        let order = by_likeness(&many, 0.7);
        let kinds: Vec<usize> = order.iter().filter(|&&n| n < 8).map(|n| n % 2).collect();
        assert_eq!(kinds, [0, 0, 0, 0, 1, 1, 1, 1]);
        let mut all = order;
        all.sort_unstable();
        assert_eq!(all, (0..72).collect::<Vec<_>>(), "each stands once");
    }

    #[test]
    fn functions_get_names_behind_what_is_imported() {
        // One imported function and a memory, and two functions of their own.
        let imports = b"\x02\x0e\x02\x01a\x01f\x00\x00\x01a\x01m\x02\x00\x01";
        let code = b"\x0a\x06\x02\x02\x00\x0b\x01\x0b";
        let module = [&b"\0asm\x01\0\0\0"[..], imports, code].concat();
        let named = named_by_likeness(&module, 0.7).unwrap();
        let names = b"\x00\x1a\x04name\x01\x13\x02\x01\x07f000000\x02\x07f000001";
        assert_eq!(&named[..module.len()], module);
        assert_eq!(&named[module.len()..], names);
    }

    #[test]
    fn what_is_no_module_is_refused() {
        for bytes in
            [&b""[..], b"\0asm", b"\0asm\x01\0\0\0\x0a\x7f", b"\0asm\x01\0\0\0\x02\x05\x01\x01a\x01f\x09"]
        {
            assert!(named_by_likeness(bytes, 0.7).is_err(), "{bytes:?}");
        }
    }
}
