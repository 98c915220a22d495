//! Bind group cache: a group is made once for a layout and the buffers bound, found again by their
//! numbers, and dropped with its buffers.

use crate::device::gpu::Gpu;
use crate::device::health::PendingErrors;
use crate::memory::pool::{BufferId, Pool};
use crate::memory::uniforms::Ring;
use crate::pipelines::BindingLayout;
use weft_ir::order;
use weft_ir::{HashMap, HashSet};
use wgpu::{BindGroup, BindGroupEntry, BindingResource, BufferBinding};

/// Bind groups kept; beyond, those used longest ago go.
const MOST_BIND_GROUPS: usize = 4096;

struct Kept {
    group: BindGroup,
    used: u64,
}

/// All bind groups of a device. The key is the layout's number, the ring's generation if the layout
/// has uniforms (else 0), then the serials of the buffers.
#[derive(Default)]
pub(crate) struct BindGroups {
    groups: HashMap<Box<[u64]>, Kept>,
    key: Vec<u64>,
    clock: u64,
}

impl BindGroups {
    /// The bind group of these buffers, and of the scalar ring when the layout has uniforms, if
    /// there is one.
    pub fn find(
        &mut self,
        layout: &BindingLayout,
        ring: &Ring,
        pool: &Pool,
        buffers: impl Iterator<Item = BufferId>,
    ) -> Option<&BindGroup> {
        let uniforms = ring.buffer().filter(|_| layout.uniform_bytes > 0);
        self.clock += 1;
        self.key.clear();
        self.key.extend([layout.number, uniforms.map_or(0, |(_, generation)| generation)]);
        self.key.extend(buffers.map(|id| pool.serial(id)));
        let kept = self.groups.get_mut(&self.key[..])?;
        kept.used = self.clock;
        Some(&kept.group)
    }

    /// Makes a bind group that [`find`](Self::find) did not find. It may fail by `pending_errors`.
    /// Nothing else can while a run is encoded: an invalid command is reported when the encoder is
    /// finished.
    pub fn make(
        &mut self,
        gpu: &Gpu,
        layout: &BindingLayout,
        ring: &Ring,
        pool: &Pool,
        buffers: impl Iterator<Item = BufferId>,
        pending_errors: &PendingErrors,
    ) -> &BindGroup {
        let uniforms = ring.buffer().filter(|_| layout.uniform_bytes > 0);
        self.make_room();
        let scope = gpu.health.error_scope(&gpu.device, pending_errors);
        let group = create(&gpu.device, layout, uniforms.map(|(buffer, _)| buffer), pool, buffers);
        scope.end();
        let kept = Kept { group, used: self.clock };
        &self.groups.entry(self.key.clone().into()).insert_entry(kept).into_mut().group
    }

    fn make_room(&mut self) {
        if self.groups.len() < MOST_BIND_GROUPS {
            return;
        }
        let mut uses: Vec<u64> = self.groups.values().map(|kept| kept.used).collect();
        order::sort_by_key(&mut uses, |used| used);
        let old = uses[MOST_BIND_GROUPS / 4];
        self.groups.retain(|_, kept| kept.used > old);
    }

    /// Drops the bind groups that name destroyed buffers.
    pub fn forget(&mut self, serials: Vec<u64>) {
        if serials.is_empty() {
            return;
        }
        let gone: HashSet<u64> = serials.into_iter().collect();
        self.groups.retain(|key, _| !key[2..].iter().any(|serial| gone.contains(serial)));
    }
}

fn create(
    device: &wgpu::Device,
    layout: &BindingLayout,
    uniforms: Option<&wgpu::Buffer>,
    pool: &Pool,
    buffers: impl Iterator<Item = BufferId>,
) -> BindGroup {
    let mut resources: Vec<BindingResource<'_>> =
        buffers.map(|id| pool.buffer(id).as_entire_binding()).collect();
    resources.extend(uniforms.map(|buffer| {
        let size = std::num::NonZeroU64::new(u64::from(layout.uniform_bytes));
        BindingResource::Buffer(BufferBinding { buffer, offset: 0, size })
    }));
    let entries: Vec<BindGroupEntry<'_>> =
        (0..).zip(resources).map(|(binding, resource)| BindGroupEntry { binding, resource }).collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &layout.group,
        entries: &entries,
    })
}
