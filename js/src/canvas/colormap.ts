// Colormaps for drawing on the CPU. `shaders/image.wgsl` has the same functions for the GPU.

/**
 * How numbers of a single channel become colours: black to white; dark violet through green to
 * yellow; blue through gray to red.
 *
 * @example
 * const colours: canvas.Colormap = "viridis";
 */
export type Colormap = "gray" | "viridis" | "diverging";

/** Their names. */
export const colormaps: readonly Colormap[] = ["gray", "viridis", "diverging"];

type Rgb = readonly [number, number, number];

/** Matt Zucker's polynomial fit to matplotlib's viridis, by rising powers. */
const VIRIDIS: readonly Rgb[] = [
  [0.2777273, 0.0054073, 0.3340998],
  [0.105093, 1.4046135, 1.3845902],
  [-0.3308618, 0.2148476, 0.0950952],
  [-4.6342305, -5.7991010, -19.332441],
  [6.2282699, 14.1799334, 56.6905526],
  [4.7763850, -13.745145, -65.3530326],
  [-5.4354559, 4.6458526, 26.3124352],
];

/** Ends and middle of Moreland's "cool to warm". */
const COOL: Rgb = [0.23, 0.299, 0.754];
const MIDDLE: Rgb = [0.865, 0.865, 0.865];
const WARM: Rgb = [0.706, 0.016, 0.15];

/** The colour, each part in [0, 1], of `t` in [0, 1]. */
export function colour(colormap: Colormap, t: number): Rgb {
  switch (colormap) {
    case "gray":
      return [t, t, t];
    case "viridis":
      return each((channel) => VIRIDIS.reduceRight((sum, power) => sum * t + power[channel], 0));
    case "diverging":
      return t < 0.5 ? mix(COOL, MIDDLE, 2 * t) : mix(MIDDLE, WARM, 2 * t - 1);
  }
}

function mix(a: Rgb, b: Rgb, t: number): Rgb {
  return each((channel) => a[channel] + (b[channel] - a[channel]) * t);
}

function each(part: (channel: 0 | 1 | 2) => number): Rgb {
  return [part(0), part(1), part(2)];
}
