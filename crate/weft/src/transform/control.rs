//! Loops and branches: functions run once, on placeholders, become programs within the program.
//!
//! A body sees its state, and anything from outside, which is read as it was when the loop was
//! made. It may do whatever builds graph: nest loops, take gradients, read parameters. It cannot
//! read values, since there are none yet, nor assign parameters.
//!
//! Deferred: few programs have loops or branches.

use crate::device::Device;
use crate::device::cell::{Region, trace_error};
use crate::device::tensor::Tensor;
use crate::lazy::build;
use std::rc::Rc;
use weft_ir::body::bodies;
use weft_ir::graph::{NodeId, NodeValue};
use weft_ir::op::region::stacked;
use weft_ir::op::{Binary, Loop, Op, region};
use weft_ir::{DType, Error, Literal, Result, Shape};

/// Regions within regions; what compiles and runs them recurses so deep.
const MOST_NESTED: usize = 16;

/// How [`Device::scan`] goes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Scan {
    /// How many iterations; needed where nothing is scanned over.
    pub length: Option<usize>,
    /// Whether the last slice comes first. What is stacked lies beside the slice it was made from
    /// either way.
    pub reverse: bool,
}

/// Functions being run on placeholders, to become the programs of a loop or branch. Dropped, it
/// leaves nothing behind.
pub struct Tracing {
    pub(crate) device: Device,
    pub(crate) name: &'static str,
    pub(crate) start: u64,
    /// The index of the iteration, a 0-d i32, for loops.
    pub index: Option<Tensor>,
    /// What stands for the state, then for slices.
    pub placeholders: Vec<Tensor>,
    carried: usize,
}

/// A function that [`Device::switch`] may choose.
pub type Branch<'a> = &'a dyn Fn(&[Tensor]) -> Result<Vec<Tensor>>;

/// Two lists of tensors: what a loop carries, and what it stacks.
pub type Results = (Vec<Tensor>, Vec<Tensor>);

impl Device {
    /// Begins a region in the name of the operation `name`: `state` gives the shapes and dtypes of
    /// the placeholders to be carried, `sliced` of those of which each iteration gets a slice.
    /// Functions that are run on the placeholders before it is closed become its programs.
    ///
    /// Errors with `Shape` for a 0-d tensor to slice, with `Trace` where regions nest too deep, and
    /// as operations do.
    pub fn region(
        &self,
        name: &'static str,
        is_loop: bool,
        state: &[&Tensor],
        sliced: &[&Tensor],
    ) -> Result<Tracing> {
        if self.inner.functions.regions.borrow().len() >= MOST_NESTED {
            let what = format!("more than {MOST_NESTED} loops and branches are nested");
            return Err(trace_error(what).named(name));
        }
        let start = self.graph().newest();
        let mut placeholders = Vec::with_capacity(state.len() + sliced.len());
        for tensor in state {
            self.node(name, tensor)?;
            placeholders.push(self.new_placeholder(Op::Buffer(tensor.shape().clone(), tensor.dtype()))?);
        }
        for tensor in sliced {
            self.node(name, tensor)?;
            if tensor.rank() == 0 {
                return Err(Error::shape(name, format!("{tensor} has no axis to go along")));
            }
            let slice: Shape = tensor.shape()[1..].to_vec().into();
            placeholders.push(self.new_placeholder(Op::Buffer(slice, tensor.dtype()))?);
        }
        let index = is_loop.then(|| self.new_placeholder(Op::Scalar(DType::I32))).transpose()?;
        let all = index.iter().chain(&placeholders).map(|t| t.node(name)).collect::<Result<Vec<_>>>()?;
        self.inner.functions.regions.borrow_mut().push(Region { placeholders: all, number: index.clone() });
        Ok(Tracing { device: self.clone(), name, start, index, placeholders, carried: state.len() })
    }

    /// Refuses to let what outlives a region hold something that has a value only within. Errors
    /// with `Trace`.
    pub(crate) fn check_not_within(&self, name: &str, tensor: &Tensor) -> Result<()> {
        let regions = self.inner.functions.regions.borrow();
        if regions.is_empty() {
            return Ok(());
        }
        let graph = self.graph();
        let closure = graph.closure(&[tensor.node(name)?], |node| node.value == NodeValue::Pending);
        if closure.iter().any(|id| regions.iter().any(|region| region.placeholders.contains(id))) {
            let what = "what a loop, a branch or a function under vmap computes has no value outside: return it, and assign the result";
            return Err(trace_error(what).named(name));
        }
        Ok(())
    }

    /// Goes over slices of `xs` along their first axes with a state. `f(state, slices)` yields the
    /// next state, of the same shapes and dtypes, and what to stack along a new first axis. Yields
    /// the last state and the stacks.
    ///
    /// Errors with `Shape` or `DType` where the state changes either or the `xs` are not of one
    /// length, with `Value` where there is no length, and as `f` does.
    pub fn scan(
        &self,
        f: impl FnOnce(&[Tensor], &[Tensor]) -> Result<Results>,
        state: &[&Tensor],
        xs: &[&Tensor],
        how: Scan,
    ) -> Result<Results> {
        let name = "scan";
        let region = self.region(name, true, state, xs)?;
        let iterations = scan_length(name, xs, how.length)?;
        let (placeholders, slices) = region.placeholders.split_at(state.len());
        let (next, stacks) = f(placeholders, slices)?;
        region.close_loop(state, xs, (&refs(&next), &refs(&stacks)), None, Some(iterations), how.reverse)
    }

    /// `f(i, state)` for i from `from` up to but not including `to`, a 0-d i32. Yields the last
    /// state. Errors as [`Device::scan`].
    pub fn for_loop(
        &self,
        from: i32,
        to: i32,
        f: impl FnOnce(&Tensor, &[Tensor]) -> Result<Vec<Tensor>>,
        state: &[&Tensor],
    ) -> Result<Vec<Tensor>> {
        let name = "forLoop";
        let iterations = (i64::from(to) - i64::from(from)).max(0) as usize;
        let region = self.region(name, true, state, &[])?;
        let index = region.index_from(from)?;
        let next = f(&index, &region.placeholders)?;
        Ok(region.close_loop(state, &[], (&refs(&next), &[]), None, Some(iterations), false)?.0)
    }

    /// `body(state)` as long as `condition(state)`, a 0-d bool, holds, and at most `limit` times.
    /// Yields the last state.
    ///
    /// Without a limit, and with one of more than 256, a GPU is asked now and then, more and more
    /// seldom, whether the loop goes on; what comes after waits for its end. In a browser that
    /// happens between turns of the event loop; natively the call that makes the device work waits,
    /// so that a loop without end is one.
    ///
    /// Errors as [`Device::scan`].
    pub fn while_loop(
        &self,
        condition: impl FnOnce(&[Tensor]) -> Result<Tensor>,
        body: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
        state: &[&Tensor],
        limit: Option<usize>,
    ) -> Result<Vec<Tensor>> {
        let region = self.region("whileLoop", true, state, &[])?;
        let holds = condition(&region.placeholders)?;
        let next = body(&region.placeholders)?;
        Ok(region.close_loop(state, &[], (&refs(&next), &[]), Some(&holds), limit, false)?.0)
    }

    /// `then(operands)` where the 0-d `predicate` holds, else `otherwise(operands)`. Both yield
    /// tensors of the same shapes and dtypes. Only that one runs; a GPU, where nobody can look at
    /// the predicate meanwhile, computes both and selects where they are cheap.
    ///
    /// Errors with `Shape` or `DType` where they differ, and as they do.
    pub fn cond(
        &self,
        predicate: &Tensor,
        then: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
        otherwise: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
        operands: &[&Tensor],
    ) -> Result<Vec<Tensor>> {
        let name = "cond";
        let region = self.region(name, false, operands, &[])?;
        let lists = [otherwise(&region.placeholders)?, then(&region.placeholders)?];
        let predicate = build::cast(name, predicate, DType::Bool)?;
        region.close_branch(&predicate, operands, &[&refs(&lists[0]), &refs(&lists[1])])
    }

    /// The one of `branches` that the 0-d integer `index` names, clamped to those there are, run on
    /// `operands`. Errors as [`Device::cond`].
    pub fn switch(
        &self,
        index: &Tensor,
        branches: &[Branch<'_>],
        operands: &[&Tensor],
    ) -> Result<Vec<Tensor>> {
        let region = self.region("switchCase", false, operands, &[])?;
        let lists = branches.iter().map(|f| f(&region.placeholders)).collect::<Result<Vec<_>>>()?;
        let lists: Vec<Vec<&Tensor>> = lists.iter().map(|list| refs(list)).collect();
        region.close_branch(index, operands, &lists.iter().map(|list| &list[..]).collect::<Vec<_>>())
    }
}

fn refs(tensors: &[Tensor]) -> Vec<&Tensor> {
    tensors.iter().collect()
}

/// How many turns a scan takes.
fn scan_length(name: &str, xs: &[&Tensor], length: Option<usize>) -> Result<usize> {
    let found = xs.first().map(|x| x.shape()[0]).or(length);
    let iterations =
        found.ok_or_else(|| Error::value(name, "there is nothing to iterate over: give a length"))?;
    let other = xs.iter().map(|x| x.shape()[0]).chain(length).find(|&other| other != iterations);
    match other {
        Some(other) => Err(Error::shape(name, format!("the lengths differ: {iterations} and {other}"))),
        None => Ok(iterations),
    }
}

impl Tracing {
    /// The name of the operation.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The index of a loop that counts from `from`.
    pub fn index_from(&self, from: i32) -> Result<Tensor> {
        let index = self.index.as_ref().expect("the region is a loop");
        if from == 0 {
            return Ok(index.clone());
        }
        build::binary(self.name, Binary::Add, index, &self.device.constant(self.name, Literal::I32(from))?)
    }

    /// Ends it as a loop over `state` and slices of `xs`, whose iterations yield `(next, stacks)`.
    /// `condition` and `iterations` as in [`Loop`].
    pub fn close_loop(
        self,
        state: &[&Tensor],
        xs: &[&Tensor],
        (next, stacks): (&[&Tensor], &[&Tensor]),
        condition: Option<&Tensor>,
        iterations: Option<usize>,
        reverse: bool,
    ) -> Result<Results> {
        let (name, device) = (self.name, self.device.clone());
        self.check_list("the state", state, next)?;
        if let Some(condition) = condition
            && (condition.rank() != 0 || condition.dtype() != DType::Bool)
        {
            return Err(Error::dtype(name, format!("the condition must yield a 0-d bool, got {condition}")));
        }
        if iterations.is_some_and(|iterations| iterations > i32::MAX as usize) {
            return Err(Error::value(name, "more than 2^31 - 1 iterations"));
        }
        for stack in stacks {
            Shape::checked(name, &stacked(iterations.unwrap_or(0), stack.shape()))?;
        }
        if iterations == Some(0) {
            let empty = |tensor: &&Tensor| {
                let zero = device.constant(name, Literal::zero(tensor.dtype()))?;
                build::expand(name, &zero, &stacked(0, tensor.shape()))
            };
            let state = state.iter().map(|&tensor| tensor.clone()).collect();
            return Ok((state, stacks.iter().map(empty).collect::<Result<_>>()?));
        }
        if next.is_empty() && stacks.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        device.make_room()?;
        let results: Vec<NodeId> = self.nodes(&[next, stacks].concat())?;
        let holds = condition.map(|t| self.nodes(&[t])).transpose()?;
        let lists: Vec<&[NodeId]> = std::iter::once(&results[..]).chain(holds.as_deref()).collect();
        let mut bodies = bodies(&device.graph(), self.start, &self.placeholder_nodes()?, &lists);
        let condition = if holds.is_some() { bodies.programs.pop() } else { None };
        let body = bodies.programs.pop().expect("there is a body");
        let (carried, sliced) = (state.len(), xs.len());
        let it = Loop { body, condition, iterations, carried, sliced, reverse };
        let mut inputs = self.nodes(&[state, xs].concat())?;
        inputs.extend(bodies.captured);
        let mut results = self.add(Op::Loop(Rc::new(it)), &inputs)?;
        let stacks = results.split_off(carried);
        Ok((results, stacks))
    }

    /// Ends it as a branch on `operands` between the functions that yield `lists`.
    pub fn close_branch(
        self,
        selector: &Tensor,
        operands: &[&Tensor],
        lists: &[&[&Tensor]],
    ) -> Result<Vec<Tensor>> {
        let (name, device) = (self.name, self.device.clone());
        let Some((&first, others)) = lists.split_first() else {
            return Err(Error::value(name, "there is nothing to choose from"));
        };
        for other in others {
            self.check_list("what the branches yield", first, other)?;
        }
        if selector.rank() != 0 || selector.dtype() == DType::F32 {
            return Err(Error::dtype(name, format!("chooses by a 0-d bool or integer, got {selector}")));
        }
        if first.is_empty() {
            return Ok(Vec::new());
        }
        device.make_room()?;
        let mut selector = selector.clone();
        if selector.dtype() == DType::U32 {
            // Clipped so that no large selector becomes negative in i32.
            selector = selector.minimum(f64::from(i32::MAX))?;
        }
        let selector = build::cast(name, &selector, DType::I32)?;
        let lists = lists.iter().map(|list| self.nodes(list)).collect::<Result<Vec<_>>>()?;
        let lists: Vec<&[NodeId]> = lists.iter().map(|list| &list[..]).collect();
        let bodies = bodies(&device.graph(), self.start, &self.placeholder_nodes()?, &lists);
        let mut inputs = self.nodes(&[&[&selector], operands].concat())?;
        inputs.extend(bodies.captured);
        self.add(Op::Branch(Rc::new(bodies.programs)), &inputs)
    }

    /// Appends a region and all of its parts.
    pub(crate) fn add(&self, op: Op, inputs: &[NodeId]) -> Result<Vec<Tensor>> {
        let mut graph = self.device.graph();
        let named = |error: Error| error.named(self.name);
        let results = region::results(&op);
        let region = graph.add(op, inputs).map_err(named)?;
        let part = |(index, (shape, dtype)): (usize, (Shape, DType))| {
            let id = graph.add(Op::Part { index, shape: shape.clone(), dtype }, &[region]).map_err(named)?;
            Ok((id, shape, dtype))
        };
        let parts = results.into_iter().enumerate().map(part).collect::<Result<Vec<_>>>();
        graph.release(region);
        drop(graph);
        Ok(parts?
            .into_iter()
            .map(|(id, shape, dtype)| Tensor::adopt(&self.device, id, shape, dtype))
            .collect())
    }

    pub(crate) fn nodes(&self, tensors: &[&Tensor]) -> Result<Vec<NodeId>> {
        tensors.iter().map(|tensor| self.device.node(self.name, tensor)).collect()
    }

    fn placeholder_nodes(&self) -> Result<Vec<NodeId>> {
        self.nodes(&self.index.iter().chain(&self.placeholders).collect::<Vec<_>>())
    }

    /// Errors unless two lists have the same shapes and dtypes; says which differs and how.
    fn check_list(&self, what: &str, expected: &[&Tensor], got: &[&Tensor]) -> Result<()> {
        if expected.len() != got.len() {
            let message = format!("{what} has {} tensors, then {}", expected.len(), got.len());
            return Err(Error::value(self.name, message));
        }
        for (n, (a, b)) in expected.iter().zip(got).enumerate() {
            let message = || format!("{what}, tensor {n}, is {a}, then {b}: it must stay as it is");
            if a.shape() != b.shape() {
                return Err(Error::shape(self.name, message()));
            }
            if a.dtype() != b.dtype() {
                return Err(Error::dtype(self.name, message()));
            }
        }
        Ok(())
    }
}

impl Drop for Tracing {
    fn drop(&mut self) {
        // Regions close from the inside out.
        let region = self.device.inner.functions.regions.borrow_mut().pop();
        drop(region);
    }
}

impl std::fmt::Debug for Tracing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tracing({}, {} carried, {:?})", self.name, self.carried, self.placeholders)
    }
}
