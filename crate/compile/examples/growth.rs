//! What compiling costs for each node as programs grow: `cargo run --release -p weft-compile --example growth [most nodes] [kind]`.
//! A line for each kind of program and length, with the time of a node, dispatches, and characters of WGSL of a node.
//!
//! It measures; `tests/growth.rs` asserts, on counts.

#[path = "../tests/sketch/mod.rs"]
mod sketch;

use sketch::Sketch;
use sketch::growth::KINDS;
use std::time::Instant;
use weft_compile::wgsl::{Dialect, print};
use weft_compile::{Limits, compile};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let most: usize = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(100_000);
    let wanted = arguments.next().unwrap_or_default();
    println!("{:<36} {:>8} {:>12} {:>10} {:>12}", "kind", "nodes", "µs / node", "dispatches", "WGSL / node");
    for (name, build) in KINDS.into_iter().filter(|(name, _)| name.contains(&wanted)) {
        let mut steps = 30;
        loop {
            let mut sketch = Sketch::default();
            let roots = build(&mut sketch, steps);
            let program = sketch.program(&roots);
            let nodes = program.nodes.len();
            if nodes > most && steps > 30 {
                break;
            }
            let start = Instant::now();
            let executable = compile(&program, &Limits::floor(), &[]).expect("it compiles");
            let text: usize = executable.kernels.iter().map(|k| print(k, Dialect::Naga).len()).sum();
            let time = start.elapsed().as_secs_f64() * 1e6 / nodes as f64;
            let dispatches = executable.dispatches.len();
            println!("{name:<36} {nodes:>8} {time:>12.1} {dispatches:>10} {:>12}", text / nodes);
            steps *= 10;
        }
    }
}
