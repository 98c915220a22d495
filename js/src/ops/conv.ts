// Convolutions in any number of dimensions, their transposes, and reductions of windows.

import { countOf, isArray, listOf, noMore, optionsOf, shown, textOf } from "../core/check/check.js";
import { register, type OpCode } from "../core/wasm/core.js";
import type { Operand, Tensor } from "../core/tensor/tensor.js";
import { ShapeError, ValueError } from "../core/errors.js";
import { shapeOf } from "./lift.js";
import { invoke, type Call } from "./operation.js";

/**
 * What windows see beyond the ends. `"valid"`: nothing, they lie within. `"same"`: so much that
 * there are as many windows as elements, divided by the stride and rounded up; where that is odd,
 * one more at the end, or, with `"sameLower"`, at the start. Numbers: so many elements at each end
 * of every axis, or of each, or before and after each. Negative numbers cut off.
 *
 * @example
 * const padding: WindowPadding = [1, [0, 2]];
 * conv(ones([1, 1, 4, 4]), ones([1, 1, 3, 3]), { padding }).shape; // [1,1,4,4]
 */
export type WindowPadding = "valid" | "same" | "sameLower" | number | readonly (number | readonly [before: number, after: number])[];

/**
 * How a kernel slides; a number stands for all spatial axes.
 *
 * @example
 * const options: ConvOptions = { stride: 2, padding: "same" };
 * conv(ones([1, 1, 5]), ones([1, 1, 3]), options).shape; // [1,1,3]
 */
export interface ConvOptions {
  /** From one output to the next; 1 by default. */
  stride?: number | readonly number[];
  /** What lies beyond the ends; nothing by default. */
  padding?: WindowPadding;
  /** How far apart neighbours of the kernel are; 1 by default. */
  dilation?: number | readonly number[];
  /** How far apart neighbours of the input are; 1 by default. */
  inputDilation?: number | readonly number[];
  /** Groups of features, each with its own kernels; 1 by default. */
  groups?: number;
  /** Groups of the batch, each with its own kernels; 1 by default. */
  batchGroups?: number;
  /**
   * The axes of input, kernel and output, each a letter: N is the batch, C features, O features
   * made, I features taken, others are spatial, in the kernel's order for what has a number for
   * each. By default the spatial ones come last: `["NCHW", "OIHW", "NCHW"]`.
   */
  layout?: readonly [input: string, kernel: string, output: string];
}

/**
 * How a transposed convolution slides.
 *
 * @example
 * const options: ConvTransposeOptions = { stride: 2, outputPadding: 1 };
 * convTranspose(ones([1, 1, 3]), ones([1, 1, 3]), options).shape; // [1,1,8]
 */
export interface ConvTransposeOptions {
  /** From one input to the next; 1 by default. */
  stride?: number | readonly number[];
  /** What the convolution that this is the transpose of has; `"same"` yields as many elements as
   * there are, times the stride. */
  padding?: WindowPadding;
  /** How far apart neighbours of the kernel are; 1 by default. */
  dilation?: number | readonly number[];
  /** Groups of features; 1 by default. */
  groups?: number;
  /** By how many elements the output is longer at the end; 0 by default. */
  outputPadding?: number | readonly number[];
  /** The axes of input, kernel and output, as of a convolution; O stands for what is taken here,
   * and I for what is made. */
  layout?: readonly [input: string, kernel: string, output: string];
}

/** A number for all axes, or a list; null where it was left out. */
type Several = number | readonly number[] | null;

const CONV = {
  stride: null as Several,
  padding: "valid" as WindowPadding,
  dilation: null as Several,
  inputDilation: null as Several,
  groups: 1,
  batchGroups: 1,
  layout: null as ConvOptions["layout"] | null,
};

const TRANSPOSE = {
  stride: null as Several,
  padding: "valid" as WindowPadding,
  dilation: null as Several,
  groups: 1,
  outputPadding: null as Several,
  layout: null as ConvOptions["layout"] | null,
};

/** A number for each of so many axes, from one for all or a list; without either the least. */
function each(op: string, what: string, value: unknown, count: number, least: number): number[] {
  if (!isArray(value)) return Array.from({ length: count }, () => countOf(op, what, value ?? least, least));
  if (value.length !== count) throw new ShapeError(op, `${what}: ${value.length} numbers for ${count} axes`);
  return Array.from(value, (one) => countOf(op, what, one, least));
}

const NAMED = ["valid", "same", "sameLower"];
const ANY = -(2 ** 30);

/** Padding as the core takes it: its number, and where it is a list, before and after each axis. */
function putPadding(call: Call, padding: unknown, count: number): void {
  const named = NAMED.indexOf(padding as string);
  if (named >= 0) {
    call.put(named);
    return;
  }
  if (typeof padding === "string") throw new ValueError(call.op, `padding is a number, a list or one of ${NAMED.join(", ")}, got ${shown(padding)}`);
  const list = isArray(padding) ? Array.from(padding) : Array.from({ length: count }, () => padding);
  if (list.length !== count) throw new ShapeError(call.op, `padding: ${list.length} entries for ${count} axes`);
  call.put(3);
  for (const entry of list) {
    const pair = isArray(entry) ? Array.from(entry) : [entry, entry];
    if (pair.length !== 2) throw new ShapeError(call.op, `padding of an axis is a number or a pair, got ${pair.length} numbers`);
    call.put(...pair.map((one) => countOf(call.op, "padding", one, ANY)));
  }
}

/** Letters of spatial axes that nobody named. */
const LETTERS = "XYZUVWABDEFG";

/** Where in each of the three tensors the two axes that are not spatial are, and then the spatial
 * ones in the kernel's order, as JAX has it. */
function putLayout(call: Call, layout: ConvOptions["layout"] | null, count: number): void {
  const op = call.op;
  const spatial = LETTERS.slice(0, count);
  const given = layout === null ? [`NC${spatial}`, `OI${spatial}`, `NC${spatial}`] : listOf(op, "a layout: the axes of input, kernel and output", layout);
  if (given.length !== 3) throw new ShapeError(op, `a layout is three texts, got ${given.length}`);
  const texts = Array.from(given, (text) => Array.from(textOf(op, "a layout", text)));
  const along = (texts[1] as string[]).filter((letter) => letter !== "O" && letter !== "I");
  for (const [place, letters] of texts.entries()) {
    const wanted = [...(place === 1 ? ["O", "I"] : ["N", "C"]), ...along];
    const places = wanted.map((letter) => letters.indexOf(letter));
    if (letters.length !== count + 2 || wanted.length !== count + 2 || places.includes(-1) || new Set(letters).size !== letters.length) {
      throw new ShapeError(op, `the layout ${shown(letters.join(""))} does not name ${count + 2} axes as ${shown(wanted.join(""))} does`);
    }
    call.put(...places);
  }
}

/** Puts what stands in one place of a call as a list: its length is known when all of it is
 * there. */
function listed(call: Call, fill: () => void): void {
  const start = call.numbers.length;
  call.put(0);
  fill();
  call.numbers[start] = call.numbers.length - start - 1;
}

/** How many spatial axes a tensor has that stands first in a call. */
function spatialOf(call: Call, x: Operand): number {
  const { length } = shapeOf(x, call);
  if (length < 2) throw new ShapeError(call.op, `the input has ${length} axes: it needs two and those that the kernel slides along`);
  return length - 2;
}

const convolved = register("conv");

/**
 * The convolution of `x` with a kernel, which is not flipped, in as many dimensions as `x` has axes
 * besides its batch and its features: [batch, features, …] with [features made, features taken, …]
 * to [batch, features made, …], or with axes in the order that `layout` names. Nothing of the
 * windows' size is stored. Throws `ShapeError` where axes or features do not fit.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * conv([[[1, 2, 3, 4]]], [[[1, 0, -1]]]); // [[[-2,-2]]]
 * conv(ones([8, 32, 32, 3]), ones([3, 3, 3, 16]), { padding: "same", layout: ["NHWC", "HWIO", "NHWC"] }).shape; // [8,32,32,16]
 */
export function conv(x: Operand, kernel: Operand, options: ConvOptions = {}): Tensor {
  noMore("conv", arguments, 3);
  return sliding(convolved, x, kernel, optionsOf("conv", options, CONV), null);
}

const transposedConv = register("convTranspose");

/**
 * The transposed convolution, as PyTorch has it: the gradient of a convolution with this kernel by
 * its input. [batch, features taken, …] with [features taken, features made, …] to [batch, features
 * made, …]. Throws `ShapeError` where axes or features do not fit.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * convTranspose([[[1, 2]]], [[[1, 1, 1]]], { stride: 2 }); // [[[1,1,3,2,2]]]
 */
export function convTranspose(x: Operand, kernel: Operand, options: ConvTransposeOptions = {}): Tensor {
  noMore("convTranspose", arguments, 3);
  const { outputPadding, ...rest } = optionsOf("convTranspose", options, TRANSPOSE);
  return sliding(transposedConv, x, kernel, { ...CONV, ...rest }, outputPadding ?? 0);
}

function sliding(opcode: OpCode, x: Operand, kernel: Operand, options: typeof CONV, extra: Several): Tensor {
  return invoke(opcode, (call) => {
    const count = spatialOf(call.tensor(x), x);
    call.tensor(kernel);
    listed(call, () => {
      call.put(count, countOf(call.op, "groups", options.groups, 1), countOf(call.op, "batchGroups", options.batchGroups, 1));
      for (const what of ["stride", "inputDilation", "dilation"] as const) call.put(...each(call.op, what, options[what], count, 1));
      putLayout(call, options.layout, count);
      putPadding(call, options.padding, count);
      if (extra !== null) call.put(...each(call.op, "outputPadding", extra, count, 0));
    });
  });
}

/**
 * How windows slide over the last axes of a tensor; a number stands for all of these.
 *
 * @example
 * const options: WindowOptions = { stride: 1, padding: "same" };
 * reduceWindow([1, 5, 2], "max", [2], options); // [5,5,2]
 */
export interface WindowOptions {
  /** From one window to the next; by default as far as a window is wide. */
  stride?: number | readonly number[] | null;
  /** What lies beyond the ends, which changes no result; nothing by default. */
  padding?: WindowPadding;
  /** From one element of a window to the next; 1 by default. */
  dilation?: number | readonly number[];
  /** Whether a last window that reaches past the end is one too; false by default. */
  ceil?: boolean;
}

const WINDOW = {
  stride: null as Several,
  padding: "valid" as WindowPadding,
  dilation: null as Several,
  ceil: false,
};

const REDUCTIONS = ["sum", "prod", "max", "min"] as const;
const reduced = register("reduceWindow");

/** Puts windows over the last axes: the others have windows of one. */
function putWindows(call: Call, x: Operand, window: unknown, options: typeof WINDOW): void {
  const { length } = shapeOf(x, call);
  const op = call.op;
  const sizes = listOf(op, "the extents of a window", window);
  if (sizes.length > length) throw new ShapeError(op, `a window of ${sizes.length} axes over a tensor of ${length}`);
  const rest = Array.from({ length: length - sizes.length }, () => 1);
  const extents = Array.from(sizes, (size) => countOf(op, "the extent of a window", size, 1));
  const stride = options.stride === null ? extents : each(op, "stride", options.stride, sizes.length, 1);
  const dilation = each(op, "dilation", options.dilation, sizes.length, 1);
  listed(call, () => {
    call.put(length, ...rest, ...extents, ...rest, ...stride, ...rest, ...dilation, Number(options.ceil));
    const whole = isArray(options.padding) || typeof options.padding === "number";
    const list = isArray(options.padding) ? options.padding : Array.from(sizes, () => options.padding);
    if (whole && list.length !== sizes.length) throw new ShapeError(op, `padding: ${list.length} entries for ${sizes.length} axes`);
    putPadding(call, whole ? [...rest.map(() => 0), ...list] : options.padding, length);
  });
}

/**
 * Windows over the last axes, each reduced to one element: `"sum"`, `"prod"`, `"max"` or `"min"`.
 * Equal elements of a maximum share its gradient.
 *
 * Takes any dtype; gives the same. Differentiable; `vmap` batches it.
 *
 * @example
 * reduceWindow([1, 2, 3, 4], "sum", [3], { stride: 1 }); // [6,9]
 * reduceWindow([[1, 2], [3, 4]], "max", [2, 2]); // [[4]]
 */
export function reduceWindow(x: Operand, reduction: (typeof REDUCTIONS)[number], window: readonly number[], options: WindowOptions = {}): Tensor {
  const op = "reduceWindow";
  noMore(op, arguments, 4);
  const code = REDUCTIONS.indexOf(reduction);
  if (code < 0) throw new ValueError(op, `a reduction is one of ${REDUCTIONS.join(", ")}, got ${shown(reduction)}`);
  const read = optionsOf(op, options, WINDOW);
  return invoke(reduced, (call) => putWindows(call.tensor(x).put(code), x, window, read));
}

/**
 * How windows are averaged.
 *
 * @example
 * const options: AverageOptions = { stride: 1, padding: 1, countPadding: false };
 * averageWindow([2, 4], [3], options); // [3,3]
 */
export interface AverageOptions extends WindowOptions {
  /** Whether what lies beyond the ends counts as zeros; true by default, as in PyTorch. */
  countPadding?: boolean;
}

const averaged = register("averageWindow");

/**
 * The mean of each window over the last axes.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * averageWindow([1, 2, 3, 4], [2]); // [1.5,3.5]
 */
export function averageWindow(x: Operand, window: readonly number[], options: AverageOptions = {}): Tensor {
  noMore("averageWindow", arguments, 3);
  const { countPadding, ...read } = optionsOf("averageWindow", options, { ...WINDOW, countPadding: true });
  return invoke(averaged, (call) => putWindows(call.tensor(x).put(Number(countPadding)), x, window, read));
}
