//! `jit`: a function run once on placeholders becomes a program that is called without building any
//! graph.
//!
//! It is the same program, cache and run as a flush's; only steps before it are skipped. What the
//! function reads from outside is bound again at each call: tensors are kept alive, cells
//! (parameters, optimizer state) are implicit inputs and outputs, numbers keep the values they had,
//! except those of a [`ScalarSource`], which are asked for at each call.

use crate::device::Device;
use crate::device::cell::{ParameterCell, ScalarSource, Trace, TracedCell, trace_error};
use crate::device::pending::{is_pending, placeholder_dependents, worth_storing};
use crate::device::tensor::Tensor;
use crate::lazy::captured::Captured;
use std::rc::Rc;
use weft_ir::graph::NodeId;
use weft_ir::op::Op;
use weft_ir::{DType, Result, Shape};

impl Device {
    /// Begins to capture a function. Until [`Device::trace_end`] nothing that depends on a
    /// placeholder can be read.
    ///
    /// Errors with `Trace` when one is being captured already.
    pub fn trace_begin(&self) -> Result<()> {
        if self.is_tracing() {
            return Err(trace_error("a function is being captured already: call the inner one itself"));
        }
        let start = self.graph().newest();
        *self.inner.functions.trace.borrow_mut() =
            Some(Trace { start, cells: Vec::new(), sources: Vec::new(), twins: Vec::new() });
        Ok(())
    }

    /// Gives up capturing; does nothing when nothing is captured.
    pub fn trace_abort(&self) {
        let trace = self.inner.functions.trace.borrow_mut().take();
        drop(trace);
    }

    /// Whether a function is being captured.
    pub fn is_tracing(&self) -> bool {
        self.inner.functions.trace.borrow().is_some()
    }

    /// A tensor that each call of the captured function will bind. Errors with `Trace` unless a
    /// function is being captured, and with `Shape`.
    pub fn placeholder(&self, shape: &[usize], dtype: DType) -> Result<Tensor> {
        let shape = Shape::checked("jit", shape)?;
        self.hold_place(Op::Buffer(shape, dtype))
    }

    /// A number that each call of the captured function will give, as a 0-d tensor. Errors with
    /// `Trace` unless a function is being captured.
    pub fn scalar_placeholder(&self, dtype: DType) -> Result<Tensor> {
        self.hold_place(Op::Scalar(dtype))
    }

    fn hold_place(&self, op: Op) -> Result<Tensor> {
        if !self.is_tracing() {
            return Err(trace_error("no function is being captured"));
        }
        self.new_placeholder(op)
    }

    /// A placeholder of a function that is being captured in whatever way.
    pub(crate) fn new_placeholder(&self, op: Op) -> Result<Tensor> {
        let id = self.graph().add_placeholder(op)?;
        Ok(self.adopt(id))
    }

    /// The numbers of `source` as 0-d tensors: its next values now, or, while a function is
    /// captured, those of each call.
    pub fn scalars(&self, source: &Rc<dyn ScalarSource>) -> Result<Vec<Tensor>> {
        if !self.is_tracing() {
            return Ok(source.next().into_iter().map(|value| self.scalar(value)).collect());
        }
        let dtypes = source.dtypes().into_iter();
        let tensors = dtypes.map(|dtype| self.scalar_placeholder(dtype)).collect::<Result<Vec<_>>>()?;
        if let Some(trace) = self.inner.functions.trace.borrow_mut().as_mut() {
            trace.sources.push((Rc::clone(source), tensors.clone()));
        }
        Ok(tensors)
    }

    /// The tensor a cell holds inside the function being captured; `None` when none is.
    pub(crate) fn traced_cell(&self, cell: &Rc<ParameterCell>) -> Result<Option<Tensor>> {
        if !self.is_tracing() {
            return Ok(None);
        }
        let find = |trace: &Trace| {
            let found = trace.cells.iter().find(|traced| Rc::ptr_eq(&traced.cell, cell));
            found.map(|traced| traced.current.clone())
        };
        if let Some(found) = self.inner.functions.trace.borrow().as_ref().and_then(find) {
            return Ok(Some(found));
        }
        let current = cell.current();
        let placeholder = self.placeholder(current.shape(), current.dtype())?;
        let traced = TracedCell {
            cell: Rc::clone(cell),
            placeholder: placeholder.clone(),
            current: placeholder.clone(),
        };
        if let Some(trace) = self.inner.functions.trace.borrow_mut().as_mut() {
            trace.cells.push(traced);
        }
        Ok(Some(placeholder))
    }

    /// Assigns a cell inside the function being captured, which has touched it before; says whether
    /// one is.
    pub(crate) fn set_traced_cell(&self, cell: &Rc<ParameterCell>, tensor: &Tensor) -> bool {
        let mut trace = self.inner.functions.trace.borrow_mut();
        let Some(trace) = trace.as_mut() else { return false };
        let mut found = trace.cells.iter_mut().filter(|traced| Rc::ptr_eq(&traced.cell, cell));
        if let Some(traced) = found.next() {
            traced.current = tensor.clone();
        }
        true
    }

    /// Ends capturing: the program that computes `outputs` from `placeholders` (buffers and scalars
    /// in any order).
    ///
    /// Errors with `Trace` when nothing is being captured or something depends on a placeholder
    /// that is not listed, and as a flush does for what must be computed beforehand.
    pub fn trace_end(&self, outputs: &[&Tensor], placeholders: &[&Tensor]) -> Result<Captured> {
        let trace = self.take_trace()?;
        let mut roots = outputs.iter().map(|t| t.node("jit")).collect::<Result<Vec<_>>>()?;
        let mut assigned = Vec::new();
        for (n, cell) in trace.cells.iter().enumerate() {
            let (before, after) = (cell.placeholder.node("jit")?, cell.current.node("jit")?);
            if before != after {
                assigned.push(n);
                roots.push(after);
            }
        }
        self.compute_what_was_there(&trace, &roots)?;
        Captured::new(self, trace, &roots, outputs.len(), assigned, placeholders)
    }

    /// What was captured; nothing is from now on.
    pub(crate) fn take_trace(&self) -> Result<Trace> {
        let trace = self.inner.functions.trace.borrow_mut().take();
        trace.ok_or_else(|| trace_error("no function is being captured"))
    }

    /// Stores what the function reads and does not compute itself, so that no call computes it
    /// again.
    fn compute_what_was_there(&self, trace: &Trace, roots: &[NodeId]) -> Result<()> {
        let before: Vec<NodeId> = {
            let graph = self.graph();
            let closure = graph.closure(roots, |n| is_pending(n) && n.sequence > trace.start);
            let older =
                closure.iter().filter(|&&id| graph[id].sequence <= trace.start && is_pending(&graph[id]));
            let stored: Vec<NodeId> = older.filter_map(|&id| worth_storing(&graph, id)).collect();
            let traced = placeholder_dependents(&graph, &stored);
            stored.into_iter().filter(|id| !traced.contains(*id)).collect()
        };
        if before.is_empty() { Ok(()) } else { self.flush("jit", &before) }
    }
}
