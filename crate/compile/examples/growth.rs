//! Growth of compile time: the time for each node as programs grow.
//!
//! `cargo run --release -p weft-compile --example growth [most nodes] [kind]` prints a line for
//! each kind of program and length, with the time of a node, dispatches, and characters of WGSL of
//! a node. Nodes of regions count as others do; "gated" leaves every branch and every end of a
//! loop to the device.
//!
//! It measures; `tests/growth.rs` asserts, on counts.

#[path = "../tests/sketch/mod.rs"]
mod sketch;

use sketch::{Sketch, growth, regions};
use std::time::Instant;
use weft_compile::target::wgsl::{Dialect, print};
use weft_compile::{Limits, compile};

/// Seconds for which a program is compiled again and again.
const PATIENCE: f64 = 0.5;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let most: usize = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(100_000);
    let wanted = arguments.next().unwrap_or_default();
    println!("{:<36} {:>8} {:>12} {:>10} {:>12}", "kind", "nodes", "µs / node", "dispatches", "WGSL / node");
    let plain = growth::KINDS.into_iter().map(|(name, build)| (name.to_owned(), build, Limits::floor()));
    let with_regions = regions::KINDS.into_iter().flat_map(|(name, build)| {
        let gated = Limits { least_spared: 0, ..Limits::floor() };
        [(name.to_owned(), build, Limits::floor()), (format!("{name}, gated"), build, gated)]
    });
    for (name, build, limits) in plain.chain(with_regions).filter(|(name, ..)| name.contains(&wanted)) {
        let mut steps = 30;
        loop {
            let mut sketch = Sketch::default();
            let roots = build(&mut sketch, steps);
            let program = sketch.program(&roots);
            let nodes = regions::nodes(&program);
            let (began, mut compilations) = (Instant::now(), 0);
            let start = seconds(began);
            let executable = loop {
                let executable = compile(&program, &limits, &[]).expect("it compiles");
                compilations += 1;
                if seconds(began) - start > PATIENCE {
                    break executable;
                }
            };
            let taken = (seconds(began) - start) / f64::from(compilations);
            let text: usize = executable.kernels.iter().map(|k| print(k, Dialect::Naga).len()).sum();
            let (time, dispatches) = (taken * 1e6 / nodes as f64, executable.dispatches.len());
            println!("{name:<36} {nodes:>8} {time:>12.1} {dispatches:>10} {:>12}", text / nodes);
            // Ten times as many, and last as many as there may be.
            let next = (steps * 10).min(steps * most / nodes);
            if 2 * next < 3 * steps {
                break;
            }
            steps = next;
        }
    }
}

/// Seconds that this process had of a processor, where the system tells, so that others' work does
/// not count; else those since it began.
fn seconds(began: Instant) -> f64 {
    let spent = std::fs::read_to_string("/proc/self/schedstat").ok();
    let spent = spent.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    spent.map_or_else(|| began.elapsed().as_secs_f64(), |nanoseconds| nanoseconds * 1e-9)
}
