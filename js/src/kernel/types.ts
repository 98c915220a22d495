// Types of kernels as TypeScript sees them: what the user's function is given, and what the kernel
// takes and yields.

import type { DType, Operand, Shape, Tensor } from "../index.js";

/**
 * What a load beyond the edge of a tensor yields: the nearest element (`"clamp"`), the elements
 * anew from the other side (`"wrap"`) or mirrored (`"mirror"`), 0 (`"zero"`), or a number.
 *
 * @example
 * const next = kernel((x: KernelTensor, i: number) => x.at(i + 1), { edge: "wrap" satisfies KernelEdge });
 * next([1, 2, 3]); // [2,3,1]
 */
export type KernelEdge = "clamp" | "wrap" | "mirror" | "zero" | number;

/**
 * How one load or sample differs from the others.
 *
 * @example
 * const before = kernel((x: KernelTensor, i: number) => x.at(i - 1, { edge: 9 }));
 * before([1, 2, 3]); // [9,1,2]
 */
export interface LoadOptions {
  /** What lies beyond the edge. */
  readonly edge?: KernelEdge;
  /** How `sample` mixes neighbours: two along each axis, or four by Catmull and Rom's cubic. */
  readonly filter?: "linear" | "cubic";
}

/**
 * A tensor inside a kernel.
 *
 * @example
 * const reversed = kernel((x: KernelTensor, i: number) => x.at(x.length - 1 - i));
 * reversed([1, 2, 3]); // [3,2,1]
 */
export interface KernelTensor {
  /** Extents along the axes. */
  readonly shape: readonly number[];
  /** The extent along the first axis. */
  readonly length: number;
  /** How many elements there are. */
  readonly size: number;
  /** How many axes there are. */
  readonly ndim: number;
  /** The element at a whole number for each axis. Options may come last. */
  at(...place: readonly (number | LoadOptions)[]): number;
  /** The value at a place that may lie between elements; at whole numbers it is that of `at`.
   * Options may come last. */
  sample(...place: readonly (number | LoadOptions)[]): number;
}

/**
 * An output that a kernel stores to at places of its choice. Stores beyond its edge do nothing. An
 * output has one way of storing. Sums of floats do not depend on the order of invocations.
 *
 * @example
 * const count = kernel((x: KernelTensor, i: number, { bins }: { bins: KernelOutput }) => {
 *   bins.add(1, Math.floor(x.at(i) * 4));
 * }, { outputs: { bins: { shape: [4] } } });
 * count([0.1, 0.2, 0.9]).bins; // [2,0,0,1]
 */
export interface KernelOutput {
  readonly shape: readonly number[];
  readonly length: number;
  readonly size: number;
  readonly ndim: number;
  /** Replaces an element; of several invocations the last in row-major order wins. An array is
   * stored along the last axis. */
  set(value: number | readonly number[], ...place: readonly number[]): void;
  /** Adds to an element, and gives, of whole numbers, what was there before. */
  add(value: number | readonly number[], ...place: readonly number[]): number;
  /** Keeps the smaller. */
  min(value: number | readonly number[], ...place: readonly number[]): number;
  /** Keeps the larger. */
  max(value: number | readonly number[], ...place: readonly number[]): number;
  /** Keeps the bits that both have. */
  and(value: number, ...place: readonly number[]): number;
  /** Sets the bits that the value has. */
  or(value: number, ...place: readonly number[]): number;
  /** Changes the bits that the value has. */
  xor(value: number, ...place: readonly number[]): number;
}

/**
 * What a kernel can be called with: tensors and arrays, numbers, truth values.
 *
 * @example
 * const given: KernelArgument[] = [tensor([1, 2]), 0.5];
 * kernel((x, factor, i) => x.at(i) * factor)(...given); // [0.5,1]
 */
export type KernelArgument = Operand | boolean;

/**
 * What a kernel can capture by name: numbers and truth values, which each call reads anew, tensors,
 * and functions.
 *
 * @example
 * const square = (v: number) => v * v;
 * const given: Record<string, KernelCapture> = { square, rate: 0.5 };
 * kernel((x, i, { square, rate }) => square(x.at(i)) * rate, { with: given })([2]); // [2]
 */
export type KernelCapture = number | boolean | Tensor | ((...args: never[]) => unknown);

/**
 * An output that a kernel stores to by name.
 *
 * @example
 * const hits: KernelOutputOptions = { shape: [3], dtype: "u32" };
 * kernel((x, i, { hits }) => { hits.add(1, x.at(i) > 0 ? 2 : 0); }, { outputs: { hits } })([1, -1, 5]).hits; // [1,0,2]
 */
export interface KernelOutputOptions {
  /** Its extents, or a function of the call's arguments that gives them. */
  readonly shape: Shape | ((...args: any[]) => Shape);
  /** f32 unless it is said. */
  readonly dtype?: KernelOutputDType;
  /** What is there before the first store: a number (0 unless it is said), or a function of the
   * call's arguments that gives a tensor of the output's shape. */
  readonly initial?: number | ((...args: any[]) => Tensor);
}

/**
 * Dtypes of what a kernel yields.
 *
 * @example
 * const dtype: KernelOutputDType = "i32";
 * kernel((x, i) => x.at(i) * 2, { dtype })([1.75]).dtype; // "i32"
 */
export type KernelOutputDType = Exclude<DType, "f16" | "i8" | "u8">;

/**
 * How a kernel runs.
 *
 * @example
 * const options: KernelOptions = { shape: (x: Tensor) => [x.size], edge: "zero" };
 * kernel((x, i) => x.at(i - 1) + x.at(i + 1), options)([1, 2, 3]); // [2,4,2]
 */
export interface KernelOptions<O extends Readonly<Record<string, KernelOutputOptions>> = Readonly<Record<string, KernelOutputOptions>>> {
  /** The extents of the grid: one invocation for each element. By default those of the first tensor
   * of the call. */
  readonly shape?: Shape | ((...args: any[]) => Shape);
  /** Outputs that the kernel stores to at places of its choice. */
  readonly outputs?: O;
  /** What loads beyond the edge yield; `"clamp"` unless it is said. */
  readonly edge?: KernelEdge;
  /** What the function uses besides its arguments, by name, or a function that gives it at each
   * call. */
  readonly with?: Readonly<Record<string, KernelCapture>> | (() => Readonly<Record<string, KernelCapture>>);
  /** The dtype of what the function returns, where it should not be its own. */
  readonly dtype?: KernelOutputDType;
  /** The most iterations of a loop that is not counted, such as `while`; 65,536 unless it is said.
   * The loop ends then. */
  readonly limit?: number;
  /** Extents of a workgroup along the last axes of the grid, whose extents must be multiples of
   * them: as `kernel.group` has it. */
  readonly workgroup?: readonly number[];
  /** What the kernel is called in messages and in `explain`. */
  readonly name?: string;
  /**
   * Whether calls report. Unless it is said, a kernel that contains `print` or `assert` does: it
   * runs a second time for them, in a kernel of its own, and the call's report is read back when
   * the device has run it. `true` also looks for the first NaN. `false` leaves everything out.
   */
  readonly debug?: boolean;
}

/**
 * How a kernel that works in groups runs.
 *
 * @example
 * const options: KernelGroupOptions = { workgroup: [2], grid: [3] };
 * kernel.group((_i, { local, group }) => 10 * group[0] + local[0], options)(); // [0,1,10,11,20,21]
 */
export interface KernelGroupOptions<O extends Readonly<Record<string, KernelOutputOptions>> = Readonly<Record<string, KernelOutputOptions>>> extends Omit<KernelOptions<O>, "shape" | "workgroup"> {
  /** Extents of a workgroup along the last axes of the grid: at most 256 invocations. */
  readonly workgroup: readonly number[];
  /** How many workgroups there are along each axis, or a function of the call's arguments that
   * gives it. By default one invocation for each element of the first tensor. */
  readonly grid?: Shape | ((...args: any[]) => Shape);
}

/**
 * What the last parameter of a kernel that works in groups has besides what is captured. A subgroup
 * is 32 invocations of a workgroup, in row-major order, on every device; its functions take a value
 * of each. Every invocation of a workgroup must reach a barrier or a subgroup function, or none.
 *
 * @example
 * const total = kernel.group((x: KernelTensor, i: number, { subgroupAdd }: KernelGroup) => subgroupAdd(x.at(i)), { workgroup: [4] });
 * total([1, 2, 3, 4]); // [10,10,10,10]
 */
export interface KernelGroup {
  /** The invocation's coordinates in its workgroup. */
  readonly local: readonly number[];
  /** The workgroup's coordinates. */
  readonly group: readonly number[];
  readonly f32: "f32";
  readonly i32: "i32";
  readonly u32: "u32";
  /** An array that the workgroup shares, zero at first. */
  shared(dtype: "f32" | "i32" | "u32", length: number): number[];
  shared(dtype: "f32" | "i32" | "u32", rows: number, columns: number): number[][];
  shared(dtype: "f32" | "i32" | "u32", planes: number, rows: number, columns: number): number[][][];
  /** Waits for the workgroup, whose shared arrays are as the others left them then. */
  barrier(): void;
  /** The sum over the subgroup. */
  subgroupAdd(x: number): number;
  subgroupMin(x: number): number;
  subgroupMax(x: number): number;
  /** The sum over the invocations of the subgroup before this one. */
  subgroupAddBefore(x: number): number;
  /** The value that invocation number `from` of the subgroup has. */
  shuffle(x: number, from: number): number;
}

/** Whether no outputs are named, or none that TypeScript knows. */
type HasNone<O> = string extends keyof O ? true : [keyof O] extends [never] ? true : false;

/** A small array that the function returns. */
type Listed = readonly unknown[] | Float32Array | Int32Array | Uint32Array;

/** What a value that the function returns becomes. */
type ReturnedTensors<R> = R extends void | undefined ? unknown : R extends number | boolean | Listed ? { readonly result: Tensor } : { readonly [K in keyof R]: Tensor };

/**
 * What a kernel yields: a tensor for a number or a small array, whose elements are along a last
 * axis; tensors by name for a record; and by name those that it stores to, beside which a single
 * one is called `result`.
 *
 * @example
 * const polar = kernel((x, y, i) => ({ r: Math.hypot(x.at(i), y.at(i)), angle: Math.atan2(y.at(i), x.at(i)) }));
 * const { r }: KernelResult<{ r: number; angle: number }, {}> = polar([3], [4]);
 * r; // [5]
 */
export type KernelResult<R, O> = HasNone<O> extends true
  ? unknown extends R
    ? Tensor
    : R extends number | boolean | Listed
      ? Tensor
      : { readonly [K in keyof R]: Tensor }
  : { readonly [K in keyof O]: Tensor } & ReturnedTensors<R>;

/**
 * A kernel: called with tensors and numbers, it yields tensors, as any operation does.
 *
 * @example
 * const add: Kernel<Tensor> = kernel((a, b, i) => a.at(i) + b.at(i));
 * add([1, 2], [10, 20]); // [11,22]
 */
export interface Kernel<R> {
  (...args: readonly KernelArgument[]): R;
  /**
   * One invocation as plain JavaScript, with breakpoints and `console.log`:
   * `await k.run(i, j)(…args)` reads the arguments back, calls the function with numbers of 64
   * bits, and gives what it returns.
   */
  run(...place: readonly number[]): (...args: readonly KernelArgument[]) => Promise<unknown>;
  /** Waits until what calls so far have printed is shown. Throws the `KernelError` of the first
   * assertion that failed, or of the first NaN. */
  checked(): Promise<void>;
}
