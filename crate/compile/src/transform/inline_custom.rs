//! Inlining of functions with custom derivatives. Once the derivative of such a function was taken,
//! a derivative of that derivative goes through the function's operations, and not through the rule
//! again, as if the derivative had been written by hand.
//!
//! So where a pass meets such functions, what it writes reads their values as computed by their
//! programs. Both are the same, and are computed once. A function that calls itself inside its rule
//! asks for the rule at every order, and is not inlined.

use super::segment::Segment;
use crate::control::lower::BodyBuilder;
use std::rc::Rc;
use weft_ir::build::{Build, Ref};
use weft_ir::op::region::{self, Custom, Rule};
use weft_ir::op::{Loop, Op};
use weft_ir::program::TensorProgram;
use weft_ir::{HashMap, Result};

/// Whether a region is a function with a rule that holds once, or holds one.
pub(super) fn has_custom_rules(op: &Op) -> bool {
    has_custom_rule(op)
        || region::programs(op)
            .iter()
            .any(|program| program.nodes.iter().any(|node| has_custom_rules(&node.op)))
}

fn has_custom_rule(op: &Op) -> bool {
    matches!(op, Op::Custom(it) if !it.again && matches!(it.rule, Rule::Reverse(_) | Rule::Forward(_)))
}

/// The values that a pass over a segment with such functions reads, of the nodes for which they are
/// others than the nodes themselves.
///
/// Deferred: only second derivatives of custom rules need it.
pub(super) fn inlined_values(emit: &mut dyn Build, segment: &Segment) -> Result<HashMap<Ref, Ref>> {
    let mut values: HashMap<Ref, Ref> = HashMap::default();
    let mut results: HashMap<Ref, Vec<Ref>> = HashMap::default();
    for &node in &segment.order {
        let (op, inputs) = emit.definition(node);
        let own: Vec<Ref> = inputs.iter().map(|x| values.get(x).copied().unwrap_or(*x)).collect();
        match &op {
            Op::Part { index, .. } => {
                if let Some(all) = results.get(&inputs[0]) {
                    values.insert(node, all[*index]);
                }
            }
            Op::Custom(it) if has_custom_rule(&op) => {
                let all = emit.inline(&it.program, &own)?;
                results.insert(node, all);
            }
            op if region::is_region(op) => {
                if own != inputs || has_custom_rules(op) {
                    let all = emit.region(inlined_region(op)?, &own)?;
                    results.insert(node, all);
                }
            }
            _ if own == inputs => {}
            Op::Mark(_) => {
                values.insert(node, own[0]);
            }
            _ => {
                let value = emit.op(op, &own)?;
                values.insert(node, value);
            }
        }
    }
    Ok(values)
}

/// A program that computes the same without such functions.
///
/// Deferred: only second derivatives of custom rules need it.
pub(super) fn inlined(program: &TensorProgram) -> Result<TensorProgram> {
    if !program.nodes.iter().any(|node| has_custom_rules(&node.op)) {
        return Ok(program.clone());
    }
    let mut to = BodyBuilder::default();
    let mut leaves = to.all_like(program, program.leaves()).into_iter();
    let emit: &mut dyn Build = &mut to.builder;
    let mut numbers: Vec<Ref> = Vec::with_capacity(program.nodes.len());
    let mut results: HashMap<usize, Vec<Ref>> = HashMap::default();
    for (number, node) in program.nodes.iter().enumerate() {
        let inputs: Vec<Ref> = node.inputs.iter().map(|input| numbers[input.index()]).collect();
        let all = node.inputs.first().and_then(|input| results.get(&input.index()));
        numbers.push(match (&node.op, all) {
            (op, _) if op.is_given() => leaves.next().expect("there is one for each leaf"),
            (Op::Part { index, .. }, Some(all)) => all[*index],
            (Op::Custom(it), _) if has_custom_rule(&node.op) => {
                let all = emit.inline(&it.program, &inputs)?;
                results.insert(number, all);
                // Only its parts are read.
                Ref(u32::MAX)
            }
            (op, _) if has_custom_rules(op) => emit.op(inlined_region(op)?, &inputs)?,
            (op, _) => emit.op(op.clone(), &inputs)?,
        });
    }
    let outputs: Vec<Ref> = program.outputs.iter().map(|output| numbers[output.index()]).collect();
    Ok(to.builder.finish(&outputs, &[]))
}

/// A region whose programs have such functions inlined.
///
/// Deferred: only second derivatives of custom rules need it.
fn inlined_region(op: &Op) -> Result<Op> {
    Ok(match op {
        Op::Loop(it) => Op::Loop(Rc::new(Loop { body: inlined(&it.body)?, ..(**it).clone() })),
        Op::Branch(programs) => Op::Branch(Rc::new(programs.iter().map(inlined).collect::<Result<_>>()?)),
        Op::Custom(it) if !it.again => {
            let rule = match &it.rule {
                Rule::Each(one, batched) => Rule::Each(inlined(one)?, batched.clone()),
                rule => rule.clone(),
            };
            Op::Custom(Rc::new(Custom { program: inlined(&it.program)?, rule, ..(**it).clone() }))
        }
        op => op.clone(),
    })
}
