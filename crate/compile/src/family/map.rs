//! Elementwise clusters: an invocation computes one element of every output, or several, a workgroup's width apart, whose loads are
//! then in flight together. Maps that read across have a kernel of their own (`across.rs`).

use super::across::{self, across};
use super::contract::bounded;
use super::{
    Family, Lowered, Parameters, Problem, Stage, close_guard, each_invocation, grid, store_all, values_at,
    workgroup_index,
};
use crate::fuse::Domain;
use weft_ir::Shape;
use weft_ir::kernel::Builtin;

/// Elements that an invocation computes of a large tensor: on an NVIDIA H200 four loads in flight reach the memory's limit.
const SEVERAL: u32 = 4;
/// Tensors from so many elements on are large: fewer do not fill a GPU four at a time.
const LARGE: usize = 1 << 20;
/// Tensors from so many elements on are read across faster by tiles: smaller ones lie in the cache.
const LARGE_ACROSS: usize = 1 << 17;
/// Operations of an element that may be written out several times.
const MOST_OPERATIONS: usize = 64;

/// The family.
pub struct Map;

impl Family for Map {
    fn name(&self) -> &'static str {
        "map"
    }

    fn applies(&self, problem: &Problem<'_>) -> bool {
        matches!(problem.cluster().domain, Domain::Map(_))
    }

    fn candidates(&self, problem: &Problem<'_>) -> Vec<Parameters> {
        let Domain::Map(shape) = &problem.cluster().domain else { return Vec::new() };
        let workgroups = [64, 256].into_iter().filter(|&w| w <= problem.limits.invocations);
        let mut found: Vec<Parameters> =
            workgroups.map(|workgroup| Parameters::Map { workgroup, each: 1 }).collect();
        let workgroup = problem.limits.invocations.min(256);
        // Past the end the last element is read again, which must not be what another invocation overwrites.
        let (_, exact) = shares(problem, shape, workgroup * SEVERAL);
        if problem.operations() <= MOST_OPERATIONS && (exact || problem.in_place.is_empty()) {
            found.push(Parameters::Map { workgroup, each: SEVERAL });
        }
        if problem.operations() <= MOST_OPERATIONS && across(problem, shape).is_some() {
            found.push(Parameters::Across);
        }
        found
    }

    fn cost(&self, problem: &Problem<'_>, parameters: Parameters) -> f64 {
        let Domain::Map(shape) = &problem.cluster().domain else { return f64::INFINITY };
        if parameters == Parameters::Across {
            return if shape.size() >= LARGE_ACROSS { -1.0 } else { f64::INFINITY };
        }
        let Parameters::Map { workgroup, each } = parameters else { return f64::INFINITY };
        if each > 1 {
            return if shape.size() >= LARGE && !problem.limits.fallback { 0.0 } else { f64::INFINITY };
        }
        // Small work spreads over more workgroups; large work starts fewer.
        let groups = shape.size().div_ceil(workgroup as usize) as f64;
        groups * 8.0 + f64::from(workgroup) * if shape.size() < 1 << 16 { 64.0 } else { 1.0 }
    }

    fn lower(&self, problem: &Problem<'_>, parameters: Parameters) -> Lowered {
        let Domain::Map(shape) = &problem.cluster().domain else {
            unreachable!("lowered where it applies");
        };
        let stage = match parameters {
            Parameters::Map { workgroup, each: 1 } => single(problem, shape, workgroup),
            Parameters::Map { workgroup, each } => several(problem, shape, workgroup, each),
            _ => across::lower(problem, shape, &across(problem, shape).expect("a candidate only then")),
        };
        Lowered { stages: vec![stage], partials: Vec::new() }
    }
}

/// The workgroups for a shape of which each computes `share` elements, and whether they are just enough.
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
        let group = workgroup_index(eval, grid);
        let group = eval.b.bind("group", group);
        eval.b.index.set_range(group, 0, i64::from(grid[0]) * i64::from(grid[1]) - 1);
        let local = eval.b.builtin_i32(Builtin::LocalIndex);
        let local = eval.b.bind("local", local);
        eval.b.index.set_range(local, 0, i64::from(workgroup) - 1);
        let before = eval.b.index_scale(group, i64::from(share));
        let first = eval.b.index_add(before, local);
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
