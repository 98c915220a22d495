//! The device: owner of the live graph, the values, the compiled programs and the open trace.
//!
//! A [`Device`] is a cheap handle; clones are the same device. Borrows of its parts are short and
//! never held across a call into another part that could drop a tensor: a handle dropped while the
//! graph is borrowed waits in a queue.

pub(crate) mod backend;
pub(crate) mod cache;
pub(crate) mod cell;
pub(crate) mod element;
pub(crate) mod extra_roots;
pub(crate) mod flush_clock;
pub(crate) mod journal;
pub(crate) mod live_graph;
pub(crate) mod overwrite;
pub(crate) mod parameter;
pub(crate) mod pending;
pub(crate) mod programs;
pub(crate) mod recall;
pub(crate) mod stats;
pub(crate) mod tensor;
pub(crate) mod tune;
pub(crate) mod tuner;
pub(crate) mod walks;

use crate::device::backend::{Backend, Engine};
use crate::device::cell::OpenFunctions;
use crate::device::extra_roots::ExtraRoots;
use crate::device::flush_clock::FlushClock;
use crate::device::journal::Journal;
use crate::device::live_graph::LiveGraph;
use crate::device::programs::Programs;
use crate::device::stats::Stats;
use crate::device::tensor::Tensor;
use crate::device::tuner::Tuner;
use crate::device::walks::Walks;
use std::cell::{RefCell, RefMut};
use std::fmt;
use std::rc::Rc;
use weft_compile::transform::ReverseCache;
use weft_ir::graph::{Graph, NodeId, ValueId};
use weft_ir::op::{Op, View};
use weft_ir::{DType, Decimal, Error, ErrorKind, Literal, Result, Shape};

/// What does the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeviceKind {
    /// Weft's reference interpreter, on the CPU.
    Cpu,
    /// A GPU, or a fallback adapter, through WebGPU.
    Gpu,
}

/// Where tensors live and programs run. See the module's header.
#[derive(Clone)]
pub struct Device {
    pub(crate) inner: Rc<Inner>,
}

pub(crate) struct Inner {
    graph: LiveGraph,
    pub backend: Backend,
    pub programs: RefCell<Programs>,
    pub walks: RefCell<Walks>,
    /// The derivatives that were taken last.
    pub derived: RefCell<ReverseCache>,
    /// Which kernels won, on a GPU.
    pub tuner: Option<Tuner>,
    pub extra_roots: RefCell<ExtraRoots>,
    pub functions: OpenFunctions,
    /// Which programs ran under which label.
    pub journal: Journal,
    pub clock: FlushClock,
}

impl Device {
    /// Weft's own CPU device: the reference interpreter. Right everywhere, fast nowhere.
    pub fn cpu() -> Device {
        Device::with(Backend::cpu())
    }

    /// Opens a GPU. Errors with `Adapter` when there is none that will do.
    pub async fn gpu(options: weft_runtime::OpenOptions) -> Result<Device> {
        Ok(Device::with(Backend::gpu(options).await?))
    }

    fn with(backend: Backend) -> Device {
        let tuner = match &backend.engine {
            Engine::Cpu(_) => None,
            Engine::Gpu(runtime) => Some(Tuner::new(runtime)),
        };
        Device {
            inner: Rc::new(Inner {
                graph: LiveGraph::default(),
                backend,
                programs: RefCell::new(Programs::new()),
                walks: RefCell::default(),
                derived: RefCell::default(),
                tuner,
                extra_roots: RefCell::default(),
                functions: OpenFunctions::default(),
                journal: Journal::default(),
                clock: FlushClock::default(),
            }),
        }
    }

    /// What does the work.
    pub fn kind(&self) -> DeviceKind {
        match self.inner.backend.engine {
            Engine::Cpu(_) => DeviceKind::Cpu,
            Engine::Gpu(_) => DeviceKind::Gpu,
        }
    }

    /// The GPU's runtime, for what only it has (its adapter, its profiler); `None` on the CPU.
    pub fn runtime(&self) -> Option<&weft_runtime::Runtime> {
        match &self.inner.backend.engine {
            Engine::Cpu(_) => None,
            Engine::Gpu(runtime) => Some(runtime),
        }
    }

    /// Whether the GPU went away. Its tensors are lost; a new device can be opened.
    pub fn is_lost(&self) -> bool {
        self.runtime().is_some_and(weft_runtime::Runtime::is_lost)
    }

    /// Counters, and the memory held now. Handles dropped so far are accounted for.
    pub fn stats(&self) -> Stats {
        self.collect();
        let mut stats = self.inner.backend.stats();
        (stats.program_hits, stats.program_misses) = self.inner.programs.borrow().counts();
        stats
    }

    /// Counts [`Stats::bytes_peak`] from what is held now: for the peak of a step rather than of
    /// all that came before.
    pub fn reset_peak(&self) {
        self.collect();
        self.inner.backend.reset_peak();
    }

    /// Live nodes of the graph: a measure of leaks.
    pub fn live_nodes(&self) -> usize {
        self.graph().live()
    }

    /// A number that changes with every flush, and whenever pending work was looked at for its
    /// size: the moments at which handles that a garbage collector found may be given back without
    /// a say in what is computed.
    pub fn ticks(&self) -> u32 {
        self.inner.clock.ticks()
    }

    pub(crate) fn tick(&self) {
        self.inner.clock.tick();
    }

    /// Whether a loop that can wait should let the device catch up: much is in flight, or waits.
    pub fn is_busy(&self) -> bool {
        self.inner.backend.is_busy()
    }

    /// Waits until the device has caught up: little is in flight. A loop that makes work and reads
    /// none should await this now and then. Errors only when the device is lost.
    pub fn throttle(&self) -> impl Future<Output = Result<()>> + 'static + use<> {
        self.inner.backend.throttle()
    }

    /// Waits until everything submitted has run.
    pub fn idle(&self) -> impl Future<Output = Result<()>> + 'static + use<> {
        self.inner.backend.idle()
    }

    /// A 0-d tensor of `number`: a run-time value, so that programs do not differ by it. Errors
    /// with `Value` when an integer dtype cannot hold it.
    pub fn number(&self, number: f64, dtype: DType) -> Result<Tensor> {
        let number = self.scalar(literal("number", number, dtype)?);
        // A number of a packed dtype is made in the dtype that computes for it.
        if number.dtype() == dtype { Ok(number) } else { self.append("number", Op::Cast(dtype), &[&number]) }
    }

    /// Whether two handles are one device.
    pub fn is(&self, other: &Device) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner)
    }

    /// The live graph, with every handle dropped meanwhile given back.
    pub(crate) fn graph(&self) -> RefMut<'_, Graph> {
        self.inner.graph.borrow_mut()
    }

    pub(crate) fn retain(&self, id: NodeId) {
        self.graph().retain(id);
    }

    /// Gives a handle back, later if the graph is in use. Never fails: this is what drops call.
    pub(crate) fn release(&self, id: NodeId) {
        self.inner.graph.release(id);
    }

    /// Frees the values of nodes that vanished.
    pub(crate) fn collect(&self) {
        let released = self.graph().take_released();
        for value in released {
            self.inner.backend.release(value);
        }
    }

    /// Appends a node in the name of the operation `name`; what computes with packed dtypes gets
    /// the dtypes that those are computed in. Errors with `Disposed` for handles given up, `Value`
    /// for tensors of another device, and as `op::infer` does.
    pub(crate) fn append(&self, name: &str, op: Op, inputs: &[&Tensor]) -> Result<Tensor> {
        if inputs.iter().any(|x| x.dtype().is_packed()) && !op.takes_packed(inputs.iter().map(|x| x.dtype()))
        {
            let wide = |x: &&Tensor| match x.dtype() {
                dtype if dtype.is_packed() => self.append(name, Op::Cast(dtype.computed()), &[x]),
                _ => Ok((*x).clone()),
            };
            let wide = inputs.iter().map(wide).collect::<Result<Vec<_>>>()?;
            return self.append(name, op, &wide.iter().collect::<Vec<_>>());
        }
        let mut ids = Vec::with_capacity(inputs.len());
        for input in inputs {
            ids.push(self.node(name, input)?);
        }
        self.make_room()?;
        let mut graph = self.graph();
        let id = graph.add_reading(op, ids).map_err(|error| error.named(name))?;
        let (shape, dtype) = (graph[id].shape.clone(), graph[id].dtype);
        drop(graph);
        Ok(Tensor::adopt(self, id, shape, dtype))
    }

    /// The node of a tensor of this device. Errors with `Disposed` for a handle given up or a
    /// device lost, `Value` for a tensor of another device.
    pub(crate) fn node(&self, name: &str, tensor: &Tensor) -> Result<NodeId> {
        if tensor.device().is_lost() {
            let what =
                format!("the device that held the tensor {tensor} was lost: make it again on a new one");
            return Err(Error::new(ErrorKind::Disposed, name, what));
        }
        self.own_node(name, tensor)
    }

    /// As `node`, leaving it to the device to say that it was lost.
    pub(crate) fn own_node(&self, name: &str, tensor: &Tensor) -> Result<NodeId> {
        if !self.is(tensor.device()) {
            return Err(Error::value(name, format!("{tensor} lives on another device")));
        }
        tensor.node(name)
    }

    /// Wraps a node that a transform appended; the caller owns one handle to it.
    pub(crate) fn adopt(&self, id: NodeId) -> Tensor {
        let graph = self.graph();
        let (shape, dtype) = (graph[id].shape.clone(), graph[id].dtype);
        drop(graph);
        Tensor::adopt(self, id, shape, dtype)
    }

    /// A stored value as a tensor, which owns it.
    pub(crate) fn stored(&self, value: ValueId, shape: Shape, dtype: DType) -> Tensor {
        let id = self.graph().add_stored(value, shape.clone(), dtype);
        Tensor::adopt(self, id, shape, dtype)
    }

    /// A user's number as a 0-d tensor.
    pub(crate) fn scalar(&self, number: Literal) -> Tensor {
        let id = self.graph().add_number(number);
        Tensor::adopt(self, id, Shape::scalar(), number.dtype())
    }

    /// A user's number at every place of a shape.
    pub(crate) fn spread(&self, number: Literal, shape: &Shape) -> Tensor {
        let dtype = number.dtype();
        let mut graph = self.graph();
        let mut id = graph.add_number(number);
        let mut view = |view: View, shape: &Shape| {
            let viewed = graph.add_like(Op::View(view), vec![id], shape.clone(), dtype);
            graph.release(std::mem::replace(&mut id, viewed));
        };
        let aligned = Shape::from(&[1; Shape::MAX_RANK][..shape.rank()]);
        if shape.rank() > 0 {
            view(View::Reshape(aligned.clone()), &aligned);
        }
        if *shape != aligned {
            view(View::Expand(shape.clone()), shape);
        }
        drop(graph);
        Tensor::adopt(self, id, shape.clone(), dtype)
    }

    pub(crate) fn constant(&self, name: &str, value: Literal) -> Result<Tensor> {
        self.append(name, Op::Constant(value), &[])
    }

    /// An id for [`Op::Mark`] that no other mark of this device has.
    pub(crate) fn new_mark(&self) -> u32 {
        self.inner.graph.new_mark()
    }
}

/// `number` as a `dtype`, if it fits.
pub(crate) fn literal(name: &str, number: f64, dtype: DType) -> Result<Literal> {
    let fits = match dtype {
        DType::F32 | DType::Bool | DType::F16 => true,
        DType::I8 => (-128.0..=127.0).contains(&number),
        DType::U8 => (0.0..=255.0).contains(&number),
        DType::I32 => (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&number),
        DType::U32 => (0.0..=f64::from(u32::MAX)).contains(&number),
    };
    if fits {
        Ok(Literal::from_f64(dtype, number))
    } else {
        Err(Error::value(name, format!("{} does not fit in {dtype}", Decimal::from(number))))
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({:?})", self.kind())
    }
}
