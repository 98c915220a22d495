//! Which functions of `shaders/prelude.wgsl` a kernel needs: the file cut into its declarations, each with the declarations it
//! mentions, so that a kernel carries no more than it calls.

use super::source::{plain, plain_length, text};
use std::sync::OnceLock;
use weft_ir::kernel::Function;

/// The prelude's source, without its comments.
pub const SOURCE: &str = text(&PLAIN);

const FILE: &[u8] = include_bytes!("../../../../shaders/prelude.wgsl");
const PLAIN: [u8; plain_length(FILE)] = plain(FILE);

/// What a prelude [`Function`] is called in WGSL.
pub const fn name(function: Function) -> &'static str {
    match function {
        Function::Exp => "exp_f32",
        Function::Log => "log_f32",
        Function::Sin => "sin_f32",
        Function::Cos => "cos_f32",
        Function::Tanh => "tanh_f32",
        Function::Sigmoid => "sigmoid_f32",
        Function::Erf => "erf_f32",
        Function::ErfInv => "erf_inv_f32",
        Function::NormalCdf => "normal_cdf_f32",
        Function::Rsqrt => "rsqrt_f32",
        Function::SignF32 => "sign_f32",
        Function::IsNan => "is_nan",
        Function::PowF32 => "pow_f32",
        Function::PowI32 => "pow_i32",
        Function::PowU32 => "pow_u32",
        Function::MinF32 => "min_f32",
        Function::MaxF32 => "max_f32",
        Function::DivF32 => "div_f32",
        Function::FloorDivF32 => "floor_div_f32",
        Function::RemF32 => "rem_f32",
        Function::FloorDivI32 => "floor_div_i32",
        Function::DivU32 => "div_u32",
        Function::FloorRemI32 => "floor_rem_i32",
        Function::RemU32 => "rem_u32",
        Function::F32ToI32 => "f32_to_i32",
        Function::F32ToU32 => "f32_to_u32",
        Function::U32ToF32 => "u32_to_f32",
        Function::FromBits => "from_bits",
    }
}

/// One declaration of the prelude.
#[derive(Debug)]
pub struct Item {
    /// What it declares.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// Positions of the items it mentions.
    needs: Vec<usize>,
}

/// The prelude, cut into declarations.
#[derive(Debug)]
pub struct Prelude {
    items: Vec<Item>,
}

impl Prelude {
    /// The prelude, parsed on first use.
    pub fn get() -> &'static Prelude {
        static PRELUDE: OnceLock<Prelude> = OnceLock::new();
        PRELUDE.get_or_init(Prelude::parse)
    }

    /// Declarations stand apart by blank lines, and have none inside.
    fn parse() -> Prelude {
        let mut items: Vec<Item> = SOURCE
            .split("\n\n")
            .filter_map(|paragraph| {
                let text = paragraph.trim();
                let name = words(text).nth(1)?;
                Some(Item { name, text, needs: Vec::new() })
            })
            .collect();
        for i in 0..items.len() {
            let mentioned = |j: &usize| *j != i && words(items[i].text).any(|w| w == items[*j].name);
            items[i].needs = (0..items.len()).filter(mentioned).collect();
        }
        Prelude { items }
    }

    /// The names of all declarations.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.items.iter().map(|item| item.name)
    }

    /// The declarations called `names` and all they need, in the file's order.
    pub fn with_dependencies(&self, names: &[&str]) -> Vec<&Item> {
        let mut wanted: Vec<usize> =
            (0..self.items.len()).filter(|&i| names.contains(&self.items[i].name)).collect();
        let mut needed = vec![false; self.items.len()];
        while let Some(i) = wanted.pop() {
            if !std::mem::replace(&mut needed[i], true) {
                wanted.extend(&self.items[i].needs);
            }
        }
        self.items.iter().zip(needed).filter(|(_, needed)| *needed).map(|(item, _)| item).collect()
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_declared_once() {
        for function in Function::ALL {
            let declared = Prelude::get().names().filter(|n| *n == name(function)).count();
            assert_eq!(declared, 1, "{}", name(function));
        }
    }

    #[test]
    fn a_function_comes_with_what_it_calls_and_nothing_else() {
        let names = |wanted: &[&str]| -> Vec<&str> {
            Prelude::get().with_dependencies(wanted).iter().map(|item| item.name).collect()
        };
        assert_eq!(names(&["max_f32"]), ["is_nan", "max_f32"]);
        assert!(names(&["sigmoid_f32"]).contains(&"exp_f32"));
        assert!(names(&[]).is_empty());
    }
}
