//! Recipes of stored values: how a value was computed, without keeping its operands alive.
//!
//! One flush stores `m = x.max()`, and a later one compares m with x. It computes x again in
//! another kernel, perhaps with other bits. The definition of m is gone by then: it would have kept
//! alive what m was made of. A recipe has the operations below m, each with the id and the age of
//! its node. If a program contains one of those nodes, m can be computed again from it.
//!
//! Each step of a loop stores values that are made alike, so the walk that finds a recipe yields a
//! plan ([`super::recipe_plan`]), by which the next step has its recipe without a walk.

use super::recipe_plan::RecipePlan;
use super::{Graph, Node, NodeId, NodeValue};
use crate::dtype::{DType, Literal};
use crate::op::Op;
use crate::op::rounding::{Bits, bits, copied, mixes};
use crate::shape::Shape;
use std::ops::Range;
use std::rc::Rc;

/// Operations that a recipe has at most, as many as an index may take. What is farther below has a
/// name only.
const MOST_STEPS: usize = 128;
/// Operations after which a recipe takes no more from the recipes of its operands.
const MOST_TAKEN: usize = 64;
/// How many recipes a recipe takes from one after another. A recurrence that is read at each
/// iteration would have those of all iterations, and every step of a recipe takes time when a value
/// is stored.
const MOST_GENERATIONS: u32 = 3;
/// How many sums of many elements a recipe goes through one after another. A loss would have the
/// operations of its whole network.
const MOST_SUMS: u32 = 1;
/// Forms that are kept to be shared.
const MOST_FORMS: usize = 8;
/// Bytes of positions, lists of which a recipe keeps: those of a gather or a scatter are often
/// written down in its call, so that nothing else holds them.
const MOST_POSITIONS: u64 = 1 << 14;

/// What a mark is in a recipe: transforms alone tell marks apart, each with numbers of its own.
const UNMARKED: &Op = &Op::Detach;

/// What a step of a recipe is.
#[derive(Debug)]
pub(super) enum Made {
    /// Something stored, or too far below.
    Nothing,
    /// A number.
    Number,
    /// An operation on earlier steps.
    By(Op, Vec<u32>),
}

/// A step without its name.
#[derive(Debug)]
pub(super) struct Form {
    pub made: Made,
    pub shape: Shape,
    pub dtype: DType,
    pub bits: Bits,
    /// How many values that were stored lie between it and the value of the recipe.
    generation: u32,
}

/// A node and its age, which no other node has.
pub(super) type Name = (NodeId, u64);

/// The latest forms. Values that the iterations of a loop store have the same form.
pub(super) type Forms = Vec<Rc<Vec<Form>>>;

/// How a value was computed. See the module.
#[derive(Clone, Default, Debug)]
pub struct Recipe {
    /// Oldest first; the last is the value.
    pub(super) forms: Rc<Vec<Form>>,
    /// The nodes that the steps were, and their ages.
    pub(super) names: Vec<Name>,
    /// The values of the numbers among them, in order.
    pub(super) numbers: Vec<Literal>,
    /// The positions that it keeps, once it belongs to a node, which reads them.
    pub(super) kept: Vec<NodeId>,
}

/// Where a recipe in the making finds the definition of a step.
#[derive(Clone, Copy)]
pub(super) enum Origin<'a> {
    Node(NodeId, &'a Node),
    /// Of the recipe of a stored node.
    Step(NodeId, &'a Recipe, usize),
}

/// What a step is found to be.
enum What<'a> {
    By(&'a Op),
    Number,
    Nothing(Bits),
}

/// A step as it is found.
struct Found<'a> {
    origin: Origin<'a>,
    what: What<'a>,
    /// Where the places of its inputs are in a list.
    inputs: Range<usize>,
    shape: &'a Shape,
    dtype: DType,
    generation: u32,
}

impl Found<'_> {
    fn is_like(&self, form: &Form, places: &[u32]) -> bool {
        let is_made_alike = match (&form.made, &self.what) {
            (Made::By(op, inputs), What::By(found)) => {
                inputs[..] == places[self.inputs.clone()] && op == *found
            }
            (Made::Number, What::Number) => true,
            (Made::Nothing, What::Nothing(bits)) => *bits == form.bits,
            _ => false,
        };
        is_made_alike
            && self.dtype == form.dtype
            && self.generation == form.generation
            && *self.shape == form.shape
    }
}

impl<'a> Origin<'a> {
    fn of(graph: &'a Graph, id: NodeId) -> Origin<'a> {
        let node = graph.at(id);
        match &node.recipe {
            Some(recipe) if !node.is_pending() => Origin::Step(id, recipe, recipe.names.len() - 1),
            _ => Origin::Node(id, node),
        }
    }

    fn name(self) -> Name {
        match self {
            Origin::Node(id, node) => (id, node.sequence),
            Origin::Step(_, recipe, place) => recipe.names[place],
        }
    }

    fn sequence(self) -> u64 {
        self.name().1
    }

    /// Whether another is the same step of the same node.
    fn is(self, other: Origin) -> bool {
        match (self, other) {
            (Origin::Node(..), Origin::Node(..)) => true,
            (Origin::Step(id, _, place), Origin::Step(of, _, with)) => id == of && place == with,
            _ => false,
        }
    }

    /// How many values that were stored lie between it and the value of the recipe.
    fn generation(self) -> u32 {
        match self {
            Origin::Node(..) => 0,
            Origin::Step(_, recipe, place) => recipe.forms[place].generation + 1,
        }
    }

    /// Whether it is a sum of many elements.
    fn is_sum(self) -> bool {
        match self {
            Origin::Node(_, node) => mixes(&node.op),
            Origin::Step(_, recipe, place) => {
                matches!(&recipe.forms[place].made, Made::By(op, _) if mixes(op))
            }
        }
    }

    /// Whether it may be entered after a number of steps.
    fn may_follow(self, steps: usize) -> bool {
        match self {
            Origin::Node(..) => steps < MOST_STEPS,
            Origin::Step(..) => steps < MOST_TAKEN && self.generation() <= MOST_GENERATIONS,
        }
    }

    /// What it is, and made of where it `may` be entered. `input` is called with each of its
    /// inputs.
    fn found(self, graph: &'a Graph, may: bool, input: impl FnMut(Origin<'a>)) -> Found<'a> {
        let (what, shape, dtype) = match self {
            Origin::Node(_, node) => {
                let what = match node.value {
                    NodeValue::Number(_) => What::Number,
                    NodeValue::Pending if may && !runs_by_itself(graph, node) => {
                        node.inputs.iter().map(|&id| Origin::of(graph, id)).for_each(input);
                        What::By(if matches!(node.op, Op::Mark(_)) { UNMARKED } else { &node.op })
                    }
                    NodeValue::Pending => What::Nothing(Bits::Loose),
                    _ => What::Nothing(Bits::Same),
                };
                (what, &node.shape, node.dtype)
            }
            Origin::Step(id, recipe, n) => {
                let form = &recipe.forms[n];
                let what = match &form.made {
                    Made::By(op, inputs) if may => {
                        inputs.iter().map(|&n| Origin::Step(id, recipe, n as usize)).for_each(input);
                        What::By(op)
                    }
                    Made::Number => What::Number,
                    _ => What::Nothing(form.bits),
                };
                (what, &form.shape, form.dtype)
            }
        };
        let generation = self.generation();
        Found { origin: self, what, inputs: 0..0, shape, dtype, generation }
    }
}

/// Whether a node is a loop, a branch, a user's kernel, or a result of one, which no recipe enters.
fn runs_by_itself(graph: &Graph, node: &Node) -> bool {
    let runs = |op: &Op| matches!(op, Op::Loop(_) | Op::Branch(_) | Op::Kernel(_));
    runs(&node.op) || matches!(node.op, Op::Part { .. }) && runs(&graph.at(node.inputs[0]).op)
}

impl Recipe {
    /// The number that a step is, which is one.
    pub(super) fn number(&self, place: usize) -> Literal {
        self.numbers[self.number_place(place)]
    }

    /// Where among its numbers a step's is.
    pub(super) fn number_place(&self, place: usize) -> usize {
        let is_number = |form: &&Form| matches!(form.made, Made::Number);
        self.forms[..place].iter().filter(is_number).count()
    }

    /// Which steps the value is made of element by element: no sum of many elements lies between.
    pub(super) fn near(&self) -> Vec<bool> {
        self.reached(&|op, count| 0..if mixes(op) { 0 } else { count })
    }

    /// Which steps the value was selected of.
    pub(super) fn copied(&self) -> Vec<bool> {
        self.reached(&copied)
    }

    /// The steps that the value leads to, by those inputs of each that `follows` says.
    fn reached(&self, follows: &dyn Fn(&Op, usize) -> Range<usize>) -> Vec<bool> {
        let mut reached = vec![false; self.forms.len()];
        if let Some(last) = reached.last_mut() {
            *last = true;
        }
        for (n, form) in self.forms.iter().enumerate().rev() {
            match &form.made {
                Made::By(op, inputs) if reached[n] => {
                    inputs[follows(op, inputs.len())]
                        .iter()
                        .for_each(|&input| reached[input as usize] = true);
                }
                _ => {}
            }
        }
        reached
    }

    /// For each step of another recipe, the step here that is the same: the same node, or the same
    /// operation on steps that are the same.
    pub(super) fn same_steps(&self, other: &Recipe) -> Vec<Option<usize>> {
        let mut same: Vec<Option<usize>> = Vec::with_capacity(other.forms.len());
        for (n, form) in other.forms.iter().enumerate() {
            let is_same = |place: usize| {
                let own = &self.forms[place];
                let is_made_alike = match (&own.made, &form.made) {
                    (Made::Number, Made::Number) => self.number(place) == other.number(n),
                    (Made::By(op, inputs), Made::By(with, of)) => {
                        let is_input =
                            |(&input, &of): (&u32, &u32)| same[of as usize] == Some(input as usize);
                        op == with && inputs.len() == of.len() && inputs.iter().zip(of).all(is_input)
                    }
                    _ => false,
                };
                is_made_alike && own.shape == form.shape && own.dtype == form.dtype
            };
            let named = self.names.iter().position(|name| name.1 == other.names[n].1);
            same.push(named.or_else(|| (0..self.forms.len()).find(|&place| is_same(place))));
        }
        same
    }

    /// The same of other nodes: `named` says which node the step at a place is, and how old.
    pub fn renamed(&self, named: impl FnMut(usize) -> Name) -> Recipe {
        let names = (0..self.names.len()).map(named).collect();
        Recipe { forms: Rc::clone(&self.forms), names, numbers: self.numbers.clone(), kept: Vec::new() }
    }

    /// The nodes that the steps were, oldest first, with their ages; the last is the value.
    pub fn names(&self) -> &[Name] {
        &self.names
    }
}

impl Graph {
    /// How a pending node is computed, if another kernel might compute other bits. A sum of many
    /// elements has no recipe of its own, but is a step of others.
    pub fn recipe_of(&mut self, id: NodeId) -> Option<Recipe> {
        let nodes = self.closure(&[id], Node::is_pending);
        self.recipe_in(id, &nodes, &mut None)
    }

    /// The plan of a pending node's recipe. `nodes` are what it depends on and others, oldest
    /// first.
    pub(super) fn plan_recipe(&mut self, id: NodeId, nodes: &[NodeId]) -> RecipePlan {
        let mut plan = RecipePlan::default();
        let node = self.at(id);
        if mixes(&node.op) || runs_by_itself(self, node) {
            return plan;
        }
        let (found, places, again) = self.steps_below(id);
        for step in found.iter().rev() {
            plan.add(self, nodes, step.origin, matches!(step.what, What::Number));
        }
        for (step, origin) in again {
            plan.add_again(self, nodes, step, origin);
        }
        let is_it = |forms: &Rc<Vec<Form>>| {
            forms.len() == found.len()
                && forms.iter().rev().zip(&found).all(|(form, step)| step.is_like(form, &places))
        };
        if let Some(place) = self.forms.iter().position(is_it) {
            plan.forms = Some(Rc::clone(&self.forms[place]));
            (0..place).rev().for_each(|n| self.forms.swap(n, n + 1));
            return plan;
        }
        let mut forms: Vec<Form> = Vec::with_capacity(found.len());
        for Found { what, inputs, shape, dtype, generation, .. } in found.into_iter().rev() {
            let (made, bits) = match what {
                What::By(op) => {
                    let inputs = places[inputs].to_vec();
                    let mut below = Bits::Same;
                    for &place in &inputs {
                        below = below.max(forms[place as usize].bits);
                    }
                    (Made::By(op.clone(), inputs), bits(op, dtype, below))
                }
                What::Number => (Made::Number, Bits::Same),
                What::Nothing(bits) => (Made::Nothing, bits),
            };
            forms.push(Form { made, shape: shape.clone(), dtype, bits, generation });
        }
        if forms.last().is_some_and(|form| form.bits >= Bits::Product) {
            let forms = Rc::new(forms);
            plan.forms = Some(Rc::clone(&forms));
            self.forms.truncate(MOST_FORMS - 1);
            self.forms.insert(0, forms);
        }
        plan
    }

    /// What a node is made of, latest first; the list of the places of inputs, which count from the
    /// oldest; and where else a step was found, by its place.
    fn steps_below(&self, id: NodeId) -> (Vec<Found<'_>>, Vec<u32>, Vec<(u32, Origin<'_>)>) {
        // With each its age, how many sums of many elements lie between, and its number.
        let first = Origin::of(self, id);
        let mut waiting = vec![(first.sequence(), first, 0, 0)];
        // Where the numbers are found, and the numbers of inputs.
        let (mut order, mut inputs, mut again) = (vec![0], Vec::new(), Vec::new());
        let mut found: Vec<Found> = Vec::new();
        let mut steps = 0;
        while !waiting.is_empty() {
            let mut latest = 0;
            for n in 1..waiting.len() {
                if waiting[n].0 > waiting[latest].0 {
                    latest = n;
                }
            }
            let (_, origin, sums, number) = waiting.swap_remove(latest);
            order[number as usize] = found.len() as u32;
            let is_sum = origin.is_sum();
            let may = origin.may_follow(steps) && (!is_sum || sums < MOST_SUMS);
            let below = sums + u32::from(is_sum);
            let start = inputs.len();
            let mut step = origin.found(self, may, |input| {
                let age = input.sequence();
                if let Some(known) = waiting.iter_mut().find(|known| known.0 == age) {
                    known.2 = known.2.min(below);
                    inputs.push(known.3);
                    if !input.is(known.1) {
                        again.push((known.3, input));
                    }
                    return;
                }
                inputs.push(order.len() as u32);
                waiting.push((age, input, below, order.len() as u32));
                order.push(0);
            });
            step.inputs = start..inputs.len();
            steps += usize::from(matches!(step.what, What::By(_)));
            found.push(step);
        }
        for input in inputs.iter_mut().chain(again.iter_mut().map(|(step, _)| step)) {
            *input = found.len() as u32 - 1 - order[*input as usize];
        }
        (found, inputs, again)
    }

    /// An age for a node, newer than all there are.
    pub fn reserve_age(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    /// Makes a stored value that nothing reads as young as a reserved age.
    pub fn set_age(&mut self, id: NodeId, age: u64) {
        let node = self.get_mut(id);
        assert!(node.readers == 0 && !node.is_pending(), "nothing is younger than what reads it");
        node.sequence = age;
    }

    /// Notes how a value is computed, before its definition is dropped.
    pub fn set_recipe(&mut self, id: NodeId, mut recipe: Recipe) {
        let is_position = |&(n, form): &(usize, &Form)| {
            matches!(form.made, Made::Nothing)
                && matches!(form.dtype, DType::I32 | DType::U32 | DType::Bool)
                && self.get(recipe.names[n].0).is_some_and(|node| {
                    node.sequence == recipe.names[n].1 && !node.is_pending() && node.bytes() <= MOST_POSITIONS
                })
        };
        let positions = recipe.forms.iter().enumerate().filter(is_position);
        let kept: Vec<NodeId> = positions.map(|(n, _)| recipe.names[n].0).collect();
        kept.iter().for_each(|&position| self.get_mut(position).readers += 1);
        recipe.kept = kept;
        self.recipes += 1;
        if let Some(before) = self.get_mut(id).recipe.replace(Box::new(recipe)) {
            self.recipes -= 1;
            self.unread(&before.kept);
            self.remove_dead();
        }
    }

    /// How a value was computed, if that is known.
    pub fn recipe(&self, id: NodeId) -> Option<&Recipe> {
        self.at(id).recipe.as_deref()
    }
}
