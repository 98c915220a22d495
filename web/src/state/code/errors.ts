// Source locations of errors. It maps stack traces of generated modules to cells, lines and columns
// of the reader's code, and makes the sentence and the trace that the page shows.

import type { ErrorReport, RunId, StackFrame } from "../../protocol/messages";
import type { Rewritten } from "./edits";

export interface CellLocation {
  readonly cell: string;
  readonly line: number;
  readonly column: number;
}

export interface TraceEntry extends CellLocation {
  /** The function's name; empty for the cell's own statements. */
  readonly name: string;
}

/** An error as the page shows it. `location` is null where no cell's code is to blame. */
export interface CellError {
  readonly name: string;
  readonly message: string;
  readonly location: CellLocation | null;
  readonly trace: readonly TraceEntry[];
  /** What the value has whose member is missing. */
  readonly members?: readonly string[];
  /** What to write in the place of a name of another library. */
  readonly hint?: string;
}

/** The frames of a stack that lie in cells, innermost first. Reads V8's, Firefox's and Safari's
 * formats. */
export function parseStack(stack: string): StackFrame[] {
  const frames: StackFrame[] = [];
  for (const line of stack.split("\n")) {
    const found = /cell-(\d+)\.js:(\d+):(\d+)/.exec(line);
    if (!found) continue;
    const name = /^\s*at (?:async )?(?:new )?([^\s(]+) \(/.exec(line)?.[1] ?? /^([^@\s]*)@/.exec(line)?.[1] ?? "";
    frames.push({
      run: Number(found[1]),
      line: Number(found[2]),
      column: Number(found[3]),
      name: readableName(name),
    });
  }
  return frames.slice(0, 100);
}

/** Undoes what the transform does to names: `step$weft`, `globalThis.f`, `Object.f`. */
function readableName(name: string): string {
  if (name === "module code" || name === "eval" || name === "async*" || name.startsWith("data:")) return "";
  return name.replace(/\$weft$/, "").replace(/^(?:globalThis|Object|async\*)\.?/, "").slice(0, 400);
}

export interface KnownRun {
  readonly cell: string;
  readonly rewritten: Rewritten;
}

export function locateError(report: ErrorReport, runs: ReadonlyMap<RunId, KnownRun>): CellError {
  const trace = report.frames.flatMap((frame): TraceEntry[] => {
    const run = runs.get(frame.run);
    if (!run) return [];
    const { line, column } = run.rewritten.toOriginal(frame);
    return [{ cell: run.cell, line, column, name: frame.name }];
  });
  const first = trace[0];
  return {
    name: report.name,
    message: readableMessage(report.message),
    location: first ? { cell: first.cell, line: first.line, column: first.column } : null,
    trace,
    ...(report.members ? { members: report.members } : {}),
    ...(report.hint === undefined ? {} : { hint: report.hint }),
  };
}

/** Messages of engines that can say better what the reader did: assigning to another cell's `const`
 * fails as assigning to a read-only global does. */
const READABLE: readonly [RegExp, (...found: (string | undefined)[]) => string][] = [
  [/^(?:Cannot assign to read only property '([^']+)' of object '.*'|"([^"]+)" is read-only)$/s, (_, v8, firefox) => `Assignment to constant “${v8 ?? firefox}”.`],
  [/^(?:Class constructor (\S+) cannot be invoked without 'new'|Cannot call a class constructor (\S+) without \|new\|)$/, (_, v8, safari) => `${readableName((v8 ?? safari)!)} is a class: write new ${readableName((v8 ?? safari)!)}(…)`],
  // Of an expression that was rewritten, what it is called on is not as the reader wrote it.
  [/^(?=[^]*(?:\(intermediate value\)|\$weft|\$\d))[^]*(\.[\p{L}\p{N}_$]+) is not a (function|constructor)/u, (_, member, what) => `${member} is not a ${what}`],
  [/^(?:class constructors must be invoked with 'new'|Class constructors? +cannot be invoked without 'new'|Cannot call a class constructor without \|new\|)$/, () => "This is a class: write new in front of it."],
];

function readableMessage(message: string): string {
  for (const [pattern, say] of READABLE) if (pattern.test(message)) return message.replace(pattern, say);
  return message;
}
