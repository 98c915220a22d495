// Exchange of tensors with buffers of the caller's own WebGPU code, by copies on the device that
// both use, `gpuDevice()`. The core knows only the buffers that it makes: where it asks for one by
// a certain label, the device answers with the caller's.

import type { Ambient } from "../core/wasm/ambient.js";
import { countOf, extentsOf, holds, noMore, optionsOf, shown, type Shape } from "../core/check/check.js";
import { core, wholeCore } from "../core/wasm/core.js";
import { bytesPerElement, dtypeCode, type DType } from "../core/tensor/dtype.js";
import { gpuDevice } from "../core/device/current.js";
import { releaseAbandoned } from "../core/tensor/scope.js";
import { sizeOf } from "../core/tensor/shape.js";
import { Tensor } from "../core/tensor/tensor.js";
import { OutOfMemoryError, ValueError } from "../core/errors.js";
import { zeros } from "../ops/create.js";

/**
 * What a buffer holds.
 *
 * @example
 * const options: data.FromBufferOptions = { dtype: "i32", offset: 16 };
 */
export interface FromBufferOptions {
  /** Type of the elements; f32 by default. */
  dtype?: DType;
  /** The byte at which they begin, a multiple of 4; 0 by default. */
  offset?: number;
}

/**
 * Where a tensor goes.
 *
 * @example
 * const options: data.ToBufferOptions = { usage: 0x20 }; // GPUBufferUsage.VERTEX
 */
export interface ToBufferOptions {
  /** What the new buffer can be used for besides `STORAGE`, `COPY_SRC` and `COPY_DST`. */
  usage?: number;
  /** A buffer to write to, with the usage `COPY_DST`, in place of a new one. */
  buffer?: Ambient<"GPUBuffer">;
}

/** STORAGE, COPY_SRC and COPY_DST of `GPUBufferUsage`, which is no global in Node. */
const USUAL = 128 | 4 | 8;

/** What the core calls the caller's buffer. */
const CALLERS = "weft:caller";

/**
 * A tensor of what a buffer of Weft's device (see `gpuDevice`) holds now, copied on the device:
 * what was submitted before the call is in it. Elements lie in row-major order; those of f16, i8
 * and u8 as many to 32 bits as fit, and those of bool 32 bits each.
 *
 * Throws `ValueError` for a buffer that is mapped, destroyed, too short, of another device, or
 * without the usage `COPY_SRC`, and on the CPU device.
 *
 * @example
 * const device = gpuDevice();
 * // 4 is GPUBufferUsage.COPY_SRC.
 * if (device) await data.fromGPUBuffer(device.createBuffer({ size: 64, usage: 4 }), [4, 4]);
 */
export async function fromGPUBuffer(buffer: Ambient<"GPUBuffer">, shape: Shape, options: FromBufferOptions = {}): Promise<Tensor> {
  const op = "fromGPUBuffer";
  noMore(op, arguments, 3);
  const { dtype, offset } = optionsOf(op, options, { dtype: "f32" as DType, offset: 0 });
  const extents = extentsOf(op, shape);
  // Truth is 0 and 1, and in a buffer that somebody else wrote there may be other numbers.
  const read = dtype === "bool" ? "u32" : dtype;
  const code = dtypeCode(read, op);
  if (countOf(op, "the offset", offset) % 4 !== 0) throw new ValueError(op, `the offset must be a multiple of 4, got ${offset}`);
  const device = deviceOf(op);
  const bytes = bytesOnDevice(sizeOf(Array.from(extents)), dtype);
  check(op, device, buffer, offset + bytes);
  if (bytes === 0) return zeros(shape, { dtype });
  const made = await copied(op, device, () => buffer, () => {
    const handle = wholeCore(op).buffer_in(offset, extents, code);
    return handle === undefined ? null : Tensor.adopt(handle);
  });
  if (read === dtype) return made;
  const truth = made.notEqual(0);
  made.dispose();
  return truth;
}

/**
 * A buffer of Weft's device (see `gpuDevice`) with the elements of a tensor, copied on the device
 * and laid out as `fromGPUBuffer` reads them. It is the caller's: to use once the promise is
 * fulfilled, and to destroy.
 *
 * Throws `ValueError` for a given buffer that is mapped, destroyed, too short, of another device,
 * or without the usage `COPY_DST`, and on the CPU device; `OutOfMemoryError` where there is no
 * memory for a new one.
 *
 * @example
 * if (gpuDevice()) {
 *   const buffer = await data.toGPUBuffer(tensor([1, 2, 3]));
 *   console.log(buffer.size); // 12
 * }
 */
export async function toGPUBuffer(x: Tensor, options: ToBufferOptions = {}): Promise<Ambient<"GPUBuffer">> {
  const op = "toGPUBuffer";
  noMore(op, arguments, 2);
  const { usage, buffer: given } = optionsOf(op, options, { usage: 0, buffer: undefined as GPUBuffer | undefined });
  const { size, dtype, ndim } = Tensor.of(op, "what is copied", x);
  countOf(op, "the usage", usage);
  const device = deviceOf(op);
  const bytes = bytesOnDevice(size, dtype);
  if (given !== undefined) check(op, device, given, bytes);
  let buffer = given;
  const own = () => (buffer ??= device.createBuffer({ size: Math.max(bytes, 4), usage: usage | USUAL }));
  // A plain number is stored nowhere, and a view of it is.
  const stored = ndim === 0 ? x.reshape([1]) : x;
  try {
    await copied(op, device, own, () => bytes === 0 || wholeCore(op).buffer_out(stored.handle) || null);
  } finally {
    if (stored !== x) stored.dispose();
  }
  releaseAbandoned();
  return own();
}

function deviceOf(op: string): GPUDevice {
  core();
  const device = gpuDevice() as GPUDevice | null;
  if (!device) throw new ValueError(op, "the CPU device has no GPU buffers");
  return device;
}

/** How many bytes elements take in a buffer. */
function bytesOnDevice(size: number, dtype: DType): number {
  return Math.ceil((size * (dtype === "bool" ? 4 : bytesPerElement(dtype))) / 4) * 4;
}

/** Throws for what the core could not bear; the device itself reports all else. */
function check(op: string, device: GPUDevice, buffer: GPUBuffer, bytes: number): void {
  // A command is given nothing that is no buffer. It is never submitted.
  const isBuffer = holds(() => (device.createCommandEncoder().copyBufferToBuffer(buffer, 0, buffer, 0, 0), buffer.size >= 0));
  if (!isBuffer) throw new ValueError(op, `takes a GPUBuffer, got ${shown(buffer)}`);
  if (buffer.size < bytes) throw new ValueError(op, `the buffer has ${buffer.size} bytes, and ${bytes} are needed`);
}

/** What the innermost error scope has caught. A lost device may not answer; the next call reports
 * the loss. */
function answer(device: GPUDevice): Promise<GPUError | null> {
  return device.popErrorScope().catch(() => null);
}

/** What `copy` gives, which has the core copy from the buffer or to it. It gives null behind a loop
 * of which the device has to say first when it ends. */
async function copied<T>(op: string, device: GPUDevice, buffer: () => GPUBuffer, copy: () => T | null): Promise<T> {
  for (;;) {
    let made: T | null = null;
    let answers: Promise<GPUError | null>[] = [];
    device.pushErrorScope("validation");
    device.pushErrorScope("out-of-memory");
    try {
      made = answering(device, buffer(), copy);
    } finally {
      answers = [answer(device), answer(device)];
    }
    const [exhausted, refused] = await Promise.all(answers);
    if ((exhausted || refused) && made instanceof Tensor) made.dispose();
    if (exhausted) throw new OutOfMemoryError(op, exhausted.message);
    if (refused) throw new ValueError(op, `the device refused it: ${refused.message}`);
    if (made !== null) return made;
    await core().idle();
  }
}

/** Calls `f` while the device answers with this buffer where the core asks for the caller's. */
function answering<T>(device: GPUDevice, buffer: GPUBuffer, f: () => T): T {
  const name = "createBuffer";
  const before = Object.getOwnPropertyDescriptor(device, name);
  const make = device[name];
  const value = (descriptor: GPUBufferDescriptor) => (descriptor.label === CALLERS ? buffer : make.call(device, descriptor));
  Object.defineProperty(device, name, { value, configurable: true });
  try {
    return f();
  } finally {
    Reflect.deleteProperty(device, name);
    if (before) Object.defineProperty(device, name, before);
  }
}
