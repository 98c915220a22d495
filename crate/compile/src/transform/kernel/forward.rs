//! Forward mode of kernels: beside every value its tangent (dual numbers).

use super::activity::{Asked, activity};
use super::prepare::{Prepared, prepared};
use super::reverse::{equal_share, store_counts};
use super::roles::{Derived, Role, Yield};
use super::rules::shares;
use super::ssa::{Item, Ssa, ssa};
use super::stages::{Roles, finished_kernel};
use super::sweep::{Beside, forward};
use super::tally::{Tallies, tallies};
use weft_ir::user_kernel::{
    ArrayId, Combine, Edge, Expr, ExprId, Initial, LocalId, Output, OutputId, Stmt, TensorId, UserKernel,
};
use weft_ir::{DType, HashMap, Literal, Result};

/// The kernels that give the tangents of outputs, given those of the inputs `asked` for; in the
/// order in which they run. An output that is not yielded has a zero tangent.
///
/// Errors as [`super::reverse`].
pub fn forward_kernels(kernel: &UserKernel, asked: Asked) -> Result<Vec<Derived>> {
    let Prepared { kernel, scalars, inputs, outputs: stored } = prepared(kernel, "forward mode", asked)?;
    let tensors = kernel.tensors.len();
    let asked = Asked { inputs: &inputs, outputs: &stored };
    let extremes: Vec<bool> = kernel
        .outputs
        .iter()
        .zip(&stored)
        .map(|(it, &stored)| stored && matches!(it.combine, Combine::Min | Combine::Max))
        .collect();
    let none = vec![false; extremes.len()];
    let of_extremes = Asked { inputs: &inputs, outputs: &extremes };
    let Tallies { mut kernels, .. } = tallies(&kernel, &scalars, &HashMap::default(), of_extremes, &none)?;

    let types = kernel.types().expect("a kernel that was verified");
    let activity = activity(&kernel, &|x| types[x.index()], asked);
    let mut ssa = ssa(&kernel, &activity, &inputs, &HashMap::default());
    let mut roles = Roles::of(&kernel, scalars);
    let mut duals = Duals::default();
    for (i, it) in kernel.tensors.iter().enumerate().filter(|(i, it)| inputs[*i] && it.dtype == DType::F32) {
        let tangent = roles.tensor(&mut ssa.arena, Role::Tangent(i), it.rank);
        duals.tensors.insert(TensorId(i as u32), tangent);
    }
    for (n, it) in kernel.scalars.iter().enumerate() {
        if inputs[tensors + n] && it.dtype == DType::F32 {
            roles.scalars.push(Role::Tangent(tensors + n));
            duals.scalars.insert(n as u32, ssa.arena.scalar("tangent", DType::F32));
        }
    }
    for i in (0..ssa.active_arrays.len()).filter(|&i| activity.arrays[i]) {
        let it = kernel.arrays[i].clone();
        duals
            .arrays
            .insert(ArrayId(i as u32), ssa.arena.array(&format!("d_{}", it.name), it.dtype, it.length));
    }
    let mut yields = Vec::new();
    for (i, output) in kernel.outputs.iter().enumerate().filter(|(i, _)| stored[*i]) {
        let id = OutputId(i as u32);
        let extreme = extremes[i].then(|| {
            let result = roles.tensor(&mut ssa.arena, Role::Result(i), output.rank);
            (result, roles.tensor(&mut ssa.arena, Role::Count(i), output.rank))
        });
        let begins = matches!(output.initial, Initial::Tensor(tensor) if duals.tensors.contains_key(&tensor));
        let initial = if begins {
            Initial::Tensor(roles.tensor(&mut ssa.arena, Role::Initial(i), output.rank))
        } else {
            Initial::Value(Literal::F32(0.0))
        };
        let combine = if extreme.is_some() { Combine::Add } else { output.combine };
        let name = format!("d_{}", output.name);
        let to = ssa.arena.output(Output { name, combine, initial, ..output.clone() });
        yields.push((to, Yield::Tangent(i)));
        duals.stores.insert(id, (to, extreme));
    }
    let items = std::mem::take(&mut ssa.items);
    let body = forward(&mut ssa, &items, &mut duals);
    if let Some(derived) = finished_kernel(ssa.arena, body, "tangent", &roles, &yields, &[])? {
        kernels.push(derived);
    }
    Ok(kernels)
}

/// Tangents beside values.
#[derive(Default)]
struct Duals {
    locals: HashMap<LocalId, LocalId>,
    arrays: HashMap<ArrayId, ArrayId>,
    tensors: HashMap<TensorId, TensorId>,
    scalars: HashMap<u32, u32>,
    /// Where the tangent of what is stored goes; of the least and the greatest, the result and the
    /// count.
    stores: HashMap<OutputId, (OutputId, Option<(TensorId, TensorId)>)>,
}

impl Duals {
    /// The local of the tangent of a local.
    fn local(&mut self, ssa: &mut Ssa, local: LocalId) -> LocalId {
        *self.locals.entry(local).or_insert_with(|| {
            let name = format!("d_{}", ssa.arena.kernel.locals[local.index()].name);
            ssa.arena.local(&name, DType::F32)
        })
    }

    /// The tangent of a value, if it has one.
    fn of(&mut self, ssa: &mut Ssa, value: ExprId) -> Option<ExprId> {
        if !ssa.is_active(value) {
            return None;
        }
        match *ssa.arena.expr(value) {
            Expr::Local(local) => {
                let local = self.local(ssa, local);
                Some(ssa.arena.read(local))
            }
            Expr::Scalar(n) => {
                let tangent = *self.scalars.get(&n)?;
                Some(ssa.arena.push(Expr::Scalar(tangent)))
            }
            _ => None,
        }
    }

    fn or_zero(&mut self, ssa: &mut Ssa, value: ExprId) -> ExprId {
        self.of(ssa, value).unwrap_or_else(|| ssa.arena.f32(0.0))
    }

    /// The tangent of the result `y` of an operation.
    fn operation(&mut self, ssa: &mut Ssa, expr: &Expr, y: ExprId) -> ExprId {
        match expr {
            Expr::Load(tensor, indices, edge) => {
                let edge = match *edge {
                    Edge::Fill(value) => Edge::Fill(self.or_zero(ssa, value)),
                    edge => edge,
                };
                match self.tensors.get(tensor) {
                    Some(&tangent) => ssa.arena.push(Expr::Load(tangent, indices.clone(), edge)),
                    // Only the fill value has one.
                    None => {
                        let Edge::Fill(outside) = edge else { return ssa.arena.f32(0.0) };
                        let (_, all) = super::ssa::inside(&mut ssa.arena, *tensor, indices, edge);
                        let zero = ssa.arena.f32(0.0);
                        all.map_or(zero, |all| ssa.arena.select(all, zero, outside))
                    }
                }
            }
            Expr::Element(array, index) => match self.arrays.get(array) {
                Some(&tangent) => ssa.arena.element(tangent, *index),
                None => ssa.arena.f32(0.0),
            },
            _ => {
                let mut sum = None;
                let mut operands = Vec::new();
                expr.for_each_operand(|x| operands.push(x));
                operands.sort_unstable();
                operands.dedup();
                for operand in operands {
                    let Some(tangent) = self.of(ssa, operand) else { continue };
                    for (_, share) in shares(&mut ssa.arena, expr, y, tangent, &|x| x == operand) {
                        sum = Some(match sum {
                            Some(sum) => ssa.arena.add(sum, share),
                            None => share,
                        });
                    }
                }
                sum.unwrap_or_else(|| ssa.arena.f32(0.0))
            }
        }
    }
}

impl Beside for Duals {
    fn defined(&mut self, ssa: &mut Ssa, local: LocalId, value: ExprId, out: &mut Vec<Stmt>) {
        let y = ssa.arena.read(local);
        if ssa.is_active(y) {
            let expr = ssa.arena.expr(value).clone();
            let tangent = self.operation(ssa, &expr, y);
            out.push(Stmt::Let(self.local(ssa, local), tangent));
        }
    }

    fn set_element(&mut self, ssa: &mut Ssa, item: &Item, out: &mut Vec<Stmt>) {
        let Item::SetElement { array, index, value, .. } = item else { unreachable!("a write") };
        if let Some(&own) = self.arrays.get(array) {
            let tangent = self.or_zero(ssa, *value);
            out.push(Stmt::SetElement(own, *index, tangent));
        }
        out.push(Stmt::SetElement(*array, *index, *value));
    }

    fn store(&mut self, ssa: &mut Ssa, item: &Item, out: &mut Vec<Stmt>) {
        let Item::Store { output, indices, value, .. } = item else { unreachable!("a store") };
        let Some(&(to, extreme)) = self.stores.get(output) else { return };
        let replaces = ssa.arena.kernel.outputs[output.index()].combine == Combine::Set;
        let tangent = match self.of(ssa, *value) {
            Some(tangent) => tangent,
            // What was set before is replaced all the same.
            None if replaces => ssa.arena.f32(0.0),
            None => return,
        };
        let arena = &mut ssa.arena;
        let value = match store_counts(arena, None, None, extreme, indices, *value, None).zip(extreme) {
            Some((won, (_, count))) => {
                let zero = arena.f32(0.0);
                let share = equal_share(arena, count, indices, tangent);
                arena.select(won, share, zero)
            }
            None => tangent,
        };
        out.push(Stmt::Store { output: to, indices: indices.clone(), value, before: None });
    }

    fn passed(&mut self, ssa: &mut Ssa, pairs: &[(LocalId, ExprId)]) -> Vec<(LocalId, ExprId)> {
        let mut tangents = Vec::new();
        for &(local, value) in pairs {
            let read = ssa.arena.read(local);
            if ssa.is_active(read) {
                tangents.push((self.local(ssa, local), self.or_zero(ssa, value)));
            }
        }
        tangents
    }
}
