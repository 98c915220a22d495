//! Elementwise clusters: an invocation computes one element of every output, or several, a
//! workgroup's width apart, whose loads are then in flight together. Transposing maps have a
//! family of their own (`transposed.rs`).

pub(crate) mod transposed;
pub(crate) mod vectors;

use super::choice::parameters;
use super::contract::bounded;
use super::launch::{close_guard, each_invocation, first_of_share, grid};
use super::store::{store_all, values_at};
use super::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage, scatter};
use crate::cluster::Domain;
use crate::device::{MapModel, ParallelMap, SerialMap};
use weft_ir::Shape;

/// Elements that an invocation computes of a large tensor: on an NVIDIA H200 four loads in flight
/// reach the memory's limit.
const SEVERAL: u32 = 4;

/// The family.
pub struct Map;

parameters! {
    /// How a workgroup divides its elements.
    Share {
        /// Its invocations.
        workgroup: u32,
        /// Elements of each.
        each: u32,
    }
}

/// The elements of a shape.
struct Elements(Shape);

impl Family for Map {
    fn name(&self) -> &'static str {
        "map"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Share::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let Domain { shape, axes: None, anchor: None, .. } = &problem.cluster().domain else { return None };
        // Every element looks at every index of a scatter, of which an invocation can look at so
        // many.
        (!scatter::is_for_updates(problem)).then(|| Box::new(Elements(shape.clone())) as Box<dyn Anchored>)
    }
}

impl Lowering for Elements {
    type Candidate = Share;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<Share> {
        let workgroups = [64, 256].into_iter().filter(|&w| w <= problem.limits.invocations);
        let mut found: Candidates<Share> = workgroups.map(|workgroup| Share { workgroup, each: 1 }).collect();
        let workgroup = problem.limits.invocations.min(256);
        // Past the end the last element is read again, which must not be what another invocation
        // overwrites.
        let (_, exact) = shares(problem, &self.0, workgroup * SEVERAL);
        let few = match &problem.model().map {
            MapModel::Serial(model) => problem.compiled() * SEVERAL as usize <= model.most_compiled,
            MapModel::Parallel(model) => problem.operations() <= model.most_operations,
        };
        if few && (exact || problem.in_place.is_empty()) {
            found.push(Share { workgroup, each: SEVERAL });
        }
        found
    }

    fn is_fallback(&self, share: Share) -> bool {
        share.each == 1
    }

    fn cost(&self, problem: &Problem<'_>, Share { workgroup, each }: Share) -> f64 {
        let looking = scatter::cost_of_scanning_indices(problem);
        looking
            + match &problem.model().map {
                MapModel::Serial(model) => model.cost(self.0.size(), workgroup, each),
                MapModel::Parallel(model) if each == 1 => model.cost(self.0.size(), workgroup),
                MapModel::Parallel(model) => model.cost_of_fewer(self.0.size(), model.element, model.large),
            }
    }

    fn lower(&self, problem: &Problem<'_>, Share { workgroup, each }: Share) -> Lowered {
        let stage = match each {
            1 => single(problem, &self.0, workgroup),
            _ => several(problem, &self.0, workgroup, each),
        };
        Lowered { stages: vec![stage], partials: Vec::new() }
    }
}

impl ParallelMap {
    /// What an element for each invocation takes. Small work spreads over more workgroups; large
    /// work starts fewer.
    fn cost(&self, size: usize, workgroup: u32) -> f64 {
        self.workgroup * size.div_ceil(workgroup as usize) as f64 + self.invocation * f64::from(workgroup)
    }

    /// What it takes at `element` nanoseconds each, where fewer invocations share the same work,
    /// which pays off from `from` elements on.
    pub(super) fn cost_of_fewer(&self, size: usize, element: f64, from: f64) -> f64 {
        let large = (self.workgroup / 256.0 - element) * from + 256.0 * self.invocation - 1.0;
        element * size as f64 + large
    }
}

impl SerialMap {
    /// What `each` elements for each invocation take: whole workgroups run.
    fn cost(&self, size: usize, workgroup: u32, each: u32) -> f64 {
        let workgroups = size.div_ceil((workgroup * each) as usize) as f64;
        let invocation = self.invocation + f64::from(each) * self.element;
        workgroups * (self.workgroup + f64::from(workgroup) * invocation)
    }
}

/// The workgroups for a shape of which each computes `share` elements, and whether they are just
/// enough.
fn shares(problem: &Problem<'_>, shape: &Shape, share: u32) -> ([u32; 3], bool) {
    let grid = grid(shape.size().div_ceil(share as usize), problem.limits);
    (grid, shape.size() == share as usize * grid[0] as usize * grid[1] as usize)
}

fn single(problem: &Problem<'_>, shape: &Shape, workgroup: u32) -> Stage {
    problem.stage(&problem.name("map"), workgroup, |eval| {
        let grid = grid(shape.size().div_ceil(workgroup as usize), problem.limits);
        let (i, guard) = each_invocation(eval, "i", shape.size(), workgroup, grid);
        let at = eval.b.unravel(i, shape);
        store_all(eval, &problem.cluster().outputs, &at, shape);
        close_guard(eval, guard);
        grid
    })
}

fn several(problem: &Problem<'_>, shape: &Shape, workgroup: u32, each: u32) -> Stage {
    let outputs = &problem.cluster().outputs;
    problem.stage(&problem.name("map"), workgroup, |eval| {
        let share = workgroup * each;
        let (grid, exact) = shares(problem, shape, share);
        let first = first_of_share(eval, workgroup, share, grid);
        let mut computed = Vec::with_capacity(each as usize);
        for number in 0..each {
            let i = eval.b.index_offset(first, i64::from(number * workgroup));
            let place = bounded(eval, "i", i, shape.size(), exact);
            let at = eval.b.unravel(place.at, shape);
            // All are read before the first is stored, so that the loads can be in flight together.
            computed.push((place, values_at(eval, outputs, &at, shape, true)));
        }
        for (place, values) in computed {
            if place.inside.is_some() {
                eval.open();
            }
            for (&node, value) in outputs.iter().zip(values) {
                eval.store(node, place.at, value);
            }
            close_guard(eval, place.inside);
        }
        grid
    })
}
