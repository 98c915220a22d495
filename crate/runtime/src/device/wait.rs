//! Waiting for the device. A browser calls back. Natively a wait blocks while the device works, but
//! not for ever: a driver may miss its own notification, and a kernel may hang where no watchdog
//! resets the device. A device that finishes nothing for `PATIENCE` counts as lost.

use super::gpu::Gpu;
use wgpu::SubmissionIndex;

impl Gpu {
    /// Waits for `ready`, which a callback will bring about. Natively the callback comes from
    /// waiting for `index`; if it does not, the device is gone and the answer is `None`.
    pub async fn until<T>(
        &self,
        index: Option<SubmissionIndex>,
        mut ready: impl FnMut() -> Option<T>,
    ) -> Option<T> {
        #[cfg(not(target_arch = "wasm32"))]
        {
            if let Some(value) = ready() {
                return Some(value);
            }
            self.wait_for(index);
            ready()
        }
        #[cfg(target_arch = "wasm32")]
        {
            let _ = index;
            self.health.notify.until(|| ready().map(Some)).await
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod blocking {
    use crate::device::gpu::Gpu;
    use std::time::{Duration, Instant};
    use wgpu::{PollError, PollType, SubmissionIndex};

    /// The driver is asked again so often.
    const SLICE: Duration = Duration::from_secs(1);
    /// The longest that the submits of one wait may take.
    const PATIENCE: Duration = Duration::from_secs(600);

    impl Gpu {
        /// Blocks until a submit is finished, or the last one for `None`, or the device is lost,
        /// and runs the callbacks that are due.
        pub fn wait_for(&self, index: Option<SubmissionIndex>) {
            self.wait_within(index, PATIENCE, SLICE);
        }

        fn wait_within(&self, index: Option<SubmissionIndex>, patience: Duration, slice: Duration) {
            let start = Instant::now();
            loop {
                let wait = PollType::Wait { submission_index: index.clone(), timeout: Some(slice) };
                match self.device.poll(wait) {
                    Err(PollError::Timeout) => {}
                    // The other failure is an index of another device.
                    Ok(_) | Err(PollError::WrongSubmissionIndex(..)) => return,
                }
                if self.health.is_lost() {
                    return;
                }
                if start.elapsed() >= patience {
                    self.health.lose(&format!("it has not finished its work for {} s", patience.as_secs()));
                    // Dropping them would wait for the device once more, and for ever.
                    std::mem::forget((self.device.clone(), self.queue.clone()));
                    return;
                }
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use crate::{OpenOptions, Runtime};
        use weft_ir::error::ErrorKind;

        #[test]
        fn a_device_that_does_not_finish_counts_as_lost_and_nothing_waits_for_it_again() {
            let runtime = pollster::block_on(Runtime::open(OpenOptions::default())).expect("a GPU");
            let inner = &runtime.inner;
            let module = inner.gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: None,
                source: wgpu::ShaderSource::Wgsl(LONG.into()),
            });
            let pipeline = inner.gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: None,
                layout: None,
                module: &module,
                entry_point: None,
                compilation_options: Default::default(),
                cache: None,
            });
            let value = runtime.upload(&[1; 4]).unwrap();
            let buffer = inner.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 1 << 16,
                usage: wgpu::BufferUsages::STORAGE,
                mapped_at_creation: false,
            });
            let group = inner.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &pipeline.get_bind_group_layout(0),
                entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
            });
            let mut encoder = inner.gpu.device.create_command_encoder(&Default::default());
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            (0..2).for_each(|_| pass.dispatch_workgroups(1 << 11, 1, 1));
            drop(pass);
            let index = inner.gpu.queue.submit([encoder.finish()]);
            let start = Instant::now();
            inner.gpu.wait_within(Some(index), Duration::from_millis(1), Duration::from_millis(1));
            let error = pollster::block_on(runtime.read(value)).unwrap_err();
            assert_eq!(error.kind, ErrorKind::DeviceLost);
            assert!(error.message.contains("has not finished its work"), "{error}");
            assert_eq!(pollster::block_on(runtime.idle()).unwrap_err().kind, ErrorKind::DeviceLost);
            assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
            // A process that ends while its driver still works may crash.
            let _ = inner.gpu.device.poll(wgpu::PollType::wait_indefinitely());
        }

        /// Work for a while, on any device.
        const LONG: &str = "
            @group(0) @binding(0) var<storage, read_write> cells: array<u32>;
            @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
                let at = id.x % arrayLength(&cells);
                var value = cells[at];
                for (var i = 0u; i < 4000u; i += 1u) { value = value * 1664525u + 1013904223u; }
                cells[at] = value;
            }";
    }
}
