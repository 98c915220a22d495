// GPU adapters, and the facts about them that JavaScript knows and the core cannot ask for.
// Everything about `navigator.gpu` is here.

import { AdapterError, ValueError } from "../errors.js";
import { holds, shown } from "../check/check.js";
import { compiler, handOn, type Compiler } from "./compiler.js";

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

/** An adapter, as the core gets it. @internal */
export interface AdapterFacts extends AdapterInfo {
  readonly subgroups: boolean;
  readonly lowPower: boolean;
  /** Whether each kernel has one text. */
  oneTier?: boolean;
  /** Compiles pipelines of the device that is opened, while others are. */
  compiler?: Compiler;
}

/**
* The GPU object of WebGPU, of any implementation and any package of types.
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
 * Makes `gpu` what the core finds: it looks for a window or worker, then for its `navigator.gpu`.
 * Does nothing where it is that already, as in a page.
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

/** An adapter, what is known of it, and the device that was asked of it. @internal */
export interface Found {
  readonly gpu: GPU;
  readonly adapter: GPUAdapter;
  readonly facts: AdapterFacts;
  /** Rejected where there is none, which the core reports. */
  readonly device: Promise<GPUDevice>;
}

/** Asks for an adapter, and of that for a device. Throws `AdapterError` when there is no adapter.
 * @internal */
export async function findDevice(gpu: GPU | null, power: PowerPreference): Promise<Found> {
  if (!gpu) throw new AdapterError("init", `there is no WebGPU here: navigator.gpu is missing. ${remedy()}`);
  if (!holds(() => typeof gpu.requestAdapter === "function")) throw new ValueError("init", `gpu must be a GPU object, with requestAdapter, got ${shown(gpu)}`);
  const adapter = await request(gpu, power);
  if (!adapter) throw new AdapterError("init", "WebGPU has no adapter: hardware acceleration may be off, or the GPU blocked");
  if (!holds(() => typeof adapter.info.vendor === "string" && adapter.features.has("subgroups") !== undefined)) {
    throw new AdapterError("init", `requestAdapter gave ${shown(adapter)}, which is no adapter`);
  }
  const device = requestDevice(adapter);
  device.then(wakeCompiler).catch(() => {});
  const { info } = adapter;
  const facts: AdapterFacts = {
    vendor: info.vendor,
    architecture: info.architecture,
    description: info.description,
    isFallback: info.isFallbackAdapter ?? isSoftware(info),
    subgroups: adapter.features.has("subgroups"),
    lowPower: power === "low-power",
  };
  return { gpu, adapter, facts, device };
}

/** What `requestAdapter` of any implementation gives. */
async function request(gpu: GPU, power: PowerPreference): Promise<GPUAdapter | null> {
  try {
    return await gpu.requestAdapter({ powerPreference: power });
  } catch (error) {
    throw new AdapterError("init", `WebGPU gave no adapter: ${error instanceof Error ? error.message : shown(error)}`);
  }
}

/** A device with all that its adapter offers of what Weft uses. */
async function requestDevice(adapter: GPUAdapter): Promise<GPUDevice> {
  const requiredLimits: Record<string, number> = {};
  for (const name in adapter.limits) {
    const limit: unknown = adapter.limits[name as keyof GPUSupportedLimits];
    // Some versions of Chrome list sizes of subgroups, and do not know them when they are asked
    // for.
    if (typeof limit === "number" && !name.includes("Subgroup")) requiredLimits[name] = limit;
  }
  const used: GPUFeatureName[] = ["timestamp-query", "subgroups"];
  return adapter.requestDevice({ label: "weft", requiredFeatures: used.filter((name) => adapter.features.has(name)), requiredLimits });
}

/** Drivers start their compilers with the first pipeline: here with one that does nothing, while
 * the core makes its first. */
function wakeCompiler(device: GPUDevice): Promise<unknown> {
  const module = device.createShaderModule({ code: "@compute @workgroup_size(1) fn main() {}" });
  const compiled = device.createComputePipelineAsync({ layout: "auto", compute: { module } });
  handOn(device);
  return compiled;
}

/** Software adapters of implementations that do not say so. */
function isSoftware(info: GPUAdapterInfo): boolean {
  return /swiftshader|llvmpipe|lavapipe/i.test(`${info.architecture} ${info.description}`);
}

/**
 * Runs `open`, by which the core opens a device: what it asks for before that returns is the
 * adapter found, and what it asks of that is the device, which so has subgroups, for which the core
 * cannot ask, and was asked for while the core was not there. `facts.compiler` compiles the
 * device's pipelines then.
 *
 * @internal
 */
export async function handOver({ gpu, adapter, facts, device }: Found, open: () => Promise<void>): Promise<GPUDevice> {
  let own: Compiler | null = null;
  // Without one the core asks for pipelines itself.
  facts.compiler = {
    compile: (...kernel) => (own as Compiler).compile(...kernel),
    later: (ready) => (own as Compiler).later(ready),
  };
  const ready = device.then((device) => {
    own = compiler(device);
    return device;
  });
  ready.catch(() => {});
  let takeBack = (): void => {};
  try {
    takeBack = answer(adapter, "requestDevice", ready);
    await during(gpu, "requestAdapter", Promise.resolve(adapter), open);
    return await device;
  } catch (error) {
    forget(device);
    throw error;
  } finally {
    takeBack();
  }
}

/** Gives up a device that was asked for, if it comes. @internal */
export function forget(device: Promise<GPUDevice>): void {
  void device.then((device) => device.destroy()).catch(() => {});
}

/** What `open` returns, which sees a method answer with a promise until it returns: others that ask
 * for an adapter get one of their own.
 * @internal */
export function during<T>(owner: object, method: string, promise: Promise<unknown>, open: () => T): T {
  const takeBack = answer(owner, method, promise);
  try {
    return open();
  } finally {
    takeBack();
  }
}

/** Has a method of an object answer with a promise, until what this returns is called. */
function answer(owner: object, method: string, promise: Promise<unknown>): () => void {
  const own = Object.getOwnPropertyDescriptor(owner, method);
  if (!Reflect.defineProperty(owner, method, { value: () => promise, configurable: true })) throw new AdapterError("init", `${shown(owner)} is frozen: its device cannot be opened`);
  return () => void (own ? Object.defineProperty(owner, method, own) : Reflect.deleteProperty(owner, method));
}
