//! Reopening of stored values that a program compares with their own operands. For the time of a
//! flush their definitions come back from recipes.
//!
//! A walk up from each stored value with a recipe finds the comparisons that use it. A walk down
//! from those finds their other operands. If one of them is a step of the recipe, the value is
//! pending again, made of that step. Both sides are then in one program, which computes what it
//! compares in one place. Afterwards the value is as it was: what was read keeps its bits.
//!
//! A difference or a quotient counts as a comparison if the value was selected of the other
//! operand: its 0 or 1 may matter, as fusion finds once both are in one program.

use super::recipe::{Made, Recipe};
use super::{Graph, Node, NodeId, NodeSet, NodeValue};
use crate::op::Op;
use crate::op::rounding::{Bits, copied, jumps, may_meet, mixes};

/// A value that was made pending again, with what it was before.
#[derive(Debug)]
pub struct Reopened {
    id: NodeId,
    op: Op,
    inputs: Vec<NodeId>,
    value: NodeValue,
    computed: bool,
}

impl Reopened {
    /// Which node it is.
    pub fn id(&self) -> NodeId {
        self.id
    }
}

/// Where the steps of a recipe come from: for each step that is needed, its node, or `None` if it
/// has to be made.
type Plan = Vec<Option<Option<NodeId>>>;

/// Which of up to 64 values go into comparisons, and the other operands of those. A bit for each
/// value.
struct Sides {
    /// The comparisons' inputs, down to leaves, by the ids of nodes.
    below: Vec<u64>,
    /// The same of differences and quotients, as far as elements are copied.
    beside: Vec<u64>,
}

impl Sides {
    /// Nothing if no leaf goes into a comparison, as in most flushes. `closure` is sorted, oldest
    /// first.
    fn of(graph: &Graph, closure: &[NodeId], leaves: &[NodeId]) -> Option<Sides> {
        let places = closure.iter().map(|id| id.0 as usize + 1).max().unwrap_or(0);
        // What depends on leaves, and what has elements of them.
        let (mut above, mut copies) = (vec![0u64; places], vec![0u64; places]);
        for (n, leaf) in leaves.iter().enumerate() {
            above[leaf.0 as usize] = 1 << n;
            copies[leaf.0 as usize] = 1 << n;
        }
        let all_of = |bits: &[u64], ids: &[NodeId]| ids.iter().fold(0, |all, id| all | bits[id.0 as usize]);
        let copied_by = |node: &Node| copied(&node.op, node.inputs.len());
        let is_followed = |node: &Node| node.is_pending() && !mixes(&node.op);
        // Of a difference or a quotient, the leaves that one operand alone has elements of.
        let met_by = |node: &Node, copies: &[u64]| {
            let [a, b] = [0, 1].map(|n| copies[node.inputs[n].0 as usize]);
            a ^ b
        };
        let mut has_any = false;
        for &id in closure {
            let node = graph.at(id);
            let all = all_of(&above, &node.inputs);
            if all == 0 || !is_followed(node) {
                continue;
            }
            above[id.0 as usize] |= all;
            copies[id.0 as usize] |= all_of(&copies, &node.inputs[copied_by(node)]);
            has_any = has_any
                || graph.is_compared(node)
                || may_meet(&node.op, node.dtype) && met_by(node, &copies) != 0;
        }
        if !has_any {
            return None;
        }
        let (mut below, mut beside) = (vec![0u64; places], vec![0u64; places]);
        for &id in closure.iter().rev() {
            let node = graph.at(id);
            if !is_followed(node) {
                continue;
            }
            let all = below[id.0 as usize] | if graph.is_compared(node) { above[id.0 as usize] } else { 0 };
            node.inputs.iter().for_each(|input| below[input.0 as usize] |= all);
            let all = beside[id.0 as usize];
            node.inputs[copied_by(node)].iter().for_each(|input| beside[input.0 as usize] |= all);
            if may_meet(&node.op, node.dtype) {
                let met = met_by(node, &copies);
                node.inputs.iter().for_each(|input| beside[input.0 as usize] |= met);
            }
        }
        Some(Sides { below, beside })
    }

    fn is_below(&self, id: NodeId, bit: u64) -> bool {
        self.below.get(id.0 as usize).is_some_and(|bits| bits & bit != 0)
    }

    fn is_beside(&self, id: NodeId, bit: u64) -> bool {
        self.beside.get(id.0 as usize).is_some_and(|bits| bits & bit != 0)
    }

    fn has(&self, id: NodeId, bit: u64) -> bool {
        self.is_below(id, bit) || self.is_beside(id, bit)
    }
}

/// What a recipe has in common with those of other operands of a comparison.
#[derive(Default)]
struct Shared {
    /// The ages of their steps.
    ages: Vec<u64>,
    /// Of the recipe's steps, whether another is made in the same way, element by element.
    steps: Vec<bool>,
}

impl Shared {
    fn of<'a>(recipe: &Recipe, others: impl Iterator<Item = &'a Recipe>) -> Shared {
        let mut shared = Shared { ages: Vec::new(), steps: vec![false; recipe.names.len()] };
        for other in others {
            shared.ages.extend(other.names.iter().map(|name| name.1));
            let near = other.near();
            for (n, place) in recipe.same_steps(other).into_iter().enumerate() {
                let is_single = matches!(&other.forms[n].made, Made::By(op, _) if !mixes(op));
                if let Some(place) = place.filter(|_| near[n] && is_single) {
                    shared.steps[place] = true;
                }
            }
        }
        shared
    }
}

impl Graph {
    /// Makes stored values pending again that the nodes of a closure, oldest first, compare with
    /// their own operands. [`Graph::close`] takes that back.
    pub fn reopen(&mut self, closure: &[NodeId]) -> Vec<Reopened> {
        if self.recipes == 0 {
            return Vec::new();
        }
        let is_known = |id: &NodeId| self.at(*id).recipe.is_some() && !self.at(*id).is_pending();
        let leaves: Vec<NodeId> = closure.iter().copied().filter(is_known).collect();
        let (mut reopened, mut made) = (Vec::new(), Vec::new());
        let counts = |&id: &NodeId| {
            let node = self.at(id);
            node.is_pending() && (self.is_compared(node) || may_meet(&node.op, node.dtype))
        };
        if leaves.is_empty() || !closure.iter().any(counts) {
            return reopened;
        }
        for leaves in leaves.chunks(64) {
            let Some(sides) = Sides::of(self, closure, leaves) else { continue };
            let is_met = |n: usize| sides.has(leaves[n], 1 << n) && self.may_meet(&sides, leaves, n);
            if (0..leaves.len()).any(is_met) {
                self.reopen_those(closure, leaves, &sides, &mut made, &mut reopened);
            }
        }
        made.into_iter().for_each(|(_, id)| self.release(id));
        reopened
    }

    /// Whether a node's result jumps, as that of a comparison.
    fn is_compared(&self, node: &Node) -> bool {
        jumps(&node.op, node.inputs.first().map(|&input| self.at(input).dtype))
    }

    /// Whether an operand of a comparison with a leaf is a step of the leaf's recipe, or shares a
    /// step with it.
    #[inline(never)]
    fn may_meet(&self, sides: &Sides, leaves: &[NodeId], n: usize) -> bool {
        let (leaf, bit) = (leaves[n], 1 << n);
        let Some(recipe) = self.recipe(leaf) else { return false };
        let names = |leaf| self.recipe(leaf).map_or(&[][..], Recipe::names);
        let (near, copied) = (recipe.near(), recipe.copied());
        for (n, &(id, age)) in recipe.names.iter().enumerate().rev().skip(1) {
            let is_side = |id| near[n] && sides.is_below(id, bit) || copied[n] && sides.is_beside(id, bit);
            let is_shared = |other: NodeId| {
                other != leaf && is_side(other) && names(other).iter().any(|name| name.1 == age)
            };
            let is_met = is_side(id) && self.get(id).is_some_and(|node| node.sequence == age);
            if is_met || near[n] && leaves.iter().any(|&other| is_shared(other)) {
                return true;
            }
        }
        false
    }

    /// Makes those of up to 64 leaves pending again that are made of what they are compared with.
    ///
    /// Deferred: few programs compare a value that was read with what it was made of.
    #[inline(never)]
    fn reopen_those(
        &mut self,
        closure: &[NodeId],
        leaves: &[NodeId],
        sides: &Sides,
        made: &mut Vec<(u64, NodeId)>,
        reopened: &mut Vec<Reopened>,
    ) {
        let within: NodeSet = closure.iter().copied().collect();
        let mut plans = Vec::new();
        for (n, &leaf) in leaves.iter().enumerate().filter(|&(n, &leaf)| sides.has(leaf, 1 << n)) {
            let others = leaves.iter().filter(|&&other| other != leaf && sides.has(other, 1 << n));
            let recipe = self.recipe(leaf).expect("those without one were left out").clone();
            let shared = Shared::of(&recipe, others.filter_map(|&other| self.recipe(other)));
            let plan = self.plan(&recipe, &shared, |id| (sides.has(id, 1 << n), within.contains(id)));
            plans.extend(plan.map(|plan| (leaf, recipe, plan)));
        }
        for (leaf, recipe, plan) in plans {
            let (op, inputs) = self.make(&recipe, &plan, made);
            let node = self.get_mut(leaf);
            let before =
                (std::mem::replace(&mut node.op, op), std::mem::replace(&mut node.inputs, inputs.clone()));
            let value = std::mem::replace(&mut node.value, NodeValue::Pending);
            let computed = std::mem::replace(&mut node.computed, false);
            inputs.iter().for_each(|&input| self.get_mut(input).readers += 1);
            self.pending += 1;
            self.retain(leaf);
            reopened.push(Reopened { id: leaf, op: before.0, inputs: before.1, value, computed });
        }
    }

    /// Gives values back that [`Graph::reopen`] made pending.
    pub fn close(&mut self, reopened: Vec<Reopened>) {
        if !reopened.is_empty() {
            self.close_those(reopened);
        }
    }

    /// Deferred: as [`Graph::reopen_those`].
    #[inline(never)]
    fn close_those(&mut self, reopened: Vec<Reopened>) {
        for it in reopened {
            let node = self.get_mut(it.id);
            node.op = it.op;
            node.computed = it.computed;
            let inputs = std::mem::replace(&mut node.inputs, it.inputs);
            match std::mem::replace(&mut node.value, it.value) {
                NodeValue::Stored(value) => self.released.push(value),
                _ => self.pending -= 1,
            }
            self.unread(&inputs);
            self.remove_dead();
            self.release(it.id);
        }
    }

    /// Whether one of `given` is made of another of them, by its recipe; if `selected`, whether it
    /// was selected of that.
    pub fn is_made_of(&self, id: NodeId, given: &[NodeId], selected: bool) -> bool {
        let Some(recipe) = self.recipe(id) else { return false };
        let own = self.at(id).sequence;
        let is_other = |&(other, age): &(NodeId, u64)| {
            age != own && given.iter().any(|&one| one == other && self.at(one).sequence == age)
        };
        let mut others = recipe.names().iter().enumerate().filter(|(_, name)| is_other(name)).peekable();
        if others.peek().is_none() {
            return false;
        }
        let copied = if selected { recipe.copied() } else { Vec::new() };
        others.any(|(n, _)| !selected || copied[n])
    }

    /// A pending node that is computed as the value `id` was, from those of `among` that are steps
    /// of its recipe; `None` if none are. The caller holds a handle.
    pub fn made_again(&mut self, id: NodeId, among: &[NodeId]) -> Option<NodeId> {
        let recipe = self.recipe(id)?.clone();
        let plan = self.plan(&recipe, &Shared::default(), |id| (among.contains(&id), false))?;
        let mut made = Vec::new();
        let (op, inputs) = self.make(&recipe, &plan, &mut made);
        let form = recipe.forms.last()?;
        let again = self.add_like(op, inputs, form.shape.clone(), form.dtype);
        made.into_iter().for_each(|(_, id)| self.release(id));
        Some(again)
    }

    /// Where the steps of a recipe come from, if the value can be made of operands of a comparison
    /// with it. `place` says whether a node is such an operand, and whether it is in the program.
    ///
    /// A sum of many elements is taken where it has a value, and made again where it is gone. Steps
    /// below it are no reason to make it again.
    fn plan(&self, recipe: &Recipe, shared: &Shared, place: impl Fn(NodeId) -> (bool, bool)) -> Option<Plan> {
        let count = recipe.names.len();
        let near = recipe.near();
        let mut plan: Plan = vec![None; count];
        let mut needed = vec![false; count];
        needed[count - 1] = true;
        let mut is_met = false;
        for n in (0..count).rev() {
            if !needed[n] {
                continue;
            }
            let (id, sequence) = recipe.names[n];
            let node = self.get(id).filter(|node| node.sequence == sequence && n + 1 < count);
            let (is_side, is_within) = if node.is_some() { place(id) } else { (false, false) };
            let has_value = node.is_some_and(|node| !node.is_pending());
            let is_rounded = recipe.forms[n].bits >= Bits::Product && n + 1 < count;
            let is_shared = shared.ages.contains(&sequence) && is_rounded;
            let is_like_another = shared.steps.get(n) == Some(&true) && is_rounded;
            is_met |= near[n] && (is_side || is_shared || is_like_another);
            let is_sum = matches!(&recipe.forms[n].made, Made::By(op, _) if mixes(op));
            let is_taken = is_side || (is_within && !has_value) || ((is_shared || is_sum) && has_value);
            plan[n] = match &recipe.forms[n].made {
                _ if is_taken => Some(Some(id)),
                Made::By(_, inputs) => {
                    inputs.iter().for_each(|&input| needed[input as usize] = true);
                    Some(None)
                }
                Made::Number => Some(None),
                Made::Nothing if has_value || is_within => Some(Some(id)),
                Made::Nothing => return None,
            };
        }
        is_met.then_some(plan)
    }

    /// Makes the steps of a plan but the last, whose operation and inputs it returns. `made` has
    /// the steps that were made before, by age, and holds a handle to each.
    fn make(&mut self, recipe: &Recipe, plan: &Plan, made: &mut Vec<(u64, NodeId)>) -> (Op, Vec<NodeId>) {
        let mut nodes = vec![NodeId(0); plan.len()];
        for (n, from) in plan.iter().enumerate() {
            let Some(from) = from else { continue };
            let (form, sequence) = (&recipe.forms[n], recipe.names[n].1);
            if let Some(id) = from {
                nodes[n] = *id;
                continue;
            }
            let op = match &form.made {
                Made::By(op, inputs) => {
                    let inputs = inputs.iter().map(|&input| nodes[input as usize]).collect();
                    if n + 1 == plan.len() {
                        return (op.clone(), inputs);
                    }
                    Some((op.clone(), inputs))
                }
                _ => None,
            };
            let known = made.iter().find(|made| made.0 == sequence).map(|made| made.1);
            nodes[n] = known.unwrap_or_else(|| {
                // A step keeps its age, because walks sort by age, and does not count as pending
                // work.
                let (recent, carried) = (self.recent.len(), self.carried.len());
                let id = match op {
                    Some((op, inputs)) => self.add_like(op, inputs, form.shape.clone(), form.dtype),
                    None => self.add_number(recipe.number(n)),
                };
                self.recent.truncate(recent);
                self.carried.truncate(carried);
                self.get_mut(id).sequence = sequence;
                made.push((sequence, id));
                id
            });
        }
        unreachable!("the last step of a recipe is an operation")
    }
}
