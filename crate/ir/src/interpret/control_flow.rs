//! Interpretation of loops and branches: their programs, run on tensors that stand for their
//! leaves.

use super::strided::{Strided, Tensor, map_tensor};
use super::{constant, execute, ill_formed};
use crate::dtype::{DType, Literal};
use crate::error::Result;
use crate::functions::Real;
use crate::op::region::{Loop, stacked};
use crate::program::TensorProgram;
use crate::room::check_room;
use crate::shape::Shape;

/// The results of a loop: what is carried, then the stacks.
pub(super) fn run_loop<'a, R: Real>(it: &Loop, inputs: Vec<Tensor<'a, R>>) -> Result<Vec<Tensor<'a, R>>> {
    let mut carried = inputs;
    let mut sliced = carried.split_off(it.carried);
    let rest = sliced.split_off(it.sliced);
    let types = it.results().split_off(it.carried);
    let bytes = types.iter().map(|(shape, dtype)| dtype.stored_bytes(shape.size())).sum();
    check_room("loop", bytes)?;
    let mut stacks: Vec<Vec<Tensor<'a, R>>> = vec![Vec::new(); types.len()];
    let mut iteration = 0;
    while it.iterations != Some(iteration) {
        let index = if it.reverse { it.iterations.unwrap_or(0) - 1 - iteration } else { iteration };
        // A loop without an end counts as i32 does.
        let mut leaves = vec![constant(Literal::I32(index as i32))];
        leaves.extend(carried.iter().cloned());
        leaves.extend(sliced.iter().map(|x| slice(x.clone(), index)));
        leaves.extend(rest.iter().cloned());
        if let Some(condition) = &it.condition {
            let holds = execute(condition, leaves.clone())?;
            let [Tensor::Bool(holds)] = &holds[..] else { return Err(ill_formed("condition", "its result")) };
            if !holds.first() {
                break;
            }
        }
        // What an iteration alone still needs, it may write over.
        carried.clear();
        carried = execute(&it.body, leaves)?;
        for (stack, value) in stacks.iter_mut().zip(carried.drain(it.carried..)) {
            stack.push(value);
        }
        iteration += 1;
    }
    for (mut stack, (shape, dtype)) in stacks.into_iter().zip(types) {
        if it.reverse {
            stack.reverse();
        }
        carried.push(join(stack, shape, dtype));
    }
    Ok(carried)
}

/// The results of the program that the selector, the first input, names.
pub(super) fn run_branch<'a, R: Real>(
    programs: &[TensorProgram],
    mut inputs: Vec<Tensor<'a, R>>,
) -> Result<Vec<Tensor<'a, R>>> {
    let Tensor::I32(selector) = inputs.remove(0) else { return Err(ill_formed("branch", "its selector")) };
    let chosen = selector.first().clamp(0, programs.len() as i32 - 1);
    execute(&programs[chosen as usize], inputs)
}

/// The slice at `index` of the first axis, without it.
fn slice<R: Real>(x: Tensor<R>, index: usize) -> Tensor<R> {
    let shape = x.shape().clone();
    let rank = shape.rank();
    let mut starts = vec![0; rank];
    let mut lengths = shape.to_vec();
    (starts[0], lengths[0]) = (index, 1);
    let inner: Shape = shape[1..].to_vec().into();
    map_tensor!(x, s => s.slice(&starts, &vec![1; rank], &lengths).reshape(inner.clone()))
}

/// Tensors one after the other along a new first axis.
fn join<'a, R: Real>(parts: Vec<Tensor<'a, R>>, shape: Shape, dtype: DType) -> Tensor<'a, R> {
    debug_assert!(parts.first().is_none_or(|part| stacked(parts.len(), part.shape()) == shape));
    macro_rules! joined {
        ($kind:ident) => {{
            let mut all = Vec::with_capacity(shape.size());
            for part in &parts {
                if let Tensor::$kind(part) = part {
                    all.extend_from_slice(&part.contiguous());
                }
            }
            Tensor::$kind(Strided::packed(shape, all))
        }};
    }
    match dtype {
        DType::F32 => joined!(Float),
        DType::I32 => joined!(I32),
        DType::U32 => joined!(U32),
        DType::Bool => joined!(Bool),
        packed => unreachable!("{packed} is unpacked where a program is made"),
    }
}
