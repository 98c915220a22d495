// Reports of a kernel's calls on their way to the console: the outputs of a report, read, become
// lines, and an error for an assertion that failed or a NaN.

import type { Tensor } from "../index.js";
import { errorAt, type KernelError } from "./errors.js";
import { valueOf } from "./ir.js";
import { REPORT_WORDS, type Shown, type Site } from "./lower/reports.js";

/**
 * What a call of a kernel reports: the lines that it printed, and the first assertion that failed,
 * or NaN.
 *
 * @example
 * const quiet = kernelIn(() => undefined, (report: Promise<KernelReport>) => void report.then(({ lines }) => lines.length));
 * quiet((x, i) => { print(i); return x.at(i); })([1]); // [1]
 */
export interface KernelReport {
  readonly lines: readonly string[];
  readonly error: KernelError | null;
}

/** Shows the report of a call. */
export type Settle = (report: Promise<KernelReport>) => void;

/** Lines that are shown of one call. */
const MOST_LINES = 200;
/** Calls whose reports may be on their way; those of further calls are left out. */
const MOST_CALLS = 16;

/** The report of a call over a grid, by the values of its outputs. */
export function reportOf(op: string, sites: readonly Site[], grid: readonly number[], [first, count, used, words]: readonly ArrayLike<number>[]): KernelReport {
  const called = (number: number) => `${op}[${placeOf(number, grid).join(", ")}]`;
  const end = Math.min(Number(used?.[0]), REPORT_WORDS);
  const found: { readonly number: number; readonly text: string }[] = [];
  for (let at = 0; at < end; ) {
    const site = sites[words?.[at] as number] as Site;
    const shown = site.groups.flat();
    const length = 2 + shown.reduce((sum, each) => sum + wordsOf(each), 0);
    if (at + length > end) break;
    const number = words?.[at + 1] as number;
    const reader = new Words(words as ArrayLike<number>, at + 2);
    found.push({ number, text: `${called(number)}: ${site.groups.map((group) => group.map((each) => reader.text(each)).join("")).join(" ")}` });
    at += length;
  }
  // Lines of one invocation are in order already.
  found.sort((a, b) => a.number - b.number);
  const lines = found.slice(0, MOST_LINES).map(({ text }) => text);
  const total = sites.reduce((sum, { kind }, n) => sum + (kind === "print" ? Number(count?.[n]) : 0), 0);
  if (total > lines.length) lines.push(`… and ${total - lines.length} more lines of ${op}`);
  return { lines, error: failureOf(op, sites, grid, first as ArrayLike<number>, count as ArrayLike<number>) };
}

/** The first assertion that failed, or the first NaN: of the least invocation, and in it of the
 * earliest site. */
function failureOf(op: string, sites: readonly Site[], grid: readonly number[], first: ArrayLike<number>, count: ArrayLike<number>): KernelError | null {
  let least = -1;
  sites.forEach(({ kind }, n) => {
    if (kind !== "print" && Number(count[n]) > 0 && (least < 0 || Number(first[n]) < Number(first[least]))) least = n;
  });
  const site = sites[least];
  if (!site) return null;
  const more = Number(count[least]) - 1;
  const others = more > 0 ? ` (and ${more} more time${more === 1 ? "" : "s"})` : "";
  const place = `[${placeOf(first[least] as number, grid).join(", ")}]`;
  const what = site.kind === "assert" ? `assertion failed at ${place}${others}: ${site.text}` : `the first NaN is made here, at ${place}${others}`;
  return errorAt({ ...site.source, op }, site.at, what);
}

function placeOf(number: number, grid: readonly number[]): number[] {
  const place: number[] = [];
  let rest = number;
  for (const extent of grid.toReversed()) {
    place.unshift(rest % extent);
    rest = Math.floor(rest / extent);
  }
  return place;
}

function wordsOf(shown: Shown): number {
  return shown.is === "text" ? 0 : shown.is === "number" ? 1 : shown.items.reduce((sum, item) => sum + wordsOf(item), 0);
}

class Words {
  constructor(
    readonly words: ArrayLike<number>,
    private at: number,
  ) {}

  text(shown: Shown): string {
    switch (shown.is) {
      case "text":
        return shown.text;
      case "number": {
        const value = valueOf(shown.dtype, this.words[this.at++] as number);
        return shown.dtype === "f32" ? floatText(value) : shown.dtype === "bool" ? String(value !== 0) : String(value);
      }
      case "list": {
        const items = shown.items.map((item, n) => `${shown.keys ? `${shown.keys[n]}: ` : ""}${this.text(item)}`).join(", ");
        return shown.keys ? `{ ${items} }` : `[${items}]`;
      }
    }
  }
}

/** The shortest decimal that is this f32. */
function floatText(value: number): string {
  if (Object.is(value, -0)) return "-0";
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(value);
}

/** The reports of one kernel, one after the other. */
export class Reporter {
  #waiting = 0;
  #omitted = 0;
  #latest: Promise<unknown> = Promise.resolve();
  #failure: unknown = null;

  constructor(
    readonly op: string,
    readonly settle: Settle,
  ) {}

  /** Reads the outputs of a call's report, which no scope frees, and shows it. Takes the tensors
   * over. */
  take(sites: readonly Site[], grid: readonly number[], tensors: readonly Tensor[]): void {
    if (this.#waiting === MOST_CALLS) {
      // What nobody holds is not computed.
      for (const tensor of tensors) tensor.dispose();
      this.#omitted++;
      return;
    }
    this.#waiting++;
    const previous = this.#latest;
    const read = async () => {
      // A call that comes meanwhile is flushed together with this.
      await previous;
      try {
        return await Promise.all(tensors.map((tensor) => tensor.data()));
      } finally {
        for (const tensor of tensors) tensor.dispose();
        this.#waiting--;
      }
    };
    const report = read().then((data) => {
      const { lines, error } = reportOf(this.op, sites, grid, data);
      const omitted = this.#omitted > 0 ? [`… and ${this.#omitted} more call${this.#omitted === 1 ? "" : "s"} of ${this.op}, too many to report`] : [];
      this.#omitted = 0;
      return { lines: [...lines, ...omitted], error };
    });
    this.settle(report);
    this.#latest = report.then(({ error }) => (this.#failure ??= error), (error: unknown) => (this.#failure ??= error));
  }

  /** Waits for the reports of calls so far; throws the first failure since this was last asked. */
  async checked(): Promise<void> {
    await this.#latest;
    const failure = this.#failure;
    this.#failure = null;
    if (failure) throw failure;
  }
}

/** Shows reports in the console. */
export const toConsole: Settle = (report) => {
  report.then(
    ({ lines, error }) => {
      for (const line of lines) console.log(line);
      if (error) console.error(error.message);
    },
    (error: unknown) => console.error(error),
  );
};
