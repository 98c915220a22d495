//! Plans of recipes: where the names of a recipe's steps are found among the nodes of a flush.
//!
//! The next flush whose nodes are the same, but for their ids and numbers, has its recipe by a list
//! of places. A plan holds if the recipes that it takes steps from have the forms that they had,
//! and the ages of the steps have the same order: then a walk would find the same steps.

use super::recipe::{Form, Name, Origin, Recipe};
use super::{Graph, NodeId, NodeValue};
use crate::dtype::Literal;
use std::rc::Rc;

/// A node by its place among those of a flush: itself, or something of its recipe by its place
/// there.
type Place = (u32, Option<u32>);

/// How the recipe of a value is made of the nodes of a flush. See the module.
#[derive(Default, Debug)]
pub struct RecipePlan {
    /// Nothing if the value has no recipe.
    pub(super) forms: Option<Rc<Vec<Form>>>,
    /// Where the names of the steps are.
    steps: Vec<Place>,
    /// Where the numbers are.
    numbers: Vec<Place>,
    /// Steps that are found in two places.
    again: Vec<(u32, Place)>,
    /// The forms of the recipes of stored nodes.
    stored: Vec<(u32, Option<Rc<Vec<Form>>>)>,
}

impl RecipePlan {
    /// Adds the next step.
    pub(super) fn add(&mut self, graph: &Graph, nodes: &[NodeId], origin: Origin, is_number: bool) {
        let place = self.place(graph, nodes, origin);
        self.steps.push(place);
        if is_number {
            self.numbers.push(match origin {
                Origin::Step(_, recipe, step) => (place.0, Some(recipe.number_place(step) as u32)),
                Origin::Node(..) => place,
            });
        }
    }

    /// Notes that a step is found here, too.
    pub(super) fn add_again(&mut self, graph: &Graph, nodes: &[NodeId], step: u32, origin: Origin) {
        let place = self.place(graph, nodes, origin);
        self.again.push((step, place));
    }

    fn place(&mut self, graph: &Graph, nodes: &[NodeId], origin: Origin) -> Place {
        let (id, step, forms) = match origin {
            Origin::Node(id, _) => (id, None, None),
            Origin::Step(id, recipe, step) => (id, Some(step as u32), Some(&recipe.forms)),
        };
        let node = graph.at(id);
        let first = nodes.partition_point(|&other| graph.at(other).sequence < node.sequence);
        let further = nodes[first..].iter().position(|&other| other == id);
        let place = (first + further.expect("a value is made of what it depends on")) as u32;
        if !node.is_pending() && self.stored.iter().rev().all(|known| known.0 != place) {
            self.stored.push((place, forms.cloned()));
        }
        (place, step)
    }
}

impl Graph {
    /// How a pending node is computed, if another kernel might compute other bits: by the plan of a
    /// node in the same place of a flush like this one, or by one that is made now. `nodes` are
    /// those of the flush, oldest first.
    pub fn recipe_in(
        &mut self,
        id: NodeId,
        nodes: &[NodeId],
        plan: &mut Option<RecipePlan>,
    ) -> Option<Recipe> {
        if let Some(recipe) = plan.as_ref().and_then(|plan| self.planned_recipe(plan, nodes)) {
            debug_assert!(self.is_found(&recipe, id, nodes), "a plan holds where a walk finds the same");
            return recipe;
        }
        let made = self.plan_recipe(id, nodes);
        let recipe = self.planned_recipe(&made, nodes).flatten();
        *plan = Some(made);
        recipe
    }

    /// What a plan says, if it holds.
    fn planned_recipe(&self, plan: &RecipePlan, nodes: &[NodeId]) -> Option<Option<Recipe>> {
        for (place, forms) in &plan.stored {
            let has = match (forms, &self.at(nodes[*place as usize]).recipe) {
                (Some(forms), Some(recipe)) => Rc::ptr_eq(forms, &recipe.forms),
                (None, None) => true,
                _ => false,
            };
            if !has {
                return None;
            }
        }
        let mut names: Vec<Name> = Vec::with_capacity(plan.steps.len());
        let mut before = 0;
        for &place in &plan.steps {
            let name = self.name_at(place, nodes)?;
            if name.1 <= before {
                return None;
            }
            before = name.1;
            names.push(name);
        }
        for &(step, place) in &plan.again {
            if self.name_at(place, nodes)?.1 != names[step as usize].1 {
                return None;
            }
        }
        let Some(forms) = &plan.forms else { return Some(None) };
        let mut numbers = Vec::with_capacity(plan.numbers.len());
        for &place in &plan.numbers {
            numbers.push(self.number_at(place, nodes)?);
        }
        Some(Some(Recipe { forms: Rc::clone(forms), names, numbers, kept: Vec::new() }))
    }

    fn name_at(&self, (place, step): Place, nodes: &[NodeId]) -> Option<Name> {
        let id = nodes[place as usize];
        let node = self.at(id);
        match step {
            None => Some((id, node.sequence)),
            Some(step) => Some(node.recipe.as_ref()?.names[step as usize]),
        }
    }

    fn number_at(&self, (place, number): Place, nodes: &[NodeId]) -> Option<Literal> {
        let node = self.at(nodes[place as usize]);
        match (number, node.value) {
            (Some(number), _) => Some(node.recipe.as_ref()?.numbers[number as usize]),
            (None, NodeValue::Number(number)) => Some(number),
            _ => None,
        }
    }

    /// Whether a walk finds the same recipe.
    fn is_found(&mut self, recipe: &Option<Recipe>, id: NodeId, nodes: &[NodeId]) -> bool {
        let plan = self.plan_recipe(id, nodes);
        match (recipe, self.planned_recipe(&plan, nodes).flatten()) {
            (Some(recipe), Some(found)) => {
                recipe.names == found.names
                    && recipe.numbers == found.numbers
                    && format!("{:?}", recipe.forms) == format!("{:?}", found.forms)
            }
            (None, None) => true,
            _ => false,
        }
    }
}
