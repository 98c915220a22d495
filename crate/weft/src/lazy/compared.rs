//! Captured functions whose arguments or results are compared with what they were made of.
//!
//! A program does not compute again what it is given. So where it compares arguments of which one was made of another that was not stored then, a call
//! makes that one again ([`weft_ir::graph::Recipe`]); and results know how they were made of each other.

use crate::device::tensor::Tensor;
use crate::device::{Device, DeviceKind};
use weft_ir::Result;
use weft_ir::canonical::Leaves;
use weft_ir::graph::{Graph, Node, NodeId, Recipe};
use weft_ir::order;
use weft_ir::program::TensorProgram;

/// The canonical program of `roots`, which computes what it compares.
pub(crate) fn program_of(graph: &mut Graph, roots: &[NodeId]) -> (TensorProgram, Leaves, Vec<usize>) {
    let closure = graph.closure(roots, crate::device::pending::is_pending);
    let reopened = graph.reopen(&closure);
    let found = if reopened.is_empty() {
        TensorProgram::from_closure(graph, roots, &closure)
    } else {
        TensorProgram::from_graph(graph, roots)
    };
    graph.close(reopened);
    found
}

/// What a step of a result's recipe is to a call.
#[derive(Clone, Copy)]
enum Step {
    Input(usize),
    /// Something that was stored when the function was captured.
    Kept(NodeId, u64),
    /// A result, or on the way to one: its place among all of those, oldest first.
    Inner(usize),
}

/// How results of a captured function are made of each other and of its inputs.
#[derive(Default)]
pub(crate) struct ResultRecipes {
    /// Of a result.
    recipes: Vec<(usize, Recipe, Vec<Step>)>,
    /// Of each that is computed, the results that it is.
    inner: Vec<Vec<usize>>,
}

impl ResultRecipes {
    /// Of those results that may be compared with others, or with what can be made of the `inputs`.
    pub fn of(device: &Device, graph: &mut Graph, results: &[NodeId], inputs: &[NodeId]) -> ResultRecipes {
        if device.kind() == DeviceKind::Cpu {
            return ResultRecipes::default();
        }
        let of = |(result, &id): (usize, &NodeId)| {
            let recipe = graph[id].is_pending().then(|| graph.recipe_of(id)).flatten()?;
            let (_, below) = recipe.names().split_last()?;
            let is_known = |(id, _): &(NodeId, u64)| results.contains(id) || inputs.contains(id);
            below.iter().any(is_known).then_some((result, recipe))
        };
        let found: Vec<(usize, Recipe)> = results.iter().enumerate().filter_map(of).collect();
        let is_inner = |id: NodeId| graph.get(id).is_none_or(Node::is_pending);
        let names = found.iter().flat_map(|(_, recipe)| recipe.names()).copied();
        let mut inner: Vec<(NodeId, u64)> = names.filter(|name| is_inner(name.0)).collect();
        order::sort_by_key(&mut inner, |name| name.1);
        inner.dedup();
        let step = |&(id, age): &(NodeId, u64)| match inner.binary_search_by_key(&age, |name| name.1) {
            Ok(place) => Step::Inner(place),
            Err(_) => inputs.iter().position(|&known| known == id).map_or(Step::Kept(id, age), Step::Input),
        };
        let recipes = found.into_iter().map(|(result, recipe)| {
            let steps = recipe.names().iter().map(step).collect();
            (result, recipe, steps)
        });
        let places = |&(id, _): &(NodeId, u64)| (0..results.len()).filter(|&n| results[n] == id).collect();
        ResultRecipes { recipes: recipes.collect(), inner: inner.iter().map(places).collect() }
    }

    /// Gives the results of a call their recipes.
    pub fn note(&self, device: &Device, results: &[Tensor], inputs: &[NodeId]) -> Result<()> {
        if self.recipes.is_empty() {
            return Ok(());
        }
        let results = results.iter().map(|tensor| tensor.node("jit")).collect::<Result<Vec<_>>>()?;
        let mut graph = device.graph();
        let first = graph.reserve_ages(self.inner.len());
        for (age, places) in (first..).zip(&self.inner) {
            places.iter().for_each(|&place| graph.set_age(results[place], age));
        }
        for (result, recipe, steps) in &self.recipes {
            let recipe = recipe.renamed(|place| match steps[place] {
                Step::Input(n) => (inputs[n], graph[inputs[n]].sequence),
                Step::Kept(id, age) => (id, age),
                Step::Inner(n) => {
                    let result = self.inner[n].first().map(|&result| results[result]);
                    (result.unwrap_or(NodeId(u32::MAX)), first + n as u64)
                }
            });
            graph.set_recipe(results[*result], recipe);
        }
        Ok(())
    }
}

impl Device {
    /// Those of the stored tensors that a program which compares them is given that were made of others when those were not stored: made again.
    /// With each comes its place.
    pub(crate) fn made_again(&self, given: &[NodeId]) -> Result<Vec<(usize, Tensor)>> {
        let made: Vec<(usize, NodeId)> = {
            let mut graph = self.graph();
            let again = |(place, &id): (usize, &NodeId)| {
                graph.recipe(id)?;
                let others: Vec<NodeId> = given.iter().copied().filter(|&other| other != id).collect();
                Some((place, graph.made_again(id, &others)?))
            };
            given.iter().enumerate().filter_map(again).collect()
        };
        let made: Vec<(usize, Tensor)> =
            made.into_iter().map(|(place, id)| (place, self.adopt(id))).collect();
        if !made.is_empty() {
            self.flush_tensors("jit", &made.iter().map(|(_, tensor)| tensor).collect::<Vec<_>>())?;
        }
        Ok(made)
    }
}
