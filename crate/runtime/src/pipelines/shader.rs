//! WGSL text and the pipeline that it is compiled to, in the background where the browser can.

use super::compile_times::{name_of, size_of};
use super::{LayoutKey, Pipeline, background, own};
use crate::device::clock::now;
use crate::device::gpu::Gpu;
use crate::device::health::translate;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use weft_compile::target::wgsl::{self, Dialect};
use weft_ir::kernel::Kernel;
use wgpu::ErrorFilter;

/// A text, and what it is compiled to.
pub(super) struct Shader {
    compute: OnceCell<wgpu::ComputePipeline>,
    /// What it is made of, until it is made.
    source: Rc<RefCell<Source>>,
    /// Whether a user wrote it in WGSL.
    is_own: bool,
    /// [`name_of`] and [`size_of`] its kernel.
    kernel: (u32, f64),
    /// Whether the browser compiles it, or will be asked to.
    awaited: Rc<Cell<bool>>,
    pub is_asked: Cell<bool>,
    /// The nanoseconds that compiling took, once that is known.
    pub took: Rc<Cell<f64>>,
}

/// What a pipeline is compiled from.
enum Source {
    Text(String),
    /// Its text is printed when it is asked for.
    Kernel(Box<Kernel>),
}

impl Source {
    fn text(&mut self) -> &mut String {
        if let Source::Kernel(kernel) = self {
            *self = Source::Text(wgsl::print(kernel, Dialect::HERE));
        }
        match self {
            Source::Text(text) => text,
            Source::Kernel(_) => unreachable!("it was printed"),
        }
    }
}

impl Shader {
    /// Of a kernel that is compiled at once, or `later`, while another serves.
    pub fn new(kernel: &Kernel, later: bool) -> Shader {
        let source = match later {
            true => Source::Kernel(Box::new(kernel.clone())),
            false => Source::Text(wgsl::print(kernel, Dialect::HERE)),
        };
        Shader {
            compute: OnceCell::new(),
            source: Rc::new(RefCell::new(source)),
            is_own: kernel.source.is_some(),
            kernel: (name_of(kernel), size_of(kernel)),
            awaited: Rc::new(Cell::new(true)),
            is_asked: Cell::default(),
            took: Rc::default(),
        }
    }

    pub fn is_awaited(&self) -> bool {
        self.awaited.get()
    }

    #[inline(never)]
    pub fn compute(&self, gpu: &Gpu, of: &Pipeline) -> &wgpu::ComputePipeline {
        self.compute.get_or_init(|| {
            self.awaited.set(false);
            let (name, source) = (of.name.clone(), std::mem::take(self.source.borrow_mut().text()));
            let text = if self.is_own { source.clone() } else { String::new() };
            let describe = move |error: wgpu::Error| {
                if let (false, wgpu::Error::Validation { .. }) = (text.is_empty(), &error) {
                    return own::refused(&name, &text, &error.to_string());
                }
                let what = format!("the device refused the kernel {name:?}, a defect in Weft");
                translate(error, "compile", &what)
            };
            let filters = [ErrorFilter::OutOfMemory, ErrorFilter::Internal, ErrorFilter::Validation];
            let began = now();
            let pipeline = gpu.health.watch_for(&of.check, &gpu.device, &filters, describe, || {
                let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                    label: Some(&of.name),
                    source: wgpu::ShaderSource::Wgsl(source.into()),
                });
                gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                    label: Some(&of.name),
                    layout: Some(&of.layout.pipeline),
                    module: &module,
                    entry_point: None,
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    cache: None,
                })
            });
            if gpu.compiler.is_none() {
                self.took.set(now() - began);
            }
            pipeline
        })
    }

    /// Has it compiled in the background, past wgpu, where that can be. Where another `serves`
    /// meanwhile, its text is printed when nobody waits for one that is being compiled. Measures
    /// how long it takes.
    pub fn compile_ahead(&self, gpu: &Gpu, key: LayoutKey, serves: bool) {
        let Some(compiler) = &gpu.compiler else { return self.awaited.set(false) };
        let (awaited, source) = (self.awaited.clone(), self.source.clone());
        let (notify, times, by) = (gpu.health.notify.clone(), gpu.compile_times.clone(), compiler.clone());
        let ((name, size), took) = (self.kernel, self.took.clone());
        let is_over = self.awaited.clone();
        let compile = move || {
            let began = now();
            let done = move || {
                awaited.set(false);
                took.set(now() - began);
                times.measured(name, size, took.get());
                notify.notify_all();
            };
            background::compile(&by, source.borrow_mut().text(), key, serves, done)
        };
        let begin = move || {
            if !compile() {
                is_over.set(false);
            }
        };
        match serves {
            true => background::later(compiler, begin),
            false => begin(),
        }
    }
}
