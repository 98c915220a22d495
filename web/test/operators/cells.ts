// Runs cells as the worker does, one after another in one global scope, with operators or without.
import { transformCell } from "../../src/state/code/transform";
import { operators } from "../../src/worker/run/operators";

const AsyncFunction = (async () => {}).constructor as new (code: string) => () => Promise<void>;
const scope = globalThis as unknown as Record<string, unknown>;

/** The value of the last cell; rejects with what a cell throws. */
export async function runCells(cells: readonly string[], options: { operators: boolean }): Promise<unknown> {
  let value: unknown;
  scope.$weft = {
    ...operators,
    hoist: (functions: Record<string, unknown>) => Object.assign(globalThis, functions),
    constant: () => undefined,
    last: (shown: unknown) => (value = shown),
    made: (made: unknown) => made,
    check: () => undefined,
    control: (_: string, make: unknown) => make,
  };
  for (const source of cells) {
    const { rewritten, redeclared } = transformCell(source, options);
    for (const name of redeclared) delete scope[name];
    value = undefined;
    await new AsyncFunction(`"use strict";${rewritten.code}`)();
  }
  return value;
}
