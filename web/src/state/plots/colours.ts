// Colours of plots, in the light and in the dark. Series differ for readers who see no red, no
// green or no blue: 9 units apart in OKLab, a hundredth each, under each simulation (Machado,
// Oliveira and Fernandes 2009), which a test checks. Values are shown by viridis, whose steps are
// equally large to the eye.

import type { ColormapName } from "../../protocol/plots";

export type Theme = "light" | "dark";

export interface Inks {
  readonly paper: string;
  readonly ink: string;
  readonly soft: string;
  readonly faint: string;
  readonly line: string;
  readonly strong: string;
  readonly series: readonly string[];
}

/** The page's colours, as `page.css` has them; a test compares. */
export const INKS: Readonly<Record<Theme, Inks>> = {
  light: {
    paper: "#f7f4ec", ink: "#24211c", soft: "#5b554a", faint: "#736c5f", line: "#e5dfd1", strong: "#cfc7b5",
    series: ["#3b4a8f", "#a8492f", "#b27804", "#129e90", "#6d1e45", "#3f76ab"],
  },
  dark: {
    paper: "#14151a", ink: "#ebe6da", soft: "#b5afa1", faint: "#918b7e", line: "#2c2f39", strong: "#434753",
    series: ["#9dadf0", "#e8703a", "#fac53a", "#a0ecd5", "#b9608b", "#1f8ae0"],
  },
};

/** A few colours of each map, from low to high. */
export const RAMPS: Readonly<Record<ColormapName, readonly string[]>> = {
  gray: ["#000000", "#ffffff"],
  viridis: ["#440154", "#482878", "#3e4a89", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"],
  diverging: ["#3b4cc0", "#dddddd", "#b40426"],
};

type Rgb = readonly [number, number, number];
export const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const hexOf = (rgb: readonly number[]) => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

export const mix = (a: string, b: string, share: number): string => hexOf(rgbOf(a).map((part, i) => part + (rgbOf(b)[i]! - part) * share));

/** The colour of a share from 0 to 1. */
export function rampColour(name: ColormapName, share: number): string {
  const stops = RAMPS[name];
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  return mix(stops[low]!, stops[low + 1]!, at - low);
}

/** The colours of a scale, from low to high. */
export const rampColours = (name: ColormapName, count: number): string[] => Array.from({ length: count }, (_, i) => rampColour(name, count === 1 ? 0.5 : i / (count - 1)));

/** The colours of a count, from few to many: a series' own, on its paper. */
export const densityColours = ({ paper, series, ink }: Inks, colour: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const share = i / (count - 1);
    const own = series[colour % series.length]!;
    return share < 0.7 ? mix(paper, own, 0.3 + share) : mix(own, ink, (share - 0.7) * 1.6);
  });
