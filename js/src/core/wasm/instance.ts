// An instance of the core, and its end. An exception that leaves the WebAssembly while its
// functions run (a trap, a panic, a stack overflow) leaves the instance half-way through a change.
// Every entry is watched for that: such an instance is never entered again, its pending promises
// reject, and `init` can start another in its place.

import { instance, type Core, type Guard } from "../../../wasm/core.js";
import { DeviceLostError, FormatError, InternalError, OutOfMemoryError, WeftError } from "../errors.js";
import { restNow, restSoon } from "./parts.js";

export type { Core };

/** How often the rest was fetched because something entered it, not because who called knew that it
 * would be needed. */
let unforeseen = 0;

/** See `unforeseen`. For tests: there it is 0. @internal */
export const unforeseenLoads = (): number => unforeseen;

/** A started core. */
export class Instance {
  readonly core: Core;
  #failure: WeftError | null = null;
  /** What left the core while functions of it were under way, with which the instance is at an
   * end. */
  #thrown: { error: unknown } | null = null;
  /** How to end promises that the core has given. */
  readonly #waiting = new Set<(error: WeftError) => void>();
  #failedAllocation: (() => number) | null = null;
  /** What the main part has for the rest, by its place; null once that is there. */
  #shared: WebAssembly.ExportValue[] | null = [];

  /** Starts an instance of a module. Throws `FormatError` when it is not the core. */
  static async start(module: WebAssembly.Module): Promise<Instance> {
    const started = new Instance();
    try {
      await started.core.default({ module_or_path: module });
    } catch (error) {
      if (error instanceof RangeError) throw new OutOfMemoryError("init", `there is no memory for Weft's core: ${error.message}`);
      throw new FormatError("init", `the WebAssembly is not the one that belongs to this version of weft-gpu: ${String(error)}`);
    }
    return started;
  }

  private constructor() {
    const core = instance(
      (...exports) => this.#guard(...exports),
      () => {
        unforeseen++;
        this.needRest("weft");
      },
    );
    this.core = {
      ...core,
      open: (...args) => this.#watched(core.open(...args)),
      read: (...args) => this.#watched(core.read(...args)),
      idle: (...args) => this.#watched(core.idle(...args)),
      tune_slice: () => this.#watched(core.tune_slice()),
    };
  }

  /** Has the rest of the core at hand, before what is in there is called in the name of `op`.
   * Throws `FormatError` when it is not to be had; nothing is lost then. */
  needRest(op: string): void {
    if (this.#shared) this.#join(op, restNow(op));
  }

  /** As `needRest`, without holding the thread. */
  async fetchRest(op: string): Promise<void> {
    if (!this.#shared) return;
    const rest = await restSoon(op);
    if (this.#shared) this.#join(op, rest);
  }

  /** Its imports say by number which main part it belongs to, and what they take of it: a function
   * by its slot in the table, all else by place. */
  #join(op: string, rest: WebAssembly.Module): void {
    const shared = this.#shared ?? [];
    const [number, table] = shared as [WebAssembly.Global<"i32">, WebAssembly.Table];
    try {
      const imports = WebAssembly.Module.imports(rest).map(({ name, kind }) => [name, kind === "function" ? table.get(Number(name)) : shared[-Number(name)]]);
      void new WebAssembly.Instance(rest, { [number.value]: Object.fromEntries(imports) });
    } catch (error) {
      throw new FormatError(op, `the rest of the WebAssembly is not the one that belongs to its main part: ${String(error)}`);
    }
    this.#shared = null;
  }

  /** Why the instance is at an end, or null. */
  get failure(): WeftError | null {
    return this.#thrown ? this.#end(this.#thrown.error) : null;
  }

  /** A promise of its end. */
  readonly ended = new Promise<WeftError>((resolve) => this.#waiting.add(resolve));

  /** The exports, each of which watches for exceptions. Nothing enters an instance that is at an
   * end: what it still would call back is of no use any more. */
  #guard(...[exports, callbacks, failedAllocation]: Parameters<Guard>): WebAssembly.Exports {
    this.#failedAllocation = failedAllocation;
    this.#shared = Object.values(exports);
    const guarded: WebAssembly.Exports = {};
    for (const [name, value] of Object.entries(exports)) {
      guarded[name] = typeof value === "function" ? this.#enter(value as (...args: never[]) => unknown, callbacks.includes(value)) : value;
    }
    return guarded;
  }

  /** What the engine calls back throws nothing: that would be reported as an error of nobody. Its
   * arguments may be devices, and an iterator that somebody has replaced would see what is
   * spread. */
  #enter(inside: (...args: never[]) => unknown, isCallback: boolean): (...args: never[]) => unknown {
    const left = (error: unknown): never[] => {
      const failure = this.#end(error);
      if (isCallback) return nothing;
      throw failure;
    };
    // A step calls functions of few arguments often: these make no list of them.
    if (!isCallback && inside.length <= 3) {
      const call = inside as (a: unknown, b: unknown, c: unknown) => unknown;
      return (a, b, c) => {
        if (this.#thrown) return nothing;
        try {
          return call(a, b, c);
        } catch (error) {
          // Before anything is called: where the stack ran out, a call may throw again.
          this.#thrown ??= { error };
          return left(error);
        }
      };
    }
    return (...args) => {
      if (this.#thrown) return nothing;
      try {
        return apply(inside, undefined, args);
      } catch (error) {
        this.#thrown ??= { error };
        return left(error);
      }
    };
  }

  #end(error: unknown): WeftError {
    if (this.#failure) return this.#failure;
    const failure = (this.#failure = failureOf(error, missingMemory(this.#failedAllocation)));
    // Its memory is of no use any more.
    this.#failedAllocation = null;
    for (const tell of this.#waiting) tell(failure);
    this.#waiting.clear();
    return failure;
  }

  /** A promise that is rejected when the instance ends before it is settled. */
  #watched<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      const done = () => this.#waiting.delete(reject);
      promise.then(resolve, reject).finally(done);
    });
  }
}

/** What glue takes for any result. */
const nothing: never[] = [];
const { apply } = Reflect;

function failureOf(error: unknown, bytes: number): WeftError {
  const gone = "Its tensors are gone; `await init()` starts it anew";
  const because = (made: WeftError): WeftError => Object.defineProperty(made, "cause", { value: error, configurable: true, writable: true });
  if (bytes > 0) return because(new OutOfMemoryError("weft", `the core ran out of memory, asking for ${bytes} bytes. ${gone}`));
  if (error instanceof RangeError) return because(new DeviceLostError("weft", `the core ran out of stack: ${error.message}. ${gone}`));
  const what = error instanceof WeftError ? error.message.slice(error.op.length + 2) : String(error);
  return because(new InternalError("weft", `the core failed: ${what}. ${gone}`));
}

/** How much memory could not be had, if that is why the core failed. */
function missingMemory(failedAllocation: (() => number) | null): number {
  try {
    return failedAllocation?.() ?? 0;
  } catch {
    return 0;
  }
}
