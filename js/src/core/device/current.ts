// The open device: its kind and adapter, and promises for when its work has caught up or ended.

import type { DeviceLostError } from "../errors.js";
import { relief } from "../tensor/collect.js";
import type { Ambient } from "../wasm/ambient.js";
import { core } from "../wasm/core.js";
import type { AdapterInfo } from "./adapter.js";

/**
 * The device that is open.
 *
 * @example
 * const { kind, adapter, reason } = await init(); // "webgpu" and its adapter, or "cpu" and the reason
 */
export interface DeviceInfo {
  /** What does the work. */
  readonly kind: "webgpu" | "cpu";
  /** The GPU's adapter; null on the CPU. */
  readonly adapter: AdapterInfo | null;
  /** Why it is not a GPU, when none was found. */
  readonly reason?: string;
  /** Fulfilled, with an error that says why, when the device is lost; a CPU only with the core,
   * should that fail. The error has a `cause` where it is the core that failed. */
  readonly lost: Promise<DeviceLostError>;
}

let current: DeviceInfo | null = null;
let currentGpu: GPUDevice | null = null;

/**
 * Called by `init`.
 *
 * @internal
 */
export function setDevice(info: DeviceInfo, gpu: GPUDevice | null): void {
  current = info;
  currentGpu = gpu;
}

/**
 * The device that is open, or null before `init`.
 *
 * @example
 * deviceInfo()?.kind; // "cpu"
 */
export function deviceInfo(): DeviceInfo | null {
  return current;
}

/**
 * WebGPU's device that Weft uses, for WebGPU code of one's own beside it: tensors go there by
 * `data.toGPUBuffer` and come from there by `data.fromGPUBuffer`. Null on the CPU device and before
 * `init`. Weft's next read throws an error of such code that none of its error scopes takes. The
 * playground hides it from cells until the reader allows raw WebGPU.
 *
 * @example
 * const queue = gpuDevice()?.queue;
 */
export function gpuDevice(): Ambient<"GPUDevice"> | null {
  return currentGpu;
}

/**
 * Lets the device catch up: resolves at once while little is asked of it, else when most of that
 * has run. Await it in a loop that makes work and reads nothing, for JavaScript runs ahead of a GPU
 * without noticing: what it asks for meanwhile waits in a queue.
 *
 * @example
 * let x = ones([64, 64]);
 * const turn = jit((x: Tensor) => x.matmul(x).div(64));
 * for (let i = 0; i < 100; i++) {
 *   x = turn(x);
 *   await throttle(); // waits only where the device is behind
 * }
 */
export function throttle(): Promise<void> {
  try {
    const busy = core().throttle() as Promise<void> | undefined;
    if (busy) return busy.then(() => relief() ?? undefined);
    // Nearly always nothing, for which an eager step makes one promise.
    return relief() ?? Promise.resolve();
  } catch (error) {
    return Promise.reject(error as Error);
  }
}

/**
 * A promise for the moment when everything asked of the device so far has run. Rejects with
 * `DeviceLostError` when it is lost.
 *
 * @example
 * realize(ones([512, 512]).matmul(ones([512, 512])));
 * await synchronize(); // now it has run
 */
export async function synchronize(): Promise<void> {
  await core().idle();
}
