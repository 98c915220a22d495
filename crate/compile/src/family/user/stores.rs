//! Stores of a user's kernel: how outputs are made of what invocations store, whatever the order in
//! which they run.
//!
//! - *set at its own element*: a store;
//! - *set elsewhere*: the kernel runs twice. First the number of the last invocation that stores
//!   into an element is found by maximum, then that invocation's value is stored;
//! - *sums of floats*: see `sums.rs`;
//! - *minimum, maximum* of floats: atomics on unsigned integers in the order of the floats, with
//!   NaN beyond all, in the output itself, which a kernel makes floats of at the end;
//! - everything else: atomics on the output itself.

use super::body::{Body, OwnStore};
use super::locals::stores_once;
use super::roles::{Extreme, Role, key_of, write};
use super::sums;
use crate::lower::eval::Binding;
use weft_ir::kernel::{self, AtomicOp, BinaryOp, ExprId as Value, Space, Stmt as Code};
use weft_ir::user_kernel::{ExprId, LocalId};
use weft_ir::{DType, Literal};

/// Deferred: few programs have kernels of users.
impl Body<'_, '_> {
    /// A store into an output.
    pub(super) fn store(
        &mut self,
        output: usize,
        indices: &[ExprId],
        value: ExprId,
        before: Option<LocalId>,
    ) {
        let role = self.roles[output];
        let kept = self.keep(output, indices, value);
        if role == Role::Skip {
            return;
        }
        if let Role::Own(binding) = role {
            let value = kept.unwrap_or_else(|| self.value(value));
            return self.own_store(binding, output, value);
        }
        let shape = self.call.shapes[output].clone();
        if shape.size() == 0 {
            return;
        }
        let mut inside = match &self.shared {
            Some(shared) => shared.group.first,
            None => self.eval.b.literal(Literal::Bool(true)),
        };
        let mut at = Vec::with_capacity(indices.len());
        for (&index, &extent) in indices.iter().zip(shape.iter()) {
            let index = self.value(index);
            let index = self.fixed("at", index);
            let within = self.within(index, extent as i64);
            inside = self.eval.b.both(inside, within);
            at.push(index);
        }
        let known = self.truth(inside);
        if known == Some(false) {
            return;
        }
        self.eval.open();
        for (index, &extent) in at.iter_mut().zip(shape.iter()) {
            *index = self.clamped_name(*index, extent as i64);
        }
        let flat = self.eval.b.ravel(&at, &shape);
        let flat = self.eval.b.index_bind("into", flat);
        let value = kept.unwrap_or_else(|| self.value(value));
        let value = self.fixed("value", value);
        self.place(role, output, flat, value, before);
        self.eval.forget();
        let block = self.eval.b.close();
        match known {
            Some(true) => {
                // Names of its own, so that they are in nobody's way.
                let always = self.eval.b.literal(Literal::Bool(true));
                self.eval.b.push(Code::If(always, block, Vec::new()));
            }
            _ => self.eval.b.push(Code::If(inside, block, Vec::new())),
        }
    }

    /// A store at the invocation's own element.
    fn own_store(&mut self, binding: Binding, output: usize, value: Value) {
        let flat = self.number;
        if let Some(first) = self.shared.as_ref().map(|shared| shared.group.first) {
            self.eval.open();
            self.put(binding, output, flat, value);
            self.eval.forget();
            return self.eval.b.close_if(first);
        }
        if self.depth == 0 && self.last.is_some() && stores_once(self.kernel, output) {
            let value = self.named("value", value);
            self.last.get_or_insert_default().push(OwnStore {
                binding,
                dtype: self.kernel.outputs[output].dtype,
                flat,
                value,
            });
        } else {
            self.put(binding, output, flat, value);
        }
    }

    /// An index that was found to lie inside.
    fn clamped_name(&mut self, index: Value, extent: i64) -> Value {
        let (min, max) = self.range(index).unwrap_or((i64::from(i32::MIN), i64::from(i32::MAX)));
        if min >= 0 && max < extent {
            return index;
        }
        let name = self.eval.b.bind_anew("at", index);
        self.eval.b.index.set_range(name, min.clamp(0, extent - 1), max.clamp(0, extent - 1));
        name
    }

    /// Does with a value at a place of an output what is done with it in this kernel.
    fn place(&mut self, role: Role, output: usize, flat: Value, value: Value, before: Option<LocalId>) {
        let dtype = self.kernel.outputs[output].dtype;
        let size = self.call.shapes[output].size();
        match role {
            Role::Skip => {}
            Role::Own(binding) | Role::Plain(binding) => self.put(binding, output, flat, value),
            Role::Claim(binding) => {
                let claims = self.eval.array(binding, DType::I32, Space::Atomic);
                let number = self.eval.b.index_offset(self.number, 1);
                self.combine(AtomicOp::Max, claims, flat, number);
            }
            Role::Won(binding, claims) => {
                let claims = self.eval.array(claims, DType::I32, Space::Read);
                let claim = self.eval.b.expr(kernel::Expr::Load(claims, flat));
                let number = self.eval.b.index_offset(self.number, 1);
                let won = self.eval.b.binary(BinaryOp::Eq, claim, number);
                self.eval.open();
                self.put(binding, output, flat, value);
                self.eval.forget();
                self.eval.b.close_if(won);
            }
            Role::Atomic(binding, op) => {
                let array = self.eval.array(binding, dtype, Space::Atomic);
                let value = self.eval.b.to_storage(value);
                match before {
                    Some(before) => {
                        let old = self.eval.b.exchange("before", op, array, flat, value);
                        self.assign(before, old);
                    }
                    None => self.combine(op, array, flat, value),
                }
            }
            Role::Ordered(binding, extreme) => {
                let array = self.eval.array(binding, DType::U32, Space::Atomic);
                let key = key_of(self.eval, extreme, value);
                let op = if extreme == Extreme::Least { AtomicOp::Min } else { AtomicOp::Max };
                self.combine(op, array, flat, key);
            }
            Role::Exponent(binding) => sums::find_largest(self.eval, binding, flat, value),
            Role::Sum(binding, quantum) => sums::add(self.eval, binding, size, quantum, flat, value),
        }
    }

    fn combine(&mut self, op: AtomicOp, array: kernel::ArrayId, index: Value, value: Value) {
        self.eval.b.push(Code::Atomic { op, array, index, value, before: None });
    }

    /// Writes an element of an output.
    fn put(&mut self, binding: Binding, output: usize, flat: Value, value: Value) {
        write(self.eval, binding, self.kernel.outputs[output].dtype, flat, value);
    }
}
