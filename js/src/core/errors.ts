// Error classes, one for each kind of error of the Rust core, all of them `WeftError`s. The core
// makes its errors through `weftError`, so that it throws them ready-made and their stacks lead to
// the caller.

/**
 * Any error that Weft raises. `op` is the operation as it was called, and begins the message:
 * `matmul: [64,784] × …`.
 *
 * @example
 * try {
 *   tensor([1, 2]).add([1, 2, 3]);
 * } catch (error) {
 *   if (error instanceof WeftError) console.log(error.op); // add
 * }
 */
export class WeftError extends Error {
  /** The operation that refused, for instance `matmul`. */
  readonly op: string;

  constructor(op: string, message: string) {
    // V8 keeps ten frames, and Weft alone may have more: the line that called it would be missing.
    const limit = Error.stackTraceLimit;
    if (limit > 0) Error.stackTraceLimit = Math.max(limit, 64);
    super(`${op}: ${message}`);
    if (limit > 0) Error.stackTraceLimit = limit;
    this.op = op;
  }
}

/**
 * Shapes that do not fit together; ragged or wrongly sized data.
 *
 * @example
 * matmul(zeros([2, 3]), zeros([2, 3])); // throws ShapeError: matmul: [2,3] × [2,3]: 3 ≠ 2
 */
export class ShapeError extends WeftError {}

/**
 * A dtype that the operation does not take.
 *
 * @example
 * bitwiseAnd([1.5], 1); // throws DTypeError
 */
export class DTypeError extends WeftError {}

/**
 * An axis out of range, or given twice.
 *
 * @example
 * sum([1, 2], 1); // throws AxisError
 */
export class AxisError extends WeftError {}

/**
 * An argument whose value is not allowed.
 *
 * @example
 * nn.dropout(ones([2]), 1.5); // throws ValueError
 */
export class ValueError extends WeftError {}

/**
 * A tensor used after it was disposed, or after its device was lost.
 *
 * @example
 * const x = ones([2]);
 * x.dispose();
 * x.add(1); // throws DisposedError
 */
export class DisposedError extends WeftError {}

/**
 * A value read where only its shape is known (inside `jit`), or a misused transform.
 *
 * @example
 * tidy(async () => ones([2])); // throws TraceError
 */
export class TraceError extends WeftError {}

/**
 * A file that is corrupt, truncated or of another format.
 *
 * @example
 * data.idx(Uint8Array.of(1, 2, 3)); // throws FormatError
 */
export class FormatError extends WeftError {}

/**
 * No adapter, or one that lacks what is needed.
 *
 * @example
 * try {
 *   await init({ device: "webgpu" });
 * } catch (error) {
 *   if (error instanceof AdapterError) console.log("no GPU here");
 * }
 */
export class AdapterError extends WeftError {}

/**
 * The device was lost. `init()` opens a new one; tensors of the old one are gone.
 *
 * @example
 * const { lost } = await init();
 * lost.then((error) => error instanceof DeviceLostError); // when the device is lost
 */
export class DeviceLostError extends WeftError {}

/**
 * The device has not enough memory.
 *
 * @example
 * full([2 ** 30], 1).data(); // throws OutOfMemoryError
 */
export class OutOfMemoryError extends WeftError {}

/**
 * A defect in Weft.
 *
 * @example
 * addEventListener("unhandledrejection", ({ reason }) => {
 *   if (reason instanceof InternalError) console.log("a defect in Weft:", reason.message);
 * });
 */
export class InternalError extends WeftError {}

const classes = {
  ShapeError,
  DTypeError,
  AxisError,
  ValueError,
  DisposedError,
  TraceError,
  FormatError,
  AdapterError,
  DeviceLostError,
  OutOfMemoryError,
  InternalError,
} as const;

// Written out, because a bundler may shorten the names of classes.
for (const [name, type] of Object.entries({ WeftError, ...classes })) {
  Object.defineProperty(type.prototype, "name", { value: name, configurable: true, writable: true });
  Object.defineProperty(type, "name", { value: name, configurable: true });
}

/** The error of the class that the core calls `kind`, with a stack that begins where the core was
 * called. */
export function weftError(kind: string, op: string, message: string): WeftError {
  const type = classes[kind as keyof typeof classes] ?? InternalError;
  const error = new type(op, message);
  const frames = error.stack?.split("\n") ?? [];
  const last = frames.findLastIndex((frame) => frame.includes("wasm-function"));
  // In V8 the message stands above the frames.
  const head = frames.findIndex((frame) => /^\s*at /.test(frame));
  // After the core's own frames comes the one that watches over them.
  if (last >= 0) error.stack = [...frames.slice(0, Math.max(head, 0)), ...frames.slice(last + 2)].join("\n");
  return error;
}
