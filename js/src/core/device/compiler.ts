// Parallel compilation of pipelines. wgpu asks for one pipeline after the other, and GPU processes
// compile them so. This file asks for all of them at once, and hands each compiled pipeline to wgpu
// when wgpu asks for the same. Kernels in whose place shorter ones run meanwhile wait until nothing
// that runs next is being compiled.

/**
 * Compiler of a device's pipelines.
 *
 * @internal
 */
export interface Compiler {
  /** Compiles a kernel: its WGSL, how many storage arrays it binds, which of them it writes (bit n
   * of `written` for array n), the bytes of its uniforms, whether a shorter kernel serves
   * meanwhile, and what to call when it is done, well or not. */
  compile(this: void, code: string, storage: number, written: number, uniforms: number, served: boolean, done: () => void): void;
  /** Announces a kernel for which a shorter one serves: `ready` is called when there is time to
   * compile it. */
  later(this: void, ready: () => void): void;
}

/** How many kernels are being compiled while shorter ones serve, and what is called whenever one is
 * compiled.
 * @internal */
export const compiles = { optimising: 0, ended: (): void => {} };

/** Most pipelines that are kept for wgpu. It never asks for some, because a run failed; beyond this
 * many the oldest is dropped. */
const MOST_KEPT = 256;

/** Has the browser hand on what was asked of a device, by a submit of nothing, instead of at the
 * end of the task: kernels are compiled while others are made.
 * @internal */
export function handOn(device: GPUDevice): void {
  device.queue.submit([]);
}

/** How many kernels are compiled at a time for which others serve: few, so that a kernel that
 * somebody waits for comes first. */
const mostBeside = (): number => Math.max(1, Math.min(4, ((globalThis.navigator as Navigator | undefined)?.hardwareConcurrency ?? 2) >> 1));

/** Milliseconds that these wait for the work that was submitted before. */
const MOST_DELAY = 100;

/** The compiler of a device. @internal */
export function compiler(device: GPUDevice): Compiler {
  /** Kernels that somebody waits for, and those that are compiled beside others that serve, or will
   * be. */
  let [awaited, beside] = [0, 0];
  const announced: (() => void)[] = [];
  const codes = new WeakMap<GPUShaderModule, string>();
  const made = new Map<string, { readonly shader: GPUShaderModule; readonly pipeline: GPUComputePipeline }>();
  const create = device.createComputePipeline.bind(device);
  const module = device.createShaderModule.bind(device);
  // Defined, because a page may have frozen the prototype, behind which nothing is assigned.
  const own = <K extends "createShaderModule" | "createComputePipeline">(name: K, value: GPUDevice[K]) => Object.defineProperty(device, name, { value });
  // The text is not read again: that takes milliseconds, for which a step would wait.
  own("createShaderModule", (descriptor) => {
    const shader = made.get(descriptor.code)?.shader;
    if (shader) codes.set(shader, descriptor.code);
    return shader ?? module(descriptor);
  });
  own("createComputePipeline", (descriptor) => {
    const code = codes.get(descriptor.compute.module);
    const pipeline = code === undefined ? undefined : made.get(code)?.pipeline;
    if (code !== undefined) made.delete(code);
    return pipeline ?? create(descriptor);
  });
  const ask = (code: string, storage: number, written: number, uniforms: number): Promise<void> => {
    const visibility = 4;
    const entries: GPUBindGroupLayoutEntry[] = Array.from({ length: storage }, (_, binding) => ({
      binding,
      visibility,
      buffer: { type: (written >> binding) & 1 ? "storage" : "read-only-storage" },
    }));
    if (uniforms > 0) entries.push({ binding: storage, visibility, buffer: { type: "uniform", hasDynamicOffset: true, minBindingSize: uniforms } });
    // An error of a kernel is thrown when wgpu asks for it.
    device.pushErrorScope("validation");
    try {
      const layout = device.createPipelineLayout({ bindGroupLayouts: [device.createBindGroupLayout({ entries })] });
      const shader = module({ code });
      return device.createComputePipelineAsync({ layout, compute: { module: shader } }).then((pipeline) => {
        made.set(code, { shader, pipeline });
        const [first] = made.keys();
        if (made.size > MOST_KEPT && first !== undefined) made.delete(first);
      });
    } finally {
      device.popErrorScope().catch(() => {});
      handOn(device);
    }
  };
  // One in each turn of the page, whose thread reads the text.
  const goOn = (): void => {
    if (awaited > 0 || beside >= mostBeside()) return;
    const next = announced.shift();
    if (!next) return;
    beside++;
    setTimeout(goOn);
    next();
  };
  /** Goes on when what was submitted is done, or soon: the first value comes before that. */
  let isWaiting = false;
  const goOnSoon = async (): Promise<void> => {
    if (isWaiting) return;
    isWaiting = true;
    await pause(0);
    const isDone = async (): Promise<void> => void (await device.queue.onSubmittedWorkDone());
    await Promise.race([isDone(), pause(MOST_DELAY)]).catch(() => {});
    await pause(0);
    isWaiting = false;
    goOn();
  };
  return {
    compile(code, storage, written, uniforms, served, done) {
      const end = (): void => {
        if (served) {
          beside--;
          compiles.optimising--;
        } else awaited--;
        done();
        compiles.ended();
        if (served) goOn();
        else if (announced.length > 0) void goOnSoon();
      };
      const start = async (): Promise<void> => ask(code, storage, written, uniforms);
      const compiled = served ? start() : ask(code, storage, written, uniforms);
      if (!served) awaited++;
      compiled.catch(() => {}).finally(end);
    },
    later(ready) {
      compiles.optimising++;
      announced.push(ready);
      void goOnSoon();
    },
  };
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
