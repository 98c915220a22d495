//! Recipes: how a stored value was computed, known without holding anything that it was computed of.
//!
//! `m = x.max()` is stored by one flush and compared with x by a later one, which computes x again in another kernel, and perhaps to other bits. The
//! definition of m is gone by then, as it would keep alive what m was made of. A recipe has the operations between m and what is near below it, each
//! under the id and age of the node that it was: so that who finds one of them in a program can make m of it again.

use super::{Graph, Node, NodeId, NodeValue};
use crate::dtype::{DType, Literal};
use crate::op::Op;
use crate::op::rounding::{Bits, bits, mixes};
use crate::shape::Shape;
use std::rc::Rc;

/// Operations that a recipe has at most, which is as many as an index may take; what is farther below is named alone.
const MOST_STEPS: usize = 128;
/// So many, and it takes no more from recipes of what it reads: a recurrence that is read at each iteration has those of all iterations.
const MOST_TAKEN: usize = 64;
/// How many forms are kept to be shared.
const MOST_FORMS: usize = 8;

/// What a step of a recipe is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Made {
    /// Something stored, or too far below.
    Nothing,
    /// A number of this dtype.
    Number(DType),
    /// An operation on earlier steps.
    By(Op, Vec<u32>),
}

/// A step without its name.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Form {
    pub made: Made,
    pub shape: Shape,
    pub dtype: DType,
    pub bits: Bits,
}

/// A node and its age, which no other node has.
type Name = (NodeId, u64);

/// The latest forms: those of values that iterations of a loop store are the same.
pub(super) type Forms = Vec<Rc<Vec<Form>>>;

/// How a value was computed. See the module.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Oldest first; the last is the value.
    pub(super) forms: Rc<Vec<Form>>,
    /// The nodes that the steps were, and their ages.
    pub(super) names: Vec<(NodeId, u64)>,
    /// The values of the numbers among them, in order.
    pub(super) numbers: Vec<Literal>,
}

/// Where a step's definition is found while a recipe is written.
#[derive(Clone, Copy)]
enum Origin<'a> {
    Node(NodeId, &'a Node),
    Step(&'a Recipe, usize),
}

/// A step as it is found, its inputs by their ages.
struct Found {
    name: (NodeId, u64),
    form: Form,
    inputs: Vec<u64>,
    number: Option<Literal>,
}

impl<'a> Origin<'a> {
    fn of(graph: &'a Graph, id: NodeId) -> Origin<'a> {
        let node = graph.at(id);
        match &node.recipe {
            Some(recipe) if !node.is_pending() => Origin::Step(recipe, recipe.names.len() - 1),
            _ => Origin::Node(id, node),
        }
    }

    fn name(self) -> (NodeId, u64) {
        match self {
            Origin::Node(id, node) => (id, node.sequence),
            Origin::Step(recipe, place) => recipe.names[place],
        }
    }

    fn sequence(self) -> u64 {
        self.name().1
    }

    /// Whether it may be entered after so many steps.
    fn may_follow(self, steps: usize) -> bool {
        steps < if matches!(self, Origin::Node(..)) { MOST_STEPS } else { MOST_TAKEN }
    }

    /// What it is made of where it `may` be entered, its shape and its dtype.
    fn definition(self, graph: &'a Graph, may: bool) -> (Definition<'a>, &'a Shape, DType) {
        match self {
            Origin::Node(_, node) => {
                let made = match node.value {
                    NodeValue::Number(number) => Definition::Number(number),
                    NodeValue::Pending if may && is_step(graph, node) => Definition::Node(node),
                    NodeValue::Pending => Definition::Nothing(Bits::Loose),
                    _ => Definition::Nothing(Bits::Same),
                };
                (made, &node.shape, node.dtype)
            }
            Origin::Step(recipe, place) => {
                let form = &recipe.forms[place];
                let made = match &form.made {
                    Made::By(op, inputs) if may => Definition::Step(recipe, op, inputs),
                    Made::Number(_) => Definition::Number(recipe.number(place).expect("it is one")),
                    _ => Definition::Nothing(form.bits),
                };
                (made, &form.shape, form.dtype)
            }
        }
    }

    /// The step, and what it is made of where it `may` be entered.
    fn found(self, graph: &'a Graph, may: bool) -> (Found, Vec<Origin<'a>>) {
        let (definition, shape, dtype) = self.definition(graph, may);
        let mut number = None;
        let (made, inputs, bits): (_, Vec<Origin>, _) = match definition {
            Definition::Node(node) => {
                let inputs = node.inputs.iter().map(|&id| Origin::of(graph, id));
                (Made::By(node.op.clone(), Vec::new()), inputs.collect(), Bits::Loose)
            }
            Definition::Step(recipe, op, inputs) => {
                let inputs = inputs.iter().map(|&place| Origin::Step(recipe, place as usize));
                (Made::By(op.clone(), Vec::new()), inputs.collect(), Bits::Loose)
            }
            Definition::Number(known) => {
                number = Some(known);
                (Made::Number(known.dtype()), Vec::new(), Bits::Same)
            }
            Definition::Nothing(bits) => (Made::Nothing, Vec::new(), bits),
        };
        let form = Form { made, shape: shape.clone(), dtype, bits };
        let ages = inputs.iter().map(|input| input.sequence()).collect();
        (Found { name: self.name(), form, inputs: ages, number }, inputs)
    }
}

/// What an origin says that a step is made of.
enum Definition<'a> {
    Node(&'a Node),
    Step(&'a Recipe, &'a Op, &'a [u32]),
    Number(Literal),
    Nothing(Bits),
}

/// Notes where a step is found, unless it was found elsewhere.
fn place_origin<'a>(place: &mut Option<Origin<'a>>, origin: Origin<'a>) -> Option<()> {
    match place {
        Some(known) => (known.sequence() == origin.sequence()).then_some(()),
        None => {
            *place = Some(origin);
            Some(())
        }
    }
}

/// Whether a node may be a step: it is made of single elements, by nothing that runs by itself.
fn is_step(graph: &Graph, node: &Node) -> bool {
    let runs = |op: &Op| matches!(op, Op::Loop(_) | Op::Branch(_));
    let is_part = matches!(node.op, Op::Part { .. }) && runs(&graph.at(node.inputs[0]).op);
    !(mixes(&node.op) || runs(&node.op) || is_part)
}

impl Recipe {
    /// The number that a step is.
    pub(super) fn number(&self, place: usize) -> Option<Literal> {
        let is_number = |form: &&Form| matches!(form.made, Made::Number(_));
        let before = || self.forms[..place].iter().filter(is_number).count();
        is_number(&&self.forms[place]).then(|| self.numbers[before()])
    }

    /// The same of other nodes: `named` says which node the step at a place is, and how old.
    pub fn renamed(&self, named: impl FnMut(usize) -> (NodeId, u64)) -> Recipe {
        let names = (0..self.names.len()).map(named).collect();
        Recipe { forms: Rc::clone(&self.forms), names, numbers: self.numbers.clone() }
    }

    /// The nodes that the steps were, oldest first, with their ages; the last is the value.
    pub fn names(&self) -> &[(NodeId, u64)] {
        &self.names
    }
}

impl Graph {
    /// How a pending node is computed, if that may have other bits in another kernel. Of sums of many elements there is none.
    pub fn recipe_of(&mut self, id: NodeId) -> Option<Recipe> {
        if !is_step(self, self.at(id)) {
            return None;
        }
        for place in 0..self.forms.len() {
            if let Some((names, numbers)) = self.named_like(&self.forms[place], id) {
                let forms = self.forms.remove(place);
                self.forms.insert(0, Rc::clone(&forms));
                return Some(Recipe { forms, names, numbers });
            }
        }
        let mut waiting = vec![Origin::of(self, id)];
        let mut found: Vec<Found> = Vec::new();
        let mut steps = 0;
        while let Some(latest) = (0..waiting.len()).max_by_key(|&n| waiting[n].sequence()) {
            let origin = waiting.swap_remove(latest);
            let (one, inputs) = origin.found(self, origin.may_follow(steps));
            steps += usize::from(matches!(one.form.made, Made::By(..)));
            for input in inputs {
                if waiting.iter().all(|known| known.sequence() != input.sequence()) {
                    waiting.push(input);
                }
            }
            found.push(one);
        }
        found.reverse();
        let names: Vec<(NodeId, u64)> = found.iter().map(|one| one.name).collect();
        let numbers = found.iter().filter_map(|one| one.number).collect();
        let mut forms: Vec<Form> = Vec::with_capacity(found.len());
        for Found { mut form, inputs, .. } in found {
            if let Made::By(op, places) = &mut form.made {
                let place =
                    |age: &u64| names.binary_search_by_key(age, |name| name.1).expect("inputs were found");
                *places = inputs.iter().map(|age| place(age) as u32).collect();
                let below = places.iter().map(|&place| forms[place as usize].bits).max();
                form.bits = bits(op, form.dtype, below.unwrap_or(Bits::Same));
            }
            forms.push(form);
        }
        if forms.last().is_none_or(|form| form.bits < Bits::Product) {
            return None;
        }
        let forms = Rc::new(forms);
        self.forms.truncate(MOST_FORMS - 1);
        self.forms.insert(0, Rc::clone(&forms));
        Some(Recipe { forms, names, numbers })
    }

    /// The names and numbers of a recipe of a pending node, if it is of this form: steps of loops find theirs so, in one walk.
    fn named_like(&self, forms: &[Form], id: NodeId) -> Option<(Vec<Name>, Vec<Literal>)> {
        let mut origins: Vec<Option<Origin>> = vec![None; forms.len()];
        *origins.last_mut()? = Some(Origin::of(self, id));
        let mut names = vec![(id, 0); forms.len()];
        let mut numbers = Vec::new();
        let (mut before, mut steps) = (u64::MAX, 0);
        for (place, form) in forms.iter().enumerate().rev() {
            let origin = origins[place]?;
            // What stands in another order is another form.
            if origin.sequence() >= before {
                return None;
            }
            before = origin.sequence();
            let may = origin.may_follow(steps);
            names[place] = origin.name();
            let (made, shape, dtype) = origin.definition(self, may);
            if *shape != form.shape || dtype != form.dtype {
                return None;
            }
            match (&form.made, made) {
                (Made::By(op, places), Definition::Node(node))
                    if node.op == *op && node.inputs.len() == places.len() =>
                {
                    steps += 1;
                    for (&input, &place) in node.inputs.iter().zip(places) {
                        place_origin(&mut origins[place as usize], Origin::of(self, input))?;
                    }
                }
                (Made::By(op, places), Definition::Step(recipe, known, inputs))
                    if known == op && inputs.len() == places.len() =>
                {
                    steps += 1;
                    for (&input, &place) in inputs.iter().zip(places) {
                        place_origin(&mut origins[place as usize], Origin::Step(recipe, input as usize))?;
                    }
                }
                (Made::Number(_), Definition::Number(number)) => numbers.push(number),
                (Made::Nothing, Definition::Nothing(bits)) if bits == form.bits => {}
                _ => return None,
            }
        }
        numbers.reverse();
        Some((names, numbers))
    }

    /// Ages for so many nodes, newer than all there are: the first of them.
    pub fn reserve_ages(&mut self, count: usize) -> u64 {
        self.sequence += count as u64;
        self.sequence + 1 - count as u64
    }

    /// Makes a stored value that nothing reads as young as a reserved age.
    pub fn set_age(&mut self, id: NodeId, age: u64) {
        let node = self.get_mut(id);
        assert!(node.readers == 0 && !node.is_pending(), "nothing is younger than what reads it");
        node.sequence = age;
    }

    /// Notes how a stored value was computed.
    pub fn set_recipe(&mut self, id: NodeId, recipe: Recipe) {
        self.get_mut(id).recipe = Some(Box::new(recipe));
    }

    /// How a value was computed, if that is known.
    pub fn recipe(&self, id: NodeId) -> Option<&Recipe> {
        self.at(id).recipe.as_deref()
    }
}
