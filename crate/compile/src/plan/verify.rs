//! The rules of well-formed plans. The compiler is checked against them in tests and debug builds.
//! Messages name the dispatch and the rule.

use crate::plan::executable::{Dispatch, Executable, Fused, Repeat, Slot, Uniform};
use crate::plan::walk::Walk;
use std::rc::Rc;
use weft_ir::HashMap;
use weft_ir::kernel::Space;
use weft_ir::op::Op;
use weft_ir::program::{ProgramId, TensorProgram};

/// The bytes of a dispatch's workgroups along three axes.
const COUNTS: u64 = 12;

/// What a buffer holds: a node of a fused program, partial results of a cluster, or what a
/// cluster's gate keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    Node(usize, ProgramId),
    Partial(usize, usize),
    Gate(usize, usize),
}

/// Checks that a plan names only what is there, that loops lie within one another, and, walking it
/// as a run does, that every dispatch finds in its buffers just the values it reads, that no buffer
/// is too small for its value, that none is bound twice where it is written, that a gate has
/// written the workgroups of what it counts, and that all results are there in the end. What gates
/// leave out is walked as well: alternatives are programs of their own, which find nothing in
/// buffers that they did not write themselves, and what follows must bear that any of them was run.
pub fn plan(program: &TensorProgram, executable: &Executable) -> Result<(), String> {
    let Executable { kernels, dispatches, repeats, slots, outputs, fused } = executable;
    for (n, dispatch) in dispatches.iter().enumerate() {
        names(executable, program, dispatch).map_err(|what| format!("dispatch {n}: {what}"))?;
    }
    nesting(repeats, dispatches.len())?;
    if outputs.len() != program.outputs.len() || outputs.iter().any(|&slot| slot >= slots.len()) {
        return Err(format!("{} results are in slots {outputs:?}", program.outputs.len()));
    }
    // A few iterations show what many do, as long as they are as even.
    let iterations = |iterations: u32| if iterations > 4 { 2 + iterations % 2 } else { iterations };
    let repeats: Rc<[Repeat]> =
        repeats.iter().map(|it| Repeat { iterations: iterations(it.iterations), ..it.clone() }).collect();
    let leaves = program.buffer_leaves();
    let mut held: HashMap<usize, Content> = HashMap::default();
    let first = fused.first().map(|it| it.program.buffer_leaves()).unwrap_or_default();
    for (slot, kind) in slots.iter().enumerate() {
        if let Slot::Leaf(n) = kind {
            let leaf = first.get(*n).filter(|_| *n < leaves.len());
            held.insert(
                slot,
                Content::Node(0, *leaf.ok_or_else(|| format!("slot {slot} is no leaf of the program"))?),
            );
        }
    }
    let mut walk = Walk::new(&repeats, dispatches.len(), slots);
    loop {
        let Some(n) = walk.next() else {
            match walk.asks.map(|slot| (slot, held.contains_key(&walk.means[slot]))) {
                None => break,
                Some((_, true)) => walk.answer(false),
                Some((slot, false)) => {
                    return Err(format!("a loop is ended by buffer {slot}, which nothing writes"));
                }
            }
            continue;
        };
        let dispatch = &dispatches[n];
        let refuse = |what: String| Err(format!("dispatch {n}: {what}"));
        let (part, cluster) = dispatch.cluster;
        let Fused { program, .. } = &fused[part];
        if let Some((slot, _)) = dispatch.counted {
            let found = held.get(&walk.means[slot]);
            if !matches!(found, Some(Content::Gate(..))) {
                return refuse(format!("is counted in buffer {slot}, which holds {found:?}"));
            }
        }
        let buffers: Vec<usize> = dispatch.bindings.iter().map(|&slot| walk.means[slot]).collect();
        let spaces: Vec<Space> = kernels[dispatch.kernel].storage().map(|(_, array)| array.space).collect();
        for (i, (&buffer, space)) in buffers.iter().zip(&spaces).enumerate() {
            let again = buffers[..i].iter().position(|&other| other == buffer);
            if again.is_some_and(|other| *space != Space::Read || spaces[other] != Space::Read) {
                return refuse(format!("binds buffer {buffer} twice and writes it"));
            }
        }
        for ((&buffer, space), node) in buffers.iter().zip(&spaces).zip(&dispatch.holds) {
            let own =
                if dispatch.is_gate { Content::Gate(part, cluster) } else { Content::Partial(part, cluster) };
            let value = node.map_or(own, |id| Content::Node(part, id));
            if let Some(id) = node {
                let needed = program[*id].dtype.stored_bytes(program[*id].shape.size().max(1));
                let room = match slots[buffer] {
                    Slot::Output(bytes) | Slot::Temporary(bytes) => bytes,
                    Slot::Leaf(_) | Slot::Alias(_) => u64::MAX,
                };
                if needed > room {
                    return refuse(format!("%{} takes {needed} bytes, and buffer {buffer} has {room}", id.0));
                }
            }
            if *space != Space::Read {
                held.insert(buffer, value);
                continue;
            }
            // What comes from around a loop, or out of one, is there known by another number.
            let renamed = |id: ProgramId| {
                let op = &program[id].op;
                matches!(op, Op::Part { .. }) || (part > 0 && op.is_given()) || program[id].shape.size() == 0
            };
            match held.get(&buffer) {
                // Whether a loop goes on, or what the gate around it keeps.
                Some(Content::Gate(..) | Content::Node(..)) if dispatch.is_gate && node.is_none() => {}
                Some(found) if *found == value => {}
                found
                    if node.is_some_and(|id| {
                        renamed(id) && (found.is_some() || program[id].shape.size() == 0)
                    }) => {}
                found => return refuse(format!("reads {value:?} in buffer {buffer}, which holds {found:?}")),
            }
        }
    }
    let is_empty = |n: usize| program[program.outputs[n]].shape.size() == 0;
    match outputs.iter().enumerate().find(|&(n, slot)| !held.contains_key(&walk.means[*slot]) && !is_empty(n))
    {
        Some((n, slot)) => Err(format!("result {n} is in slot {slot}, which nothing writes")),
        None => Ok(()),
    }
}

/// Whether what a dispatch names is there.
fn names(executable: &Executable, program: &TensorProgram, dispatch: &Dispatch) -> Result<(), String> {
    let Executable { kernels, slots, fused, repeats, .. } = executable;
    let Some(kernel) = kernels.get(dispatch.kernel) else {
        return Err(format!("there is no kernel {}", dispatch.kernel));
    };
    let (arrays, bound) = (kernel.storage().count(), dispatch.bindings.len());
    if (bound, dispatch.holds.len()) != (arrays, arrays) {
        return Err(format!("binds {bound} buffers to {arrays} arrays"));
    }
    if let Some(slot) = dispatch.bindings.iter().find(|&&slot| slot >= slots.len()) {
        return Err(format!("there is no slot {slot}"));
    }
    let given = dispatch.uniforms.len() + usize::from(dispatch.in_pieces);
    if given != kernel.uniforms.len() {
        return Err(format!("gives {given} scalars of {}", kernel.uniforms.len()));
    }
    let scalars = program.scalar_leaves().len();
    let is_there = |given: &&Uniform| match **given {
        Uniform::Scalar(n) => n < scalars,
        Uniform::Index(n) => n < repeats.len(),
        Uniform::Number(_) => true,
    };
    if let Some(given) = dispatch.uniforms.iter().find(|given| !is_there(given)) {
        return Err(format!("there is no {given:?}"));
    }
    if dispatch.workgroups.contains(&0) {
        return Err("has no workgroups".into());
    }
    if let Some((slot, byte)) = dispatch.counted {
        let fits = |bytes: u64| byte % 4 == 0 && byte + COUNTS <= bytes;
        if !matches!(slots.get(slot), Some(Slot::Temporary(bytes)) if fits(*bytes)) {
            return Err(format!("is counted from byte {byte} of slot {slot}, where there are no counts"));
        }
    }
    let (part, cluster) = dispatch.cluster;
    match fused.get(part).and_then(|it| it.clusters.clusters.get(cluster)) {
        Some(_) => Ok(()),
        None => Err(format!("there is no cluster {cluster} in part {part}")),
    }
}

/// Whether loops are in order, and each lies within another or beside it.
fn nesting(repeats: &[Repeat], dispatches: usize) -> Result<(), String> {
    for (n, it) in repeats.iter().enumerate() {
        let crosses =
            |before: &Repeat| before.first > it.first || (it.first < before.end && before.end < it.end);
        if it.first >= it.end || it.end > dispatches || it.iterations == 0 || repeats[..n].iter().any(crosses)
        {
            return Err(format!(
                "loop {n} repeats {}..{} {} times, across others or nothing",
                it.first, it.end, it.iterations
            ));
        }
    }
    Ok(())
}
