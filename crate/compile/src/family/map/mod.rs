//! Elementwise clusters: an invocation computes one element of every output, or several, a
//! workgroup's width apart, whose loads are then in flight together. Maps that read across have a
//! family of their own (`across.rs`).

pub(crate) mod across;
pub(crate) mod vectors;

use super::contract::bounded;
use super::launch::{close_guard, each_invocation, first_of_share, grid};
use super::store::{store_all, values_at};
use super::{Anchored, Family, Lowered, Numbers, Problem, Stage, scatter};
use crate::cluster::Domain;
use weft_ir::Shape;

/// Elements that an invocation computes of a large tensor: on an NVIDIA H200 four loads in flight
/// reach the memory's limit.
const SEVERAL: u32 = 4;
/// Tensors from so many elements on are large: fewer do not fill a GPU four at a time.
pub(super) const LARGE: f64 = (1 << 20) as f64;
/// Operations of an element that may be written out several times.
pub(super) const MOST_OPERATIONS: usize = 64;
/// Nanoseconds, about, that the start of a workgroup takes of the device, and that of each of its
/// invocations of the workgroup.
const START: f64 = 0.8;
const WAIT: f64 = 3.199;
/// What elements take that come several to an invocation, each.
const ELEMENT: f64 = 0.002;

/// The same of software, where fewer invocations are as good on few processors; what an element
/// takes beside, and how many each computes.
pub(super) const START_OF_SOFTWARE: f64 = 500.0;
pub(super) const INVOCATION_OF_SOFTWARE: f64 = 12.0;
pub(super) const ELEMENT_OF_SOFTWARE: f64 = 7.0;

/// Operations that may be written out on software, which compiles kernels on the processors that
/// run them.
pub(super) const MOST_COMPILED: usize = 192;

/// The family.
pub struct Map;

/// The elements of a shape.
struct Elements(Shape);

impl Family for Map {
    fn name(&self) -> &'static str {
        "map"
    }

    fn numbers(&self) -> &'static [&'static str] {
        &["workgroup", "each"]
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let Domain { shape, axes: None, anchor: None, .. } = &problem.cluster().domain else { return None };
        // Every element looks at every index of a scatter, of which an invocation can look at so
        // many.
        (!scatter::is_for_updates(problem)).then(|| Box::new(Elements(shape.clone())) as Box<dyn Anchored>)
    }

    fn is_fallback(&self) -> bool {
        true
    }
}

impl Anchored for Elements {
    fn candidates(&self, problem: &Problem<'_>) -> Vec<Numbers> {
        let workgroups = [64, 256].into_iter().filter(|&w| w <= problem.limits.invocations);
        let mut found: Vec<Numbers> = workgroups.map(|workgroup| [workgroup, 1].into()).collect();
        let workgroup = problem.limits.invocations.min(256);
        // Past the end the last element is read again, which must not be what another invocation
        // overwrites.
        let (_, exact) = shares(problem, &self.0, workgroup * SEVERAL);
        let few = match problem.limits.fallback {
            true => problem.compiled() * SEVERAL as usize <= MOST_COMPILED,
            false => problem.operations() <= MOST_OPERATIONS,
        };
        if few && (exact || problem.in_place.is_empty()) {
            found.push([workgroup, SEVERAL].into());
        }
        found
    }

    fn cost(&self, problem: &Problem<'_>, numbers: &Numbers) -> f64 {
        let [workgroup, each] = numbers.get();
        let looking = scatter::cost_of_scanning_indices(problem);
        looking
            + match each {
                _ if problem.limits.fallback => cost_of_software(&self.0, workgroup, each),
                1 => cost(&self.0, workgroup),
                _ => cost_of_fewer(&self.0, ELEMENT, LARGE),
            }
    }

    fn lower(&self, problem: &Problem<'_>, numbers: &Numbers) -> Lowered {
        let stage = match numbers.get() {
            [workgroup, 1] => single(problem, &self.0, workgroup),
            [workgroup, each] => several(problem, &self.0, workgroup, each),
        };
        Lowered { stages: vec![stage], partials: Vec::new() }
    }
}

/// What an element for each invocation takes. Small work spreads over more workgroups; large work
/// starts fewer.
fn cost(shape: &Shape, workgroup: u32) -> f64 {
    START * shape.size().div_ceil(workgroup as usize) as f64 + WAIT * f64::from(workgroup)
}

/// The same of software, which runs whole workgroups.
fn cost_of_software(shape: &Shape, workgroup: u32, each: u32) -> f64 {
    let workgroups = shape.size().div_ceil((workgroup * each) as usize) as f64;
    let invocation = INVOCATION_OF_SOFTWARE + f64::from(each) * ELEMENT_OF_SOFTWARE;
    workgroups * (START_OF_SOFTWARE + f64::from(workgroup) * invocation)
}

/// What it takes where each element takes so much, and fewer invocations have the same work, which
/// pays from so many elements on.
pub(super) fn cost_of_fewer(shape: &Shape, element: f64, from: f64) -> f64 {
    let large = (START / 256.0 - element) * from + 256.0 * WAIT - 1.0;
    element * shape.size() as f64 + large
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
