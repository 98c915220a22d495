// Parallel compilation of pipelines. wgpu asks for one pipeline after the other, and GPU processes
// compile them so. This file asks for all of them at once, and hands each compiled pipeline to wgpu
// when wgpu asks for the same.

/**
 * Compiles a kernel: its WGSL, how many storage arrays it binds, of which bit n of `written` is set where it writes array n, the bytes of its uniforms, and what to
 * call when it is done, well or not.
 *
 * @internal
 */
export type Compile = (code: string, storage: number, written: number, uniforms: number, done: () => void) => void;

/** Of pipelines that were compiled and are not asked for, because what would have run them failed, the first is forgotten when there are more. */
const MOST_KEPT = 256;

/** Has the browser hand on what was asked of a device, by a submit of nothing, instead of at the end of the task: kernels are compiled while others are made. @internal */
export function handOn(device: GPUDevice): void {
  device.queue.submit([]);
}

/** What compiles for a device. @internal */
export function compiler(device: GPUDevice): Compile {
  const codes = new WeakMap<GPUShaderModule, string>();
  const made = new Map<string, GPUComputePipeline>();
  const create = device.createComputePipeline.bind(device);
  const module = device.createShaderModule.bind(device);
  // Defined, because a page may have frozen the prototype, behind which nothing is assigned.
  const own = <K extends "createShaderModule" | "createComputePipeline">(name: K, value: GPUDevice[K]) => Object.defineProperty(device, name, { value });
  own("createShaderModule", (descriptor) => {
    const shader = module(descriptor);
    if (made.has(descriptor.code)) codes.set(shader, descriptor.code);
    return shader;
  });
  own("createComputePipeline", (descriptor) => {
    const code = codes.get(descriptor.compute.module);
    const pipeline = code === undefined ? undefined : made.get(code);
    if (code !== undefined) made.delete(code);
    return pipeline ?? create(descriptor);
  });
  return (code, storage, written, uniforms, done) => {
    const visibility = 4;
    const entries: GPUBindGroupLayoutEntry[] = Array.from({ length: storage }, (_, binding) => ({
      binding,
      visibility,
      buffer: { type: (written >> binding) & 1 ? "storage" : "read-only-storage" },
    }));
    if (uniforms > 0) entries.push({ binding: storage, visibility, buffer: { type: "uniform", hasDynamicOffset: true, minBindingSize: uniforms } });
    // An error of a kernel is thrown when wgpu asks for it.
    device.pushErrorScope("validation");
    let pipeline;
    try {
      const layout = device.createPipelineLayout({ bindGroupLayouts: [device.createBindGroupLayout({ entries })] });
      pipeline = device.createComputePipelineAsync({ layout, compute: { module: module({ code }) } });
    } finally {
      device.popErrorScope().catch(() => {});
      handOn(device);
    }
    const keep = (pipeline: GPUComputePipeline): void => {
      made.set(code, pipeline);
      const [first] = made.keys();
      if (made.size > MOST_KEPT && first !== undefined) made.delete(first);
    };
    pipeline.then(keep, () => {}).finally(done);
  };
}
