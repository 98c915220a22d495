//! Reference interpreter of kernels, on the CPU and to the letter: the GPU and the compiler are
//! tested against it.
//!
//! A workgroup runs in lock step, statement by statement over all its invocations, those that
//! control flow has separated masked out. Barriers are therefore exact, and of several invocations
//! that write one element in one statement the last by `local_invocation_index` wins, every time.
//! Workgroups run one after another. Subgroups are of [`SUBGROUP_SIZE`] neighbours by default.
//!
//! What a device forgives is an error here: an index outside its array, division of an integer by
//! zero, a shift by 32 or more, a race in workgroup memory.

mod operators;
mod races;

pub use operators::constant;

use super::verify::{VerifyError, verify};
use super::{ArrayId, BinaryOp, Builtin, Expr, ExprId, Kernel, LocalId, Space, Stmt, Type};
use crate::dtype::{DType, Literal};
use crate::functions::{self, Element};
use races::Races;
use std::cell::RefCell;
use std::fmt;

/// Invocations per subgroup.
pub const SUBGROUP_SIZE: usize = 4;

/// Iterations after which a loop is taken for endless.
const MOST_ITERATIONS: usize = 1 << 20;

/// What went wrong in an invocation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// An element outside an array was loaded or stored.
    OutOfBounds {
        /// The array's name.
        array: String,
        /// The index asked for.
        index: i64,
        /// Elements in the array.
        length: usize,
    },
    /// An integer was divided by zero.
    DivisionByZero,
    /// An integer was shifted by as many bits as it has, or more.
    ShiftTooFar(u32),
    /// A barrier was reached by some invocations of a workgroup only.
    PartedBarrier,
    /// A loop does not seem to end.
    EndlessLoop,
    /// An element of workgroup memory was stored, and loaded or stored by another invocation, with
    /// no barrier between.
    Race {
        /// The array's name.
        array: String,
        /// The element.
        index: usize,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::OutOfBounds { array, index, length } => {
                write!(f, "element {index} of {array}, which has {length}")
            }
            Fault::DivisionByZero => write!(f, "an integer is divided by zero"),
            Fault::ShiftTooFar(by) => write!(f, "an integer is shifted by {by}"),
            Fault::PartedBarrier => write!(f, "a barrier is reached by some invocations only"),
            Fault::EndlessLoop => write!(f, "a loop has not ended after {MOST_ITERATIONS} iterations"),
            Fault::Race { array, index } => {
                write!(f, "element {index} of {array} is another invocation's until the next barrier")
            }
        }
    }
}

/// Why a dispatch could not be interpreted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InterpretError {
    /// The kernel is not well formed.
    NotWellFormed(VerifyError),
    /// The kernel has another number of storage arrays or uniforms than was given.
    WrongBindings {
        /// Storage arrays and uniforms of the kernel.
        expected: (usize, usize),
        /// Buffers and uniforms given.
        given: (usize, usize),
    },
    /// An invocation did what it must not.
    Fault {
        /// The kernel's name.
        kernel: String,
        /// The invocation's workgroup.
        workgroup: [u32; 3],
        /// Its row-major position there.
        invocation: usize,
        /// What it did.
        fault: Fault,
    },
}

impl fmt::Display for InterpretError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InterpretError::NotWellFormed(error) => error.fmt(f),
            InterpretError::WrongBindings { expected, given } => write!(
                f,
                "the kernel has {} storage arrays and {} uniforms, given were {} and {}",
                expected.0, expected.1, given.0, given.1
            ),
            InterpretError::Fault { kernel, workgroup, invocation, fault } => {
                write!(f, "kernel {kernel:?}, workgroup {workgroup:?}, invocation {invocation}: {fault}")
            }
        }
    }
}

impl std::error::Error for InterpretError {}

/// Runs one dispatch of `kernel` over `workgroups`. `buffers` hold the raw words of the storage
/// arrays in binding order, `uniforms` one word per run-time scalar.
pub fn run(
    kernel: &Kernel,
    buffers: &mut [Vec<u32>],
    uniforms: &[u32],
    workgroups: [u32; 3],
) -> Result<(), InterpretError> {
    run_in_subgroups(kernel, buffers, uniforms, workgroups, SUBGROUP_SIZE)
}

/// As [`run`], on a device with subgroups of a given size.
pub fn run_in_subgroups(
    kernel: &Kernel,
    buffers: &mut [Vec<u32>],
    uniforms: &[u32],
    workgroups: [u32; 3],
    subgroup: usize,
) -> Result<(), InterpretError> {
    verify(kernel).map_err(InterpretError::NotWellFormed)?;
    let expected = (kernel.storage().count(), kernel.uniforms.len());
    let given = (buffers.len(), uniforms.len());
    if expected != given {
        return Err(InterpretError::WrongBindings { expected, given });
    }
    let types = (0..kernel.exprs.len()).map(|i| kernel.type_of(ExprId(i as u32))).collect();
    let mut group = Workgroup { subgroup, ..Workgroup::new(kernel, types, buffers, uniforms, workgroups) };
    for z in 0..workgroups[2] {
        for y in 0..workgroups[1] {
            for x in 0..workgroups[0] {
                group.run([x, y, z]).map_err(|(invocation, fault)| InterpretError::Fault {
                    kernel: kernel.name.clone(),
                    workgroup: [x, y, z],
                    invocation,
                    fault,
                })?;
            }
        }
    }
    Ok(())
}

/// A result whose error names the invocation.
type Step<T = ()> = Result<T, (usize, Fault)>;

/// Which invocations take part.
type Mask = Vec<bool>;

/// One word per lane of each invocation, an invocation's lanes together.
type Words = Vec<u32>;

struct Workgroup<'a> {
    kernel: &'a Kernel,
    types: Vec<Type>,
    /// Invocations in the workgroup, and in a subgroup.
    size: usize,
    subgroup: usize,
    buffers: &'a mut [Vec<u32>],
    /// For each array, which buffer it is, if it is one.
    bindings: Vec<Option<usize>>,
    uniforms: &'a [u32],
    count: [u32; 3],
    id: [u32; 3],
    locals: Vec<Words>,
    /// Workgroup and private arrays; a private array holds that of each invocation in turn.
    memory: Vec<Words>,
    races: RefCell<Races>,
    /// For each open loop, the invocations that left it by `break`.
    left: Vec<Mask>,
}

impl<'a> Workgroup<'a> {
    fn new(
        kernel: &'a Kernel,
        types: Vec<Type>,
        buffers: &'a mut [Vec<u32>],
        uniforms: &'a [u32],
        count: [u32; 3],
    ) -> Workgroup<'a> {
        let size = kernel.invocations() as usize;
        let mut next = 0..;
        let bindings = kernel.arrays.iter().map(|a| if a.space.is_storage() { next.next() } else { None });
        Workgroup {
            types,
            size,
            subgroup: SUBGROUP_SIZE,
            buffers,
            bindings: bindings.collect(),
            uniforms,
            count,
            id: [0; 3],
            locals: kernel.locals.iter().map(|l| vec![0; size * usize::from(l.ty.lanes)]).collect(),
            memory: Vec::new(),
            races: Races::new(kernel).into(),
            left: Vec::new(),
            kernel,
        }
    }

    fn run(&mut self, id: [u32; 3]) -> Step {
        self.id = id;
        let words = |array: &super::Array| match array.space {
            Space::Workgroup(length) | Space::WorkgroupAtomic(length) => {
                length as usize * usize::from(array.ty.lanes)
            }
            Space::Private(length) => length as usize * usize::from(array.ty.lanes) * self.size,
            Space::Read | Space::ReadWrite | Space::Atomic => 0,
        };
        self.memory = self.kernel.arrays.iter().map(|a| vec![0; words(a)]).collect();
        self.races.get_mut().barrier();
        self.block(&self.kernel.body, &mut vec![true; self.size])
    }

    /// Runs a block; invocations that leave it by `break` or `continue` leave `mask`.
    fn block(&mut self, block: &[Stmt], mask: &mut Mask) -> Step {
        for stmt in block {
            if !mask.contains(&true) {
                break;
            }
            self.stmt(stmt, mask)?;
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt, mask: &mut Mask) -> Step {
        match stmt {
            Stmt::Let(local, value) | Stmt::Var(local, value) | Stmt::Assign(local, value) => {
                let words = self.eval(*value, mask)?;
                self.assign(*local, &words, mask);
            }
            Stmt::Store(array, index, value) => {
                let (indices, words) = (self.eval(*index, mask)?, self.eval(*value, mask)?);
                let lanes = usize::from(self.types[value.index()].lanes);
                for i in active(mask) {
                    let place = self.place(*array, indices[i], self.types[index.index()], i)?;
                    self.ordered(*array, place / lanes, i, Races::store)?;
                    self.memory_mut(*array)[place..place + lanes]
                        .copy_from_slice(&words[i * lanes..(i + 1) * lanes]);
                }
            }
            Stmt::Atomic { op, array, index, value, before } => {
                let (indices, words) = (self.eval(*index, mask)?, self.eval(*value, mask)?);
                let dtype = self.types[value.index()].scalar;
                let mut found = vec![0; mask.len()];
                for i in active(mask) {
                    let place = self.place(*array, indices[i], self.types[index.index()], i)?;
                    let word = &mut self.memory_mut(*array)[place];
                    found[i] = *word;
                    *word = operators::binary(operators::atomic_operator(*op), dtype, *word, words[i])
                        .map_err(|fault| (i, fault))?;
                }
                if let Some(before) = before {
                    self.assign(*before, &found, mask);
                }
            }
            Stmt::If(condition, then, otherwise) => {
                let condition = self.eval(*condition, mask)?;
                let mut yes: Mask = mask.iter().zip(&condition).map(|(&m, &c)| m && c == 1).collect();
                let mut no: Mask = mask.iter().zip(&condition).map(|(&m, &c)| m && c == 0).collect();
                self.block(then, &mut yes)?;
                self.block(otherwise, &mut no)?;
                *mask = yes.iter().zip(&no).map(|(&yes, &no)| yes || no).collect();
            }
            Stmt::For { counter, from, to, step, body } => {
                let first = self.eval(*from, mask)?;
                self.assign(*counter, &first, mask);
                self.iterations(
                    mask,
                    body,
                    |group, mask| {
                        let bound = group.eval(*to, mask)?;
                        let count = &group.locals[counter.index()];
                        Ok((0..mask.len()).map(|i| mask[i] && (count[i] as i32) < bound[i] as i32).collect())
                    },
                    |group| {
                        for count in &mut group.locals[counter.index()] {
                            *count = count.wrapping_add(*step as u32);
                        }
                    },
                )?;
            }
            Stmt::While(condition, body) => {
                self.iterations(
                    mask,
                    body,
                    |group, mask| {
                        let goes_on = group.eval(*condition, mask)?;
                        Ok(mask.iter().zip(&goes_on).map(|(&m, &c)| m && c == 1).collect())
                    },
                    |_| {},
                )?;
            }
            Stmt::Break => {
                let left = self.left.last_mut().expect("the verifier lets break stand in loops only");
                for i in active(mask) {
                    left[i] = true;
                }
                mask.fill(false);
            }
            Stmt::Continue => mask.fill(false),
            Stmt::Barrier => {
                if let Some(missing) = mask.iter().position(|m| !m) {
                    return Err((missing, Fault::PartedBarrier));
                }
                self.races.get_mut().barrier();
            }
        }
        Ok(())
    }

    /// Repeats `body` for those that `goes_on` keeps, with `next` after each iteration.
    fn iterations(
        &mut self,
        mask: &Mask,
        body: &[Stmt],
        goes_on: impl Fn(&mut Self, &Mask) -> Step<Mask>,
        next: impl Fn(&mut Self),
    ) -> Step {
        let mut inside = mask.clone();
        for _ in 0..MOST_ITERATIONS {
            inside = goes_on(self, &inside)?;
            if !inside.contains(&true) {
                return Ok(());
            }
            self.left.push(vec![false; self.size]);
            let mut iteration = inside.clone();
            self.block(body, &mut iteration)?;
            let left = self.left.pop().expect("each iteration pops what it pushed");
            for (inside, left) in inside.iter_mut().zip(left) {
                *inside &= !left;
            }
            next(self);
        }
        Err((active(&inside).next().unwrap_or(0), Fault::EndlessLoop))
    }

    fn assign(&mut self, local: LocalId, words: &[u32], mask: &Mask) {
        let lanes = usize::from(self.kernel.locals[local.index()].ty.lanes);
        for i in active(mask) {
            self.locals[local.index()][i * lanes..(i + 1) * lanes]
                .copy_from_slice(&words[i * lanes..(i + 1) * lanes]);
        }
    }

    fn memory(&self, array: ArrayId) -> &[u32] {
        match self.bindings[array.index()] {
            Some(binding) => &self.buffers[binding],
            None => &self.memory[array.index()],
        }
    }

    fn memory_mut(&mut self, array: ArrayId) -> &mut [u32] {
        match self.bindings[array.index()] {
            Some(binding) => &mut self.buffers[binding],
            None => &mut self.memory[array.index()],
        }
    }

    /// Where the words of an element begin.
    fn place(&self, array: ArrayId, index: u32, ty: Type, invocation: usize) -> Step<usize> {
        let declared = &self.kernel.arrays[array.index()];
        let lanes = usize::from(declared.ty.lanes);
        let (length, first) = match declared.space {
            Space::Private(length) => (length as usize, invocation * length as usize),
            _ => (self.memory(array).len() / lanes, 0),
        };
        let index = if ty.scalar == DType::I32 { i64::from(index as i32) } else { i64::from(index) };
        match usize::try_from(index) {
            Ok(inside) if inside < length => Ok((first + inside) * lanes),
            _ => Err((invocation, Fault::OutOfBounds { array: declared.name.clone(), index, length })),
        }
    }

    /// Notes an access to an element, which fails where no barrier orders it.
    fn ordered(
        &self,
        array: ArrayId,
        index: usize,
        invocation: usize,
        note: fn(&mut Races, ArrayId, usize, usize) -> bool,
    ) -> Step {
        if note(&mut self.races.borrow_mut(), array, index, invocation) {
            return Ok(());
        }
        let array = self.kernel.arrays[array.index()].name.clone();
        Err((invocation, Fault::Race { array, index }))
    }

    /// The value of an expression in each invocation; anything where the mask is off.
    fn eval(&self, id: ExprId, mask: &Mask) -> Step<Words> {
        let ty = self.types[id.index()];
        let lanes = usize::from(ty.lanes);
        Ok(match &self.kernel.exprs[id.index()] {
            Expr::Literal(literal) => vec![literal.bits(); self.size],
            Expr::Local(local) => self.locals[local.index()].clone(),
            Expr::Uniform(n) => vec![self.uniforms[*n as usize]; self.size],
            Expr::Builtin(builtin) => (0..self.size).map(|i| self.builtin(*builtin, i)).collect(),
            Expr::Unary(op, x) => {
                let x = self.eval(*x, mask)?;
                x.into_iter().map(|x| operators::unary(*op, ty.scalar, x)).collect()
            }
            Expr::Binary(op, a, b) => self.binary(*op, *a, *b, mask)?,
            Expr::Select(condition, a, b) => {
                let per_lane = self.types[condition.index()].lanes > 1;
                let condition = self.eval(*condition, mask)?;
                let (a, b) = (self.eval(*a, mask)?, self.eval(*b, mask)?);
                let chosen = |i: usize| condition[if per_lane { i } else { i / lanes }] == 1;
                (0..a.len()).map(|i| if chosen(i) { a[i] } else { b[i] }).collect()
            }
            Expr::Cast(to, x) => {
                let from = self.types[x.index()].scalar;
                self.eval(*x, mask)?.into_iter().map(|x| operators::cast(from, *to, x)).collect()
            }
            Expr::Bitcast(_, x) => self.eval(*x, mask)?,
            Expr::Load(array, index) => {
                let indices = self.eval(*index, mask)?;
                let mut words = vec![0; self.size * lanes];
                for i in active(mask) {
                    let place = self.place(*array, indices[i], self.types[index.index()], i)?;
                    self.ordered(*array, place / lanes, i, Races::load)?;
                    words[i * lanes..(i + 1) * lanes]
                        .copy_from_slice(&self.memory(*array)[place..place + lanes]);
                }
                words
            }
            Expr::Call(function, arguments) => {
                let takes = function.signature().0;
                let given = arguments.iter().map(|&x| self.eval(x, mask)).collect::<Step<Vec<_>>>()?;
                let mut words = vec![0; self.size];
                for i in active(mask) {
                    let arguments: Vec<Element<f32>> = takes
                        .iter()
                        .zip(&given)
                        .map(|(&dtype, words)| Element::from_literal(Literal::from_bits(dtype, words[i])))
                        .collect();
                    words[i] = functions::call(*function, &arguments).to_literal().bits();
                }
                words
            }
            Expr::Subgroup(op, x) => {
                let before = *op == crate::kernel::SubgroupOp::AddBefore;
                let op = operators::subgroup_operator(*op);
                let mut words = self.eval(*x, mask)?;
                for first in (0..self.size).step_by(self.subgroup) {
                    let members = || active(mask).filter(|&i| i / self.subgroup == first / self.subgroup);
                    for lane in 0..lanes {
                        if before {
                            let mut sum = 0;
                            for i in members() {
                                let own = std::mem::replace(&mut words[i * lanes + lane], sum);
                                sum = operators::binary(op, ty.scalar, sum, own)
                                    .expect("no such operator fails");
                            }
                            continue;
                        }
                        let values = members().map(|i| words[i * lanes + lane]);
                        let Some(total) = values.reduce(|a, b| {
                            operators::binary(op, ty.scalar, a, b).expect("no such operator fails")
                        }) else {
                            continue;
                        };
                        members().for_each(|i| words[i * lanes + lane] = total);
                    }
                }
                words
            }
            Expr::Splat(lanes, x) => {
                let x = self.eval(*x, mask)?;
                x.into_iter().flat_map(|x| std::iter::repeat_n(x, usize::from(*lanes))).collect()
            }
            Expr::Compose(parts) => {
                let parts = parts.iter().map(|&x| self.eval(x, mask)).collect::<Step<Vec<_>>>()?;
                (0..self.size).flat_map(|i| parts.iter().map(move |part| part[i])).collect()
            }
            Expr::Component(x, component) => {
                let width = usize::from(self.types[x.index()].lanes);
                let x = self.eval(*x, mask)?;
                x.chunks_exact(width).map(|lanes| lanes[usize::from(*component)]).collect()
            }
        })
    }

    fn binary(&self, op: BinaryOp, a: ExprId, b: ExprId, mask: &Mask) -> Step<Words> {
        let ty = self.types[a.index()];
        let lanes = usize::from(ty.lanes);
        let mut words = self.eval(a, mask)?;
        // On bools these are `&&` and `||`.
        if ty == Type::scalar(DType::Bool) && matches!(op, BinaryOp::And | BinaryOp::Or) {
            let open = u32::from(op == BinaryOp::And);
            let undecided: Mask = mask.iter().zip(&words).map(|(&m, &a)| m && a == open).collect();
            let b = self.eval(b, &undecided)?;
            active(&undecided).for_each(|i| words[i] = b[i]);
            return Ok(words);
        }
        let b = self.eval(b, mask)?;
        for i in active(mask) {
            for at in i * lanes..(i + 1) * lanes {
                words[at] = operators::binary(op, ty.scalar, words[at], b[at]).map_err(|fault| (i, fault))?;
            }
        }
        Ok(words)
    }

    fn builtin(&self, builtin: Builtin, invocation: usize) -> u32 {
        let [width, height, _] = self.kernel.workgroup;
        let i = invocation as u32;
        match builtin {
            Builtin::WorkgroupId(axis) => self.id[usize::from(axis)],
            Builtin::NumWorkgroups(axis) => self.count[usize::from(axis)],
            Builtin::LocalId(axis) => [i % width, i / width % height, i / width / height][usize::from(axis)],
            Builtin::LocalIndex => i,
            Builtin::SubgroupSize => self.subgroup as u32,
            Builtin::SubgroupInvocation => i % self.subgroup as u32,
        }
    }
}

/// The invocations that take part.
fn active(mask: &Mask) -> impl Iterator<Item = usize> + '_ {
    mask.iter().enumerate().filter(|(_, on)| **on).map(|(i, _)| i)
}

#[cfg(test)]
mod tests;
