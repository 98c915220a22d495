//! Flushes: when the device computes, and which values it keeps.
//!
//! A flush computes the tensors asked for, and with them every parameter and piece of optimizer
//! state that is pending, and the loss whose gradients are computed anyway. What an earlier flush
//! computed without keeping it, and this one needs again, is stored now, at the frontier: so a loop
//! that reads something each iteration costs the same each iteration. Values carried past the flush
//! that would keep more alive than they take are stored too ([`crate::lazy::carry`]), and so is
//! what results of one operation share ([`crate::lazy::siblings`]). Everything else is fused away
//! and never stored.
//!
//! Handles dropped since the last flush are given back before the roots are chosen.

use crate::device::Device;
use crate::device::backend::Compiled;
use crate::device::cache::Key;
use crate::device::pending::{
    is_pending, needs_computing, placeholder_dependents, resolve, traced_error, worth_storing,
};
use crate::device::recall::Recalled;
use crate::device::tensor::Tensor;
use crate::lazy::carry::carried_along;
use std::rc::Rc;
use weft_ir::Result;
use weft_ir::graph::{Graph, Node, NodeId, NodeSet, NodeValue, Reopened, ValueId};
use weft_ir::op::Op;
use weft_ir::order_cache::OrderCache;
use weft_ir::program::TensorProgram;

impl Device {
    /// Computes the tensors, all in one submit, and reads nothing. Errors with `Trace` when one
    /// depends on an input of the function being captured, `Disposed`, or as the device does.
    pub fn realize(&self, tensors: &[&Tensor]) -> Result<()> {
        self.flush_tensors("realize", tensors)
    }

    pub(crate) fn flush_tensors(&self, name: &str, tensors: &[&Tensor]) -> Result<()> {
        let ids = tensors.iter().map(|t| self.own_node(name, t)).collect::<Result<Vec<_>>>()?;
        self.flush(name, &ids)
    }

    /// Computes pending parameters and state: a point in the program where the pending graph is
    /// cut.
    pub fn flush_parameters(&self) -> Result<()> {
        self.flush("flush", &[])
    }

    /// Computes `asked` and whatever else is a root of this flush; see the module's header.
    pub(crate) fn flush(&self, name: &str, asked: &[NodeId]) -> Result<()> {
        self.collect();
        let cells = self.held_by_cells();
        let carried = self.carried(asked, &cells);
        let done = self.choose_roots(name, asked, &cells, &carried).and_then(|roots| self.run_roots(roots));
        if done.is_err() && !carried.is_empty() {
            // Extra roots must not fail a flush: their values are computed when somebody reads
            // them.
            self.choose_roots(name, asked, &cells, &[]).and_then(|roots| self.run_roots(roots))?;
            self.refuse(&carried);
        } else {
            done?;
        }
        self.graph().cut();
        self.tick();
        self.collect();
        Ok(())
    }

    /// Extra roots of a flush of `asked`.
    fn carried(&self, asked: &[NodeId], cells: &[NodeId]) -> Vec<NodeId> {
        let mut carried = carried_along(&self.graph(), cells);
        carried.extend(self.shared_with_siblings(asked));
        carried
    }

    /// Computes these alone, to make room: no parameter, nothing carried, no cut, and nothing that
    /// an earlier flush computed on the way.
    pub(crate) fn flush_alone(&self, ids: &[NodeId]) -> Result<()> {
        let roots = {
            let mut graph = self.graph();
            let mut roots = Roots::default();
            roots.extend_untraced(&graph, ids.iter().copied());
            roots.complete(&mut graph, &mut self.inner.walks.borrow_mut().orders);
            roots
        };
        let done = self.run_roots(roots);
        self.collect();
        done
    }

    /// Notes that these could not be stored for their own sake.
    pub(crate) fn refuse(&self, ids: &[NodeId]) {
        let mut graph = self.graph();
        for &id in ids {
            if graph.get(id).is_some_and(is_pending) {
                graph.set_refused(id);
            }
        }
    }

    fn run_roots(&self, mut roots: Roots) -> Result<()> {
        let done = self.store_roots(&roots);
        self.graph().close(std::mem::take(&mut roots.reopened));
        done
    }

    fn store_roots(&self, roots: &Roots) -> Result<()> {
        // Storing one root may drop the last reader of another: hold them all meanwhile.
        let held = Retained::new(self, &roots.order);
        let mut program_roots = Vec::with_capacity(roots.order.len());
        for &root in &roots.order {
            if !self.store_directly(root)? {
                program_roots.push(root);
            }
        }
        if !program_roots.is_empty() {
            // A root stored directly may have been the last to need something.
            let all = program_roots.len() == roots.order.len();
            self.compute(&program_roots, all.then_some(&roots.closure))?;
        }
        let mut graph = self.graph();
        for &id in &roots.closure {
            // Nodes that only a stored root read are gone.
            if graph.get(id).is_some_and(|n| n.is_pending() && !n.op.is_leaf()) {
                graph.set_computed(id);
            }
        }
        drop(graph);
        drop(held);
        Ok(())
    }

    /// The roots of a flush that asks for `asked`, and every node they depend on.
    fn choose_roots(
        &self,
        name: &str,
        asked: &[NodeId],
        cells: &[NodeId],
        carried: &[NodeId],
    ) -> Result<Roots> {
        let mut graph = self.graph();
        let mut roots = Roots::default();
        roots.extend(&graph, asked.iter().copied());
        let traced = placeholder_dependents(&graph, &roots.order);
        let is_placeholder = |id: &NodeId| graph[resolve(&graph, *id)].value == NodeValue::Placeholder;
        let valueless = |id: &&NodeId| traced.contains(**id) || is_placeholder(id);
        if let Some(&id) = asked.iter().chain(&roots.order).find(valueless) {
            return Err(traced_error(name, &graph, id));
        }
        roots.extend_untraced(&graph, cells.iter().chain(carried).copied());
        let mut extra_roots = self.inner.extra_roots.borrow_mut();
        let groups = extra_roots.groups(&graph);
        while !groups.is_empty() {
            roots.reach(&graph);
            let mut more = Vec::new();
            for group in groups.iter() {
                let Some(value) = group.value.wanted(&graph) else { continue };
                if group.gradients.iter().any(|g| g.is_live(&graph) && roots.reached.contains(g.id)) {
                    more.push(value);
                } else if asked.contains(&value) {
                    more.extend(group.gradients.iter().filter_map(|g| g.wanted(&graph)));
                }
            }
            if !roots.extend_untraced(&graph, more) {
                break;
            }
        }
        roots.keep_frontier(&mut graph, &mut self.inner.walks.borrow_mut().orders);
        Ok(roots)
    }

    /// Stores a root that needs no program: an alias of what has a value, or nothing at all. Says
    /// whether it did.
    fn store_directly(&self, root: NodeId) -> Result<bool> {
        let mut graph = self.graph();
        let node = &graph[root];
        let upload = |words: &[u32]| self.inner.backend.upload(words, &node.shape, node.dtype);
        let value = match graph[resolve(&graph, root)].value {
            NodeValue::Stored(value) => {
                self.inner.backend.retain(value);
                value
            }
            NodeValue::Number(number) => upload(&[number.bits()])?,
            _ if node.shape.size() == 0 => upload(&[])?,
            _ => return Ok(false),
        };
        graph.store(root, value);
        Ok(true)
    }

    /// Compiles and runs the program of `roots`, which are pending, and stores what it yields.
    /// `closure` is what they depend on, oldest first, if that is known.
    fn compute(&self, roots: &[NodeId], closure: Option<&Vec<NodeId>>) -> Result<()> {
        let Recalled { program, compiled, leaves, positions, recipes } = self.program_of(roots, closure)?;
        let graph = self.graph();
        let buffers = leaves.buffers.iter().map(|&id| stored(&graph, id)).collect::<Vec<_>>();
        let scalars = leaves.scalars.iter().map(|&id| bits(&graph, id)).collect::<Vec<_>>();
        drop(graph);
        let values = if self.inner.journal.is_recording() {
            self.record_flush(
                roots,
                (&program, &compiled, &positions),
                &leaves.buffers,
                (&buffers, &scalars),
            )?
        } else {
            self.run_compiled(&compiled, &buffers, &scalars)?
        };
        let mut graph = self.graph();
        let made = self.recipes_of(&mut graph, roots, closure, &recipes);
        let mut given = vec![false; values.len()];
        for ((&root, &position), recipe) in roots.iter().zip(&*positions).zip(made) {
            if std::mem::replace(&mut given[position], true) {
                self.inner.backend.retain(values[position]);
            }
            if let Some(recipe) = recipe {
                graph.set_recipe(root, recipe);
            }
            graph.store(root, values[position]);
        }
        Ok(())
    }

    /// What computes `roots`: known by what they depend on, or by the program that is made of it.
    fn program_of(&self, roots: &[NodeId], closure: Option<&Vec<NodeId>>) -> Result<Recalled> {
        let graph = self.graph();
        let backend = &self.inner.backend;
        let of = |closure: &Vec<NodeId>| {
            self.inner.walks.borrow_mut().replaceable.replaced(&graph, backend, roots, closure)
        };
        let mut replaced = closure.map(of).unwrap_or_default();
        let journal = &self.inner.journal;
        if journal.keeps_values() {
            replaced.clear();
        }
        // What is recalled has the sites of another flush.
        if let Some(closure) = closure.filter(|_| !journal.is_recording())
            && let Some(known) = self.inner.programs.borrow_mut().recall(&graph, roots, closure, &replaced)
        {
            return Ok(known);
        }
        let (program, leaves, positions) = match closure {
            Some(closure) => TensorProgram::from_closure(&graph, roots, closure),
            None => TensorProgram::from_graph(&graph, roots),
        };
        drop(graph);
        let buffers = leaves.buffers.iter().enumerate();
        let donated = buffers.filter(|(_, id)| replaced.contains(id)).map(|(n, _)| n).collect();
        let program = Rc::new(program);
        let compiled = self.compiled(Key { program: Rc::clone(&program), donated })?;
        let found =
            Recalled { program, compiled, leaves, positions: positions.into(), recipes: Rc::default() };
        if let Some(closure) = closure {
            self.inner.programs.borrow_mut().remember(&self.graph(), roots, closure, &replaced, &found);
        }
        Ok(found)
    }

    /// The compiled form of a program, from the cache or made now.
    pub(crate) fn compiled(&self, key: Key) -> Result<Rc<Compiled>> {
        if let Some(compiled) = self.inner.programs.borrow_mut().get(&key) {
            return Ok(compiled);
        }
        let tuner = self.inner.tuner.as_ref();
        let compiled = self.inner.backend.compile(&key, tuner)?;
        let compiled = self.inner.programs.borrow_mut().insert(key, compiled);
        tuner.into_iter().for_each(|tuner| tuner.follow(&compiled));
        Ok(compiled)
    }

    /// Runs a program with these leaves bound; the caller owns one count of each output.
    pub(crate) fn run_compiled(
        &self,
        compiled: &Rc<Compiled>,
        leaves: &[ValueId],
        scalars: &[u32],
    ) -> Result<Vec<ValueId>> {
        self.inner.journal.note(compiled);
        self.inner.backend.run(compiled, leaves, scalars)
    }

    /// The program that a flush which asks for `asked` would run now.
    pub(crate) fn pending_program(&self, name: &str, asked: &[NodeId]) -> Result<TensorProgram> {
        self.collect();
        let cells = self.held_by_cells();
        let carried = self.carried(asked, &cells);
        let mut roots = self.choose_roots(name, asked, &cells, &carried)?;
        let mut graph = self.graph();
        roots.order.retain(|&root| needs_computing(&graph, root));
        let program = TensorProgram::from_graph(&graph, &roots.order).0;
        graph.close(roots.reopened);
        Ok(program)
    }
}

/// Handles to nodes, given back at the end.
struct Retained<'a> {
    device: &'a Device,
    nodes: &'a [NodeId],
}

impl<'a> Retained<'a> {
    fn new(device: &'a Device, nodes: &'a [NodeId]) -> Retained<'a> {
        nodes.iter().for_each(|&id| device.retain(id));
        Retained { device, nodes }
    }
}

impl Drop for Retained<'_> {
    fn drop(&mut self) {
        self.nodes.iter().for_each(|&id| self.device.release(id));
    }
}

/// Distinct pending nodes in the order they were added.
#[derive(Default)]
struct Roots {
    order: Vec<NodeId>,
    known: NodeSet,
    /// What the first of them depend on, themselves included, and how many those are.
    closure: Vec<NodeId>,
    reached: NodeSet,
    walked: usize,
    /// Stored values that are compared with what they were made of, and computed again beside it.
    reopened: Vec<Reopened>,
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
        let is_new = |id: &NodeId| is_pending(&graph[*id]) && !self.known.contains(*id);
        let ids: Vec<NodeId> = ids.into_iter().filter(is_new).collect();
        if ids.is_empty() {
            return false;
        }
        let known = self.order.len();
        let traced = placeholder_dependents(graph, &ids);
        self.extend(graph, ids.into_iter().filter(|id| !traced.contains(*id)));
        self.order.len() > known
    }

    /// Goes on to what all of them depend on.
    fn reach(&mut self, graph: &Graph) {
        graph.reach(&self.order[self.walked..], is_pending, &mut self.reached, &mut self.closure);
        self.walked = self.order.len();
    }

    /// Completes them with the frontier, which lies among what they depend on.
    fn keep_frontier(&mut self, graph: &mut Graph, orders: &mut OrderCache) {
        self.complete(graph, orders);
        let frontier = frontier(graph, &self.closure);
        self.extend(graph, frontier);
    }

    /// Sorts what they depend on. Of a loop or branch that runs, all results are stored that anyone
    /// may still ask for.
    fn complete(&mut self, graph: &mut Graph, orders: &mut OrderCache) {
        self.reach(graph);
        let runs = |id: &NodeId| matches!(graph[*id].op, Op::Loop(_) | Op::Branch(_) | Op::Kernel(_));
        let regions: NodeSet = self.closure.iter().copied().filter(runs).collect();
        if regions != NodeSet::default() {
            let asked = |id: NodeId, node: &Node| {
                let is_part = matches!(node.op, Op::Part { .. }) && regions.contains(node.inputs[0]);
                is_part && is_pending(node) && (node.handles() > 0 || !self.reached.contains(id))
            };
            let parts: Vec<NodeId> =
                graph.iter().filter(|&(id, node)| asked(id, node)).map(|(id, _)| id).collect();
            self.extend(graph, parts);
            self.reach(graph);
        }
        orders.sort(graph, &mut self.closure);
        self.reopened = graph.reopen(&self.closure);
        if !self.reopened.is_empty() {
            for it in &self.reopened {
                graph.reach(&graph[it.id()].inputs, is_pending, &mut self.reached, &mut self.closure);
            }
            orders.sort(graph, &mut self.closure);
        }
    }
}

/// The nodes of a closure that an earlier flush computed and a node that none has computed reads:
/// the highest places at which keeping a value saves this and later flushes the work below.
fn frontier(graph: &Graph, closure: &[NodeId]) -> Vec<NodeId> {
    let mut seen = NodeSet::default();
    let mut found = Vec::new();
    for &id in closure {
        let node = graph.at(id);
        if node.computed || !node.is_pending() {
            continue;
        }
        for &input in &node.inputs {
            if graph.at(input).computed && seen.insert(input) {
                found.extend(worth_storing(graph, input));
            }
        }
    }
    found
}

/// The value of a leaf that a flush binds.
fn stored(graph: &Graph, id: NodeId) -> ValueId {
    match graph[id].value {
        NodeValue::Stored(value) => value,
        other => unreachable!("a flush binds only stored tensors, not {other:?}"),
    }
}

fn bits(graph: &Graph, id: NodeId) -> u32 {
    match graph[id].value {
        NodeValue::Number(number) => number.bits(),
        other => unreachable!("a flush binds only numbers, not {other:?}"),
    }
}
