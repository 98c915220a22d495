//! Recipes of what flushes store, and captured functions that compare an argument or a result with
//! its own operands.
//!
//! A program does not compute its arguments. So if it compares two of them, and one was computed
//! from the other before that one was stored, the call computes it again by its recipe
//! ([`weft_ir::graph::Recipe`]). Results have recipes that name each other and the arguments.

use crate::device::recall::RecipePlans;
use crate::device::tensor::Tensor;
use crate::device::{Device, DeviceKind};
use weft_ir::Result;
use weft_ir::canonical::Leaves;
use weft_ir::graph::{Graph, Node, NodeId, Recipe};
use weft_ir::program::TensorProgram;

/// The canonical program of `roots`, which computes what it compares, and the places of the roots.
/// `bind` gets its leaves: some are gone afterwards.
pub(crate) fn program_of<T>(
    graph: &mut Graph,
    roots: &[NodeId],
    bind: impl FnOnce(&mut Graph, &Leaves) -> T,
) -> (TensorProgram, Vec<usize>, T) {
    let closure = graph.closure(roots, crate::device::pending::is_pending);
    let reopened = graph.reopen(&closure);
    let (program, leaves, positions) = if reopened.is_empty() {
        TensorProgram::from_closure(graph, roots, &closure)
    } else {
        TensorProgram::from_graph(graph, roots)
    };
    let bound = bind(graph, &leaves);
    graph.close(reopened);
    (program, positions, bound)
}

/// What a step of a result's recipe is to a call.
enum Step {
    Input(usize),
    /// Something that was stored when the function was captured.
    Kept,
    /// A result, or on the way to one.
    Inner,
}

/// How results of a captured function are made of each other and of its inputs.
#[derive(Default)]
pub(crate) struct ResultRecipes {
    /// Of a result.
    recipes: Vec<(usize, Recipe)>,
    /// Their steps, oldest first, by the nodes and ages that they had in the capture.
    steps: Vec<(NodeId, u64, Step)>,
    /// The nodes that the results were.
    results: Vec<NodeId>,
}

impl ResultRecipes {
    /// The recipes of results that are computed from other results or from `inputs`.
    pub fn of(device: &Device, graph: &mut Graph, results: &[NodeId], inputs: &[NodeId]) -> ResultRecipes {
        let mut of = ResultRecipes::default();
        if device.kind() == DeviceKind::Cpu {
            return of;
        }
        for (result, &id) in results.iter().enumerate() {
            if !graph[id].is_pending() {
                continue;
            }
            let Some(recipe) = graph.recipe_of(id) else { continue };
            let names = recipe.names();
            let is_known = |(id, _): &(NodeId, u64)| results.contains(id) || inputs.contains(id);
            if !names[..names.len() - 1].iter().any(is_known) {
                continue;
            }
            for &(id, age) in names {
                let place = of.steps.partition_point(|step| step.1 < age);
                if of.steps.get(place).is_some_and(|step| step.1 == age) {
                    continue;
                }
                let step = if graph.get(id).is_none_or(Node::is_pending) {
                    Step::Inner
                } else {
                    inputs.iter().position(|&known| known == id).map_or(Step::Kept, Step::Input)
                };
                of.steps.insert(place, (id, age, step));
            }
            of.recipes.push((result, recipe));
        }
        of.results.extend(results);
        of
    }

    /// Gives the results of a call their recipes.
    pub fn note(&self, device: &Device, results: &[Tensor], inputs: &[NodeId]) -> Result<()> {
        if self.recipes.is_empty() {
            return Ok(());
        }
        let mut nodes = Vec::with_capacity(results.len());
        for tensor in results {
            nodes.push(tensor.node("jit")?);
        }
        let mut graph = device.graph();
        let mut names = Vec::with_capacity(self.steps.len());
        for &(id, age, ref step) in &self.steps {
            names.push(match *step {
                Step::Input(n) => (inputs[n], graph[inputs[n]].sequence),
                Step::Kept => (id, age),
                Step::Inner => {
                    let (mut name, age) = (NodeId(u32::MAX), graph.reserve_age());
                    for (&known, &node) in self.results.iter().zip(&nodes) {
                        if known == id {
                            graph.set_age(node, age);
                            name = node;
                        }
                    }
                    (name, age)
                }
            });
        }
        for (result, recipe) in &self.recipes {
            let place = |age| self.steps.partition_point(|step| step.1 < age);
            let recipe = recipe.renamed(|n| names[place(recipe.names()[n].1)]);
            graph.set_recipe(nodes[*result], recipe);
        }
        Ok(())
    }
}

impl Device {
    /// How values of a flush are computed whose bits depend on their kernel, for comparisons in
    /// later flushes. `closure` is what `roots` depend on, oldest first, if that is known; `plans`
    /// are of the last flush like this one.
    ///
    /// Nobody compares a parameter with what it was made of, and the interpreter always computes
    /// the same bits.
    pub(crate) fn recipes_of(
        &self,
        graph: &mut Graph,
        roots: &[NodeId],
        closure: Option<&Vec<NodeId>>,
        plans: &RecipePlans,
    ) -> Vec<Option<Recipe>> {
        let is_kernel = self.kind() == DeviceKind::Gpu;
        let mut plans = plans.borrow_mut();
        plans.resize_with(roots.len(), || None);
        let mut recipes = Vec::with_capacity(roots.len());
        for (&root, plan) in roots.iter().zip(&mut *plans) {
            recipes.push(match closure {
                _ if !is_kernel || graph[root].assigned => None,
                Some(closure) => graph.recipe_in(root, closure, plan),
                None => graph.recipe_of(root),
            });
        }
        recipes
    }

    /// Computes again those of the given tensors whose recipes name others of them; if `selected`,
    /// those that were selected of others. With each comes its place.
    pub(crate) fn made_again(&self, given: &[NodeId], selected: bool) -> Result<Vec<(usize, Tensor)>> {
        let may_be = {
            let graph = self.graph();
            given.iter().any(|&id| graph.is_made_of(id, given, selected))
        };
        if may_be { self.make_again(given, selected) } else { Ok(Vec::new()) }
    }

    /// Deferred: few call a function with a value that was read and what it was made of.
    #[inline(never)]
    fn make_again(&self, given: &[NodeId], selected: bool) -> Result<Vec<(usize, Tensor)>> {
        let made: Vec<(usize, NodeId)> = {
            let mut graph = self.graph();
            let recomputed = |(place, &id): (usize, &NodeId)| {
                if !graph.is_made_of(id, given, selected) {
                    return None;
                }
                let others: Vec<NodeId> = given.iter().copied().filter(|&other| other != id).collect();
                Some((place, graph.made_again(id, &others)?))
            };
            given.iter().enumerate().filter_map(recomputed).collect()
        };
        let made: Vec<(usize, Tensor)> =
            made.into_iter().map(|(place, id)| (place, self.adopt(id))).collect();
        if !made.is_empty() {
            self.flush_tensors("jit", &made.iter().map(|(_, tensor)| tensor).collect::<Vec<_>>())?;
        }
        Ok(made)
    }
}

impl Tensor {
    /// Whether a comparison in a later flush may compute this value again, by its recipe. A copy of
    /// the value has no recipe.
    pub fn has_recipe(&self) -> bool {
        self.node("tensor").is_ok_and(|id| self.device().graph().recipe(id).is_some())
    }
}
