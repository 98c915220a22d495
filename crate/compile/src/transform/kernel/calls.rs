//! Calls of derived kernels, in place of a call of the one they were derived from.

use super::activity::Asked;
use super::batch::{Batched, batched};
use super::forward::forward_kernels;
use super::roles::{Derived, Role, Sizes, Yield};
use super::stages::reverse_kernels;
use crate::transform::batch::{Item, whole};
use std::rc::Rc;
use weft_ir::build::{Build, Ref};
use weft_ir::op::{Compare, KernelCall, Op, View};
use weft_ir::user_kernel::{Combine, Initial, UserKernel};
use weft_ir::{DType, HashMap, Literal, Result, Shape};

/// The cotangents of a kernel's inputs that are `wanted`, given those of its outputs; `None` where
/// they are zero.
pub(in crate::transform) fn pull(
    emit: &mut dyn Build,
    call: &KernelCall,
    inputs: &[Ref],
    cotangents: &[Option<Ref>],
    wanted: &[bool],
) -> Result<Vec<Option<Ref>>> {
    let kernel = &*call.kernel;
    let wanted: Vec<bool> =
        wanted.iter().zip(inputs).map(|(&wanted, &x)| wanted && emit.dtype(x).is_float()).collect();
    let seeded: Vec<bool> = cotangents.iter().map(Option::is_some).collect();
    // An output with a cotangent passes it to what it began as.
    let begun: Vec<Option<usize>> = kernel
        .outputs
        .iter()
        .zip(&seeded)
        .map(|(it, &seeded)| match it.initial {
            Initial::Tensor(tensor) if seeded && it.dtype.is_float() && wanted[tensor.index()] => {
                Some(tensor.index())
            }
            _ => None,
        })
        .collect();
    let shapes: Vec<Shape> = inputs.iter().map(|&x| emit.shape(x)).collect();
    let sizes = Sizes { grid: &call.grid, inputs: &shapes };
    let initial: Vec<bool> = begun.iter().map(Option::is_some).collect();
    let kernels = reverse_kernels(kernel, sizes, Asked { inputs: &wanted, outputs: &seeded }, &initial)?;
    let mut calls = Calls::new(call, inputs);
    for (i, &cotangent) in cotangents.iter().enumerate() {
        if let Some(cotangent) = cotangent {
            calls.known.insert(Role::Cotangent(i), cotangent);
        }
    }
    let mut found: Vec<Option<Ref>> = vec![None; inputs.len()];
    for derived in kernels {
        for (yielded, x) in calls.run(emit, derived)? {
            let Yield::Gradient { input, axes } = yielded else { continue };
            let gradient = match axes {
                Some(axes) => summed(emit, x, &axes, &shapes[input])?,
                None => x,
            };
            add(emit, &mut found[input], gradient)?;
        }
    }
    for (i, begun) in begun.iter().enumerate() {
        if let (Some(input), Some(cotangent)) = (*begun, cotangents[i]) {
            let share = calls.of_initial(emit, i, cotangent)?;
            add(emit, &mut found[input], share)?;
        }
    }
    Ok(found)
}

/// The tangents of a kernel's outputs, given those of its inputs; `None` where they are zero.
pub(in crate::transform) fn push(
    emit: &mut dyn Build,
    call: &KernelCall,
    inputs: &[Ref],
    tangents: &[Option<Ref>],
) -> Result<Vec<Option<Ref>>> {
    let kernel = &*call.kernel;
    let active: Vec<bool> = tangents.iter().map(Option::is_some).collect();
    let all = vec![true; kernel.outputs.len()];
    let kernels = forward_kernels(kernel, Asked { inputs: &active, outputs: &all })?;
    let mut calls = Calls::new(call, inputs);
    for (i, &tangent) in tangents.iter().enumerate() {
        if let Some(tangent) = tangent {
            calls.known.insert(Role::Tangent(i), tangent);
        }
    }
    let mut found: Vec<Option<Ref>> = vec![None; kernel.outputs.len()];
    for derived in kernels {
        for (yielded, x) in calls.run(emit, derived)? {
            if let Yield::Tangent(output) = yielded {
                found[output] = Some(x);
            }
        }
    }
    // Where nothing that is stored has a tangent, there is that of what was there before.
    for (i, output) in kernel.outputs.iter().enumerate() {
        if let (None, Initial::Tensor(tensor)) = (&found[i], &output.initial)
            && output.dtype.is_float()
            && let Some(tangent) = tangents[tensor.index()]
        {
            found[i] = Some(calls.of_initial(emit, i, tangent)?);
        }
    }
    Ok(found)
}

/// The outputs of a kernel for every member of a batch of `size`, where at least one input is
/// batched.
pub(in crate::transform) fn batch(
    emit: &mut dyn Build,
    call: &KernelCall,
    items: &[Item],
    size: usize,
) -> Result<Vec<Item>> {
    let mut items = items.to_vec();
    for output in &call.kernel.outputs {
        if let Initial::Tensor(tensor) = output.initial {
            let item = &mut items[tensor.index()];
            *item = Item { x: whole(emit, *item, size)?, batched: true };
        }
    }
    let flags: Vec<bool> = items.iter().map(|item| item.batched).collect();
    let Batched { kernel, inputs } = batched(&call.kernel, &flags)?;
    let more = |shape: &Shape| -> Shape { [&[size][..], shape].concat().into() };
    let shapes = call.shapes.iter().map(more).collect();
    let inputs: Vec<Ref> = inputs.into_iter().map(|i| items[i].x).collect();
    let call = KernelCall { kernel: Rc::new(kernel), grid: more(&call.grid), shapes };
    let found = emit.region(Op::Kernel(Rc::new(call)), &inputs)?;
    Ok(found.into_iter().map(|x| Item { x, batched: true }).collect())
}

fn add(emit: &mut dyn Build, sum: &mut Option<Ref>, x: Ref) -> Result<()> {
    *sum = Some(match *sum {
        Some(before) => emit.add(before, x)?,
        None => x,
    });
    Ok(())
}

/// An element an invocation, summed over all axes of the grid but `axes`, in their order; with
/// zeros where `shape` goes on.
fn summed(emit: &mut dyn Build, x: Ref, axes: &[usize], shape: &Shape) -> Result<Ref> {
    let rank = emit.shape(x).rank();
    let others: Vec<usize> = (0..rank).filter(|axis| !axes.contains(axis)).collect();
    let mut x = if others.is_empty() { x } else { emit.sum(x, &others)? };
    // What is left is in the order of the grid.
    let mut left = axes.to_vec();
    left.sort_unstable();
    let order: Vec<usize> =
        axes.iter().map(|axis| left.iter().position(|other| other == axis).expect("one of them")).collect();
    if !order.is_sorted() {
        x = emit.permute(x, &order)?;
    }
    if emit.shape(x) != *shape {
        let low = vec![weft_ir::op::Coefficient::Const(0); shape.rank()];
        let interior = vec![0; shape.rank()];
        let value = Literal::F32(0.0);
        x = emit.op(Op::View(View::Pad { low, interior, shape: shape.clone(), value }), &[x])?;
    }
    Ok(x)
}

/// The calls of the kernels of a derivative, and what they gave so far.
struct Calls<'a> {
    call: &'a KernelCall,
    inputs: &'a [Ref],
    known: HashMap<Role, Ref>,
}

impl<'a> Calls<'a> {
    fn new(call: &'a KernelCall, inputs: &'a [Ref]) -> Calls<'a> {
        Calls { call, inputs, known: HashMap::default() }
    }

    fn kernel(&self) -> &'a UserKernel {
        &self.call.kernel
    }

    /// Runs a kernel; what it gives.
    fn run(&mut self, emit: &mut dyn Build, derived: Derived) -> Result<Vec<(Yield, Ref)>> {
        let mut inputs = Vec::with_capacity(derived.inputs.len());
        for &role in &derived.inputs {
            inputs.push(self.input(emit, role)?);
        }
        let grid = derived.grid.as_ref().unwrap_or(&self.call.grid);
        let shapes = derived.outputs.iter().map(|yielded| match yielded {
            Yield::Owner(i) | Yield::Last(i) | Yield::Count(i) | Yield::Tangent(i) => {
                self.call.shapes[*i].clone()
            }
            Yield::Gradient { axes: Some(_), .. } => grid.clone(),
            Yield::Stored { shape, .. } => shape.clone(),
            Yield::Gradient { input, .. } => emit.shape(self.inputs[*input]),
        });
        let call =
            KernelCall { shapes: shapes.collect(), grid: grid.clone(), kernel: Rc::new(derived.kernel) };
        let found = emit.region(Op::Kernel(Rc::new(call)), &inputs)?;
        for (yielded, &x) in derived.outputs.iter().zip(&found) {
            match *yielded {
                Yield::Owner(i) => {
                    self.known.insert(Role::Owner(i), x);
                }
                Yield::Last(i) => {
                    self.known.insert(Role::Last(i), x);
                }
                Yield::Count(i) => {
                    let begun = self.equals_initial(emit, i)?;
                    let begun = emit.cast(begun, DType::U32)?;
                    let count = emit.add(x, begun)?;
                    self.known.insert(Role::Count(i), count);
                }
                Yield::Stored { number, .. } => {
                    self.known.insert(Role::Stored(number), x);
                }
                Yield::Gradient { .. } | Yield::Tangent(_) => {}
            }
        }
        Ok(derived.outputs.into_iter().zip(found).collect())
    }

    fn input(&mut self, emit: &mut dyn Build, role: Role) -> Result<Ref> {
        if let Some(&known) = self.known.get(&role) {
            return Ok(known);
        }
        let made = match role {
            Role::Input(i) => self.inputs[i],
            Role::Result(i) => {
                let parts = emit.region(Op::Kernel(Rc::new(self.call.clone())), self.inputs)?;
                parts[i]
            }
            Role::OutputExtent(i, axis) => {
                let extent = self.call.shapes[i][axis] as i32;
                emit.op(Op::Constant(Literal::I32(extent)), &[])?
            }
            Role::Initial(i) => {
                let Initial::Tensor(tensor) = self.kernel().outputs[i].initial else {
                    unreachable!("only a tensor has a tangent")
                };
                let tangent = self.known[&Role::Tangent(tensor.index())];
                self.of_initial(emit, i, tangent)?
            }
            Role::Tangent(_)
            | Role::Cotangent(_)
            | Role::Owner(_)
            | Role::Last(_)
            | Role::Count(_)
            | Role::Stored(_)
            | Role::Before => unreachable!("an earlier kernel gives {role:?}"),
        };
        self.known.insert(role, made);
        Ok(made)
    }

    /// Where an output is what it began as.
    fn equals_initial(&mut self, emit: &mut dyn Build, output: usize) -> Result<Ref> {
        let result = self.input(emit, Role::Result(output))?;
        let initial = match self.kernel().outputs[output].initial {
            Initial::Tensor(tensor) => self.inputs[tensor.index()],
            Initial::Value(literal) => emit.full(literal, &self.call.shapes[output])?,
        };
        emit.compare(Compare::Eq, initial, result)
    }

    /// The derivative of what an output began as, given that of the output, or the other way round.
    fn of_initial(&mut self, emit: &mut dyn Build, output: usize, derivative: Ref) -> Result<Ref> {
        match self.kernel().outputs[output].combine {
            Combine::Set => match self.known.get(&Role::Owner(output)) {
                Some(&owner) => {
                    let untouched = emit.compare_number(Compare::Eq, owner, 0.0)?;
                    emit.keep_where(untouched, derivative)
                }
                // Stores take its place.
                None => Ok(derivative),
            },
            Combine::Min | Combine::Max => {
                let begun = self.equals_initial(emit, output)?;
                let share = match self.known.get(&Role::Count(output)) {
                    Some(&count) => {
                        let count = emit.cast(count, DType::F32)?;
                        emit.div(derivative, count)?
                    }
                    None => derivative,
                };
                emit.keep_where(begun, share)
            }
            Combine::Add | Combine::And | Combine::Or | Combine::Xor => Ok(derivative),
        }
    }
}
