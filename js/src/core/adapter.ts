// Which GPU adapter is there, and what does JavaScript know of it that the core cannot ask? Everything about `navigator.gpu` is here.

import { AdapterError, ValueError } from "../errors.js";
import { holds, shown } from "./check.js";
import { compiler, type Compile } from "./compiler.js";

/**
 * What is known of an adapter. Unknown strings are empty.
 *
 * @example
 * const { adapter } = await init();
 * console.log(adapter?.vendor ?? "no GPU");
 */
export interface AdapterInfo {
  /** For instance `nvidia`. */
  readonly vendor: string;
  /** For instance `ampere`. */
  readonly architecture: string;
  /** The adapter's name, where the browser tells. */
  readonly description: string;
  /** Whether it is software. */
  readonly isFallback: boolean;
}

/** An adapter as the core is told of it. @internal */
export interface AdapterFacts extends AdapterInfo {
  readonly subgroups: boolean;
  readonly lowPower: boolean;
  /** Compiles a pipeline of the device that is opened, while others are. */
  compile?: Compile;
}

/**
 * The GPU object of WebGPU, whoever implements and types it.
 *
 * @example
 * // In Node.js: import { create } from "webgpu";
 * await init({ gpu: navigator.gpu });
 */
export interface GpuObject {
  requestAdapter(...options: never[]): Promise<unknown>;
}

/**
 * Which of several adapters is preferred.
 *
 * @example
 * await init({ powerPreference: "low-power" });
 */
export type PowerPreference = "high-performance" | "low-power";

/** The GPU object of this page or worker, or null. @internal */
export function ambientGpu(): GPU | null {
  return (globalThis.navigator as Navigator | undefined)?.gpu ?? null;
}

/**
 * Makes `gpu` what the core finds: it looks for a window or worker, then for its `navigator.gpu`. Does nothing where it is that
 * already, as in a page.
 *
 * @internal
 */
export function exposeGpu(gpu: GPU): void {
  if (!("Window" in globalThis) && !("WorkerGlobalScope" in globalThis)) {
    Object.defineProperty(globalThis, "Window", { value: class Window {}, configurable: true, writable: true });
  }
  if (ambientGpu() === gpu) return;
  const navigator = globalThis.navigator ?? {};
  Object.defineProperty(navigator, "gpu", { value: gpu, configurable: true, writable: true });
  if (globalThis.navigator !== navigator) Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
}

/** Where there is a `navigator.gpu`, or what to do where there is none. */
function remedy(): string {
  if (!globalThis.process?.versions?.node) return "Current Chrome, Edge, Safari and Firefox have it, on pages served from https or localhost";
  return 'In Node the npm package webgpu has it: import { create } from "webgpu"; await init({ gpu: create([]) })';
}

/** Asks for an adapter. Throws `AdapterError` when there is none. @internal */
export async function findAdapter(gpu: GPU | null, power: PowerPreference): Promise<{ adapter: GPUAdapter; facts: AdapterFacts }> {
  if (!gpu) throw new AdapterError("init", `there is no WebGPU here: navigator.gpu is missing. ${remedy()}`);
  if (!holds(() => typeof gpu.requestAdapter === "function")) throw new ValueError("init", `gpu must be a GPU object, with requestAdapter, got ${shown(gpu)}`);
  const adapter = await request(gpu, power);
  if (!adapter) throw new AdapterError("init", "WebGPU has no adapter: hardware acceleration may be off, or the GPU blocked");
  if (!holds(() => typeof adapter.info.vendor === "string" && adapter.features.has("subgroups") !== undefined)) {
    throw new AdapterError("init", `requestAdapter gave ${shown(adapter)}, which is no adapter`);
  }
  const { info } = adapter;
  const facts = {
    vendor: info.vendor,
    architecture: info.architecture,
    description: info.description,
    isFallback: info.isFallbackAdapter ?? isSoftware(info),
    subgroups: adapter.features.has("subgroups"),
    lowPower: power === "low-power",
  };
  return { adapter, facts };
}

/** What `requestAdapter` gives, whoever wrote it. */
async function request(gpu: GPU, power: PowerPreference): Promise<GPUAdapter | null> {
  try {
    return await gpu.requestAdapter({ powerPreference: power });
  } catch (error) {
    throw new AdapterError("init", `WebGPU gave no adapter: ${error instanceof Error ? error.message : shown(error)}`);
  }
}

/** Software adapters of implementations that do not say so. */
function isSoftware(info: GPUAdapterInfo): boolean {
  return /swiftshader|llvmpipe|lavapipe/i.test(`${info.architecture} ${info.description}`);
}

/**
 * Runs `open` with `requestDevice` asking for subgroups where an adapter has them, which the core cannot ask for itself, and gives the
 * device that was requested, whose pipelines `facts.compile` compiles then. The adapters of a GPU share a prototype, so `adapter` shows where
 * to change it; it is changed back afterwards.
 *
 * @internal
 */
export async function withSubgroups(adapter: GPUAdapter, facts: AdapterFacts, open: () => Promise<void>): Promise<GPUDevice | null> {
  const prototype = Object.getPrototypeOf(adapter) as GPUAdapter;
  const original = Object.getOwnPropertyDescriptor(prototype, "requestDevice") as PropertyDescriptor;
  const requestDevice = original.value as GPUAdapter["requestDevice"];
  let device: GPUDevice | null = null;
  let compile: Compile | null = null;
  // Without one the core asks for pipelines itself.
  facts.compile = (...kernel) => (compile as Compile)(...kernel);
  Object.defineProperty(prototype, "requestDevice", {
    ...original,
    async value(this: GPUAdapter, descriptor: GPUDeviceDescriptor = {}) {
      const wanted = new Set<GPUFeatureName>(descriptor.requiredFeatures ?? []);
      if (this.features.has("subgroups")) wanted.add("subgroups");
      device = await requestDevice.call(this, { ...descriptor, requiredFeatures: [...wanted] });
      compile = compiler(device);
      return device;
    },
  });
  try {
    await open();
  } finally {
    Object.defineProperty(prototype, "requestDevice", original);
  }
  return device;
}
