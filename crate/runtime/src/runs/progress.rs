//! Progress of a run: where encoding goes on when it stopped at the end of a pass or to poll the
//! device, and where the run's scalars are.

use crate::device::health::PendingErrors;
use crate::memory::pool::BufferId;
use crate::memory::uniforms::Scalars;
use crate::pipelines::prepare::{Prepared, Step, Word};
use std::rc::Rc;
use weft_compile::Uniform;
use weft_compile::plan::walk::Walk;

/// What a run is of.
pub(crate) struct RunState<'a> {
    pub prepared: &'a Prepared,
    pub scalars: &'a [u32],
    pub slots: &'a [BufferId],
    pub pending_errors: &'a PendingErrors,
    /// Where in the ring its scalars lie.
    pub offset: u32,
    /// Whether it is submitted in pieces.
    pub long: bool,
    /// Its number among all runs.
    pub number: u32,
}

/// How far a run has come.
pub(crate) struct Progress {
    pub walk: Walk,
    /// A step that the walk came to and that was not encoded.
    pub next: Option<usize>,
    pub blocks: Blocks,
    /// Steps in this pass.
    pub in_pass: u32,
    /// Whether what comes next stands in another pass, or in one that others began.
    pub changed: bool,
}

impl Progress {
    /// None.
    pub fn new(prepared: &Prepared) -> Progress {
        let walk = Walk::new(&prepared.repeats, prepared.steps.len(), &prepared.slots);
        Progress { walk, next: None, blocks: Blocks::default(), in_pass: 0, changed: true }
    }

    /// Tells whether the loop that asks goes on.
    pub fn answer(&mut self, goes_on: bool) {
        self.walk.answer(goes_on);
        self.changed = true;
    }
}

/// Why no more of a run was encoded.
pub(crate) enum Stop {
    /// That was all.
    End,
    /// It is enough for a submit.
    Full,
    /// This step is to be submitted in pieces.
    Long(usize),
    /// A loop asks, in this slot, whether it goes on.
    Asks(usize),
}

/// Where the blocks of scalars lie that a run's commands in the open pass look for. Those that are
/// the same in every iteration come first, then one after the other those of iterations, as they
/// are needed: when there is no room left, another pass begins anew.
#[derive(Default)]
pub(crate) struct Blocks {
    /// Blocks that lie there.
    used: usize,
    /// For each block of iterations, where it lies for the present one.
    places: Vec<Option<u32>>,
}

impl Blocks {
    /// Begins with a pass that has those that are the same in all iterations.
    pub fn begin(&mut self, prepared: &Prepared) {
        self.used = prepared.steady;
        self.forget_varying(prepared);
    }

    /// Another iteration began.
    pub fn forget_varying(&mut self, prepared: &Prepared) {
        self.places.clear();
        self.places.resize(prepared.blocks.len() - prepared.steady, None);
    }

    /// Whether there is no room for what a step needs.
    pub fn is_full(&self, prepared: &Prepared, step: &Step) -> bool {
        let varying = step.block.and_then(|block| block.checked_sub(prepared.steady));
        varying.is_some_and(|n| self.places[n].is_none()) && self.used >= prepared.room
    }

    /// Where a step's block lies; written behind the others if it is not there.
    pub fn place(
        &mut self,
        of_pass: &mut Scalars,
        prepared: &Prepared,
        step: &Step,
        scalars: &[u32],
        walk: &Walk,
        offset: u32,
    ) -> u32 {
        let Some(block) = step.block else { return offset };
        let Some(varying) = block.checked_sub(prepared.steady) else {
            return offset + block as u32 * prepared.block_stride;
        };
        if let Some(place) = self.places[varying] {
            return place;
        }
        let place = offset + self.used as u32 * prepared.block_stride;
        of_pass.bytes.resize((place - of_pass.offset) as usize, 0);
        write_block(&prepared.blocks[block], scalars, walk, &mut of_pass.bytes);
        self.places[varying] = Some(place);
        self.used += 1;
        place
    }
}

/// Adds the scalars of a run that are the same in all iterations, which its commands look for from
/// `offset` on, to those of the pass.
pub(crate) fn add_scalars(of_pass: &mut Scalars, prepared: &Prepared, scalars: &[u32], offset: u32) {
    if prepared.blocks.is_empty() {
        return;
    }
    if of_pass.bytes.is_empty() {
        of_pass.offset = offset;
    }
    of_pass.bytes.resize((offset - of_pass.offset) as usize, 0);
    write_blocks(prepared, scalars, &mut of_pass.bytes);
}

/// Appends the distinct blocks of a run that are the same in all iterations.
pub(crate) fn write_blocks(prepared: &Prepared, scalars: &[u32], bytes: &mut Vec<u8>) {
    let start = bytes.len();
    let walk = Walk::new(&Rc::default(), 0, &[]);
    for (n, block) in prepared.blocks[..prepared.steady].iter().enumerate() {
        bytes.resize(start + n * prepared.block_stride as usize, 0);
        write_block(block, scalars, &walk, bytes);
    }
}

/// Appends a block, in whole vec4s, as bindings span them.
pub(crate) fn write_block(block: &[Word], scalars: &[u32], walk: &Walk, bytes: &mut Vec<u8>) {
    for word in block {
        let word = match *word {
            Word::FirstWorkgroup => 0,
            Word::Given(Uniform::Scalar(n)) => scalars[n],
            Word::Given(Uniform::Index(repeat)) => walk.index(repeat),
            Word::Given(Uniform::Number(number)) => number,
        };
        bytes.extend(word.to_le_bytes());
    }
    bytes.resize(bytes.len().next_multiple_of(16), 0);
}
