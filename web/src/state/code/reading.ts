// Results of reading a cell: the code that runs in its place, and its names. The code that reads
// (`read.ts`) holds a parser, half as large as the rest of the page's script, so it is fetched with
// the first cell that runs. The greeting was read by the build.

import { Rewritten } from "./edits";
import type { PackedRewritten, Position } from "./edits";

/** Where a function is in a cell's source and in the code that runs, from and to: kernels read the
 * source. */
export interface FunctionText {
  readonly source: readonly [number, number];
  readonly code: readonly [number, number];
}

/** Names that a cell defines and uses; see `names.ts`. */
export interface Names {
  readonly defines: ReadonlySet<string>;
  readonly reads: ReadonlySet<string>;
  /**
   * Names, its own among them, that it mentions besides declaring them: where one of these has
   * another value, the cell would show something else. What `animate` calls at every frame takes
   * them as they are then, and is left out.
   */
  readonly uses: ReadonlySet<string>;
}

export const NO_NAMES: Names = { defines: new Set(), reads: new Set(), uses: new Set() };

export interface Reading {
  readonly ok: true;
  readonly rewritten: Rewritten;
  /** Every name that the cell gives the notebook, and those of them that are unbound before it
   * runs. */
  readonly declared: readonly string[];
  readonly redeclared: readonly string[];
  /** Functions whose text is not the reader's any more. */
  readonly functions: readonly FunctionText[];
  readonly names: Names;
  /** Whether the cell needs the entry of kernels. */
  readonly kernels: boolean;
}

/** A cell that cannot run as it is written. */
export interface Unreadable {
  readonly ok: false;
  readonly name: string;
  readonly message: string;
  /** Null where no place is to blame. */
  readonly at: Position | null;
}

/** Reads a cell; `operators` says whether they act on tensors. */
export type ReadCell = (source: string, operators: boolean) => Reading | Unreadable;

/** A cell where what reads cells did not come. */
export const UNREAD: Unreadable = { ok: false, name: "Error", message: "A part of this page could not be loaded. Check the connection and run the cell again.", at: null };

/** Reads cells once what reads them is there. */
export class CellReader {
  private readCell: ReadCell | null = null;
  private coming: Promise<void> | null = null;

  /** `known` finds what was read before, by a cell's text. */
  constructor(
    private readonly fetchRead: () => Promise<ReadCell>,
    private readonly known: (...cell: Parameters<ReadCell>) => Reading | Unreadable | null = () => null,
  ) {}

  /** Null where what reads is not there yet. */
  read(source: string, operators: boolean): Reading | Unreadable | null {
    return this.known(source, operators) ?? this.readCell?.(source, operators) ?? null;
  }

  /** Fetches what reads; rejected where it does not come. Who asks after that tries again. */
  fetch(): Promise<void> {
    this.coming ??= this.fetchRead().then((read) => void (this.readCell = read)).finally(() => (this.coming = null));
    return this.coming;
  }
}

/** A reading as JSON. */
export interface PackedReading {
  readonly rewritten: PackedRewritten;
  readonly lists: readonly (readonly string[])[];
  readonly functions: readonly FunctionText[];
  readonly kernels: boolean;
}

export function packReading({ rewritten, declared, redeclared, functions, names, kernels }: Reading): PackedReading {
  return { rewritten: rewritten.pack(), lists: [declared, redeclared, ...[names.defines, names.reads, names.uses].map((set) => [...set])], functions, kernels };
}

export function unpackReading(source: string, { rewritten, lists, functions, kernels }: PackedReading): Reading {
  const [declared = [], redeclared = [], defines, reads, uses] = lists;
  const names = { defines: new Set(defines), reads: new Set(reads), uses: new Set(uses) };
  return { ok: true, rewritten: Rewritten.unpack(source, rewritten), declared, redeclared, functions, names, kernels };
}
