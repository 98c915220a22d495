// Graph capture: a function runs once, on placeholders, and this captures the graph that it builds
// of them.

import { core, coreOf, currentSession } from "../core/wasm/core.js";
import { checkReturned } from "../core/tensor/functions.js";
import { inScope } from "../core/tensor/scope.js";
import { ensureScope } from "../core/wasm/stack.js";
import { Tensor } from "../core/tensor/tensor.js";
import { noteGiven, whileTracing, type Extra, type Switches } from "../core/check/tracing.js";
import { mapTree } from "../core/tensor/tree.js";
import { Parameter } from "./parameter.js";

/** What a function made of placeholders. */
export interface Captured<R> {
  readonly result: R;
  readonly placeholders: readonly Tensor[];
  /** Whether an optimizer stepped. */
  readonly stepped: boolean;
  /** The switches that the function read. */
  readonly switches: Switches;
  readonly extras: readonly Extra[];
}

/** Runs `fn` on placeholders for the tensors and numbers of its arguments, but for those at `fixed`
 * positions, and gives what `end` makes of it. */
export function capture<Args extends unknown[], R, E>(op: string, fn: (...args: Args) => R, args: Args, fixed: ReadonlySet<number>, end: (captured: Captured<R>) => E): E {
  ensureScope();
  core().trace_begin();
  const session = currentSession();
  try {
    return whileTracing(op, (done) =>
      inScope(
        () => {
          const placeholders: Tensor[] = [];
          const place = (handle: number) => {
            const placeholder = Tensor.adopt(handle);
            placeholders.push(placeholder);
            return placeholder;
          };
          const stand = (position: number) => (leaf: unknown) => {
            if (typeof leaf === "number") return noteGiven(place(core().number_placeholder(leaf)), position);
            return leaf instanceof Tensor && !(leaf instanceof Parameter) ? place(core().placeholder(leaf.handle)) : leaf;
          };
          const replaced = args.map((arg, position) => (fixed.has(position) ? arg : mapTree(arg, stand(position), itself))) as Args;
          const result = fn(...replaced);
          checkReturned(op, result);
          const made = end({ result, placeholders, stepped: done.stepped, switches: done.switches, extras: done.extras });
          for (const { tensors } of done.extras) for (const each of tensors) each.dispose();
          return made;
        },
        () => [],
      ),
    );
  } catch (error) {
    coreOf(session)?.trace_abort();
    throw error;
  }
}

/** What is found in a tree and is neither tensor nor tree stays what it is. */
export function itself<T>(value: T): T {
  return value;
}
