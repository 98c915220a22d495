//! Elementwise clusters: one invocation computes one element of every output.

use super::{Family, Lowered, Parameters, Problem, close_guard, each_invocation, grid, store_all};
use crate::fuse::Domain;

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
        [64, 256]
            .into_iter()
            .filter(|&w| w <= problem.limits.invocations)
            .map(|workgroup| Parameters::Map { workgroup })
            .collect()
    }

    fn cost(&self, problem: &Problem<'_>, parameters: Parameters) -> f64 {
        let (Domain::Map(shape), Parameters::Map { workgroup }) = (&problem.cluster().domain, parameters)
        else {
            return f64::INFINITY;
        };
        // Small work spreads over more workgroups; large work starts fewer.
        let groups = shape.size().div_ceil(workgroup as usize) as f64;
        groups * 8.0 + f64::from(workgroup) * if shape.size() < 1 << 16 { 64.0 } else { 1.0 }
    }

    fn key(&self, problem: &Problem<'_>) -> String {
        let Domain::Map(shape) = &problem.cluster().domain else { return String::new() };
        format!("map {} outputs={}", shape.size().next_power_of_two(), problem.cluster().outputs.len())
    }

    fn lower(&self, problem: &Problem<'_>, parameters: Parameters) -> Lowered {
        let (Domain::Map(shape), Parameters::Map { workgroup }) = (&problem.cluster().domain, parameters)
        else {
            unreachable!("lowered with its own candidates");
        };
        let stage = problem.stage(&problem.name("map"), workgroup, |eval| {
            let grid = grid(shape.size().div_ceil(workgroup as usize), problem.limits);
            let (i, guard) = each_invocation(eval, "i", shape.size(), workgroup, grid);
            let at = eval.b.unravel(i, shape);
            store_all(eval, &problem.cluster().outputs, &at, shape);
            close_guard(eval, guard);
            grid
        });
        Lowered { stages: vec![stage], partials: Vec::new() }
    }
}
