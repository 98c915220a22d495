// Warm-up of the engine's compiler while the browser starts its GPU process. Engines compile a
// function of WebAssembly at its first call, on the thread that calls: for a first program that is
// most of the time between the device and the first value. So an instance of the core of its own
// makes, compiles and runs a program in advance, on a device that does nothing. Instances share the
// compiled code, and nothing else.

import { during, type AdapterFacts } from "../core/device/adapter.js";
import { compiler } from "../core/device/compiler.js";
import { Instance } from "../core/wasm/instance.js";

/** What has to be an answer. All else that is asked of a device is answered by an object that again
 * does nothing. */
const answers = {
  [Symbol.toPrimitive]: () => 0,
  then: undefined,
  get lost() {
    return new Promise(() => {});
  },
  createComputePipelineAsync: async () => idle(),
  popErrorScope: async () => null,
  onSubmittedWorkDone: async () => undefined,
  mapAsync: async () => undefined,
  getMappedRange: (_: number, bytes: number) => new ArrayBuffer(bytes),
};

/** An object of WebGPU, or a function of one, that does nothing. What is defined on it stands. */
function idle(): unknown {
  const get = (target: object, name: PropertyKey): unknown => (Object.hasOwn(target, name) ? target[name as never] : name in answers ? answers[name as never] : idle());
  return new Proxy(() => {}, { get, set: () => true, apply: idle });
}

const ALIGNMENT = 256;

/** The limits of a usual adapter. */
const limits = {
  maxBufferSize: 2 ** 28,
  maxStorageBufferBindingSize: 2 ** 27,
  maxStorageBuffersPerShaderStage: 10,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupSizeY: 256,
  maxComputeWorkgroupSizeZ: 64,
  maxComputeWorkgroupStorageSize: 2 ** 15,
  maxComputeWorkgroupsPerDimension: 65535,
  minUniformBufferOffsetAlignment: ALIGNMENT,
  minStorageBufferOffsetAlignment: ALIGNMENT,
};

/** The module of which the engine has compiled that. */
let rehearsed: WebAssembly.Module | null = null;

/**
 * Has the engine compile what a first product, and then a first step of training, call, by an
 * instance of `module`. `isOver` is asked between the parts of that, none of which takes longer
 * than it saves. For where the core finds `gpu` by itself.
 *
 * @internal
 */
export async function rehearse(module: WebAssembly.Module, gpu: GPU, isOver: () => boolean): Promise<void> {
  if (module === rehearsed) return;
  rehearsed = module;
  const device = idle() as GPUDevice;
  const { core } = await Instance.start(module);
  await turn();
  const facts: AdapterFacts = { vendor: "", architecture: "", description: "", isFallback: false, subgroups: true, lowPower: false, compiler: compiler(device) };
  const adapter = { limits, features: new Set(["timestamp-query", "subgroups"]), requestDevice: async () => device };
  await during(gpu, "requestAdapter", Promise.resolve(adapter), () => core.open(false, facts));
  core.enter();
  for (const part of program(core)) {
    await part;
    await turn();
    if (isOver()) break;
  }
  core.close();
}

/** Gives all others a turn, so that it is known whether it is over. */
const turn = () => new Promise((resolve) => setTimeout(resolve));

/** A sum and a product that are read, and a captured step of training. */
function* program(core: Instance["core"]): Generator<unknown> {
  const names = core.op_names();
  const call = (name: string, ...numbers: number[]) => core.call(names.indexOf(name), numbers);
  const ones = (dtype: number, ...shape: number[]) => call("full", shape.length, ...shape, 1, dtype);
  const [f32, i32] = [0, 1];
  core.tune_begin(() => {});
  core.tune_export();
  core.tune_switch(true);
  yield;
  yield core.read(call("add", ones(f32, 256), ones(f32, 256)));
  yield core.read(call("matmul", ones(f32, 256, 256), ones(f32, 256, 256)));

  const [x, y] = [ones(f32, 64, 256), ones(i32, 64)];
  const parameters = Uint32Array.of(core.parameter(ones(f32, 256, 64)), core.parameter(ones(f32, 64)));
  const sgd = core.optimizer_new(0, parameters, new Float64Array([0.01, 0, 0, 0]));
  core.trace_begin();
  const given = Uint32Array.of(core.placeholder(x), core.placeholder(y));
  core.begin_transform();
  const marks = core.stand_in_begin(parameters);
  const logits = call("relu", call("add", call("matmul", given[0] as number, marks[0] as number), marks[1] as number));
  const loss = call("crossEntropy", logits, given[1] as number);
  const gradients = core.gradients(loss, marks);
  core.stand_in_end();
  core.end_transform();
  core.optimizer_step(sgd, gradients, false);
  const step = core.trace_end(Uint32Array.of(loss), given, true);
  yield;
  const [value] = core.captured_call(step, Uint32Array.of(x, y), new Float64Array(), new Uint8Array());
  yield;
  yield core.read(value as number);
}
