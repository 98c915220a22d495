// Answers to the inspector: the schemas of what the worker sends. The worker runs code that the
// reader may not have written, so an answer is checked before anything is drawn of it.

import { array, boolean, finite, integer, nullable, object, oneOf, text, tuple } from "./schema";
import type { Infer, Schema } from "./schema";

const count = integer(0, Number.MAX_SAFE_INTEGER);
const bits = integer(0, 0xffff_ffff);
const word = text(400);
const MANY = 100_000;
const numbers = array(count, MANY);

/** Run, line and column of each call site. */
const sites = array(schemaOfSite(), 10_000);
function schemaOfSite(): Schema<[number, number, number]> {
  const pair = tuple(count, count);
  return Object.assign((value: unknown): value is [number, number, number] => Array.isArray(value) && value.length === 3 && pair(value.slice(0, 2)) && count(value[2]), { copy: (value: [number, number, number]) => [...value] as [number, number, number] });
}
export type Sites = readonly (readonly [run: number, line: number, column: number])[];

const node = object({ op: word, dtype: word, shape: array(count, 64), inputs: array(count, 1_000), detail: text(20_000), site: bits });
export type InspectedNode = Infer<typeof node>;

const part = object({
  nodes: array(node, MANY),
  outputs: numbers,
  clusters: array(object({ walks: text(1_000), computes: numbers, stores: numbers, operations: finite }), MANY),
  cuts: array(object({ node: count, reason: text(1_000) }), MANY),
});
export type InspectedPart = Infer<typeof part>;

const dispatch = object({
  kernel: count, part: count, cluster: count, choice: word, workgroups: array(count, 3), buffers: array(count, 100), writes: array(integer(0, 1), 100), bytes: finite, operations: finite, times: finite,
});
export type InspectedDispatch = Infer<typeof dispatch>;

const program = object({
  /** Whether the kernels are those that ran: races may have exchanged some since. */
  same: boolean,
  /** Microseconds that compiling the pipeline of each dispatch took. */
  pipelines: array(finite, MANY),
  stages: object({
    nodes: array(node, MANY),
    outputs: numbers,
    parts: array(part, 1_000),
    dispatches: array(dispatch, MANY),
    loops: array(object({ first: count, end: count, iterations: count, open: boolean }), 1_000),
    buffers: array(object({ kind: oneOf("input", "output", "temporary", "alias"), bytes: finite }), MANY),
    kernels: array(object({ name: word, ir: text(2_000_000), wgsl: text(2_000_000) }), 10_000),
    bytes: object({ inputs: finite, outputs: finite, temporaries: finite }),
  }),
});
export type InspectedProgram = Infer<typeof program>;

const stats = object({
  submits: count, passes: count, dispatches: count, pipelinesCompiled: count, buffersCreated: count, bytesLive: finite, bytesPeak: finite, bytesPooled: finite, programHits: count, programMisses: count,
});
export type InspectedStats = Infer<typeof stats>;

const runs = object({
  report: object({
    device: oneOf("webgpu", "cpu"),
    timestamps: boolean,
    /** The step of the device's clock in nanoseconds; 0 where nothing was timed. */
    quantum: finite,
    recorded: boolean,
    /** Compiling in microseconds. */
    programs: array(object({ times: count, nodes: count, dispatches: count, compiled: finite }), 2_000),
    /** In nanoseconds; of dispatches the place in the program, begin and end. */
    runs: array(object({ program: count, number: count, asked: finite, returned: finite, ended: finite, live: finite, kept: boolean, dispatches: array(finite, 10_000) }), 2_000),
  }),
  stats,
});
export type InspectedRuns = Infer<typeof runs>;

const memory = object({
  report: object({
    held: object({
      live: finite,
      peak: finite,
      pooled: finite,
      count,
      values: array(object({ bytes: finite, form: word, site: bits, handles: count, readers: count, parameter: boolean, nodes: numbers }), 1_000),
    }),
    nodes: array(bits, 10_000),
  }),
  names: array(word, 10_000),
});
export type InspectedMemory = Infer<typeof memory>;

const value = object({ name: text(20_000), dtype: word, shape: array(count, 64), site: bits, range: nullable(array(bits, 2)), nan: count, infinite: count, first: nullable(array(count, 64)) });
export type InspectedValue = Infer<typeof value>;
const origin = object({ op: word, detail: text(20_000), given: boolean, iterations: array(count, 64), value, inputs: array(value, 64) });
export type InspectedOrigin = Infer<typeof origin>;

/** `again`: the values of that run were not kept. */
const missing = <T>(inner: Schema<T>) => Object.assign((given: unknown): given is T | undefined => given === undefined || inner(given), { copy: (given: T | undefined) => given }) as Schema<T | undefined>;
const notFinite = object({
  runs: count, again: missing(count), found: missing(nullable(oneOf("nan", "infinity", "fused"))), run: missing(count), label: missing(count), origin: missing(origin), cause: missing(origin),
});
export type InspectedNotFinite = Infer<typeof notFinite>;

const edited = object({
  outputs: array(object({ form: word, dtype: word, size: count, differ: count, largest: bits, before: array(bits, 64), after: array(bits, 64) }), 1_000),
  before: array(finite, 10_000),
  after: array(finite, 10_000),
  quantum: finite,
});
export type InspectedEdit = Infer<typeof edited>;

const limits = object({ copy: finite, product: finite });
export type InspectedLimits = Infer<typeof limits>;

const races = array(object({ key: text(2_000), candidates: array(object({ choice: text(1_000), milliseconds: nullable(finite) }), 100), winner: text(1_000), spread: finite }), 1_000);
export type InspectedRaces = Infer<typeof races>;

export interface Answers {
  record: null;
  runs: InspectedRuns;
  program: InspectedProgram;
  memory: InspectedMemory;
  finite: InspectedNotFinite;
  edited: InspectedEdit;
  limits: InspectedLimits;
  races: InspectedRaces;
}

const nothing = ((given: unknown) => given === null) as Schema<null>;
const FORMS: { readonly [K in keyof Answers]: Schema<Answers[K]> } = { record: nothing, runs, program, memory, finite: notFinite, edited, limits, races };

/** An answer of that form, and the call sites that it names. Throws where it has another. */
export function readAnswer<K extends keyof Answers>(kind: K, json: string): { readonly answer: Answers[K]; readonly sites: Sites } {
  const whole = JSON.parse(json) as unknown;
  const form = object({ answer: FORMS[kind] as Schema<unknown>, sites });
  if (!form(whole)) throw new Error("The notebook's worker gave an answer that cannot be read.");
  return whole as unknown as { answer: Answers[K]; sites: Sites };
}
