// Zoom of a plot: which part of its axes is shown, as shares of their scales, so that linear,
// logarithmic and time axes zoom alike. Categories stay whole.

import type { Plot } from "../../protocol/plots";
import { endsOf, scaleOf } from "./scales";

/** From a share of an axis to another one, the whole being from 0 to 1. */
export type Span = readonly [number, number];
export interface View {
  readonly x: Span;
  /** From the bottom to the top. */
  readonly y: Span;
}

export const WHOLE: View = { x: [0, 1], y: [0, 1] };
/** The smallest share: beyond it, places of cells have no pixels. */
const SMALLEST = 1 / 64;

export const isWhole = ({ x, y }: View): boolean => x[1] - x[0] >= 1 && y[1] - y[0] >= 1;

/** A span of that length whose `share` is at a place, within the whole. */
function spanAt(place: number, share: number, length: number): Span {
  const within = Math.min(1, Math.max(SMALLEST, length));
  const low = Math.min(1 - within, Math.max(0, place - share * within));
  return [low, low + within];
}

/** Shows less (`factor` below 1) or more around a point, which stays where it is: shares of what is
 * shown. */
export function zoomAt({ x, y }: View, at: { readonly x: number; readonly y: number }, factor: number): View {
  const zoom = ([low, high]: Span, share: number) => spanAt(low + share * (high - low), share, (high - low) * factor);
  return { x: zoom(x, at.x), y: zoom(y, at.y) };
}

/** Shows a part of what is shown. `equal`: both axes keep their proportion. */
export function zoomTo({ x, y }: View, part: View, equal: boolean): View {
  const lengths = [part.x[1] - part.x[0], part.y[1] - part.y[0]] as const;
  const larger = Math.max(...lengths);
  const zoom = ([low, high]: Span, [from, to]: Span, length: number) => spanAt(low + ((from + to) / 2) * (high - low), 0.5, (high - low) * length);
  return { x: zoom(x, part.x, equal ? larger : lengths[0]), y: zoom(y, part.y, equal ? larger : lengths[1]) };
}

/** Moves what is shown, by shares of it. */
export function pan({ x, y }: View, right: number, up: number): View {
  const move = ([low, high]: Span, by: number) => spanAt(low + by * (high - low), 0, high - low);
  return { x: move(x, right), y: move(y, up) };
}

/** The plot with the ends of what is shown. */
export function zoomed(plot: Plot, view: View): Plot {
  if (isWhole(view)) return plot;
  const axis = (along: "x" | "y") => {
    const of = plot[along];
    const [low, high] = view[along];
    if (of.scale === "categories" || high - low >= 1) return of;
    const scale = scaleOf(of, endsOf(plot, along), 0, 1);
    const ends: [number, number] = [scale.invert(low), scale.invert(high)];
    return ends.every(Number.isFinite) ? { ...of, ends } : of;
  };
  return { ...plot, x: axis("x"), y: axis("y") };
}
