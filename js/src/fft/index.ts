// The namespace `fft`: Fourier transforms along any axes, of real and complex numbers.

import { axisOf, axesOf, countOf, noMore, optionsOf, shown, type Axes } from "../core/check/check.js";
import { register } from "../core/wasm/core.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { ValueError } from "../core/errors.js";
import { Complex } from "../ops/complex.js";
import { maybe, outer } from "../ops/kinds.js";
import { composed } from "../ops/lift.js";
import { invoke, invokeAll, type Call } from "../ops/operation.js";

export * from "../ops/generated/fft.js";

const NORMS = ["backward", "ortho", "forward"] as const;

/**
 * Where a transform is divided by how many numbers it has: in the inverse, by the root in both, or
 * not in the inverse.
 *
 * @example
 * const norm: fft.Norm = "ortho";
 * fft.fft([1, 1, 1, 1], 4, -1, norm).re.round(); // [2,0,0,0]
 */
export type Norm = (typeof NORMS)[number];

const transform = register("fft");
const [FORWARD, INVERSE, REAL, REAL_INVERSE] = [0, 1, 2, 3];

function run(op: string, x: unknown, kind: number, norm: unknown, places: (call: Call) => void): Complex {
  const code = NORMS.indexOf(norm as Norm);
  if (code < 0) throw new ValueError(op, `the norm is one of ${NORMS.join(", ")}, got ${shown(norm)}`);
  return composed(op, () => {
    const [re, im] = invokeAll({ ...transform, name: op }, (call) => {
      if (x instanceof Complex) call.tensor(x.re).tensor(x.im);
      else call.tensor(x).put(0);
      places(call);
      call.put(kind, code);
    });
    return new Complex(re as Tensor, im as Tensor);
  });
}

/** Along one axis, of a length or its own. */
const one = (n: unknown, axis: unknown) => (call: Call): void => {
  call.list([axisOf(call.op, axis)]);
  if (n === undefined || n === null) call.put(-1);
  else call.list([countOf(call.op, "the length", n)]);
};

/** Along several axes, or all. */
const many = (shape: unknown, axes: unknown) => (call: Call): void => {
  const along = axesOf(call.op, axes);
  if (along) call.list(along);
  else call.put(-1);
  outer(call, shape);
};

function real(op: string, x: unknown, norm: unknown, places: (call: Call) => void): Tensor {
  const made = run(op, x, REAL_INVERSE, norm, places);
  made.im.dispose();
  return made.re;
}

/**
 * The Fourier transform along an axis, cut or continued with zeros to n numbers. Throws
 * `AxisError`, and `ValueError` for no numbers.
 *
 * Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
 *
 * @example
 * fft.fft([1, 0, 0, 0]).re; // [1,1,1,1]
 */
export function fft(x: Complex | Operand, n?: number | null, axis = -1, norm: Norm = "backward"): Complex {
  noMore("fft.fft", [...arguments], 4);
  return run("fft.fft", x, FORWARD, norm, one(n, axis));
}

/**
 * The inverse of `fft.fft`.
 *
 * Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
 *
 * @example
 * fft.ifft(fft.fft([1, 2, 3])).re.round(); // [1,2,3]
 */
export function ifft(x: Complex | Operand, n?: number | null, axis = -1, norm: Norm = "backward"): Complex {
  noMore("fft.ifft", [...arguments], 4);
  return run("fft.ifft", x, INVERSE, norm, one(n, axis));
}

/**
 * The first half of the frequencies of real numbers, ⌊n/2⌋ + 1 of them; the others are their
 * conjugates.
 *
 * Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
 *
 * @example
 * fft.rfft([1, 1, 1, 1]).re.round(); // [4,0,0]
 */
export function rfft(x: Operand, n?: number | null, axis = -1, norm: Norm = "backward"): Complex {
  noMore("fft.rfft", [...arguments], 4);
  return run("fft.rfft", x, REAL, norm, one(n, axis));
}

/**
 * The inverse of `fft.rfft`: n real numbers, 2(m − 1) for m frequencies by default.
 *
 * Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
 *
 * @example
 * fft.irfft(fft.rfft([1, 2, 3, 4])).round(); // [1,2,3,4]
 */
export function irfft(x: Complex | Operand, n?: number | null, axis = -1, norm: Norm = "backward"): Tensor {
  noMore("fft.irfft", [...arguments], 4);
  return real("fft.irfft", x, norm, one(n, axis));
}

/**
 * The Fourier transform along several axes, or all, cut or continued with zeros to `shape`.
 *
 * Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
 *
 * @example
 * fft.fftn([[1, 0], [0, 0]]).re; // [[1,1],[1,1]]
 */
export function fftn(x: Complex | Operand, shape?: readonly number[], axes?: Axes, norm: Norm = "backward"): Complex {
  noMore("fft.fftn", [...arguments], 4);
  return run("fft.fftn", x, FORWARD, norm, many(shape, axes));
}

/**
 * The inverse of `fft.fftn`.
 *
 * Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
 *
 * @example
 * fft.ifftn(fft.fftn([[1, 2], [3, 4]])).re.round(); // [[1,2],[3,4]]
 */
export function ifftn(x: Complex | Operand, shape?: readonly number[], axes?: Axes, norm: Norm = "backward"): Complex {
  noMore("fft.ifftn", [...arguments], 4);
  return run("fft.ifftn", x, INVERSE, norm, many(shape, axes));
}

/**
 * The frequencies of real numbers along several axes, or all, of the last of them the first half.
 *
 * Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
 *
 * @example
 * fft.rfftn([[1, 0], [0, 0]]).re; // [[1,1],[1,1]]
 */
export function rfftn(x: Operand, shape?: readonly number[], axes?: Axes, norm: Norm = "backward"): Complex {
  noMore("fft.rfftn", [...arguments], 4);
  return run("fft.rfftn", x, REAL, norm, many(shape, axes));
}

/**
 * The inverse of `fft.rfftn`.
 *
 * Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
 *
 * @example
 * fft.irfftn(fft.rfftn([[1, 2], [3, 4]])).round(); // [[1,2],[3,4]]
 */
export function irfftn(x: Complex | Operand, shape?: readonly number[], axes?: Axes, norm: Norm = "backward"): Tensor {
  noMore("fft.irfftn", [...arguments], 4);
  return real("fft.irfftn", x, norm, many(shape, axes));
}

/**
 * `fft.fftn` along the last two axes.
 *
 * @example
 * fft.fft2([[1, 0], [0, 0]]).re; // [[1,1],[1,1]]
 */
export function fft2(x: Complex | Operand, shape?: readonly number[], axes: Axes = [-2, -1], norm: Norm = "backward"): Complex {
  noMore("fft.fft2", [...arguments], 4);
  return run("fft.fft2", x, FORWARD, norm, many(shape, axes));
}

/**
 * The inverse of `fft.fft2`.
 *
 * @example
 * fft.ifft2(fft.fft2([[1, 2], [3, 4]])).re.round(); // [[1,2],[3,4]]
 */
export function ifft2(x: Complex | Operand, shape?: readonly number[], axes: Axes = [-2, -1], norm: Norm = "backward"): Complex {
  noMore("fft.ifft2", [...arguments], 4);
  return run("fft.ifft2", x, INVERSE, norm, many(shape, axes));
}

/**
 * `fft.rfftn` along the last two axes.
 *
 * @example
 * fft.rfft2([[1, 0], [0, 0]]).re; // [[1,1],[1,1]]
 */
export function rfft2(x: Operand, shape?: readonly number[], axes: Axes = [-2, -1], norm: Norm = "backward"): Complex {
  noMore("fft.rfft2", [...arguments], 4);
  return run("fft.rfft2", x, REAL, norm, many(shape, axes));
}

/**
 * The inverse of `fft.rfft2`.
 *
 * @example
 * fft.irfft2(fft.rfft2([[1, 2], [3, 4]])).round(); // [[1,2],[3,4]]
 */
export function irfft2(x: Complex | Operand, shape?: readonly number[], axes: Axes = [-2, -1], norm: Norm = "backward"): Tensor {
  noMore("fft.irfft2", [...arguments], 4);
  return real("fft.irfft2", x, norm, many(shape, axes));
}

/**
 * The transform of a sequence that is real in frequency: of the first half of a sequence that
 * equals its own conjugate reversed, n real numbers.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * fft.hfft([1, 2, 3]).round(); // [8,-2,0,-2]
 */
export function hfft(x: Complex | Operand, n?: number | null, axis = -1, norm: Norm = "backward"): Tensor {
  noMore("fft.hfft", [...arguments], 4);
  const conjugate = x instanceof Complex ? x.conj() : x;
  try {
    return real("fft.hfft", conjugate, opposite(norm), one(n, axis));
  } finally {
    if (conjugate instanceof Complex) conjugate.dispose();
  }
}

/**
 * The inverse of `fft.hfft`: of real numbers the first half of a sequence that equals its own
 * conjugate reversed.
 *
 * Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
 *
 * @example
 * fft.ihfft([8, -2, 0, -2]).re; // [1,2,3]
 */
export function ihfft(x: Operand, n?: number | null, axis = -1, norm: Norm = "backward"): Complex {
  noMore("fft.ihfft", [...arguments], 4);
  const found = run("fft.ihfft", x, REAL, opposite(norm), one(n, axis));
  try {
    return found.conj();
  } finally {
    found.dispose();
  }
}

/** Where the transform in the other direction is divided. */
function opposite(norm: Norm): Norm {
  return norm === "backward" ? "forward" : norm === "forward" ? "backward" : norm;
}

/**
 * How a signal is cut into segments.
 *
 * @example
 * fft.stft(ones([100]), { length: 20 }).re.shape; // [11,11]
 */
export interface SegmentOptions {
  /** How long a segment is; as the window where there is one, else at most 256. */
  length?: number;
  /** From one segment to the next; half a segment by default. */
  hop?: number;
  /** How many numbers are transformed: a segment, and zeros. None by default. */
  points?: number;
  /** What a segment is multiplied by: Hann's window with a period of the length, by default. */
  window?: Operand | null;
  /** Whether the signal is padded by half a segment of zeros at both ends; true by default. */
  centred?: boolean;
  /** Whether spectra are divided by the sum of the window; true by default. */
  scaled?: boolean;
}

const [segmented, joined] = [register("stft"), register("istft")];

/** The options as the core takes them; 0 for those left out. */
function segments(call: Call, options: SegmentOptions): void {
  const { window, centred, scaled, ...counts } = optionsOf(call.op, options, { length: 0, hop: 0, points: 0, window: null as Operand | null, centred: true, scaled: true });
  maybe(call, window);
  for (const [name, count] of Object.entries(counts)) call.put(countOf(call.op, `the ${name}`, count));
  call.put(Number(centred), Number(scaled));
}

/**
 * Spectra of the segments of a real signal along the last axis, as SciPy's `stft` scales and cuts
 * them: frequencies along the last axis but one, of `fft.rfftfreq`, and moments along the last.
 * Zeros fill the last segment. Throws `ShapeError` for a signal shorter than a segment.
 *
 * Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const wave = arange(64).mul(Math.PI / 4).cos();
 * fft.stft(wave, { length: 16 }).abs().slice(2, 4); // 0.5
 */
export function stft(x: Operand, options: SegmentOptions = {}): Complex {
  const op = "fft.stft";
  noMore(op, [...arguments], 2);
  return composed(op, () => {
    const [re, im] = invokeAll({ ...segmented, name: op }, (call) => segments(call.tensor(x), options));
    return new Complex(re as Tensor, im as Tensor);
  });
}

/**
 * The signal of which `stft` with the same options gives these spectra, with what filled its last
 * segment; of others the nearest that there is.
 *
 * Takes any dtype; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const x = arange(32).sin();
 * fft.istft(fft.stft(x, { length: 8 }), { length: 8 }).sub(x).abs().less(1e-5).all(); // true
 */
export function istft(spectra: Complex, options: SegmentOptions = {}): Tensor {
  const op = "fft.istft";
  noMore(op, [...arguments], 2);
  if (!(spectra instanceof Complex)) throw new ValueError(op, `takes what stft gave, got ${shown(spectra)}`);
  return composed(op, () => invoke({ ...joined, name: op }, (call) => segments(call.tensor(spectra.re).tensor(spectra.im), options)));
}
