//! Preparation of a compiled program, once for all its runs: its pipelines, the layout of its
//! scalars, and the checks that it is well formed for this device.

use crate::device::gpu::Gpu;
use crate::device::stats::size;
use crate::pipelines::Pipeline;
use crate::runtime::{Inner, Runtime};
use crate::submission::pace::Work;
use std::rc::Rc;
use weft_compile::lower::cost;
use weft_compile::{Compiler, Dispatch, Executable, Repeat, Slot, Uniform};
use weft_ir::error::{Error, ErrorKind, Result};
use weft_ir::kernel::{Kernel, Space};

/// The most blocks that differ from iteration to iteration in one submit.
const MOST_VARYING: f64 = 4096.0;

/// A compiled program on one device, ready to [`run`](Runtime::run).
pub struct Prepared {
    /// The device's runtime, for telling devices apart.
    pub(crate) home: std::rc::Weak<Inner>,
    pub(crate) steps: Vec<Step>,
    pub(crate) repeats: Rc<[Repeat]>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) outputs: Vec<usize>,
    /// Which of the outputs are leaves, or other outputs besides.
    pub(crate) shared: Vec<usize>,
    /// For each distinct uniform block, what it holds in order. Block n lies at n times the stride,
    /// if it is one of the steady ones.
    pub(crate) blocks: Vec<Vec<Word>>,
    /// How many blocks, the first, are the same in every iteration of every loop.
    pub(crate) steady: usize,
    /// How many blocks there is to be room for in one submit.
    pub(crate) room: usize,
    /// Bytes from one block to the next.
    pub(crate) block_stride: u32,
    /// Buffer leaves the caller must give.
    pub(crate) leaves: usize,
    /// Scalars the caller must give.
    pub(crate) scalars: usize,
    /// Leaves that some dispatch writes.
    pub(crate) written: Vec<usize>,
    /// Pairs of leaves that one dispatch binds, and writes at least one of: they must not be the
    /// same buffer.
    pub(crate) apart: Vec<(usize, usize)>,
    /// What a run amounts to.
    pub(crate) work: Work,
    /// Whether a loop in it goes on until the device says otherwise.
    pub(crate) asks: bool,
}

/// One word of a uniform block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    /// The number of the first workgroup: 0, but where a dispatch is run in pieces.
    FirstWorkgroup,
    /// What the dispatch is given.
    Given(Uniform),
}

/// One dispatch.
pub(crate) struct Step {
    pub pipeline: Rc<Pipeline>,
    /// For each storage binding, the slot.
    pub bindings: Vec<usize>,
    /// Which block of scalars, if the kernel has uniforms.
    pub block: Option<usize>,
    pub workgroups: [u32; 3],
    /// The slot, and the byte of it, where the device finds the workgroups, if not there: they are
    /// those, or none.
    pub counted: Option<(usize, u64)>,
    /// Operations of one workgroup, about.
    pub operations: f64,
    /// Whether the first word of its block is the number of the first workgroup.
    pub in_pieces: bool,
}

impl Step {
    /// What it amounts to.
    pub fn work(&self) -> Work {
        let workgroups: f64 = self.workgroups.iter().map(|&count| f64::from(count)).product();
        Work { operations: self.operations * workgroups, dispatches: 1.0 }
    }
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kernels: Vec<&str> = self.steps.iter().map(|step| step.pipeline.name.as_str()).collect();
        f.debug_struct("Prepared").field("kernels", &kernels).field("slots", &self.slots).finish()
    }
}

impl Prepared {
    /// How many dispatches a run makes, each counted once however often it is repeated.
    pub fn dispatches(&self) -> usize {
        self.steps.len()
    }

    /// Which of the values that a run returns have an owner before: they are leaves, or were
    /// returned before.
    pub fn shared(&self) -> &[usize] {
        &self.shared
    }
}

impl Runtime {
    /// Makes a compiled program ready to run. Pipelines come from the cache where an equal kernel
    /// was prepared before.
    ///
    /// Errors: `Internal` when the program is not well formed, or the device is known to refuse a
    /// kernel (a browser reports a refusal later; reading what the kernel computed then
    /// fails); `OutOfMemory` for a buffer larger than the device can bind; `DeviceLost`.
    pub fn prepare(&self, executable: Executable) -> Result<Rc<Prepared>> {
        let inner = &*self.inner;
        inner.gpu.health.check("prepare")?;
        let Executable { kernels, dispatches, repeats, slots, outputs, fused: _ } = executable;
        check(&inner.gpu, &kernels, &dispatches, &slots, &outputs)?;

        let mut pipelines = inner.pipelines.borrow_mut();
        let pipelines = kernels
            .iter()
            .map(|kernel| pipelines.get(&inner.gpu, kernel, None))
            .collect::<Result<Vec<_>>>()?;

        let (mut written, mut apart) = (Vec::new(), Vec::new());
        for dispatch in &dispatches {
            leaf_hazards(&kernels[dispatch.kernel], dispatch, &slots, &mut written, &mut apart)?;
        }
        let leaf = |slot: &Slot| if let Slot::Leaf(n) = slot { Some(n + 1) } else { None };
        let leaves = slots.iter().filter_map(leaf).max().unwrap_or(0);
        let scalar = |given: &Uniform| if let Uniform::Scalar(n) = given { Some(n + 1) } else { None };
        let scalars = dispatches.iter().flat_map(|d| &d.uniforms).filter_map(scalar).max().unwrap_or(0);

        let operations: Vec<f64> = kernels.iter().map(cost::of_workgroup).collect();
        let words_of = |dispatch: &Dispatch| -> Vec<Word> {
            let first = dispatch.in_pieces.then_some(Word::FirstWorkgroup);
            first.into_iter().chain(dispatch.uniforms.iter().map(|&given| Word::Given(given))).collect()
        };
        let mut blocks: Vec<Vec<Word>> = Vec::new();
        for varying in [false, true] {
            for words in dispatches.iter().map(words_of) {
                if !words.is_empty()
                    && words.iter().any(|word| matches!(word, Word::Given(Uniform::Index(_)))) == varying
                {
                    place(&mut blocks, words);
                }
            }
        }
        let is_steady =
            |block: &&Vec<Word>| !block.iter().any(|word| matches!(word, Word::Given(Uniform::Index(_))));
        let steady = blocks.iter().filter(is_steady).count();
        let steps: Vec<Step> = dispatches
            .into_iter()
            .map(|dispatch| {
                let words = words_of(&dispatch);
                Step {
                    pipeline: pipelines[dispatch.kernel].clone(),
                    bindings: dispatch.bindings,
                    block: (!words.is_empty()).then(|| place(&mut blocks, words)),
                    workgroups: dispatch.workgroups,
                    counted: dispatch.counted,
                    operations: operations[dispatch.kernel],
                    in_pieces: dispatch.in_pieces,
                }
            })
            .collect();
        let times = times(&repeats, steps.len());
        let mut work = Work::default();
        for (step, &times) in steps.iter().zip(&times) {
            work.operations += step.work().operations * times;
            work.dispatches += times;
        }
        // A loop of few iterations is one submit.
        let varying =
            steps.iter().zip(&times).filter(|(step, _)| step.block.is_some_and(|block| block >= steady));
        let varying = varying.map(|(_, times)| times).sum::<f64>().min(MOST_VARYING) as usize;
        let room = steady + varying.max(blocks.len() - steady);
        let longest =
            blocks.iter().map(|block| block.len().next_multiple_of(4) as u32 * 4).max().unwrap_or(0);
        let block_stride = longest.next_multiple_of(inner.ring.borrow().alignment());
        let asks = repeats.iter().any(|it| it.until.is_some());
        let mut seen = vec![false; slots.len()];
        let mut is_shared =
            |slot: usize| matches!(slots[slot], Slot::Leaf(_)) || std::mem::replace(&mut seen[slot], true);
        let shared =
            outputs.iter().enumerate().filter(|&(_, &slot)| is_shared(slot)).map(|(n, _)| n).collect();
        Ok(Rc::new(Prepared {
            home: Rc::downgrade(&self.inner),
            steps,
            repeats: repeats.into(),
            slots,
            outputs,
            shared,
            blocks,
            steady,
            room,
            block_stride,
            leaves,
            scalars,
            written,
            apart,
            work,
            asks,
        }))
    }
}

/// Compiles kernels of programs that are to be [prepared](Runtime::prepare), which tells what is
/// wrong with them.
impl Compiler for Runtime {
    fn is_slow(&self, kernel: &Kernel) -> bool {
        self.inner.pipelines.borrow().is_slow(&self.inner.gpu, kernel)
    }

    fn is_sooner(&self, kernel: &Kernel, first: &Kernel) -> bool {
        self.inner.gpu.compile_times.is_sooner(kernel, first)
    }

    fn begin(&self, kernel: &Kernel, first: Option<&Kernel>) {
        let inner = &*self.inner;
        if !inner.gpu.health.is_lost() {
            let _ = inner.pipelines.borrow_mut().get(&inner.gpu, kernel, first);
        }
    }
}

/// How often each step runs.
fn times(repeats: &[Repeat], steps: usize) -> Vec<f64> {
    let mut times = vec![1.0; steps];
    for it in repeats {
        times[it.first..it.end].iter_mut().for_each(|times| *times *= f64::from(it.iterations));
    }
    times
}

/// The number of a block of these words, which equal dispatches share.
fn place(blocks: &mut Vec<Vec<Word>>, scalars: Vec<Word>) -> usize {
    blocks.iter().position(|block| *block == scalars).unwrap_or_else(|| {
        blocks.push(scalars);
        blocks.len() - 1
    })
}

fn defect(message: String) -> Error {
    Error::new(ErrorKind::Internal, "prepare", message)
}

/// Checks what wgpu would otherwise reject later and less clearly.
fn check(
    gpu: &Gpu,
    kernels: &[Kernel],
    dispatches: &[Dispatch],
    slots: &[Slot],
    outputs: &[usize],
) -> Result<()> {
    if let Some(slot) = outputs.iter().find(|slot| **slot >= slots.len()) {
        return Err(defect(format!("an output names slot {slot} of {}", slots.len())));
    }
    for dispatch in dispatches {
        let Some(kernel) = kernels.get(dispatch.kernel) else {
            return Err(defect(format!("a dispatch names kernel {} of {}", dispatch.kernel, kernels.len())));
        };
        let name = &kernel.name;
        let storage = kernel.storage().count();
        if dispatch.bindings.len() != storage {
            let given = dispatch.bindings.len();
            return Err(defect(format!(
                "the kernel {name:?} has {storage} storage arrays and is given {given}"
            )));
        }
        let given = dispatch.uniforms.len() + usize::from(dispatch.in_pieces);
        if given != kernel.uniforms.len() {
            let takes = kernel.uniforms.len();
            return Err(defect(format!("the kernel {name:?} takes {takes} scalars and is given {given}")));
        }
        let most = gpu.limits.workgroups_per_dimension;
        if dispatch.workgroups.iter().any(|&count| count == 0 || count > most) {
            let counts = dispatch.workgroups;
            return Err(defect(format!(
                "the kernel {name:?} is dispatched as {counts:?}, and {most} is the most"
            )));
        }
        for &slot in &dispatch.bindings {
            let bytes = match slots.get(slot) {
                None => {
                    return Err(defect(format!(
                        "the kernel {name:?} is given slot {slot} of {}",
                        slots.len()
                    )));
                }
                Some(Slot::Leaf(_) | Slot::Alias(_)) => 0,
                Some(Slot::Output(bytes) | Slot::Temporary(bytes)) => *bytes,
            };
            check_binding(gpu, "prepare", bytes)?;
        }
    }
    Ok(())
}

/// Fails for a tensor that no kernel of this device can bind.
pub(crate) fn check_binding(gpu: &Gpu, op: &str, bytes: u64) -> Result<()> {
    let most = gpu.limits.binding_bytes;
    if bytes <= most {
        return Ok(());
    }
    let message = format!("a tensor of {} is larger than the {} a kernel can bind", size(bytes), size(most));
    Err(Error::new(ErrorKind::OutOfMemory, op, message))
}

/// WebGPU lets a dispatch bind one buffer twice only if it writes neither. Refuses what the program
/// itself gets wrong, and notes what depends on the leaves bound at a run.
fn leaf_hazards(
    kernel: &Kernel,
    dispatch: &Dispatch,
    slots: &[Slot],
    written: &mut Vec<usize>,
    apart: &mut Vec<(usize, usize)>,
) -> Result<()> {
    let bound: Vec<(usize, bool)> = dispatch
        .bindings
        .iter()
        .zip(kernel.storage())
        .map(|(&slot, (_, array))| (slot, array.space != Space::Read))
        .collect();
    for (n, &(slot, writes)) in bound.iter().enumerate() {
        if let Slot::Leaf(leaf) = slots[slot]
            && writes
            && !written.contains(&leaf)
        {
            written.push(leaf);
        }
        for &(other, other_writes) in &bound[..n] {
            if !writes && !other_writes {
                continue;
            }
            if slot == other {
                let name = &kernel.name;
                return Err(defect(format!("the kernel {name:?} binds slot {slot} twice and writes it")));
            }
            if let (Slot::Leaf(a), Slot::Leaf(b)) = (slots[slot], slots[other])
                && !apart.contains(&(a, b))
            {
                apart.push((a, b));
            }
        }
    }
    Ok(())
}
