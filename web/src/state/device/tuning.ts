// Permission for kernels to race on this reader's GPU while it is idle. They may on a GPU, and not
// on software that imitates one, unless the reader decides otherwise; the page remembers that for
// all notebooks.

import type { Emitter } from "../emitter";
import type { KeyValueStore } from "../notebook/storage";

const KEY = "weft:tuning";

/** The winners of races, as what shows them knows them. */
export interface KnownWinners {
  /** Whether kernels may race; null where the reader has not said. */
  readonly allowed: boolean | null;
  /** How many are known for the device that is open. */
  readonly events: Emitter<number>;
}

export class TuningPreference {
  private chosen: boolean | null;

  constructor(private readonly store: KeyValueStore | null) {
    this.chosen = this.stored();
  }

  /** Null where the reader has not said. */
  get value(): boolean | null {
    return this.chosen;
  }

  choose(allowed: boolean): void {
    this.chosen = allowed;
    try {
      this.store?.setItem(KEY, allowed ? "on" : "off");
    } catch {
      // Not remembered, but done.
    }
  }

  private stored(): boolean | null {
    try {
      const value = this.store?.getItem(KEY);
      return value === "on" || value === "off" ? value === "on" : null;
    } catch {
      return null;
    }
  }
}

/** What a table of winners begins with; its first line is the name that it is kept under. */
const FORM = /^weft-tune \d+ \S+ \d+/;
const MOST_CHARACTERS = 1 << 20;

/** The tables in a text, each with its name; what is none is left out. */
export function tablesIn(text: string): { name: string; text: string }[] {
  if (text.length > 4 * MOST_CHARACTERS) return [];
  const tables = text.split(/^(?=weft-tune )/m).filter((table) => FORM.test(table));
  return tables.map((table) => ({ name: table.split("\n", 1)[0]!.slice(0, 1_000), text: table }));
}

/** How many winners a table has, beside the times that kernels took to compile. */
export const winnersIn = (text: string) => text.split("\n").slice(1).filter((line) => line !== "" && !line.startsWith("compiled ")).length;
