// The worker's side of the inspector: a module of its own, which the page sends when the reader
// opens the inspector. It has the core record what runs, notes at which line of which cell each
// operation is asked for, and answers the page's questions as JSON.

import type * as weft from "weft-gpu";
import type { InspectorQuestion } from "../../protocol/messages";

type Library = typeof weft;
/** What the core has for inspectors; `crate/wasm/src/inspect.rs` says how questions are asked. */
interface InspectedCore {
  inspect(question: string): Promise<string>;
  inspect_site(number: number): void;
}

/** Call sites that are counted separately; later ones count as the last. */
const MOST_SITES = 8_192;
/** Tensors whose names are looked for, and how deep within what cells have declared. */
const MOST_NAMED = 2_000;
const DEPTH = 4;
const FRAME = /cell-(\d+)\.js:(\d+):(\d+)/;

/** Run, line and column of each call site, by its number. */
class Sites {
  readonly list: [run: number, line: number, column: number][] = [];
  private readonly known = new Map<string, number>();

  get isFull(): boolean {
    return this.list.length === MOST_SITES;
  }

  /** The number of the place in a cell that is running now; the innermost frame of a cell says
   * it. */
  here(): number {
    const found = FRAME.exec(new Error().stack ?? "");
    const key = found?.[0] ?? "";
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (this.list.length === MOST_SITES) return MOST_SITES - 1;
    const number = this.list.push(found ? [Number(found[1]), Number(found[2]), Number(found[3])] : [0, 0, 0]) - 1;
    this.known.set(key, number);
    return number;
  }
}

/** Tensors that cells have declared, and what they are called. */
function named(library: Library, own: Readonly<Record<string, unknown>>): Map<number, string> {
  const found = new Map<number, string>();
  const seen = new Set<object>();
  const look = (value: unknown, name: string, depth: number) => {
    if (found.size >= MOST_NAMED || typeof value !== "object" || value === null || seen.has(value)) return;
    if (value instanceof library.Tensor) {
      try {
        if (!value.disposed) found.set((value as unknown as { readonly handle: number }).handle, name);
      } catch {
        // It belongs to a device that is gone.
      }
      return;
    }
    if (depth === 0 || ArrayBuffer.isView(value)) return;
    seen.add(value);
    const entries = Array.isArray(value) ? value.slice(0, MOST_NAMED).entries() : value instanceof Map ? value.entries() : fields(value);
    for (const [key, inner] of entries) look(inner, typeof key === "number" ? `${name}[${key}]` : `${name}.${String(key)}`, depth - 1);
  };
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
    if ("value" in property && property.enumerable && !(name in own)) look(property.value, name, DEPTH);
  }
  return found;
}

/** Properties that hold a value: asking a getter would run a cell's code. */
function* fields(value: object): Generator<[string, unknown]> {
  for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(value))) if ("value" in property) yield [key, property.value];
}

/** Answers questions about what the library's device runs. `own` are the library's names. */
export function inspector(library: Library, own: Readonly<Record<string, unknown>>): (question: InspectorQuestion) => Promise<string> {
  let sites = new Sites();
  let limits: Promise<string> | null = null;
  const open = () => library.Tensor.openCore("inspect").core as unknown as InspectedCore;

  const memory = async (core: InspectedCore) => {
    const names = named(library, own);
    const report = await core.inspect(`memory\n${[...names.keys()].join(",")}`);
    return `{"report":${report},"names":${JSON.stringify([...names.values()].map((name) => name.slice(0, 80)))}}`;
  };

  const ask = async (question: InspectorQuestion): Promise<string> => {
    const core = open();
    switch (question.ask) {
      case "record":
        library.Tensor.witness(null);
        await core.inspect(`record ${question.what} ${question.keepFrom}`);
        if (question.what === 0) return "null";
        // Numbers that were sent keep their meaning, as long as there is room.
        if (sites.isFull) sites = new Sites();
        library.Tensor.witness((core) => (core as unknown as InspectedCore).inspect_site(sites.here()));
        return "null";
      case "runs":
        return `{"report":${await core.inspect(`runs ${question.run}`)},"stats":${JSON.stringify(library.stats(question.run))}}`;
      case "program":
        return core.inspect(`program ${question.run} ${question.number}`);
      case "memory":
        return memory(core);
      case "finite":
        return core.inspect("finite");
      case "edited":
        return core.inspect(`edited ${question.run} ${question.number} ${question.kernel}\n${question.text}`);
      case "limits":
        limits ??= core.inspect("limits");
        return limits.catch((error: unknown) => {
          limits = null;
          throw error;
        });
      case "races":
        return JSON.stringify(library.tune.log().map(({ key, candidates, winner, spread }) => ({ key, candidates, winner, spread: Number.isFinite(spread) ? spread : 0 })));
    }
  };
  return async (question) => {
    await library.preload();
    const answer = await ask(question);
    return `{"answer":${answer},"sites":${JSON.stringify(sites.list)}}`;
  };
}
