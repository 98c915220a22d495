// Facts of a program in the inspector: its kernels with the lines that they come from, and the
// times of dispatches.

import type { InspectedDispatch, InspectedProgram, InspectedRuns, Sites } from "../../protocol/inspection";

/** The bits of a site: of the derivative of what was asked for there; of a single call rather than
 * of a whole run; its number. */
const OF_GRADIENT = 2 ** 31;
const CALL_SITE = 2 ** 30;

/** Where something was asked for: a place in a cell, or only its run. */
export type Origin = { readonly run: number; readonly line: number; readonly column: number; readonly gradient: boolean } | { readonly run: number; readonly line: null; readonly gradient: boolean };

/** Null where nobody knows. */
export function originOf(site: number, sites: Sites): Origin | null {
  const gradient = site >= OF_GRADIENT;
  const rest = gradient ? site - OF_GRADIENT : site;
  if (rest < CALL_SITE) return rest === 0 ? null : { run: rest, line: null, gradient };
  const found = sites[rest - CALL_SITE];
  if (!found || found[0] === 0) return null;
  return { run: found[0], line: found[1], column: found[2], gradient };
}

/** The call sites of what a kernel computes, each once, in the order of the program. */
export function sitesOfKernel({ stages }: InspectedProgram, kernel: number): number[] {
  const found = new Set<number>();
  for (const dispatch of stages.dispatches) {
    if (dispatch.kernel !== kernel) continue;
    const part = stages.parts[dispatch.part];
    for (const id of part?.clusters[dispatch.cluster]?.computes ?? []) {
      const site = part?.nodes[id]?.site ?? 0;
      if ((site >= OF_GRADIENT ? site - OF_GRADIENT : site) >= CALL_SITE) found.add(site);
    }
  }
  return [...found];
}

type Run = InspectedRuns["report"]["runs"][number];

/** A dispatch of a run, in nanoseconds from the beginning of the run. */
export interface Span {
  readonly place: number;
  readonly begin: number;
  readonly end: number;
}

export function spansOf(run: Run): Span[] {
  const spans: Span[] = [];
  const first = run.dispatches[1] ?? 0;
  for (let n = 0; n + 2 < run.dispatches.length; n += 3) spans.push({ place: run.dispatches[n]!, begin: run.dispatches[n + 1]! - first, end: run.dispatches[n + 2]! - first });
  return spans;
}

/** What a dispatch took in all of some runs. */
export interface Timed {
  readonly place: number;
  /** How often it ran, and for how long in all. */
  readonly count: number;
  readonly total: number;
}

/** The dispatches of a program's runs, the longest first. */
export function timedDispatches(runs: readonly Run[]): Timed[] {
  const found = new Map<number, { count: number; total: number }>();
  for (const run of runs) {
    for (const { place, begin, end } of spansOf(run)) {
      const known = found.get(place) ?? { count: 0, total: 0 };
      found.set(place, { count: known.count + 1, total: known.total + end - begin });
    }
  }
  return [...found].map(([place, it]) => ({ place, ...it })).sort((a, b) => b.total - a.total);
}

/** What each run of a dispatch does in a second, given how long one takes. */
export function rates(dispatch: InspectedDispatch, nanoseconds: number): { bytes: number; operations: number } {
  const seconds = nanoseconds / 1e9;
  return seconds > 0 ? { bytes: dispatch.bytes / seconds, operations: dispatch.operations / seconds } : { bytes: 0, operations: 0 };
}

/** Whether a text has what was searched for; whatever is written large or small. */
export const matches = (wanted: string, ...texts: readonly string[]): boolean => wanted === "" || texts.some((text) => text.toLowerCase().includes(wanted.toLowerCase()));
