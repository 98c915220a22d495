//! Recall of recent flushes. The graph below the roots of a flush is compared in full with those of
//! the last few flushes, so that a loop's step finds its compiled program in one walk over its
//! nodes, without a canonical program and its hash.
//!
//! A graph unlike all of them is compiled by way of its canonical program, and recalled the next
//! time.

use crate::device::backend::Compiled;
use std::cell::RefCell;
use std::rc::Rc;
use weft_ir::canonical::Leaves;
use weft_ir::graph::{Graph, Node, NodeId, NodeValue, RecipePlan};
use weft_ir::op::Op;
use weft_ir::program::TensorProgram;
use weft_ir::replay::Recent;
use weft_ir::{DType, Shape};

/// Larger programs take long to run, and much to remember.
const MOST_NODES: usize = 4096;

/// What a node is to the program that is made of it.
enum Definition {
    /// A leaf with a value.
    Buffer(Shape, DType),
    /// A number.
    Scalar(DType),
    /// An operation, and how many inputs it has.
    Computed(Op, usize),
}

impl Definition {
    fn of(node: &Node) -> Definition {
        match (&node.op, node.value) {
            (Op::Scalar(dtype), _) => Definition::Scalar(*dtype),
            (op, NodeValue::Pending) => Definition::Computed(op.clone(), node.inputs.len()),
            _ => Definition::Buffer(node.shape.clone(), node.dtype),
        }
    }

    /// Whether a node is the same, but for its inputs.
    fn is_of(&self, node: &Node) -> bool {
        match (self, &node.op, node.value) {
            (Definition::Scalar(dtype), Op::Scalar(other), _) => dtype == other,
            // Only transforms tell marks apart.
            (Definition::Computed(Op::Mark(_), _), Op::Mark(_), NodeValue::Pending) => true,
            (Definition::Computed(op, count), other, NodeValue::Pending) => {
                *count == node.inputs.len() && op == other
            }
            (Definition::Buffer(..), Op::Scalar(_), _) | (Definition::Buffer(..), _, NodeValue::Pending) => {
                false
            }
            (Definition::Buffer(shape, dtype), ..) => *dtype == node.dtype && *shape == node.shape,
            _ => false,
        }
    }
}

/// What was computed. Nodes go by their places among all of them, oldest first.
struct Known {
    definitions: Vec<Definition>,
    /// Of all nodes one after the other.
    inputs: Vec<u32>,
    roots: Vec<u32>,
    buffers: Vec<u32>,
    scalars: Vec<u32>,
    /// Those that it writes over.
    replaced: Vec<u32>,
    positions: Rc<[usize]>,
    compiled: Rc<Compiled>,
    recipes: RecipePlans,
}

/// For each root of a flush, how the recipe of its value was found the last time.
pub(crate) type RecipePlans = Rc<RefCell<Vec<Option<RecipePlan>>>>;

/// What computes the roots of a flush: a compiled program, the nodes that it is given, and for each
/// root the output that holds it.
pub(crate) struct Recalled {
    /// The program as it was asked for; where it was recalled, as it was asked for at first.
    pub program: Rc<TensorProgram>,
    pub compiled: Rc<Compiled>,
    pub leaves: Leaves,
    pub positions: Rc<[usize]>,
    pub recipes: RecipePlans,
}

/// What the last flushes computed.
#[derive(Default)]
pub(crate) struct Recall {
    known: Recent<Known>,
    /// The places of the nodes at hand, by their ids.
    places: Vec<u32>,
    /// How often nothing was like it.
    pub missed: u64,
}

impl Recall {
    /// What computes `roots`, where something like it is known. `closure` is what they depend on,
    /// oldest first, and of it `replaced` may be written over.
    pub fn find(
        &mut self,
        graph: &Graph,
        roots: &[NodeId],
        closure: &[NodeId],
        replaced: &[NodeId],
    ) -> Option<Recalled> {
        let places = &mut self.places;
        let is_it = |known: &Known| known.is_like(graph, [roots, replaced], closure, places);
        let Some(known) = self.known.find(is_it) else {
            self.missed += 1;
            return None;
        };
        let named = |list: &[u32]| list.iter().map(|&place| closure[place as usize]).collect();
        let leaves = Leaves { buffers: named(&known.buffers), scalars: named(&known.scalars) };
        let (compiled, positions) = (Rc::clone(&known.compiled), Rc::clone(&known.positions));
        let program = Rc::clone(&compiled.program);
        Some(Recalled { program, compiled, leaves, positions, recipes: Rc::clone(&known.recipes) })
    }

    /// Remembers what was found the long way.
    pub fn remember(
        &mut self,
        graph: &Graph,
        roots: &[NodeId],
        closure: &[NodeId],
        replaced: &[NodeId],
        by: &Recalled,
    ) {
        if closure.len() > MOST_NODES {
            return;
        }
        let places = &mut self.places;
        for (place, &id) in (0..).zip(closure) {
            note(places, id, place);
        }
        let placed = |ids: &[NodeId]| ids.iter().map(|id| places[id.0 as usize]).collect::<Vec<u32>>();
        let mut inputs = Vec::new();
        for &id in closure.iter().filter(|&&id| graph[id].value == NodeValue::Pending) {
            inputs.extend(placed(&graph[id].inputs));
        }
        let known = Known {
            definitions: closure.iter().map(|&id| Definition::of(&graph[id])).collect(),
            inputs,
            roots: placed(roots),
            buffers: placed(&by.leaves.buffers),
            scalars: placed(&by.leaves.scalars),
            replaced: placed(replaced),
            positions: Rc::clone(&by.positions),
            compiled: Rc::clone(&by.compiled),
            recipes: Rc::clone(&by.recipes),
        };
        self.known.insert(known);
    }
}

impl Known {
    fn is_like(
        &self,
        graph: &Graph,
        [roots, replaced]: [&[NodeId]; 2],
        closure: &[NodeId],
        places: &mut Vec<u32>,
    ) -> bool {
        let counts = (self.roots.len(), self.replaced.len(), self.definitions.len());
        if (roots.len(), replaced.len(), closure.len()) != counts {
            return false;
        }
        let mut inputs = &self.inputs[..];
        for (place, (&id, definition)) in (0..).zip(closure.iter().zip(&self.definitions)) {
            let node = graph.at(id);
            if !definition.is_of(node) {
                return false;
            }
            if let Definition::Computed(_, count) = definition {
                let own;
                (own, inputs) = inputs.split_at(*count);
                if !node.inputs.iter().zip(own).all(|(input, &own)| places[input.0 as usize] == own) {
                    return false;
                }
            }
            note(places, id, place);
        }
        let ends = roots.iter().zip(&self.roots).chain(replaced.iter().zip(&self.replaced));
        ends.into_iter().all(|(id, &place)| places[id.0 as usize] == place)
    }
}

fn note(places: &mut Vec<u32>, id: NodeId, place: u32) {
    let at = id.0 as usize;
    if at >= places.len() {
        places.resize(at + 1, 0);
    }
    places[at] = place;
}

#[cfg(test)]
mod tests {
    use crate::device::pending::is_pending;
    use crate::optim::{Optimizer, Sgd};
    use crate::{Device, Parameter, Result, Tensor, value_and_grad_of};

    fn tensor(device: &Device, shape: &[usize]) -> Tensor {
        let values: Vec<f32> = (0..shape.iter().product()).map(|i| i as f32 / 12.0 - 0.4).collect();
        device.tensor(&values, shape).unwrap()
    }

    /// How many programs were made of graphs, and how many nodes walks came by.
    fn counts(device: &Device) -> (u64, u64) {
        (device.inner.programs.borrow().unlike_recent(), device.graph().walked())
    }

    /// Values that differ are other numbers and other tensors, not other programs.
    #[test]
    fn a_flush_of_what_is_known_walks_it_once_and_makes_no_program() {
        let device = Device::cpu();
        let x = tensor(&device, &[3, 4]);
        for n in 0..5 {
            let y = (0..13).try_fold(x.clone(), |y, k| y.mul(1.0 + f64::from(n) + f64::from(k))).unwrap();
            let nodes = device.graph().closure(&[y.node("test").unwrap()], is_pending).len() as u64;
            let before = counts(&device);
            device.realize(&[&y]).unwrap();
            let after = counts(&device);
            assert!(nodes > 26 && after.1 - before.1 == nodes, "{} of {nodes} walked", after.1 - before.1);
            assert_eq!(after.0 - before.0, u64::from(n == 0), "programs made by flush {n}");
        }
    }

    #[test]
    fn a_training_loop_soon_makes_no_program_and_learns() {
        let device = Device::cpu();
        let x = tensor(&device, &[2, 3]);
        let parameters = [&[3, 4][..], &[4]].map(|shape| Parameter::new(tensor(&device, shape)).unwrap());
        let [weight, bias] = &parameters;
        let rule = Sgd { lr: 0.1, ..Sgd::default() };
        let optimizer = Optimizer::new(parameters.to_vec(), rule).unwrap();
        let mut last = f64::INFINITY;
        for n in 0..10 {
            let derived = || device.inner.derived.borrow().derived();
            let (before, derived_before) = (counts(&device).0, derived());
            let loss = || -> Result<Tensor> {
                let y = x.matmul(&weight.get()?)?.add(&bias.get()?)?.tanh()?;
                y.mul(&y)?.mean(None, false)
            };
            let (loss, gradients) = value_and_grad_of(optimizer.parameters(), loss).unwrap();
            optimizer.step(gradients).unwrap();
            let made = counts(&device).0 - before;
            assert!(n < 2 || made == 0, "{made} programs made by step {n}");
            assert_eq!(derived() - derived_before, u64::from(n == 0), "functions differentiated by step {n}");
            let loss = pollster::block_on(loss.item()).unwrap();
            assert!(loss < last, "{loss} after {last}");
            last = loss;
        }
    }

    /// Alike but for one thing, and in turns: each gets its own result.
    #[test]
    fn what_differs_anywhere_is_not_taken_for_what_is_known() {
        let device = Device::cpu();
        let (x, y) = (tensor(&device, &[2, 2]), device.tensor(&[0.5f32, -1.0, 2.0, 0.25], &[2, 2]).unwrap());
        let wide = tensor(&device, &[2, 3]);
        let of = |which: usize| match which {
            0 => x.add(&y)?.exp()?.sub(&x),
            1 => x.add(&y)?.exp()?.sub(&y),
            2 => x.add(&x)?.exp()?.sub(&x),
            3 => y.add(&x)?.exp()?.sub(&x),
            4 => x.mul(&y)?.exp()?.sub(&x),
            5 => x.add(&y)?.tanh()?.sub(&x),
            6 => wide.add(&wide)?.exp()?.sub(&wide),
            _ => x.add(&y)?.exp()?.sub(&x)?.sum(Some(&[0]), false),
        };
        let value = |tensor: Tensor| pollster::block_on(tensor.data::<f32>()).unwrap();
        let alone: Vec<Vec<f32>> = (0..8)
            .map(|which| {
                device.inner.programs.borrow_mut().forget_recent();
                value(of(which).unwrap())
            })
            .collect();
        for _ in 0..3 {
            for (which, expected) in alone.iter().enumerate() {
                assert_eq!(value(of(which).unwrap()), *expected, "program {which}");
            }
        }
    }
}
