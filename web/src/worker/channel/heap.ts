// The memory of arrays that cells hold in JavaScript, estimated and bounded. No browser tells a worker what it takes: Chromium has
// `performance.memory` in windows alone, `measureUserAgentSpecificMemory` wants a page that is isolated by headers of its host, and an engine bounds its
// heap of objects and strings, but not the buffers of arrays. So they are counted where they are made: every `new` of a cell passes by `made`, since all
// code that runs here was transformed, and so does what built-in functions copy. As in a heap profiler one allocation of every few megabytes is a
// sample that stands for all of them.
//
// Whether a sample's array was collected since is seen at once, also in a loop that never awaits: a sentinel that only the array keeps alive, by a weak
// map, is asked for by a weak reference that was made in an earlier task. (One that is made, or asked successfully, in this task keeps it alive until the
// task ends; so each sample has several, for as many looks.)

import { Tensor } from "weft-gpu";
import { send } from "./port";

/** Bytes at which the page tells the reader, and at which the worker ends. */
export const HEAP = { notice: 2e9, limit: 4e9 } as const;

/** Bytes for which a sample stands at least. */
const SAMPLE = 4 << 20;
/** Samples that one task can take, and how many of them at this rate; then each `SLOWER` stand for twice as much. */
const POOL = 2_048;
const FULL_RATE = 1_024;
const SLOWER = 128;
/** Looks in one task that say surely what is held; later ones take for held what any look before found held, so that much more ends the worker. */
const LOOKS = 16;
const UNSURE = 3;
/** Bytes after which it looks again where the engine did not collect. */
const AGAIN = 1e9;
/** Below this an array's buffer is not looked at: engines make it only then. */
const SMALL = 4_096;
/** Turns of making garbage, each of a little more, until the engine has collected. */
const CANARIES = 30;
/** So large that an engine collects before it makes some, and, as nothing touches it, no memory at all. */
const GARBAGE = 2 ** 31 - 1;

interface Sentinels {
  /** What the array is to keep alive, until it is given to that. */
  held: object[] | null;
  readonly refs: readonly WeakRef<object>[];
}
interface Sample {
  readonly bytes: number;
  readonly refs: readonly WeakRef<object>[];
}

const { ArrayBuffer, Blob, ImageData, OffscreenCanvas, RangeError } = globalThis as typeof globalThis & { OffscreenCanvas?: typeof globalThis.OffscreenCanvas };
const { Memory } = WebAssembly;
const now = performance.now.bind(performance);
const anchors = new WeakMap<object, object[]>();
const seen = new WeakSet<object>();
let pool: Sentinels[] = [];
let samples: Sample[] = [];
/** Bytes of all samples, and those that no sample stands for yet. */
let sampled = 0;
let unsampled = 0;
let nextLook: number = HEAP.notice;
let collections = 0;
let noticed = false;
let over = false;

function newSentinels(): Sentinels {
  const held = Array.from({ length: LOOKS }, () => ({}));
  return { held, refs: held.map((each) => new WeakRef(each)) };
}

/** Another task: what it allocates can be watched. */
export function refreshHeap(): void {
  collections = 0;
  while (pool.length < POOL) pool.push(newSentinels());
}

/** What a value takes beyond the engine's heap, with what keeps that alive; 0 for what was counted before. */
function weigh(value: object): { bytes: number; anchor: object } {
  let anchor = value;
  if (ArrayBuffer.isView(value)) {
    if (value.byteLength < SMALL) return { bytes: value.byteLength, anchor };
    anchor = value.buffer;
  } else if (ImageData && value instanceof ImageData) anchor = value.data.buffer;
  else if (value instanceof Memory) anchor = value.buffer;
  if (seen.has(anchor)) return { bytes: 0, anchor };
  let bytes = 0;
  if (anchor instanceof ArrayBuffer) bytes = anchor.byteLength;
  else if (Blob && anchor instanceof Blob) bytes = anchor.size;
  else if (OffscreenCanvas && anchor instanceof OffscreenCanvas) bytes = 4 * anchor.width * anchor.height;
  if (bytes > 0) seen.add(anchor);
  return { bytes, anchor };
}

/** Counts what was made. Throws `RangeError` beyond the limit, where the page ends the worker. */
export function made<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  const { bytes, anchor } = weigh(value);
  if (bytes > 0) count(bytes, anchor);
  return value;
}

function count(bytes: number, anchor: object): void {
  if (over) throw beyond();
  unsampled += bytes;
  const slower = Math.max(0, Math.ceil((POOL - pool.length - FULL_RATE) / SLOWER));
  if (unsampled < SAMPLE * 2 ** slower) return;
  const sentinels = pool.pop();
  // More than a task can make: what it makes from here on is not known.
  if (!sentinels?.held) return void (unsampled = 0);
  anchors.set(anchor, sentinels.held);
  sentinels.held = null;
  samples.push({ bytes: unsampled, refs: sentinels.refs });
  sampled += unsampled;
  unsampled = 0;
  if (sampled >= nextLook) look();
}

/** Has the engine collect, by garbage that it counts, and says whether it has: nothing else ends a canary. */
function collectOnce(): boolean {
  const canaries = pool.splice(-CANARIES);
  for (const canary of canaries) canary.held = null;
  for (const [turn, { refs }] of canaries.entries()) {
    // The engine marks beside this thread, and on a busy machine needs time for it.
    const until = now() + turn;
    for (let i = 0; i < 4 + 2 * turn || now() < until; i++) {
      try {
        void new ArrayBuffer(GARBAGE).byteLength;
      } catch {
        // Refused: then the engine has collected first.
      }
    }
    if (refs[0]!.deref() === undefined) return true;
  }
  return false;
}

/** Twice: what is made while an engine marks lives through that collection. */
const collectNow = () => collectOnce() && collectOnce();

/** Forgets samples whose arrays were collected, and tells of what is left. */
function look(): void {
  const may = collections < LOOKS;
  const sure = may && collectNow();
  const limit = sure ? HEAP.limit : UNSURE * HEAP.limit;
  const at = Math.min(collections++, LOOKS - 1);
  samples = samples.filter(({ refs }) => refs[at]!.deref() !== undefined);
  sampled = samples.reduce((sum, { bytes }) => sum + bytes, 0);
  // Where the engine did not collect, it may the next time.
  nextLook = sampled < HEAP.notice / 2 ? HEAP.notice : sure || !may ? limit : Math.min(limit, sampled + AGAIN);
  if (sampled < HEAP.notice) return void (noticed = false);
  over = sampled >= limit;
  if (over || (sure && !noticed)) send({ type: "heap", bytes: sampled, over });
  noticed ||= sure;
  if (over) throw beyond();
}

const beyond = () => new RangeError(`This notebook's arrays take more than ${HEAP.limit / 1e9} GB.`);

type Method = (this: unknown, ...rest: never[]) => unknown;

/** Has what a method gives counted, at once or when it comes. */
function watch(target: object | undefined, names: readonly string[], take: (result: unknown) => unknown = made): void {
  for (const name of names) {
    const known = target && Reflect.getOwnPropertyDescriptor(target, name);
    if (typeof known?.value !== "function") continue;
    const method = known.value as Method;
    const watched = { [name](this: unknown, ...rest: never[]): unknown {
      const result = Reflect.apply(method, this, rest);
      return result instanceof Promise ? result.then(take) : take(result);
    } }[name]!;
    Object.defineProperty(watched, "length", { value: method.length, configurable: true });
    Object.defineProperty(target!, name, { ...known, value: watched });
  }
}

/** Has what built-in functions copy counted. Before any cell runs. */
export function watchHeap(): void {
  const typed = Object.getPrototypeOf(Uint8Array) as { prototype: object };
  watch(typed, ["from", "of"]);
  watch(typed.prototype, ["slice", "map", "filter", "toSorted", "toReversed", "with"]);
  watch(ArrayBuffer.prototype, ["slice", "transfer", "transferToFixedLength"]);
  watch(globalThis, ["structuredClone"]);
  watch(globalThis.TextEncoder?.prototype, ["encode"]);
  for (const body of [Blob, globalThis.Response]) watch(body?.prototype, ["arrayBuffer", "bytes", "blob"]);
  watch(globalThis.ReadableStreamDefaultReader?.prototype, ["read"], (chunk) => {
    made((chunk as { value?: unknown }).value);
    return chunk;
  });
  watch(Tensor.prototype, ["data"]);
  refreshHeap();
}
