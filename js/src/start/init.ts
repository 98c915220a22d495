// Initialisation. `init` loads the core, opens a device, and reports which. Everything else in the
// package needs it first.

import { AdapterError, DeviceLostError, ValueError, WeftError } from "../core/errors.js";
import { ambientGpu, exposeGpu, findDevice, forget, handOver, type Found, type GpuObject, type PowerPreference } from "../core/device/adapter.js";
import { deviceInfo, setDevice, type DeviceInfo } from "../core/device/current.js";
import { holds, optionsOf, shown } from "../core/check/check.js";
import { enterSession, fetchRest, isServing, startCore } from "../core/wasm/core.js";
import { installFormatter } from "../core/tensor/devtools.js";
import type { Instance } from "../core/wasm/instance.js";
import { installMethods } from "./methods.js";
import { mainPart } from "../core/wasm/parts.js";
import { rehearse } from "./rehearse.js";
import { hasStack } from "../core/wasm/stack.js";
import type { WasmSource } from "../core/wasm/source.js";
import { beginTuning, changeTuning, type Tuning } from "../tune/idle.js";
import type { Store } from "../tune/store.js";

/**
 * How to start.
 *
 * @example
 * await init({ device: "cpu" });
 */
export interface InitOptions {
  /** `"webgpu"` or nothing else; `"cpu"` for Weft's own CPU device, right everywhere and fast
   * nowhere; by default WebGPU if it is there, else the CPU. */
  device?: "webgpu" | "cpu";
  /** The GPU object, where it is not `navigator.gpu`: in Node, `create([])` of the npm package
   * `webgpu`. */
  gpu?: GpuObject;
  /** Where the WebAssembly is: an address, a response, its bytes, or a compiled module. By default
   * `weft.wasm` beside the script. */
  wasm?: WasmSource;
  /** Where the part of the WebAssembly is that few need, in the same forms. By default
   * `weft-rest.wasm` beside the script, or beside `wasm` if that is the address of a file called
   * `weft.wasm`. It is fetched when something in it is called, see `preload`. A function that
   * returns a promise of one of these is called then; where it is needed at once and has not come,
   * `FormatError` says so. */
  rest?: WasmSource | (() => Promise<WasmSource>);
  /** Which of several GPUs; the fastest by default. */
  powerPreference?: PowerPreference;
  /** Whether ways to compute the same may race on the GPU (see `tune`): `"idle"` while nothing is
   * asked of it and the page is idle, `"now"` as soon as nothing is asked of it, `false` never. By
   * default `"idle"`, and `false` on software adapters. */
  tune?: Tuning;
  /** Where the winners are kept from visit to visit, or null for nowhere. By default in IndexedDB,
   * where it is. */
  store?: Store | null;
  /** Whether the same program gives the same bits on each visit to the same device: no kernels
   * race, stored winners are left alone, and each kernel has one text, for which its first call
   * waits. Otherwise that holds as long as the same kernels win their races and the same texts of
   * them serve. By default false. */
  deterministic?: boolean;
}

/** Milliseconds in which an adapter comes where the browser's GPU process runs. */
const SOON = 40;

let pending: Promise<DeviceInfo> | null = null;
/** Whether the open device is deterministic. */
let isPinned = false;

/**
 * Loads Weft and opens a device. Calling it again returns what is open, unless another device is
 * asked for, the device was lost, or the core failed: then a new one is opened, and tensors of the
 * old one throw `DisposedError`.
 *
 * Throws `AdapterError` when `device: "webgpu"` finds no adapter, and `FormatError` when the
 * WebAssembly is not where it should be.
 *
 * @example
 * const { kind } = await init(); // "webgpu", or "cpu" where there is no GPU
 */
export async function init(options: InitOptions = {}): Promise<DeviceInfo> {
  optionsOf("init", options, { device: undefined, gpu: undefined, wasm: undefined, rest: undefined, powerPreference: undefined, tune: undefined, store: undefined, deterministic: undefined } as { [K in keyof InitOptions]-?: InitOptions[K] | undefined });
  if (options.device !== undefined && options.device !== "webgpu" && options.device !== "cpu") {
    throw new ValueError("init", `the device is "webgpu" or "cpu", not ${shown(options.device)}`);
  }
  if (options.powerPreference !== undefined && options.powerPreference !== "high-performance" && options.powerPreference !== "low-power") {
    throw new ValueError("init", `the power preference is "high-performance" or "low-power", not ${shown(options.powerPreference)}`);
  }
  if (options.tune !== undefined && options.tune !== false && options.tune !== "idle" && options.tune !== "now") {
    throw new ValueError("init", `tune is false, "idle" or "now", not ${shown(options.tune)}`);
  }
  const { store } = options;
  if (store !== undefined && store !== null && !holds(() => typeof store.get === "function" && typeof store.set === "function")) {
    throw new ValueError("init", `a store has get and set, got ${shown(store)}`);
  }
  if (options.deterministic && options.tune) throw new ValueError("init", `tune is false where results are deterministic, not ${shown(options.tune)}`);
  while (pending) await pending.catch(() => {});
  const open = deviceInfo();
  if (open && isServing() && serves(open, options)) {
    if (!isPinned) changeTuning(options.tune, store);
    return open;
  }
  pending = start(options).finally(() => {
    pending = null;
  });
  return pending;
}

/**
 * Fetches the part of Weft that few need: linear algebra, Fourier transforms, sorting, samplers of
 * rarer distributions, loops and branches, transformations other than gradients, races of kernels,
 * explanations, and the CPU device. Without it that part is fetched when the first of these
 * functions is called, which returns at once and so holds a page's thread until it is there; in
 * workers, in Node and with `weft-gpu/inline` nobody notices.
 *
 * Throws `FormatError` when it is not where it should be.
 *
 * @example
 * await preload();
 * linalg.inv([[2, 0], [0, 4]]); // [[0.5,0],[0,0.25]]
 */
export async function preload(): Promise<void> {
  await fetchRest("preload");
}

function serves(info: DeviceInfo, options: InitOptions): boolean {
  return (options.device === undefined || options.device === info.kind) && options.gpu === undefined && (options.deterministic ?? isPinned) === isPinned;
}

async function start(options: InitOptions): Promise<DeviceInfo> {
  isPinned = options.deterministic ?? false;
  // The GPU is woken while the core comes.
  const given = (options.gpu as GPU | undefined) ?? ambientGpu();
  const finding = options.device === "cpu" ? null : findDevice(given, options.powerPreference ?? "high-performance");
  finding?.catch(() => {});
  let instance;
  try {
    const starting = startCore(() => options);
    // What asks for stack is compiled meanwhile, too.
    hasStack();
    instance = await starting;
  } catch (error) {
    void finding?.then(({ device }) => forget(device)).catch(() => {});
    throw error;
  }
  if (!deviceInfo() && finding && given && given === ambientGpu()) void rehearseMeanwhile(await mainPart(() => options), given, finding);
  installMethods();
  installFormatter();
  return finding ? openGpu(instance, options, finding) : openCpu(instance);
}

/** Rehearses while the browser starts its GPU process, if it does: then an adapter takes a quarter
 * of a second to come. */
async function rehearseMeanwhile(module: WebAssembly.Module, gpu: GPU, finding: Promise<Found>): Promise<void> {
  let isFound = false;
  const found = finding.finally(() => (isFound = true));
  try {
    await Promise.race([found, new Promise((resolve) => setTimeout(resolve, SOON))]);
    if (!isFound) await rehearse(module, gpu, () => isFound);
  } catch {
    // What is not compiled ahead is compiled when it is called.
  }
}

/** The GPU's device goes to its place by a plain call. No list, promise or object of it is made:
 * code that changed their prototypes would get hold of it. */
function opened(info: DeviceInfo, gpu: GPUDevice | null): DeviceInfo {
  setDevice(info, gpu);
  return info;
}

async function openCpu(instance: Instance, reason?: string): Promise<DeviceInfo> {
  await instance.fetchRest("init");
  await openCore(instance, true, null);
  return opened({ kind: "cpu", adapter: null, lost: instance.ended.then(asLoss), ...(reason === undefined ? {} : { reason }) }, null);
}

async function openGpu(instance: Instance, options: InitOptions, finding: Promise<Found>): Promise<DeviceInfo> {
  try {
    const found = await finding;
    const { gpu, facts } = found;
    facts.oneTier = isPinned;
    exposeGpu(gpu);
    const device = await handOver(found, () => openCore(instance, false, facts));
    const { vendor, architecture, description, isFallback } = facts;
    beginTuning(options.tune ?? (isFallback || isPinned ? false : "idle"), isPinned ? null : options.store);
    // A core that failed cannot free what it holds there.
    const ended = instance.ended.then((failure) => {
      device.destroy();
      return asLoss(failure);
    });
    return opened({ kind: "webgpu", adapter: { vendor, architecture, description, isFallback }, lost: Promise.race([ended, lossOf(device)]) }, device);
  } catch (error) {
    if (options.device === "webgpu" || !(error instanceof AdapterError)) throw error;
    return openCpu(instance, error.message.replace(/^init: /, ""));
  }
}

async function lossOf(device: GPUDevice): Promise<DeviceLostError> {
  const { message, reason } = await device.lost;
  return new DeviceLostError("weft", `the device was lost: ${message || reason || "unknown reason"}`);
}

function asLoss(failure: WeftError): DeviceLostError {
  if (failure instanceof DeviceLostError) return failure;
  const loss = new DeviceLostError("weft", failure.message.replace(/^weft: /, ""));
  loss.cause = failure;
  return loss;
}

async function openCore(instance: Instance, cpu: boolean, facts: object | null): Promise<void> {
  try {
    await instance.core.open(cpu, facts);
  } catch (error) {
    throw error instanceof WeftError ? error : new AdapterError("init", String(error));
  }
  enterSession(instance);
}
