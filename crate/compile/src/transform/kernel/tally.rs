//! Tallies: which stores the elements of an output came from, found by running the kernel again.
//!
//! An element that several stores set came from the last store of the last invocation. One that is
//! the least or the greatest came from all stores that equal it, in equal shares.

use super::activity::Asked;
use super::arena::Arena;
use super::prepare::rewritten;
use super::reverse::{invocation, store_counts};
use super::roles::{Derived, Role, Yield};
use super::stages::{Roles, finished_kernel, initial_needs_owner, stores_need_owner};
use weft_ir::op::Compare;
use weft_ir::user_kernel::{Combine, Initial, LocalId, Output, OutputId, Stmt, TensorId, UserKernel};
use weft_ir::{DType, HashMap, Literal, Result};

/// What a derivative has to know of an output.
#[derive(Clone, Copy, Default)]
pub(super) struct Needs {
    pub owner: bool,
    pub last: bool,
    pub count: bool,
}

/// The kernels that find it, and which outputs need which.
pub(super) struct Tallies {
    pub kernels: Vec<Derived>,
    /// What stores into each output need.
    pub needs: Vec<Needs>,
}

/// What derivatives of `kernel`, a prepared one whose stores `numbers` counts, need.
pub(super) fn tallies(
    kernel: &UserKernel,
    scalars: &[Role],
    numbers: &HashMap<OutputId, LocalId>,
    asked: Asked,
    initial: &[bool],
) -> Result<Tallies> {
    let needs: Vec<Needs> = kernel
        .outputs
        .iter()
        .enumerate()
        .map(|(i, output)| {
            let asked = asked.outputs[i];
            let count = asked && matches!(output.combine, Combine::Min | Combine::Max);
            let owner = asked && stores_need_owner(kernel, i);
            Needs { owner, last: owner && numbers.contains_key(&OutputId(i as u32)), count }
        })
        .collect();
    let tallied = |i: usize| Needs {
        owner: needs[i].owner || (initial[i] && initial_needs_owner(kernel, i)),
        ..needs[i]
    };
    let mut kernels = Vec::new();
    let first = |i: usize| tallied(i).owner || tallied(i).count;
    let mut pass = Pass::new(kernel, scalars);
    let mut made = HashMap::default();
    for i in (0..needs.len()).filter(|&i| first(i)) {
        let output = &kernel.outputs[i];
        let (yielded, combine) =
            if tallied(i).owner { (Yield::Owner(i), Combine::Max) } else { (Yield::Count(i), Combine::Add) };
        let result =
            tallied(i).count.then(|| pass.roles.tensor(&mut pass.arena, Role::Result(i), output.rank));
        made.insert(OutputId(i as u32), (pass.output(yielded, output, combine), result));
    }
    let own = invocation(&mut pass.arena);
    let arena = &mut pass.arena;
    let body = rewritten(&kernel.body, &mut |stmt| match stmt {
        Stmt::Store { output, indices, value, .. } => {
            let Some(&(to, result)) = made.get(output) else { return Vec::new() };
            let value = match result {
                Some(result) => {
                    let result = arena.load_or_zero(result, indices);
                    let equal = arena.compare(Compare::Eq, *value, result);
                    arena.cast(DType::U32, equal)
                }
                None => own,
            };
            vec![Stmt::Store { output: to, indices: indices.clone(), value, before: None }]
        }
        other => vec![other.clone()],
    });
    kernels.extend(pass.finish(body, "tally")?);

    let mut pass = Pass::new(kernel, scalars);
    let mut made: HashMap<OutputId, (OutputId, TensorId)> = HashMap::default();
    for i in (0..needs.len()).filter(|&i| needs[i].last) {
        let output = &kernel.outputs[i];
        let owner = pass.roles.tensor(&mut pass.arena, Role::Owner(i), output.rank);
        made.insert(OutputId(i as u32), (pass.output(Yield::Last(i), output, Combine::Max), owner));
    }
    let arena = &mut pass.arena;
    let body = rewritten(&kernel.body, &mut |stmt| match stmt {
        Stmt::Store { output, indices, value, .. } => {
            let Some(&(to, owner)) = made.get(output) else { return Vec::new() };
            let won = store_counts(arena, Some(owner), None, None, indices, *value, None);
            let (number, none) = (arena.read(numbers[output]), arena.literal(Literal::U32(0)));
            let value = arena.select(won.expect("owners count"), number, none);
            vec![Stmt::Store { output: to, indices: indices.clone(), value, before: None }]
        }
        other => vec![other.clone()],
    });
    kernels.extend(pass.finish(body, "last")?);
    Ok(Tallies { kernels, needs })
}

/// A kernel that stores something else.
struct Pass {
    arena: Arena,
    roles: Roles,
    yields: Vec<(OutputId, Yield)>,
}

impl Pass {
    fn new(kernel: &UserKernel, scalars: &[Role]) -> Pass {
        Pass { arena: Arena::of(kernel), roles: Roles::of(kernel, scalars.to_vec()), yields: Vec::new() }
    }

    fn output(&mut self, yielded: Yield, of: &Output, combine: Combine) -> OutputId {
        let initial = Initial::Value(Literal::U32(0));
        let name = of.name.clone();
        let id = self.arena.output(Output { name, dtype: DType::U32, rank: of.rank, combine, initial });
        self.yields.push((id, yielded));
        id
    }

    fn finish(self, body: Vec<Stmt>, what: &str) -> Result<Option<Derived>> {
        finished_kernel(self.arena, body, what, &self.roles, &self.yields, &[])
    }
}
