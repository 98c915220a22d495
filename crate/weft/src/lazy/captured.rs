//! A captured function: its program, the sources of its leaves and numbers, and its calls.

use crate::device::backend::Compiled;
use crate::device::cache::Key;
use crate::device::cell::{ParameterCell, ScalarSource, Trace, Twin, trace_error};
use crate::device::pending::{needs_computing, resolve};
use crate::device::tensor::{Life, Tensor};
use crate::device::{Device, literal};
use crate::inspect::Observed;
use crate::lazy::compared::{ResultRecipes, program_of};
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use weft_ir::HashMap;
use weft_ir::graph::{Graph, Node, NodeId, NodeSet, NodeValue, ValueId};
use weft_ir::op::{Op, rounding};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Error, Literal, Result, Shape};

/// Where a call finds a buffer of the program.
#[derive(Clone)]
pub(super) enum Source {
    /// The n-th tensor given.
    Input(usize),
    /// The n-th cell's tensor.
    Cell(usize),
    /// A tensor that the function read from outside.
    Kept(Tensor),
}

/// Where a call finds a number of the program.
#[derive(Clone, Copy)]
pub(super) enum Number {
    /// It was this when the function was captured.
    Fixed(u32),
    /// The n-th number given.
    Given(usize),
    /// The n-th integer made of a number given.
    Twin(usize),
    /// The k-th number of the n-th source.
    Asked(usize, usize),
}

/// What a result is.
pub(super) enum Yield {
    /// The n-th output of the program.
    Output(usize),
    /// Something the program would have read, as it is.
    Buffer(Source),
    /// A number as it is.
    Number(Number),
    /// A tensor without elements.
    Empty,
}

/// A captured function. Calls run its program at once, in one submit, and build no graph.
pub struct Captured {
    pub(super) device: Device,
    pub(super) program: Rc<TensorProgram>,
    pub(super) buffers: Vec<Source>,
    pub(super) scalars: Vec<Number>,
    /// The results, then the cells assigned.
    pub(super) yields: Vec<(Yield, Shape, DType)>,
    pub(super) results: usize,
    /// Which of `cells` are assigned, and for each whether it is.
    pub(super) assigned: Vec<usize>,
    is_assigned: Vec<bool>,
    pub(super) inputs: Vec<(Shape, DType)>,
    pub(super) numbers: Vec<DType>,
    /// Integers that are made of numbers, each with the number it is made of.
    pub(super) twins: Vec<(usize, Twin)>,
    pub(super) cells: Vec<Rc<ParameterCell>>,
    pub(super) sources: Vec<Rc<dyn ScalarSource>>,
    /// How results are made of others and of arguments, where another program may compare them.
    recipes: ResultRecipes,
    /// Whether the program compares anything.
    compares: bool,
    /// Whether it subtracts or divides elements that it is given.
    subtracts: bool,
    /// The program compiled for each set of leaves that calls could give up.
    variants: RefCell<Vec<(Vec<usize>, Rc<Compiled>)>>,
}

/// What is known of the leaves while the program is made.
struct Bindings<'a> {
    device: &'a Device,
    buffers: HashMap<NodeId, Source>,
    numbers: HashMap<NodeId, Number>,
}

impl Bindings<'_> {
    fn buffer(&self, graph: &mut Graph, id: NodeId) -> Result<Source> {
        if let Some(source) = self.buffers.get(&id) {
            return Ok(source.clone());
        }
        let node = &graph[id];
        if node.value == NodeValue::Placeholder {
            let what = format!(
                "the result depends on the placeholder {}{}, which is not listed",
                node.dtype, node.shape
            );
            return Err(trace_error(what));
        }
        let (shape, dtype) = (node.shape.clone(), node.dtype);
        graph.retain(id);
        Ok(Source::Kept(Tensor::adopt(self.device, id, shape, dtype)))
    }

    fn number(&self, graph: &Graph, id: NodeId) -> Result<Number> {
        match (self.numbers.get(&id), graph[id].value) {
            (Some(&number), _) => Ok(number),
            (None, NodeValue::Number(literal)) => Ok(Number::Fixed(literal.bits())),
            (None, _) => Err(trace_error("the result depends on a number placeholder that is not listed")),
        }
    }
}

impl Captured {
    /// The program of `roots`: `results` of them are results, the rest what the cells `assigned`
    /// become.
    pub(crate) fn new(
        device: &Device,
        trace: Trace,
        roots: &[NodeId],
        results: usize,
        assigned: Vec<usize>,
        placeholders: &[&Tensor],
    ) -> Result<Captured> {
        let mut bindings = Bindings { device, buffers: HashMap::default(), numbers: HashMap::default() };
        let (mut inputs, mut numbers, mut given) = (Vec::new(), Vec::new(), Vec::new());
        for placeholder in placeholders {
            let id = placeholder.node("jit")?;
            let graph = device.graph();
            match (graph[id].value, &graph[id].op) {
                (NodeValue::Placeholder, Op::Scalar(dtype)) => {
                    bindings.numbers.insert(id, Number::Given(numbers.len()));
                    numbers.push(*dtype);
                }
                (NodeValue::Placeholder, _) => {
                    bindings.buffers.insert(id, Source::Input(inputs.len()));
                    inputs.push((placeholder.shape().clone(), placeholder.dtype()));
                    given.push(id);
                }
                _ => return Err(trace_error(format!("{placeholder} is not a placeholder"))),
            }
        }
        let mut twins = Vec::new();
        for twin in trace.twins {
            let Some(&Number::Given(n)) = bindings.numbers.get(&twin.number.node("jit")?) else {
                return Err(trace_error("a number placeholder is used that is not listed"));
            };
            if let Some(scalar) = &twin.scalar {
                bindings.numbers.insert(scalar.node("jit")?, Number::Twin(twins.len()));
            }
            twins.push((n, twin));
        }
        for (n, cell) in trace.cells.iter().enumerate() {
            bindings.buffers.insert(cell.placeholder.node("jit")?, Source::Cell(n));
        }
        for (n, (_, tensors)) in trace.sources.iter().enumerate() {
            for (k, tensor) in tensors.iter().enumerate() {
                bindings.numbers.insert(tensor.node("jit")?, Number::Asked(n, k));
            }
        }
        let mut graph = device.graph();
        let computed: Vec<NodeId> =
            roots.iter().copied().filter(|&root| needs_computing(&graph, root)).collect();
        let (program, positions, (buffers, scalars)) = program_of(&mut graph, &computed, |graph, leaves| {
            let buffers: Result<Vec<Source>> =
                leaves.buffers.iter().map(|&id| bindings.buffer(graph, id)).collect();
            let scalars: Result<Vec<Number>> =
                leaves.scalars.iter().map(|&id| bindings.number(graph, id)).collect();
            (buffers, scalars)
        });
        let (buffers, scalars) = (buffers?, scalars?);
        let positions: HashMap<NodeId, usize> = computed.into_iter().zip(positions).collect();
        let mut yields = Vec::with_capacity(roots.len());
        for &root in roots {
            let (target, shape, dtype) =
                (resolve(&graph, root), graph[root].shape.clone(), graph[root].dtype);
            let what = if let Some(&position) = positions.get(&root) {
                Yield::Output(position)
            } else if shape.size() == 0 {
                Yield::Empty
            } else if matches!(graph[target].op, Op::Scalar(_)) {
                Yield::Number(bindings.number(&graph, target)?)
            } else {
                Yield::Buffer(bindings.buffer(&mut graph, target)?)
            };
            yields.push((what, shape, dtype));
        }
        let recipes = ResultRecipes::of(device, &mut graph, &roots[..results], &given);
        drop(graph);
        Ok(Captured {
            device: device.clone(),
            compares: rounding::within_jumps(&program),
            subtracts: rounding::differ_given(&program),
            program: Rc::new(program),
            recipes,
            buffers,
            scalars,
            yields,
            results,
            is_assigned: (0..trace.cells.len()).map(|cell| assigned.contains(&cell)).collect(),
            assigned,
            inputs,
            numbers,
            twins,
            cells: trace.cells.iter().map(|traced| Rc::clone(&traced.cell)).collect(),
            sources: trace.sources.iter().map(|(source, _)| Rc::clone(source)).collect(),
            variants: RefCell::default(),
        })
    }

    /// The program, for people.
    pub fn program(&self) -> &TensorProgram {
        &self.program
    }

    /// Runs the program. `inputs` and `numbers` are for the buffer and scalar placeholders in
    /// order; where `donate` is true (missing: false) the input's handle is given up, and its
    /// memory is written over if nothing else needs it.
    ///
    /// Errors with `Shape`, `DType` or `Value` when the arguments do not fit the placeholders,
    /// `Disposed`, `Trace` inside another captured function or an open transform, and as the device
    /// does.
    pub fn call(&self, inputs: &[&Tensor], numbers: &[f64], donate: &[bool]) -> Result<Vec<Tensor>> {
        let device = &self.device;
        self.check(inputs, numbers)?;
        device.collect();
        let donated = |n: usize| donate.get(n).copied().unwrap_or(false);
        let mut nodes = inputs.iter().map(|t| t.node("jit")).collect::<Result<Vec<_>>>()?;
        for cell in &self.cells {
            nodes.push(cell.node()?);
        }
        // Arguments that have no value yet are computed first, in the same submit.
        let batching = device.inner.backend.batch_submits();
        self.compute_arguments(&nodes)?;
        let asked: Vec<Vec<Literal>> = self.sources.iter().map(|source| source.next()).collect();
        let mut bits = Vec::with_capacity(self.scalars.len());
        for &number in &self.scalars {
            bits.push(self.number(number, numbers, &asked)?);
        }
        let mut uploaded = Uploaded { device, values: Vec::new() };
        let origins = self.buffers.iter().map(|source| self.origin(source, &nodes));
        let mut origins = origins.collect::<Result<Vec<_>>>()?;
        let recomputed = match (self.compares, self.subtracts) {
            (false, false) => Vec::new(),
            (compares, _) => device.made_again(&origins, !compares)?,
        };
        for (place, tensor) in &recomputed {
            origins[*place] = tensor.node("jit")?;
        }
        let leaves = origins.iter().map(|&id| uploaded.value(id)).collect::<Result<Vec<_>>>()?;
        let mut passed_on = NodeSet::default();
        for (what, ..) in &self.yields {
            if let Yield::Buffer(source) = what {
                passed_on.insert(self.origin(source, &nodes)?);
            }
        }
        let free = self.given_up(&leaves, &origins, passed_on, donated);
        let values = if self.program.outputs.is_empty() {
            Vec::new()
        } else {
            let journal = &device.inner.journal;
            let compiled = &self.variant(if journal.keeps_values() { Vec::new() } else { free })?;
            if journal.is_recording() {
                self.record(compiled, &origins, &leaves, &bits)?
            } else {
                device.run_compiled(compiled, &leaves, &bits)?
            }
        };
        drop(batching);
        let mut given = vec![false; values.len()];
        let mut results = Vec::with_capacity(self.yields.len());
        for (what, shape, dtype) in &self.yields {
            let value = match what {
                Yield::Output(n) => {
                    if std::mem::replace(&mut given[*n], true) {
                        device.inner.backend.retain(values[*n]);
                    }
                    values[*n]
                }
                Yield::Buffer(source) => {
                    let value = uploaded.value(self.origin(source, &nodes)?)?;
                    device.inner.backend.retain(value);
                    value
                }
                Yield::Number(number) => {
                    let bits = self.number(*number, numbers, &asked)?;
                    results.push(device.scalar(Literal::from_bits(*dtype, bits)));
                    continue;
                }
                Yield::Empty => device.inner.backend.upload(&[], shape, *dtype)?,
            };
            results.push(device.stored(value, shape.clone(), *dtype));
        }
        self.recipes.note(device, &results, &nodes)?;
        for (&cell, tensor) in self.assigned.iter().zip(results.drain(self.results..)) {
            self.cells[cell].exchange(tensor);
        }
        for (_, input) in inputs.iter().enumerate().filter(|(n, _)| donated(*n)) {
            input.end(Life::Donated);
        }
        drop(uploaded);
        device.collect();
        Ok(results)
    }

    /// Runs the program and notes it.
    ///
    /// Deferred: inspectors ask for it by hand.
    #[inline(never)]
    fn record(
        &self,
        compiled: &Rc<Compiled>,
        origins: &[NodeId],
        leaves: &[ValueId],
        scalars: &[u32],
    ) -> Result<Vec<ValueId>> {
        let mut outputs = vec![(Shape::scalar(), DType::U32); self.program.outputs.len()];
        for (what, shape, dtype) in &self.yields {
            if let Yield::Output(n) = *what {
                outputs[n] = (shape.clone(), *dtype);
            }
        }
        let program = &self.program;
        self.device.inspector().record(Observed { program, compiled, leaves, scalars, origins, outputs })
    }

    fn check(&self, inputs: &[&Tensor], numbers: &[f64]) -> Result<()> {
        let within = !self.device.inner.functions.regions.borrow().is_empty();
        if within || self.device.is_tracing() || self.device.is_transforming() {
            return Err(trace_error(
                "inside grad, a loop, a branch or another jit, call the function itself",
            ));
        }
        if (inputs.len(), numbers.len()) != (self.inputs.len(), self.numbers.len()) {
            let (tensors, scalars) = (self.inputs.len(), self.numbers.len());
            let what = format!(
                "captured for {tensors} tensors and {scalars} numbers, got {} and {}",
                inputs.len(),
                numbers.len()
            );
            return Err(Error::value("jit", what));
        }
        for (input, (shape, dtype)) in inputs.iter().zip(&self.inputs) {
            input.expect_shape("jit", shape)?;
            if input.dtype() != *dtype {
                return Err(Error::dtype("jit", format!("got {input}, captured for {dtype}{shape}")));
            }
            self.device.node("jit", input)?;
        }
        for (&number, &dtype) in numbers.iter().zip(&self.numbers) {
            literal("jit", number, dtype)?;
        }
        for (n, twin) in &self.twins {
            twin.value(numbers[*n])?;
        }
        Ok(())
    }

    /// Computes those arguments that have no value yet.
    fn compute_arguments(&self, nodes: &[NodeId]) -> Result<()> {
        let pending = {
            let graph = self.device.graph();
            nodes.iter().any(|&id| graph[id].value == NodeValue::Pending)
        };
        if pending { self.device.flush("jit", nodes) } else { Ok(()) }
    }

    /// The node a source stands for in this call.
    fn origin(&self, source: &Source, nodes: &[NodeId]) -> Result<NodeId> {
        match source {
            Source::Input(n) => Ok(nodes[*n]),
            Source::Cell(n) => Ok(nodes[self.inputs.len() + n]),
            Source::Kept(tensor) => tensor.node("jit"),
        }
    }

    fn number(&self, number: Number, given: &[f64], asked: &[Vec<Literal>]) -> Result<u32> {
        match number {
            Number::Fixed(bits) => Ok(bits),
            Number::Given(n) => Ok(literal("jit", given[n], self.numbers[n])?.bits()),
            Number::Twin(n) => {
                let (number, twin) = &self.twins[n];
                Ok(twin.value(given[*number])?.bits())
            }
            Number::Asked(n, k) => Ok(asked[n][k].bits()),
        }
    }

    /// The leaves that the program may write over: cells that are assigned and inputs that are
    /// donated, if this call is the last to need their memory.
    fn given_up(
        &self,
        leaves: &[ValueId],
        origins: &[NodeId],
        passed_on: NodeSet,
        donated: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let graph = self.device.graph();
        // A buffer that is passed on is still needed, and so is one that is given twice.
        let (mut needed, mut known) = (passed_on, NodeSet::default());
        for &id in origins {
            if !known.insert(id) {
                needed.insert(id);
            }
        }
        let is_free = |n: &usize| {
            let given = match &self.buffers[*n] {
                Source::Input(i) => donated(*i),
                Source::Cell(c) => self.is_assigned[*c],
                Source::Kept(_) => false,
            };
            let alone = |node: &Node| {
                node.handles() == 1 && node.readers() == 0 && matches!(node.value, NodeValue::Stored(_))
            };
            given
                && alone(&graph[origins[*n]])
                && !needed.contains(origins[*n])
                && !self.device.inner.backend.is_shared(leaves[*n])
        };
        (0..leaves.len()).filter(is_free).collect()
    }

    /// The program compiled to write over these leaves.
    fn variant(&self, free: Vec<usize>) -> Result<Rc<Compiled>> {
        let mut variants = self.variants.borrow_mut();
        if let Some((_, compiled)) = variants.iter().find(|(known, _)| *known == free) {
            self.device.inner.programs.borrow_mut().count_hit();
            return Ok(Rc::clone(compiled));
        }
        let key = Key { program: Rc::clone(&self.program), donated: free.clone() };
        let compiled = self.device.compiled(key)?;
        variants.push((free, Rc::clone(&compiled)));
        Ok(compiled)
    }
}

/// The values that a call binds, with those that were uploaded for it alone: numbers given where a
/// tensor is expected.
struct Uploaded<'a> {
    device: &'a Device,
    values: Vec<(NodeId, ValueId)>,
}

impl Uploaded<'_> {
    fn value(&mut self, id: NodeId) -> Result<ValueId> {
        let graph = self.device.graph();
        let node = &graph[id];
        match node.value {
            NodeValue::Stored(value) => Ok(value),
            NodeValue::Number(literal) => {
                if let Some((_, value)) = self.values.iter().find(|(known, _)| *known == id) {
                    return Ok(*value);
                }
                let value = self.device.inner.backend.upload(&[literal.bits()], &node.shape, node.dtype)?;
                self.values.push((id, value));
                Ok(value)
            }
            _ => {
                Err(trace_error("an argument has no value: it belongs to a function that was being captured"))
            }
        }
    }
}

impl Drop for Uploaded<'_> {
    fn drop(&mut self) {
        self.values.iter().for_each(|(_, value)| self.device.inner.backend.release(*value));
    }
}

impl fmt::Debug for Captured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Captured({} → {} results)\n{}", self.inputs.len(), self.results, self.program)
    }
}
