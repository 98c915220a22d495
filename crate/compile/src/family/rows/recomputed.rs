//! Short reductions that are computed again for each element they are repeated for.

use crate::cluster::row_length;
use crate::family::Unfused;
use crate::lower::eval::UNROLL;
use weft_ir::op::{Class, facts};
use weft_ir::program::{ProgramId, TensorProgram};

/// Nodes looked at between the short reduction and the long ones.
const NEAR_READERS: usize = 32;

/// Whether a short reduction is cheap and goes, repeated, into a long reduction over another axis:
/// the distance of two of many bodies does. One kernel for the long one then computes it on the
/// way, and nothing is stored for each pair.
pub fn is_one_of_pairs(unfused: &Unfused<'_>, id: ProgramId) -> bool {
    let Unfused { program, readers, limits, .. } = *unfused;
    if !is_cheap(program, id, limits.model.fusion.cheap_again) {
        return false;
    }
    let size = program[program[id].inputs[0]].shape.size();
    let (mut open, mut seen, mut summed) = (vec![id], 0, false);
    while let Some(next) = open.pop() {
        for &reader in &readers[next.index()] {
            seen += 1;
            match facts(&program[reader].op).class {
                Class::Elementwise | Class::View | Class::Identity if seen <= NEAR_READERS => {
                    open.push(reader)
                }
                Class::Reduction if row_length(program, reader) > UNROLL => {
                    summed |= program[program[reader].inputs[0]].shape.size() == size;
                }
                _ => return false,
            }
        }
    }
    summed
}

/// Whether a short reduction of what is stored, or nearly, takes no more than `most` operations in
/// all: a distance in three dimensions does.
fn is_cheap(program: &TensorProgram, id: ProgramId, most: usize) -> bool {
    let length = row_length(program, id);
    let (mut stack, mut operations) = (vec![program[id].inputs[0]], 1);
    while let Some(below) = stack.pop() {
        let facts = facts(&program[below].op);
        match facts.class {
            Class::Elementwise | Class::View | Class::Identity => stack.extend(&program[below].inputs),
            Class::Leaf => {}
            _ => return false,
        }
        operations += facts.cost;
        if operations * length > most || stack.len() > most {
            return false;
        }
    }
    true
}
