//! Reverse mode of users' kernels: the sequence of kernels that give the cotangents of a kernel's
//! inputs.

use super::activity::{Asked, activity};
use super::arena::{Arena, each_statement};
use super::gather::gathered;
use super::live::{compact, mentions, replace_literals, without_dead_code};
use super::prepare::{Prepared, is_set_at_own, numbered, prepared};
use super::reverse::{Reverse, Stored, Target, held_outputs, read_at_own};
use super::roles::{Derived, Role, Sizes, Yield};
use super::ssa::ssa;
use super::sweep::Tape;
use super::tally::{Tallies, tallies};
use super::unchanged::without_passing_on;
use std::rc::Rc;
use weft_ir::user_kernel::verify::{VerifyError, verify};
use weft_ir::user_kernel::{
    Combine, Expr, ExprId, Initial, MAX_PRIVATE, Output, OutputId, Stmt, TensorId, UserKernel,
};
use weft_ir::{DType, Error, ErrorKind, HashMap, Literal, Result};

/// Elements that the tape of a loop may hold beyond two slots, and most slots.
const TAPE: u32 = 128;
const MOST_SLOTS: u32 = 16;
/// Where a derivative does not fit.
const NO_ROOM: &str = "its derivative needs more local memory than an invocation has: keep less in local \
                       arrays, or give its derivative with customVjp";

/// The kernels that give the cotangents of the inputs `asked` for, given those of outputs; in the
/// order in which they run. None where nothing connects the two.
///
/// `initial` says of which outputs the cotangent of their initial tensor is asked for: what they
/// need is yielded too.
///
/// Errors with `Trace` for kernels that work in groups, for derivatives that depend on what an
/// atomic operation found, and for loops whose state does not fit private memory.
pub fn reverse_kernels(
    kernel: &UserKernel,
    sizes: Sizes,
    asked: Asked,
    initial: &[bool],
) -> Result<Vec<Derived>> {
    // What takes least work first.
    let lean = kernel.lean.as_deref();
    let ways = [(Some(kernel), false), (lean, false), (Some(kernel), true), (lean, true)];
    let mut ways = ways.into_iter().filter_map(|(kernel, lean)| Some((kernel?, lean)));
    let mut found = Err(Error::value(&kernel.name, "no way was tried"));
    for (of, is_lean) in ways.by_ref() {
        found = gradient(of, sizes, asked, initial, is_lean);
        match &found {
            Err(error) if error.message == NO_ROOM => {}
            _ => break,
        }
    }
    let mut kernels = found?;
    // For derivatives of what keeps states.
    let keeps = |it: &Derived| {
        let leads = |it: &Yield| matches!(it, Yield::Gradient { .. } | Yield::Stored { .. });
        it.outputs.iter().any(leads) && !it.kernel.arrays.is_empty()
    };
    if let Some(full) = kernels.iter_mut().find(|it| keeps(it))
        && let Ok(others) = gradient(lean.unwrap_or(kernel), sizes, asked, initial, true)
        && let Some(other) =
            others.into_iter().find(|it| it.inputs == full.inputs && it.outputs == full.outputs)
        && other.kernel != full.kernel
    {
        full.kernel.lean = Some(Rc::new(other.kernel));
    }
    Ok(kernels)
}

/// The kernels that give the cotangents; `lean` if loops keep only the state at their start.
fn gradient(
    kernel: &UserKernel,
    sizes: Sizes,
    asked: Asked,
    initial: &[bool],
    lean: bool,
) -> Result<Vec<Derived>> {
    let Prepared { kernel, scalars, inputs, outputs: stored } = prepared(kernel, "reverse mode", asked)?;
    let tensors = kernel.tensors.len();
    let asked = Asked { inputs: &inputs, outputs: &stored };
    let (counted, numbers) = numbered(&kernel);
    let Tallies { mut kernels, needs } = tallies(&counted, &scalars, &numbers, asked, initial)?;

    let (held_kernel, held) = held_outputs(&counted);
    let types = held_kernel.types().expect("a kernel that was verified");
    // An output that is held is stored at the end.
    let mut traced = held_kernel.clone();
    for (&output, &local) in &held {
        let value = ExprId(traced.exprs.len() as u32);
        traced.exprs.push(Expr::Local(local));
        traced.body.push(Stmt::Store { output, indices: Vec::new(), value, before: None });
    }
    let dtypes = |x: ExprId| types.get(x.index()).copied().unwrap_or(DType::F32);
    let activity = activity(&traced, &dtypes, asked);
    let mut ssa = ssa(&held_kernel, &activity, &inputs, &numbers);

    let mut roles = Roles::of(&kernel, scalars);
    let mut stores = HashMap::default();
    for (i, output) in kernel.outputs.iter().enumerate().filter(|(i, _)| stored[*i]) {
        let id = OutputId(i as u32);
        let arena = &mut ssa.arena;
        let cotangent = roles.tensor(arena, Role::Cotangent(i), output.rank);
        let mut more = |role, needed: bool| needed.then(|| roles.tensor(arena, role, output.rank));
        let need = needs[i];
        let owner = more(Role::Owner(i), need.owner);
        let last = more(Role::Last(i), need.last);
        let extreme = more(Role::Result(i), need.count).zip(more(Role::Count(i), need.count));
        stores.insert(id, Stored { cotangent, owner, last, extreme });
    }
    let mut yields = Vec::new();
    let mut targets = HashMap::default();
    for input in (0..inputs.len()).filter(|&i| inputs[i]) {
        let (name, rank, dtype) = match kernel.tensors.get(input) {
            Some(it) => (&it.name, it.rank, it.dtype),
            None => (&kernel.scalars[input - tensors].name, 0, kernel.scalars[input - tensors].dtype),
        };
        if dtype != DType::F32 {
            continue;
        }
        let axes = if input < tensors {
            read_at_own(&held_kernel, sizes, TensorId(input as u32))
        } else {
            Some(Vec::new())
        };
        let own = axes.is_some();
        let output = ssa.arena.output(Output {
            name: format!("d_{name}"),
            dtype,
            rank: if own { kernel.rank } else { rank },
            combine: if own { Combine::Set } else { Combine::Add },
            initial: Initial::Value(Literal::F32(0.0)),
        });
        yields.push((output, Yield::Gradient { input, axes }));
        let target = if own {
            Target::Own(output, ssa.arena.local(&format!("d_{name}"), dtype))
        } else {
            Target::Scatter(output)
        };
        targets.insert(input, target);
    }

    let items = std::mem::take(&mut ssa.items);
    let ends: Vec<(ExprId, TensorId)> = held
        .iter()
        .filter_map(|(output, local)| Some((*ssa.last.get(local)?, stores.get(output)?.cotangent)))
        .collect();
    let mut sweep = Reverse::new(ssa, tensors, targets, stores, lean);
    let mut body = sweep.augmented(&items);
    body.extend(sweep.block(&items, |it, out| {
        let own = it.ssa.arena.own();
        for &(value, cotangent) in &ends {
            let g = it.ssa.arena.load_or_zero(cotangent, &own);
            it.add(value, g, out);
        }
    }));
    let mut order: Vec<usize> = sweep.targets.keys().copied().collect();
    order.sort_unstable();
    for input in order {
        let Target::Own(output, sum) = sweep.targets[&input] else { continue };
        let mut assigned = false;
        each_statement(&body, &mut |stmt| assigned |= matches!(stmt, Stmt::Let(local, _) if *local == sum));
        if assigned {
            let (indices, value) = (sweep.ssa.arena.own(), sweep.ssa.arena.read(sum));
            body.push(Stmt::Store { output, indices, value, before: None });
        }
    }
    let Reverse { ssa, finished, .. } = sweep;
    if let Some(derived) = finished_kernel(ssa.arena, body, "gradient", &roles, &yields, &finished)? {
        kernels.extend(gathered(derived, sizes)?);
    }
    if !kernels.iter().any(|it| it.outputs.iter().any(|it| matches!(it, Yield::Gradient { .. }))) {
        kernels.retain(|it| it.outputs.iter().any(|it| needed_by_initial(it, initial)));
    }
    Ok(kernels)
}

/// Whether the cotangent of an initial tensor needs a tally.
fn needed_by_initial(it: &Yield, initial: &[bool]) -> bool {
    matches!(it, Yield::Owner(i) | Yield::Count(i) if initial[*i])
}

/// What the inputs of a kernel under construction are.
pub(super) struct Roles {
    pub tensors: Vec<Role>,
    pub scalars: Vec<Role>,
}

impl Roles {
    pub fn of(kernel: &UserKernel, scalars: Vec<Role>) -> Roles {
        Roles { tensors: (0..kernel.tensors.len()).map(Role::Input).collect(), scalars }
    }

    /// A further tensor.
    pub fn tensor(&mut self, arena: &mut Arena, role: Role, rank: u32) -> TensorId {
        let (name, dtype) = match role {
            Role::Owner(_) => ("owner", DType::U32),
            Role::Last(_) => ("last", DType::U32),
            Role::Count(_) => ("count", DType::U32),
            Role::Cotangent(_) => ("cotangent", DType::F32),
            Role::Tangent(_) => ("tangent", DType::F32),
            Role::Initial(_) => ("initial", DType::F32),
            _ => ("result", DType::F32),
        };
        self.tensors.push(role);
        arena.tensor(name, dtype, rank)
    }
}

/// The kernel without what it does not need; `None` where it gives nothing.
pub(super) fn finished_kernel(
    arena: Arena,
    body: Vec<Stmt>,
    what: &str,
    roles: &Roles,
    yields: &[(OutputId, Yield)],
    tapes: &[Tape],
) -> Result<Option<Derived>> {
    let mut kernel = arena.finish(body);
    without_dead_code(&mut kernel);
    without_passing_on(&mut kernel);
    let name = kernel.name.clone();
    let refused = |text: &str| Err(Error::new(ErrorKind::Trace, &name, text));
    let unknown = |expr: &Expr| matches!(expr, Expr::Scalar(n) if roles.scalars[*n as usize] == Role::Before);
    if mentions(&kernel, unknown) {
        return refused(
            "its derivative depends on what an atomic operation found, which differs from run to run",
        );
    }
    fit_tapes(&mut kernel, tapes);
    let elements: u32 =
        compact(&kernel).0.arrays.iter().map(|array| array.length).fold(0, u32::saturating_add);
    if elements > MAX_PRIVATE {
        return refused(NO_ROOM);
    }
    kernel.name = format!("{name}_{what}");
    compacted(&kernel, roles, yields)
}

/// A kernel without what its body does not mention; `None` where it gives nothing.
pub(super) fn compacted(
    kernel: &UserKernel,
    roles: &Roles,
    yields: &[(OutputId, Yield)],
) -> Result<Option<Derived>> {
    let (compacted, kept) = compact(kernel);
    let inputs = kept.tensors.iter().map(|&i| roles.tensors[i]);
    let inputs = inputs.chain(kept.scalars.iter().map(|&i| roles.scalars[i])).collect();
    let yielded = |&i: &usize| {
        let found = yields.iter().find(|(output, _)| output.index() == i);
        found.expect("only what is yielded is stored").1.clone()
    };
    let outputs: Vec<Yield> = kept.outputs.iter().map(yielded).collect();
    if outputs.is_empty() {
        return Ok(None);
    }
    verify(&compacted).map_err(VerifyError::into_error)?;
    Ok(Some(Derived { kernel: compacted, grid: None, inputs, outputs }))
}

/// Gives every tape as many slots as suit what it turned out to keep.
fn fit_tapes(kernel: &mut UserKernel, tapes: &[Tape]) {
    let mut live = vec![false; kernel.arrays.len()];
    each_statement(&kernel.body, &mut |stmt| {
        if let Stmt::SetElement(array, ..) = stmt {
            live[array.index()] = true;
        }
    });
    // A tape of no schedule keeps one state.
    let most_of = |tape: &Tape, most: u32| if live[tape.at.index()] { most } else { 1 };
    let states: Vec<u32> = tapes.iter().map(|tape| tape.state(&live)).collect();
    let mut own: Vec<u32> = kernel.arrays.iter().map(|array| array.length).collect();
    let of_tapes = tapes.iter().flat_map(Tape::memory).map(|(array, _)| array.index());
    let unused = (0..own.len()).filter(|&i| !live[i]);
    of_tapes.chain(unused).for_each(|i| own[i] = 0);
    let own: u32 = own.iter().sum();
    let fits = |most: u32| {
        let size =
            |(tape, &state): (&Tape, &u32)| (state + 1).saturating_mul(slots(state, most_of(tape, most)));
        let sizes = tapes.iter().zip(&states).map(size);
        sizes.fold(own, u32::saturating_add) <= MAX_PRIVATE
    };
    let most = (1..=MOST_SLOTS).rev().find(|&most| fits(most)).unwrap_or(1);
    let mut literals = HashMap::default();
    for (tape, &state) in tapes.iter().zip(&states) {
        let slots = slots(state, most_of(tape, most));
        literals.insert(tape.slots, Literal::I32(slots as i32));
        for (array, length) in tape.memory() {
            kernel.arrays[array.index()].length = length * slots;
        }
    }
    replace_literals(kernel, &literals);
}

/// The slots for states, by their number of elements.
fn slots(state: u32, most: u32) -> u32 {
    (TAPE / state.max(1)).clamp(2, MOST_SLOTS).min(most)
}

/// Whether the cotangent of the initial tensor of an output needs to know which elements were set.
pub(super) fn initial_needs_owner(kernel: &UserKernel, output: usize) -> bool {
    kernel.outputs[output].combine == Combine::Set
}

/// Whether a store into an output needs its owner.
pub(super) fn stores_need_owner(kernel: &UserKernel, output: usize) -> bool {
    kernel.outputs[output].combine == Combine::Set && !is_set_at_own(kernel, OutputId(output as u32))
}
