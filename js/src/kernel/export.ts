// `exportWGSL`: a captured function as files that run without Weft. The core gives the plan and the
// kernels' WGSL; the weights become a safetensors file.

import { Tensor, TraceError, data, explain, tidy } from "../index.js";
import { RUNNER } from "./runner.js";

/** What stands in a plan for a buffer or scalar; the runner reads it. */
interface Plan {
  inputs: { shape: number[]; dtype: string; path?: string }[];
  kernels: unknown[];
  buffers: { bytes?: number }[];
  dispatches: { buffers: number[]; workgroups: number[] }[];
  results: { path?: string }[];
  weights?: { name: string; dtype: string; shape: readonly number[] }[];
  needs: unknown;
}

interface Needs {
  readonly storageBuffers: number;
  readonly workgroupBytes: number;
  readonly invocations: number;
  readonly subgroups: boolean;
}

/** What every device has, by WebGPU's names. */
const GUARANTEED = {
  maxStorageBuffersPerShaderStage: 8,
  maxStorageBufferBindingSize: 134_217_728,
  maxBufferSize: 268_435_456,
  maxComputeWorkgroupStorageSize: 16_384,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
};

/**
 * Files that run `fn` without Weft: the WGSL of its kernels (`kernels/*.wgsl`), the plan of
 * buffers, dispatches and scalars (`plan.json`), the tensors that it reads from outside
 * (`weights.safetensors`), and a runner in JavaScript (`run.js`), by name. `fn` is run once, on
 * what stands for the tensors and numbers of its arguments, as `jit` does; nothing is computed, and
 * no parameter changes. A training step can be exported, too: its runner keeps what the parameters
 * become.
 *
 * In `run.js`, `load(read)` gives a program, and `run(inputs, numbers)` takes the tensors of the
 * arguments as typed arrays and then their numbers, in the order in which they come, and gives the
 * tensors of the result. Random keys and an optimizer's rates are there for a thousand calls.
 *
 * Throws `TraceError` when `fn` is async or reads a value, and inside a function that is
 * transformed.
 *
 * @example
 * const files = await exportWGSL((x: Tensor, scale: number) => x.mul(scale).tanh().sum(), ones([64]), 2);
 * Object.keys(files); // ["plan.json","weights.safetensors","run.js","kernels/0.wgsl"]
 */
export async function exportWGSL<Args extends unknown[]>(fn: (...args: Args) => unknown, ...args: Args): Promise<Record<string, Uint8Array>> {
  const op = "exportWGSL";
  const { core } = Tensor.openCore(op);
  const results: string[] = [];
  const noting = (...given: Args) => {
    const result = fn(...given);
    paths(result, "", (value) => value instanceof Tensor, results);
    return result;
  };
  core.export_begin();
  try {
    // What it explains it captures: the core keeps that for the export.
    tidy(() => void explain(noting, ...args));
  } catch (error) {
    forget(() => core.export_take());
    throw error instanceof TraceError && error.op === "explain" ? new TraceError(op, error.message.replace(/^explain: /, "")) : error;
  }
  const [json = "", ...kernels] = core.export_take();
  const weights = Array.from(core.export_weights(), (handle) => Tensor.adopt(handle));
  const plan = JSON.parse(json) as Plan;
  const inputs: string[] = [];
  args.forEach((arg, n) => paths(arg, String(n), (value) => value instanceof Tensor, inputs));
  plan.inputs.forEach((input, n) => (input.path = inputs[n] ?? ""));
  plan.results.forEach((result, n) => (result.path = results[n] ?? ""));
  plan.kernels = plan.kernels.map((name, n) => ({ name, file: `kernels/${n}.wgsl` }));
  plan.weights = weights.map(({ dtype, shape }, n) => ({ name: String(n), dtype, shape }));
  plan.needs = device(plan, plan.needs as Needs);
  const named = Object.fromEntries(weights.map((tensor, n) => [String(n), tensor]));
  const stored = await data.toSafetensors(named);
  weights.forEach((tensor) => tensor.dispose());
  const bytes = (text: string) => new TextEncoder().encode(text);
  return {
    "plan.json": bytes(JSON.stringify(plan)),
    "weights.safetensors": stored,
    "run.js": bytes(RUNNER),
    ...Object.fromEntries(kernels.map((text, n) => [`kernels/${n}.wgsl`, bytes(text)])),
  };
}

/** Ends an export that captured nothing, which it refuses by an error. */
function forget(take: () => unknown): void {
  try {
    take();
  } catch {
    // There was nothing to take.
  }
}

/** What a device must have beyond what every device has. */
function device({ buffers, dispatches }: Plan, { storageBuffers, workgroupBytes, invocations, subgroups }: Needs) {
  const largest = Math.max(0, ...buffers.map(({ bytes = 0 }) => bytes));
  const wanted: typeof GUARANTEED = {
    maxStorageBuffersPerShaderStage: storageBuffers,
    maxStorageBufferBindingSize: largest,
    maxBufferSize: largest,
    maxComputeWorkgroupStorageSize: workgroupBytes,
    maxComputeInvocationsPerWorkgroup: invocations,
    maxComputeWorkgroupSizeX: invocations,
  };
  const above = Object.entries(wanted).filter(([name, value]) => value > GUARANTEED[name as keyof typeof GUARANTEED]);
  return { features: subgroups ? ["subgroups"] : [], limits: Object.fromEntries(above), dispatches: dispatches.length };
}

/** The paths of a tree at which there are leaves of a kind, in the order in which transforms walk
 * it. */
function paths(value: unknown, path: string, is: (value: unknown) => boolean, found: string[]): void {
  if (is(value)) found.push(path);
  else if (typeof value === "object" && value !== null && !(value instanceof Tensor)) {
    for (const [key, inner] of Object.entries(value)) paths(inner, path === "" ? key : `${path}.${key}`, is, found);
  }
}
