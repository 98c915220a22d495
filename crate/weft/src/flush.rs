//! When the device computes, and what it keeps: the roots of a flush.
//!
//! A flush computes the tensors asked for, and with them every parameter and piece of optimizer state that is pending, and the
//! loss whose gradients are computed anyway. What an earlier flush computed without keeping it, and this one needs again, is
//! stored now, at the frontier: so a loop that reads something each turn costs the same each turn. Everything else is
//! fused away and never stored.
//!
//! Handles dropped since the last flush are given back before the roots are chosen.

use crate::cache::Key;
use crate::device::Device;
use crate::tensor::Tensor;
use std::collections::HashSet;
use std::rc::Rc;
use weft_ir::graph::{Graph, Node, NodeId, Value, ValueId};
use weft_ir::op::Op;
use weft_ir::order;
use weft_ir::program::TensorProgram;
use weft_ir::{Error, ErrorKind, Result};

/// How many nodes may join the pending graph before it is flushed for its size alone.
pub(crate) const MOST_PENDING: usize = 4096;

/// A node known without being held: its id, and its age to tell it from a later node in the same place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Weak {
    id: NodeId,
    sequence: u64,
}

impl Weak {
    pub fn to(graph: &Graph, id: NodeId) -> Weak {
        Weak { id, sequence: graph[id].sequence }
    }

    fn is_live(self, graph: &Graph) -> bool {
        graph.get(self.id).is_some_and(|node| node.sequence == self.sequence)
    }

    /// The node, while a user still holds it and it has no value.
    fn wanted(self, graph: &Graph) -> Option<NodeId> {
        let held = |node: &Node| node.handles() > 0 && is_pending(node);
        (self.is_live(graph) && held(&graph[self.id])).then_some(self.id)
    }
}

/// A value and its gradients, which are best computed together: a training loop asks for the gradients' use first and for the
/// value later, when the parameters it came from are gone.
#[derive(Debug)]
pub(crate) struct Group {
    pub value: Weak,
    pub gradients: Vec<Weak>,
}

impl Group {
    /// Whether anyone still waits for the value.
    pub fn is_held(&self, graph: &Graph) -> bool {
        self.value.wanted(graph).is_some()
    }
}

impl Device {
    /// Computes the tensors, all in one submit, and reads nothing. Errors with `Trace` when one depends on an input of the
    /// function being captured, `Disposed`, or as the device does.
    pub fn realize(&self, tensors: &[&Tensor]) -> Result<()> {
        self.flush_tensors("realize", tensors)
    }

    pub(crate) fn flush_tensors(&self, name: &str, tensors: &[&Tensor]) -> Result<()> {
        let ids = tensors.iter().map(|t| self.own_node(name, t)).collect::<Result<Vec<_>>>()?;
        self.flush(name, &ids)
    }

    /// Computes pending parameters and state: a point in the program where the pending graph is cut.
    pub fn flush_parameters(&self) -> Result<()> {
        self.flush("flush", &[])
    }

    /// Flushes for size alone, at a place that depends only on what was appended since the last flush. While a
    /// function is captured nothing can be computed and nothing is.
    ///
    /// What is held and read by nothing is stored. A held node that others read is computed on the way and not stored, now or
    /// the next time: in a garbage-collected language every link of a long chain is still held, and storing each would cost
    /// more than the chain.
    pub(crate) fn make_room(&self) -> Result<()> {
        let pending = self.graph().pending();
        if pending < self.inner.baseline.get() {
            self.inner.baseline.set(pending);
        }
        if pending - self.inner.baseline.get() < MOST_PENDING || self.is_tracing() {
            return Ok(());
        }
        let held: Vec<NodeId> = {
            let graph = self.graph();
            let ends =
                |n: &Node| n.value == Value::Pending && n.handles() > 0 && n.readers() == 0 && !n.computed;
            let held = graph.iter().filter(|(_, n)| ends(n));
            let mut held: Vec<NodeId> = held.map(|(id, _)| id).collect();
            order::sort_by_key(&mut held, |id| graph[id].sequence);
            let traced = placeholder_dependents(&graph, &graph.closure(&held, is_pending));
            held.retain(|id| !traced.contains(id));
            held
        };
        if self.flush("flush", &held).is_ok() {
            return Ok(());
        }
        // One that cannot be computed must not keep the others from it, nor fail whatever operation came next: it is left to
        // whoever reads it, and told then.
        for id in held {
            if self.flush("flush", &[id]).is_err() {
                self.graph().set_computed(id);
            }
        }
        self.inner.baseline.set(self.graph().pending());
        Ok(())
    }

    /// Computes `asked` and whatever else is a root of this flush; see the module's header.
    pub(crate) fn flush(&self, name: &str, asked: &[NodeId]) -> Result<()> {
        self.collect();
        let (roots, closure) = self.choose_roots(name, asked)?;
        // Storing one root may drop the last reader of another: hold them all meanwhile.
        let held = Held::new(self, &roots);
        let mut program_roots = Vec::with_capacity(roots.len());
        for &root in &roots {
            if !self.store_directly(root)? {
                program_roots.push(root);
            }
        }
        if !program_roots.is_empty() {
            self.compute(&program_roots)?;
        }
        let mut graph = self.graph();
        for id in closure {
            // What only a stored root read is gone.
            if graph.get(id).is_some_and(|n| n.value == Value::Pending && !n.op.is_leaf()) {
                graph.set_computed(id);
            }
        }
        self.inner.baseline.set(graph.pending());
        drop(graph);
        drop(held);
        self.collect();
        Ok(())
    }

    /// The roots of a flush that asks for `asked`, distinct and pending, and every node they depend on.
    fn choose_roots(&self, name: &str, asked: &[NodeId]) -> Result<(Vec<NodeId>, Vec<NodeId>)> {
        let cells = self.held_by_cells();
        let graph = self.graph();
        let mut roots = Roots::default();
        roots.extend(&graph, asked.iter().copied());
        let mut closure = graph.closure(&roots.order, is_pending);
        let traced = placeholder_dependents(&graph, &closure);
        if let Some(id) = roots.order.iter().find(|id| traced.contains(id)) {
            return Err(traced_error(name, &graph, *id));
        }
        if roots.extend_untraced(&graph, cells) {
            closure = graph.closure(&roots.order, is_pending);
        }
        let mut groups = self.inner.groups.borrow_mut();
        groups.retain(|group| group.is_held(&graph));
        while !groups.is_empty() {
            let reached: HashSet<NodeId> = closure.iter().copied().collect();
            let mut more = Vec::new();
            for group in groups.iter() {
                let Some(value) = group.value.wanted(&graph) else { continue };
                if group.gradients.iter().any(|g| g.is_live(&graph) && reached.contains(&g.id)) {
                    more.push(value);
                } else if asked.contains(&value) {
                    more.extend(group.gradients.iter().filter_map(|g| g.wanted(&graph)));
                }
            }
            if !roots.extend_untraced(&graph, more) {
                break;
            }
            closure = graph.closure(&roots.order, is_pending);
        }
        for id in frontier(&graph, &closure) {
            roots.extend(&graph, [id]);
        }
        Ok((roots.order, closure))
    }

    /// Stores a root that needs no program: an alias of what has a value, or nothing at all. Says whether it did.
    fn store_directly(&self, root: NodeId) -> Result<bool> {
        let mut graph = self.graph();
        let node = &graph[root];
        let upload = |words: &[u32]| self.inner.backend.upload(words, &node.shape, node.dtype);
        let value = match graph[resolve(&graph, root)].value {
            Value::Stored(value) => {
                self.inner.backend.retain(value);
                value
            }
            Value::Number(number) => upload(&[number.bits()])?,
            _ if node.shape.size() == 0 => upload(&[])?,
            _ => return Ok(false),
        };
        graph.store(root, value);
        Ok(true)
    }

    /// Compiles and runs the program of `roots`, which are pending, and stores what it yields.
    fn compute(&self, roots: &[NodeId]) -> Result<()> {
        let graph = self.graph();
        let (program, leaves, positions) = TensorProgram::from_graph(&graph, roots);
        let buffers = leaves.buffers.iter().map(|&id| stored(&graph, id)).collect::<Vec<_>>();
        let scalars = leaves.scalars.iter().map(|&id| bits(&graph, id)).collect::<Vec<_>>();
        drop(graph);
        let key = Key { program: Rc::new(program), donated: Vec::new() };
        let compiled = self.compiled(key)?;
        let values = self.inner.backend.run(&compiled, &buffers, &scalars)?;
        let mut graph = self.graph();
        let mut given = vec![false; values.len()];
        for (&root, &position) in roots.iter().zip(&positions) {
            if std::mem::replace(&mut given[position], true) {
                self.inner.backend.retain(values[position]);
            }
            graph.store(root, values[position]);
        }
        Ok(())
    }

    /// The compiled form of a program, from the cache or made now.
    pub(crate) fn compiled(&self, key: Key) -> Result<Rc<crate::backend::Compiled>> {
        if let Some(compiled) = self.inner.programs.borrow_mut().get(&key) {
            return Ok(compiled);
        }
        let compiled = self.inner.backend.compile(&key.program, &key.donated)?;
        Ok(self.inner.programs.borrow_mut().insert(key, compiled))
    }
}

/// Handles to nodes, given back at the end.
struct Held<'a> {
    device: &'a Device,
    nodes: &'a [NodeId],
}

impl<'a> Held<'a> {
    fn new(device: &'a Device, nodes: &'a [NodeId]) -> Held<'a> {
        nodes.iter().for_each(|&id| device.retain(id));
        Held { device, nodes }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.nodes.iter().for_each(|&id| self.device.release(id));
    }
}

/// Distinct pending nodes in the order they were added.
#[derive(Default)]
struct Roots {
    order: Vec<NodeId>,
    known: HashSet<NodeId>,
}

impl Roots {
    /// Adds nodes, and what they are other names of: the value is the same and is stored for both.
    fn extend(&mut self, graph: &Graph, ids: impl IntoIterator<Item = NodeId>) {
        for id in ids {
            for id in [id, resolve(graph, id)] {
                if is_pending(&graph[id]) && self.known.insert(id) {
                    self.order.push(id);
                }
            }
        }
    }

    /// As `extend`, leaving out what depends on a placeholder; says whether any was new.
    fn extend_untraced(&mut self, graph: &Graph, ids: impl IntoIterator<Item = NodeId>) -> bool {
        let is_new = |id: &NodeId| is_pending(&graph[*id]) && !self.known.contains(id);
        let ids: Vec<NodeId> = ids.into_iter().filter(is_new).collect();
        if ids.is_empty() {
            return false;
        }
        let known = self.order.len();
        let traced = placeholder_dependents(graph, &graph.closure(&ids, is_pending));
        self.extend(graph, ids.into_iter().filter(|id| !traced.contains(id)));
        self.order.len() > known
    }
}

pub(crate) fn is_pending(node: &Node) -> bool {
    node.value == Value::Pending
}

/// The nodes of a closure that depend on a placeholder.
pub(crate) fn placeholder_dependents(graph: &Graph, closure: &[NodeId]) -> HashSet<NodeId> {
    let mut found = HashSet::new();
    if !closure.iter().any(|&id| graph[id].value == Value::Placeholder) {
        return found;
    }
    for &id in closure {
        let node = &graph[id];
        let depends = match node.value {
            Value::Placeholder => true,
            Value::Pending => node.inputs.iter().any(|i| found.contains(i)),
            _ => false,
        };
        if depends {
            found.insert(id);
        }
    }
    found
}

pub(crate) fn traced_error(name: &str, graph: &Graph, id: NodeId) -> Error {
    let node = &graph[id];
    let what = format!(
        "the value of {}{} depends on an input of the function that jit is capturing: inside, only its shape and dtype are known",
        node.dtype, node.shape
    );
    Error::new(ErrorKind::Trace, name, what)
}

/// What a node is another name of: itself, or what stands below its marks and detachments.
pub(crate) fn resolve(graph: &Graph, mut id: NodeId) -> NodeId {
    while graph[id].value == Value::Pending && matches!(graph[id].op, Op::Mark(_) | Op::Detach) {
        id = graph[id].inputs[0];
    }
    id
}

/// The nodes of a closure that an earlier flush computed and a node that none has computed reads: the highest places at
/// which keeping a value spares this and later flushes the work below.
fn frontier(graph: &Graph, closure: &[NodeId]) -> Vec<NodeId> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for &id in closure {
        let node = &graph[id];
        if node.computed || node.value != Value::Pending {
            continue;
        }
        for &input in &node.inputs {
            if graph[input].computed && seen.insert(input) {
                found.extend(worth_storing(graph, input));
            }
        }
    }
    found
}

/// What to store so that `id` is at hand: itself, or the smallest thing it is a mere view of; nothing if that is a leaf.
pub(crate) fn worth_storing(graph: &Graph, id: NodeId) -> Option<NodeId> {
    let (mut best, mut at) = (id, id);
    loop {
        let node = &graph[at];
        if node.value != Value::Pending || node.op.is_leaf() {
            return None;
        }
        if node.shape.size() < graph[best].shape.size() {
            best = at;
        }
        match node.op {
            Op::View(_) | Op::Mark(_) | Op::Detach => at = node.inputs[0],
            _ => break,
        }
    }
    Some(if graph[at].shape.size() <= graph[best].shape.size() { at } else { best })
}

/// The value of a leaf that a flush binds.
fn stored(graph: &Graph, id: NodeId) -> ValueId {
    match graph[id].value {
        Value::Stored(value) => value,
        other => unreachable!("a flush binds only stored tensors, not {other:?}"),
    }
}

fn bits(graph: &Graph, id: NodeId) -> u32 {
    match graph[id].value {
        Value::Number(number) => number.bits(),
        other => unreachable!("a flush binds only numbers, not {other:?}"),
    }
}
