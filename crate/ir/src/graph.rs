//! The live tensor graph: what eager calls append to, and what transforms read and extend.
//!
//! Nodes sit in a slab. Each is counted: once per handle a user holds, once per node that reads it;
//! at zero it is removed, iteratively, so that a chain of any length can be dropped. A node carries
//! its definition (`op`, `inputs`) and, once computed and kept, its value beside it. When no
//! transform is open a stored value replaces its definition, which frees the nodes below.
//!
//! `sequence` grows with every node, and the inputs of a node are always older than it: sorting by
//! it is a topological order, and whatever is older than a mark cannot depend on it.

mod recipe;
mod recipe_plan;
mod reopen;

pub use recipe::Recipe;
pub use recipe_plan::RecipePlan;
pub use reopen::Reopened;

use crate::dtype::{DType, Literal};
use crate::error::Result;
use crate::op::{self, Op};
use crate::order;
use crate::shape::Shape;
use std::cell::Cell;

/// The bit of a site that says that it is the place of a call, which differs from call to call.
pub const CALL_SITE: u32 = 1 << 30;
/// The bit of a site that says that a node is of the derivative of what was asked for there.
pub const OF_GRADIENT: u32 = 1 << 31;

/// A node of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A stored tensor's name in the runtime that stores it. The graph treats it as opaque.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ValueId(pub u32);

/// What a node holds besides its definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeValue {
    /// Nothing: its definition must be run.
    Pending,
    /// A tensor stored by the runtime.
    Stored(ValueId),
    /// The number a [`Op::Scalar`] stands for.
    Number(Literal),
    /// A [`Op::Buffer`] or [`Op::Scalar`] that a captured program will bind; it has no value while
    /// tracing.
    Placeholder,
}

/// One node: its definition, what it yields, and its value if it has one.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it computes.
    pub op: Op,
    /// What it reads, in the op's order.
    pub inputs: Vec<NodeId>,
    /// Extents of the result.
    pub shape: Shape,
    /// Dtype of the result.
    pub dtype: DType,
    /// The result, once it is stored, or what a leaf stands for.
    pub value: NodeValue,
    /// Age: inputs are always older.
    pub sequence: u64,
    /// Whether a flush has computed it already without storing it; a second need stores it.
    pub computed: bool,
    /// Whether storing it for its own sake failed: the tensor's reader gets the error.
    pub refused: bool,
    /// Whether a parameter or a piece of optimizer state holds it or has held it.
    pub assigned: bool,
    /// Where in the source it was asked for, see [`Graph::set_site`].
    pub site: u32,
    /// How its value was computed, where another kernel might not compute the same bits.
    recipe: Option<Box<Recipe>>,
    /// Number of flushes on the longest path to what it was made of: more than one in a recurrence
    /// that is carried from flush to flush.
    flush_depth: u32,
    handles: u32,
    readers: u32,
}

impl Node {
    /// Bytes of the result, once it is stored.
    pub fn bytes(&self) -> u64 {
        self.dtype.stored_bytes(self.shape.size())
    }

    /// Whether it has no value and is no stand-in: its definition must be run.
    // Inlined in builds for size too, as `Graph::at`: steps of loops ask this of every node several
    // times.
    #[inline(always)]
    pub fn is_pending(&self) -> bool {
        matches!(self.value, NodeValue::Pending)
    }

    /// Number of flushes on the longest path to what it was made of.
    pub fn flush_depth(&self) -> u32 {
        self.flush_depth
    }

    /// How many user handles hold this node.
    pub fn handles(&self) -> u32 {
        self.handles
    }

    /// How many live nodes read this one.
    pub fn readers(&self) -> u32 {
        self.readers
    }
}

/// The live graph. See the module's header.
#[derive(Default, Debug)]
pub struct Graph {
    nodes: Vec<Option<Node>>,
    free: Vec<u32>,
    sequence: u64,
    live: usize,
    pending: usize,
    placeholders: usize,
    open_transforms: u32,
    /// The age of the newest node at the last cut.
    cut: u64,
    /// Pending nodes added since the last cut, with their ages; some are gone.
    recent: Vec<(NodeId, u64)>,
    /// Links of recurrences that nodes added since the last cut read.
    carried: Vec<(NodeId, u64)>,
    /// Bytes of the tensors stored since [`Graph::rewind`].
    stored_bytes: u64,
    /// Stored nodes whose definitions wait for the last transform to close.
    beside: Vec<(NodeId, u64)>,
    /// Values whose last owner vanished since [`Graph::take_released`].
    released: Vec<ValueId>,
    /// Nodes that walks along inputs came by.
    walked: Cell<u64>,
    /// Room for the nodes that die together; empty in between.
    dead: Vec<NodeId>,
    /// See [`Graph::set_site`].
    site: u32,
    /// What the latest recipes have in common with others.
    forms: recipe::Forms,
    /// How many nodes have a recipe.
    recipes: usize,
}

impl Graph {
    /// An empty graph.
    pub fn new() -> Graph {
        Graph::default()
    }

    /// Says where in the source nodes are asked for from now on: a number that means something to
    /// the caller. Programs carry it along, but for equality it does not count.
    pub fn set_site(&mut self, site: u32) {
        self.site = site;
    }

    /// The site of nodes that are added now.
    pub fn site(&self) -> u32 {
        self.site
    }

    /// The live nodes, in no order.
    ///
    /// Deferred: inspectors ask for them.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter(|(_, node)| node.is_some()).map(|(slot, _)| NodeId(slot as u32))
    }

    /// Appends a node after checking it; the caller holds one handle to it. Errors as
    /// [`op::infer::infer`] does.
    pub fn add(&mut self, op: Op, inputs: &[NodeId]) -> Result<NodeId> {
        self.add_reading(op, inputs.to_vec())
    }

    /// As [`Graph::add`], of a list that is the node's from then on.
    pub fn add_reading(&mut self, op: Op, inputs: Vec<NodeId>) -> Result<NodeId> {
        let fact = |&id: &NodeId| {
            let node = self.at(id);
            (&node.shape, node.dtype)
        };
        // Most nodes read one or two others, and each step of a loop adds hundreds.
        let (shape, dtype) = match &inputs[..] {
            [a] => op::infer::infer(&op, &[fact(a)]),
            [a, b] => op::infer::infer(&op, &[fact(a), fact(b)]),
            several => op::infer::infer(&op, &several.iter().map(fact).collect::<Vec<_>>()),
        }?;
        Ok(self.insert(op, inputs, shape, dtype, NodeValue::Pending))
    }

    /// As [`Graph::add`] of what is known to be well formed: nothing is checked.
    pub fn add_like(&mut self, op: Op, inputs: Vec<NodeId>, shape: Shape, dtype: DType) -> NodeId {
        self.insert(op, inputs, shape, dtype, NodeValue::Pending)
    }

    /// A stored tensor as a leaf; the graph owns `value` and will release it.
    pub fn add_stored(&mut self, value: ValueId, shape: Shape, dtype: DType) -> NodeId {
        self.insert(Op::Buffer(shape.clone(), dtype), Vec::new(), shape, dtype, NodeValue::Stored(value))
    }

    /// A user's number as a 0-d leaf.
    pub fn add_number(&mut self, number: Literal) -> NodeId {
        self.insert(
            Op::Scalar(number.dtype()),
            Vec::new(),
            Shape::scalar(),
            number.dtype(),
            NodeValue::Number(number),
        )
    }

    /// A leaf that a captured program will bind: `op` is `Buffer` or `Scalar`.
    pub fn add_placeholder(&mut self, op: Op) -> Result<NodeId> {
        let (shape, dtype) = op::infer::infer(&op, &[])?;
        Ok(self.insert(op, Vec::new(), shape, dtype, NodeValue::Placeholder))
    }

    fn insert(
        &mut self,
        op: Op,
        inputs: Vec<NodeId>,
        shape: Shape,
        dtype: DType,
        value: NodeValue,
    ) -> NodeId {
        let (cut, mut flush_depth) = (self.cut, 0);
        for &input in &inputs {
            let node = self.get_mut(input);
            node.readers += 1;
            if !node.is_pending() {
                continue;
            }
            let (is_older, before, sequence) = (node.sequence <= cut, node.flush_depth, node.sequence);
            flush_depth = flush_depth.max(before.saturating_add(u32::from(is_older)));
            if is_older && before > 0 {
                self.carried.push((input, sequence));
            }
        }
        self.sequence += 1;
        self.live += 1;
        let sequence = self.sequence;
        let node = Node {
            op,
            inputs,
            shape,
            dtype,
            value,
            sequence,
            computed: false,
            refused: false,
            assigned: false,
            site: self.site,
            recipe: None,
            flush_depth,
            handles: 1,
            readers: 0,
        };
        self.stored_bytes += if matches!(value, NodeValue::Stored(_)) { node.bytes() } else { 0 };
        let id = match self.free.pop() {
            Some(slot) => {
                self.nodes[slot as usize] = Some(node);
                NodeId(slot)
            }
            None => {
                self.nodes.push(Some(node));
                NodeId(self.nodes.len() as u32 - 1)
            }
        };
        self.placeholders += usize::from(matches!(value, NodeValue::Placeholder));
        if matches!(value, NodeValue::Pending) {
            self.pending += 1;
            self.recent.push((id, sequence));
        }
        id
    }

    #[inline(always)]
    fn get_mut(&mut self, id: NodeId) -> &mut Node {
        let nodes: &mut [Option<Node>] = &mut self.nodes;
        match &mut nodes[id.0 as usize] {
            Some(node) => node,
            None => gone(),
        }
    }

    /// As `graph[id]`, for loops that see every node of a step: inlined in builds for size too.
    #[inline(always)]
    pub fn at(&self, id: NodeId) -> &Node {
        let nodes: &[Option<Node>] = &self.nodes;
        match &nodes[id.0 as usize] {
            Some(node) => node,
            None => gone(),
        }
    }

    /// The node, if it is live.
    pub fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)?.as_ref()
    }

    /// Takes one more handle to a node.
    pub fn retain(&mut self, id: NodeId) {
        self.get_mut(id).handles += 1;
    }

    /// Gives a handle back. Nodes that nothing holds or reads any more are removed, and their
    /// values reported by [`Graph::take_released`].
    pub fn release(&mut self, id: NodeId) {
        let node = self.get_mut(id);
        node.handles -= 1;
        if node.handles == 0 && node.readers == 0 {
            self.dead.push(id);
            self.remove_dead();
        }
    }

    /// Removes dead nodes and whatever dies with them, without recursion.
    fn remove_dead(&mut self) {
        while let Some(id) = self.dead.pop() {
            let node = self.nodes[id.0 as usize].take().expect("a dead node is removed once");
            self.free.push(id.0);
            self.live -= 1;
            self.pending -= usize::from(node.is_pending());
            self.placeholders -= usize::from(matches!(node.value, NodeValue::Placeholder));
            if let NodeValue::Stored(value) = node.value {
                self.released.push(value);
            }
            self.unread(&node.inputs);
            if let Some(recipe) = &node.recipe {
                self.recipes -= 1;
                self.unread(&recipe.kept);
            }
        }
    }

    fn unread(&mut self, inputs: &[NodeId]) {
        for &input in inputs {
            let node = self.get_mut(input);
            node.readers -= 1;
            if node.handles == 0 && node.readers == 0 {
                self.dead.push(input);
            }
        }
    }

    /// Gives a pending node its value. Its definition is dropped at once, or, while a transform is
    /// open, when the last closes.
    pub fn store(&mut self, id: NodeId, value: ValueId) {
        let node = self.get_mut(id);
        assert!(node.is_pending(), "only a pending node is stored");
        node.value = NodeValue::Stored(value);
        let (sequence, bytes) = (node.sequence, node.bytes());
        self.pending -= 1;
        self.stored_bytes += bytes;
        if self.open_transforms > 0 {
            self.beside.push((id, sequence));
        } else {
            self.drop_definition(id);
        }
    }

    fn drop_definition(&mut self, id: NodeId) {
        let node = self.get_mut(id);
        node.op = Op::Buffer(node.shape.clone(), node.dtype);
        let inputs = std::mem::take(&mut node.inputs);
        self.unread(&inputs);
        self.remove_dead();
    }

    /// Notes that a flush computed the node without storing it.
    pub fn set_computed(&mut self, id: NodeId) {
        self.get_mut(id).computed = true;
    }

    /// Notes that storing the node for its own sake failed.
    pub fn set_refused(&mut self, id: NodeId) {
        self.get_mut(id).refused = true;
    }

    /// Notes that a parameter holds the node.
    pub fn set_assigned(&mut self, id: NodeId) {
        self.get_mut(id).assigned = true;
    }

    /// Makes a cut: what is added from now on and reads what is pending now carries it across.
    pub fn cut(&mut self) {
        self.cut = self.sequence;
        self.carried.clear();
        self.recent.clear();
    }

    /// Pending nodes that were added since the last cut or [`Graph::rewind`], oldest first.
    pub fn recent(&self) -> impl Iterator<Item = NodeId> {
        self.recent.iter().filter(|known| self.is_pending(known)).map(|known| known.0)
    }

    /// How many nodes without a value were added since the last cut or [`Graph::rewind`], those
    /// that are gone included.
    pub fn added(&self) -> usize {
        self.recent.len()
    }

    /// Bytes of the tensors stored since [`Graph::rewind`], those that are gone included.
    pub fn stored_bytes(&self) -> u64 {
        self.stored_bytes
    }

    /// Counts what is added and stored from zero again.
    pub fn rewind(&mut self) {
        self.recent.clear();
        self.stored_bytes = 0;
    }

    /// Pending links of recurrences across the last cut and one before it: their history grows by
    /// every iteration until they are stored. What counts is that something new read them, not
    /// who holds it.
    pub fn carried(&self) -> impl Iterator<Item = NodeId> {
        self.carried.iter().filter(|known| self.is_pending(known)).map(|known| known.0)
    }

    fn is_pending(&self, &(id, sequence): &(NodeId, u64)) -> bool {
        self.get(id).is_some_and(|node| node.sequence == sequence && node.is_pending())
    }

    /// Opens a transform: from now on stored values stand beside their definitions.
    pub fn open_transform(&mut self) {
        self.open_transforms += 1;
    }

    /// Closes a transform; with the last one, the definitions of stored nodes go.
    pub fn close_transform(&mut self) {
        self.open_transforms -= 1;
        if self.open_transforms > 0 {
            return;
        }
        for (id, sequence) in std::mem::take(&mut self.beside) {
            if self.get(id).is_some_and(|node| node.sequence == sequence) {
                self.drop_definition(id);
            }
        }
    }

    /// How many transforms are open.
    pub fn open_transforms(&self) -> u32 {
        self.open_transforms
    }

    /// Whether the values of nodes that vanished wait for [`Graph::take_released`].
    pub fn has_released(&self) -> bool {
        !self.released.is_empty()
    }

    /// The values whose nodes vanished since the last call, for the runtime to free.
    pub fn take_released(&mut self) -> Vec<ValueId> {
        std::mem::take(&mut self.released)
    }

    /// Number of live nodes.
    pub fn live(&self) -> usize {
        self.live
    }

    /// Number of live nodes that have no value yet.
    pub fn pending(&self) -> usize {
        self.pending
    }

    /// Nodes that walks along inputs came by so far: a measure of the work of flushes.
    pub fn walked(&self) -> u64 {
        self.walked.get()
    }

    /// The age of the newest node.
    pub fn newest(&self) -> u64 {
        self.sequence
    }

    /// Whether anything could depend on a placeholder.
    pub fn has_placeholders(&self) -> bool {
        self.placeholders > 0
    }

    /// Every live node.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().filter_map(|(i, n)| n.as_ref().map(|n| (NodeId(i as u32), n)))
    }

    /// The nodes `roots` depend on, themselves included, oldest first. `enter` says whether a
    /// node's inputs are followed.
    pub fn closure(&self, roots: &[NodeId], enter: impl FnMut(&Node) -> bool) -> Vec<NodeId> {
        let mut found = Vec::new();
        self.reach(roots, enter, &mut NodeSet::default(), &mut found);
        self.sort(&mut found);
        found
    }

    /// Adds to `seen` and `found` what `roots` depend on, themselves included, and was not there.
    pub fn reach(
        &self,
        roots: &[NodeId],
        mut enter: impl FnMut(&Node) -> bool,
        seen: &mut NodeSet,
        found: &mut Vec<NodeId>,
    ) {
        // Loops, not chains of iterators, which are a call for each link of each step in a build
        // for size.
        let mut stack = Vec::new();
        let mut note = |stack: &mut Vec<NodeId>, ids: &[NodeId]| {
            for &id in ids {
                if seen.add(id) {
                    stack.push(id);
                }
            }
        };
        note(&mut stack, roots);
        let before = found.len();
        while let Some(id) = stack.pop() {
            found.push(id);
            let node = self.at(id);
            if enter(node) {
                note(&mut stack, &node.inputs);
            }
        }
        self.walked.set(self.walked.get() + (found.len() - before) as u64);
    }

    /// Sorts nodes, oldest first: a topological order.
    pub fn sort(&self, nodes: &mut [NodeId]) {
        order::sort_by_key(nodes, |id| self.at(id).sequence);
    }
}

/// A set of the nodes of one graph, a bit for each.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct NodeSet(Vec<u64>);

impl NodeSet {
    /// Adds a node; says whether it was new.
    pub fn insert(&mut self, id: NodeId) -> bool {
        self.add(id)
    }

    #[inline(always)]
    fn add(&mut self, id: NodeId) -> bool {
        let (word, bit) = (id.0 as usize / 64, 1 << (id.0 % 64));
        if word >= self.0.len() {
            self.grow(word);
        }
        let words: &mut [u64] = &mut self.0;
        let is_new = words[word] & bit == 0;
        words[word] |= bit;
        is_new
    }

    #[cold]
    fn grow(&mut self, word: usize) {
        // Not one by one: those of a graph come in any order.
        self.0.resize((word + 1).next_multiple_of(16), 0);
    }

    /// Whether a node was added.
    pub fn contains(&self, id: NodeId) -> bool {
        self.0.get(id.0 as usize / 64).is_some_and(|word| word & (1 << (id.0 % 64)) != 0)
    }
}

impl FromIterator<NodeId> for NodeSet {
    fn from_iter<T: IntoIterator<Item = NodeId>>(ids: T) -> NodeSet {
        let mut set = NodeSet::default();
        for id in ids {
            set.insert(id);
        }
        set
    }
}

impl std::ops::Index<NodeId> for Graph {
    type Output = Node;
    /// Panics when the node was removed: ids are only held by those who hold a handle.
    fn index(&self, id: NodeId) -> &Node {
        self.at(id)
    }
}

#[cold]
fn gone() -> ! {
    panic!("the node is live: every handle and every reader is counted")
}

#[cfg(test)]
mod tests;
