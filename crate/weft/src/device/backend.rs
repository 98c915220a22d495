//! Backends: the reference interpreter on the CPU, or the runtime on a GPU, behind one interface.
//!
//! Both name values by [`ValueId`]; a value is counted and freed with its last owner.

use crate::device::cache::Key;
use crate::device::stats::Stats;
use crate::device::tuner::{Tuned, Tuner};
use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use weft_ir::HashMap;
use weft_ir::graph::ValueId;
use weft_ir::interpret::{self, Value};
use weft_ir::op::Op;
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{DType, Error, ErrorKind, Literal, Result, Shape, check_room};
use weft_runtime::{OpenOptions, Prepared, Runtime, SubmitBatching};

/// The most that the CPU device holds of one tensor: WebAssembly has 4 GiB for all of them.
const CPU_TENSOR_BYTES: u64 = 1 << 30;

/// Submits that may be unfinished before a loop that can wait should: enough to keep any device
/// busy.
const FEW_SUBMITS: usize = 16;

/// The words of some values, when they have come.
pub(crate) type Reading = Pin<Box<dyn Future<Output = Result<Vec<Vec<u32>>>>>>;

pub(crate) enum Engine {
    Cpu(RefCell<Cpu>),
    Gpu(Runtime),
}

pub(crate) struct Backend {
    pub engine: Engine,
    /// Owners beyond the first, of the values that have several.
    shared: RefCell<HashMap<ValueId, u32>>,
}

/// A program made ready to run.
pub(crate) struct Compiled {
    pub program: Rc<TensorProgram>,
    /// The buffer leaves it may overwrite.
    pub donated: Vec<usize>,
    /// What it compiled to on a GPU, which races may exchange for something faster. The CPU runs
    /// the program itself.
    pub prepared: RefCell<Option<Rc<Prepared>>>,
    /// What its kernels were chosen by.
    pub tuned: Tuned,
    /// The milliseconds that compiling it took, pipelines apart.
    pub took: f64,
    /// The label that it ran under last, and which program noted under labels it is, counted from
    /// the first; nothing if that label has more than are noted.
    pub noted: Cell<(u32, Option<usize>)>,
}

impl Backend {
    pub fn cpu() -> Backend {
        Backend { engine: Engine::Cpu(RefCell::default()), shared: RefCell::default() }
    }

    pub async fn gpu(options: OpenOptions) -> Result<Backend> {
        Ok(Backend { engine: Engine::Gpu(Runtime::open(options).await?), shared: RefCell::default() })
    }

    /// Stores the words of a tensor; the caller owns the value.
    pub fn upload(&self, words: &[u32], shape: &Shape, dtype: DType) -> Result<ValueId> {
        match &self.engine {
            Engine::Cpu(cpu) => {
                check_room("tensor", size_of_val(words) as u64)?;
                let value = if dtype.is_packed() {
                    Value::from_bits([words.len()], DType::U32, words)?
                } else {
                    Value::from_bits(shape.clone(), dtype, words)?
                };
                Ok(cpu.borrow_mut().store(Rc::new(value)))
            }
            // Buffers cannot be empty; that of an empty tensor is never read.
            Engine::Gpu(runtime) if words.is_empty() => runtime.upload(&[0; 4]),
            Engine::Gpu(runtime) => runtime.upload(bytemuck::cast_slice(words)),
        }
    }

    /// One more owner of `value`.
    pub fn retain(&self, value: ValueId) {
        self.share(value);
        match &self.engine {
            Engine::Cpu(cpu) => cpu.borrow_mut().slot(value).owners += 1,
            Engine::Gpu(runtime) => runtime.retain(value),
        }
    }

    /// One owner less; the last takes the value along.
    pub fn release(&self, value: ValueId) {
        let mut shared = self.shared.borrow_mut();
        match shared.get_mut(&value) {
            Some(1) => drop(shared.remove(&value)),
            Some(owners) => *owners -= 1,
            None => {}
        }
        match &self.engine {
            Engine::Cpu(cpu) => cpu.borrow_mut().release(value),
            Engine::Gpu(runtime) => runtime.release(value),
        }
    }

    /// Whether the CPU computes, on which nothing is written over.
    pub fn is_cpu(&self) -> bool {
        matches!(self.engine, Engine::Cpu(_))
    }

    /// Whether `value` has several owners.
    pub fn is_shared(&self, value: ValueId) -> bool {
        self.shared.borrow().contains_key(&value)
    }

    fn share(&self, value: ValueId) {
        *self.shared.borrow_mut().entry(value).or_insert(0) += 1;
    }

    /// Makes a program ready to run; on a GPU with its tuner.
    pub fn compile(&self, key: &Key, tuner: Option<&Tuner>) -> Result<Compiled> {
        let Key { program, donated } = key;
        let began = weft_runtime::clock();
        let (prepared, tuned) = match (&self.engine, tuner) {
            (Engine::Gpu(runtime), Some(tuner)) => {
                let (prepared, tuned) = tuner.prepare(runtime, program, donated)?;
                (Some(prepared), tuned)
            }
            _ => {
                check_sizes(program)?;
                (None, Tuned::default())
            }
        };
        let (prepared, took) = (RefCell::new(prepared), (weft_runtime::clock() - began) / 1e6);
        Ok(Compiled {
            program: Rc::clone(program),
            donated: donated.clone(),
            prepared,
            tuned,
            took,
            noted: Cell::default(),
        })
    }

    /// Runs with these leaves bound; the caller owns one count of each output. An output may be a
    /// leaf, or another output.
    pub fn run(&self, compiled: &Compiled, leaves: &[ValueId], scalars: &[u32]) -> Result<Vec<ValueId>> {
        match (&self.engine, &*compiled.prepared.borrow()) {
            (Engine::Cpu(cpu), None) => cpu.borrow_mut().run(&compiled.program, leaves, scalars),
            (Engine::Gpu(runtime), Some(prepared)) => self.run_prepared(runtime, prepared, leaves, scalars),
            _ => unreachable!("a device runs only what it compiled"),
        }
    }

    /// Runs what was prepared for the GPU, and notes which outputs have other owners.
    pub fn run_prepared(
        &self,
        runtime: &Runtime,
        prepared: &Rc<Prepared>,
        leaves: &[ValueId],
        scalars: &[u32],
    ) -> Result<Vec<ValueId>> {
        let outputs = runtime.run(prepared, leaves, scalars)?;
        prepared.shared().iter().for_each(|&n| self.share(outputs[n]));
        Ok(outputs)
    }

    /// Holds runs back until the result is dropped, to submit them together. On the CPU nothing is
    /// submitted.
    pub fn batch_submits(&self) -> Option<SubmitBatching> {
        match &self.engine {
            Engine::Cpu(_) => None,
            Engine::Gpu(runtime) => Some(runtime.batch_submits()),
        }
    }

    /// Begins to read values, all in one submit; their later release does not disturb the reading.
    pub fn read(&self, values: &[ValueId]) -> Reading {
        match &self.engine {
            Engine::Cpu(cpu) => Box::pin(std::future::ready(cpu.borrow_mut().read(values))),
            Engine::Gpu(runtime) => {
                let reading = runtime.read_many(values);
                Box::pin(async move { reading.await?.iter().map(|bytes| words(bytes)).collect() })
            }
        }
    }

    /// Whether a loop that can wait should let the device catch up.
    pub fn is_busy(&self) -> bool {
        match &self.engine {
            Engine::Cpu(_) => false,
            Engine::Gpu(runtime) => runtime.is_busy(FEW_SUBMITS),
        }
    }

    /// Waits until the device has caught up.
    pub fn throttle(&self) -> impl Future<Output = Result<()>> + 'static + use<> {
        let throttle = match &self.engine {
            Engine::Cpu(_) => None,
            Engine::Gpu(runtime) => Some(runtime.throttle(FEW_SUBMITS)),
        };
        async move {
            match throttle {
                Some(throttle) => throttle.await,
                None => Ok(()),
            }
        }
    }

    /// Waits until everything submitted has run.
    pub fn idle(&self) -> impl Future<Output = Result<()>> + 'static + use<> {
        let idle = match &self.engine {
            Engine::Cpu(_) => None,
            Engine::Gpu(runtime) => Some(runtime.idle()),
        };
        async move {
            match idle {
                Some(idle) => idle.await,
                None => Ok(()),
            }
        }
    }

    pub fn reset_peak(&self) {
        match &self.engine {
            Engine::Cpu(cpu) => {
                let stats = &mut cpu.borrow_mut().stats;
                stats.bytes_peak = stats.bytes_live;
            }
            Engine::Gpu(runtime) => runtime.reset_peak(),
        }
    }

    pub fn stats(&self) -> Stats {
        match &self.engine {
            Engine::Cpu(cpu) => cpu.borrow().stats,
            Engine::Gpu(runtime) => runtime.stats().into(),
        }
    }
}

fn words(bytes: &[u8]) -> Result<Vec<u32>> {
    check_room("data", bytes.len() as u64)?;
    Ok(bytemuck::pod_collect_to_vec(bytes))
}

/// The CPU's values in counted slots. A run counts as one submit of one pass.
#[derive(Default)]
pub(crate) struct Cpu {
    slots: Vec<Counted>,
    free: Vec<u32>,
    stats: Stats,
}

#[derive(Default)]
struct Counted {
    value: Option<Rc<Value<f32>>>,
    owners: u32,
}

fn bytes(value: &Value<f32>) -> u64 {
    value.dtype().stored_bytes(value.shape().size())
}

/// Errors with `OutOfMemory` when the CPU device would have to hold more of one tensor than it can.
fn check_sizes(program: &TensorProgram) -> Result<()> {
    let held = |id: &ProgramId| program.outputs.contains(id) || !matches!(program[*id].op, Op::View(_));
    let bytes = |id: ProgramId| program[id].dtype.stored_bytes(program[id].shape.size());
    match program.ids().filter(held).find(|&id| bytes(id) > CPU_TENSOR_BYTES) {
        None => Ok(()),
        Some(id) => {
            let node = &program[id];
            let what = format!(
                "{}{} takes {} bytes; one tensor may take {CPU_TENSOR_BYTES} on the CPU device",
                node.dtype,
                node.shape,
                bytes(id)
            );
            Err(Error::new(ErrorKind::OutOfMemory, node.op.name(), what))
        }
    }
}

impl Cpu {
    fn slot(&mut self, value: ValueId) -> &mut Counted {
        &mut self.slots[value.0 as usize]
    }

    fn store(&mut self, value: Rc<Value<f32>>) -> ValueId {
        self.stats.buffers_created += 1;
        self.stats.bytes_live += bytes(&value);
        self.stats.bytes_peak = self.stats.bytes_peak.max(self.stats.bytes_live);
        let slot = Counted { value: Some(value), owners: 1 };
        match self.free.pop() {
            Some(free) => {
                self.slots[free as usize] = slot;
                ValueId(free)
            }
            None => {
                self.slots.push(slot);
                ValueId(self.slots.len() as u32 - 1)
            }
        }
    }

    /// The words of values.
    fn read(&mut self, values: &[ValueId]) -> Result<Vec<Vec<u32>>> {
        let words = |&id: &ValueId| match &self.slots[id.0 as usize].value {
            Some(value) => check_room("data", bytes(value)).map(|()| value.to_bits()),
            None => Ok(Vec::new()),
        };
        values.iter().map(words).collect()
    }

    fn release(&mut self, id: ValueId) {
        let slot = self.slot(id);
        slot.owners -= 1;
        if slot.owners == 0
            && let Some(value) = slot.value.take()
        {
            self.stats.bytes_live -= bytes(&value);
            self.free.push(id.0);
        }
    }

    fn run(&mut self, program: &TensorProgram, leaves: &[ValueId], scalars: &[u32]) -> Result<Vec<ValueId>> {
        let buffers = leaves.iter().filter_map(|l| self.slots[l.0 as usize].value.clone());
        let dtypes = program.nodes.iter().filter_map(|node| match node.op {
            Op::Scalar(dtype) => Some(dtype),
            _ => None,
        });
        let scalars: Vec<Literal> =
            dtypes.zip(scalars).map(|(d, &bits)| Literal::from_bits(d, bits)).collect();
        let outputs = interpret::run(program, &buffers.collect::<Vec<_>>(), &scalars)?;
        self.stats.submits += 1;
        self.stats.passes += 1;
        Ok(outputs.into_iter().map(|value| self.store(Rc::new(value))).collect())
    }
}
