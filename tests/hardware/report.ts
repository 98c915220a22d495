// Counts and failures of a run.

import { writeFileSync } from "node:fs";
import type { Options } from "./options.js";
import type { Outcome, Part } from "./parts.js";

interface Counts {
  items: number;
  same: number;
  undecided: number;
  different: number;
  seconds: number;
}

/** Milliseconds between two lines that tell how far a run is. */
const PACE = 10_000;

export class Report {
  adapter = "";
  readonly counts: Partial<Record<Part, Counts>> = {};
  readonly failures: Outcome[] = [];
  readonly #start = performance.now();
  #reported = 0;

  constructor(readonly options: Options) {}

  /** Announces the items of a part. */
  expect(part: Part, items: number): void {
    this.counts[part] = { items, same: 0, undecided: 0, different: 0, seconds: 0 };
  }

  add(outcome: Outcome): void {
    const counts = this.counts[outcome.part] as Counts;
    counts[outcome.verdict] += 1;
    counts.seconds = Math.round((performance.now() - this.#start) / 100) / 10;
    if (outcome.verdict === "different") {
      this.failures.push(outcome);
      console.log(shown(outcome));
    }
    if (performance.now() - this.#reported > PACE) {
      this.#reported = performance.now();
      this.save();
      console.error(`${counts.seconds} s: ${Object.keys(this.counts).map((part) => this.#line(part as Part)).join("; ")}`);
    }
  }

  /** Writes the report where `--json` says. A run may be given less time than it takes. */
  save(): void {
    if (this.options.json) writeFileSync(this.options.json, JSON.stringify(this, null, 1));
  }

  #line(part: Part): string {
    const { items, same, undecided, different } = this.counts[part] as Counts;
    return `${part} ${same + undecided + different}/${items}${different > 0 ? `, ${different} wrong` : ""}`;
  }

  /** A table of all parts. */
  summary(): string {
    const rows = Object.entries(this.counts).map(([part, { same, undecided, different, seconds }]) => [part, same, undecided, different, seconds].map(String));
    const all = [["part", "same", "undecided", "different", "done after s"], ...rows];
    const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => (row[column] as string).length)));
    const line = (row: readonly string[]) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number))).join("  ");
    return [`adapter: ${this.adapter}`, `seed ${this.options.seed}`, ...all.map(line)].join("\n");
  }
}

/** A failure with what reproduces it. */
function shown({ part, name, wrong, text, item }: Outcome): string {
  const again = part === "conformance" || part === "identities" ? `--only ${part}` : `--only ${part} --seed ${Math.max(0, item)} --count 1`;
  const lines = wrong.length > 6 ? [...wrong.slice(0, 6), `… and ${wrong.length - 6} more`] : wrong;
  return [`DIFFERENT ${part}, ${name} (again: ${again})`, ...lines.map((line) => `  ${line}`), ...(text ? [text.split("\n").map((line) => `    ${line.slice(0, 2000)}`).join("\n")] : [])].join("\n");
}
