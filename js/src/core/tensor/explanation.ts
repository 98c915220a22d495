// Explanations of programs: plain objects, as the core describes them.

/**
 * What becomes of a tensor program, stage by stage. `toString()` is all of it as text.
 *
 * @example
 * const explained = explain((x: Tensor) => x.softmax(), ones([64, 1000]));
 * explained.dispatches.length; // 1
 * explained.dispatches[0]?.choice; // the kernel family, and what it was run with
 */
export interface Explanation {
  /** The canonical program: numbered nodes, each with dtype, shape, operation and what it reads. */
  readonly program: string;
  /** The program as it was lowered, then the bodies of its loops that run dispatch by dispatch. */
  readonly parts: readonly ExplainedPart[];
  /** What is asked of the device, in order. */
  readonly dispatches: readonly ExplainedDispatch[];
  /** The memory plan. Values whose lives do not overlap share a buffer. */
  readonly buffers: readonly ExplainedBuffer[];
  /** The distinct kernels. */
  readonly kernels: readonly ExplainedKernel[];
  /** Bytes that a run reads, leaves, and needs meanwhile. */
  readonly bytes: { readonly inputs: number; readonly outputs: number; readonly temporaries: number };
  /** All of it, for people. */
  toString(): string;
}

/**
 * A program, cut into clusters: what shares a kernel.
 *
 * @example
 * const [part] = explain((x: Tensor) => x.matmul(x).softmax().matmul(x), ones([8, 8])).parts;
 * part?.cuts.map(({ reason }) => reason); // why it is not one kernel
 */
export interface ExplainedPart {
  /** Simplified; the numbers below are of its nodes. */
  readonly program: string;
  readonly clusters: readonly {
    /** What its kernel walks. */
    readonly walks: string;
    /** The nodes around which it was made; what they read on the spot is computed along. */
    readonly computes: readonly number[];
    /** Those of them that are stored. */
    readonly stores: readonly number[];
  }[];
  /** The nodes that are stored though nobody asked for them, and why. */
  readonly cuts: readonly { readonly node: number; readonly reason: string }[];
}

/**
 * One dispatch of a kernel.
 *
 * @example
 * const { dispatches } = explain((x: Tensor) => forLoop(0, 100, (_i, y: Tensor) => y.sin(), x), ones([4]));
 * dispatches.length; // 1
 */
export interface ExplainedDispatch {
  /** Which kernel. */
  readonly kernel: number;
  /** Which part it is of, and which cluster of that. */
  readonly part: number;
  readonly cluster: number;
  /** The family of kernels and what it was run with, as
   * `split-rows lanes=64 parts=8 rows=1 each=1`. */
  readonly choice: string;
  /** Workgroups along x, y and z. */
  readonly workgroups: readonly [number, number, number];
  /** The buffers that the kernel's storage arrays are bound to, in order. */
  readonly buffers: readonly number[];
  /** What tells it from other dispatches of its kernel, such as the bits below a pass's digit of a
   * long sort; mostly nothing. */
  readonly numbers: readonly number[];
  /** How often a run makes it: more than once in a loop. */
  readonly times: number;
}

/**
 * A buffer of the memory plan.
 *
 * @example
 * const { buffers } = explain((x: Tensor) => x.sum(), ones([256]));
 * buffers.map(({ kind, bytes }) => `${kind} ${bytes}`); // ["input 1024","output 4"]
 */
export interface ExplainedBuffer {
  /** A tensor that is read; one that is left; one needed meanwhile; or the name that a loop gives
   * to two of them in turn. */
  readonly kind: "input" | "output" | "temporary" | "alias";
  readonly bytes: number;
}

/**
 * A kernel.
 *
 * @example
 * const [kernel] = explain((x: Tensor) => x.add(1), ones([8])).kernels;
 * kernel?.wgsl.includes("@compute"); // true
 */
export interface ExplainedKernel {
  readonly name: string;
  /** The kernel IR. */
  readonly ir: string;
  /** The shader. */
  readonly wgsl: string;
}

/** The objects of the core's explanation. */
export function explanationOf(json: string): Explanation {
  const { text, ...stages } = JSON.parse(json) as Explanation & { readonly text: string };
  return Object.defineProperty(stages, "toString", { value: () => text, configurable: true });
}
