// The memory of arrays that cells hold in JavaScript, estimated and bounded. No browser tells a
// worker what it takes: Chromium has `performance.memory` in windows alone,
// `measureUserAgentSpecificMemory` wants a page that is isolated by headers of its host, and an
// engine bounds its heap of objects and strings, but not the buffers of arrays. So they are counted
// where they are made: every `new` of a cell passes by `made`, since all code that runs here was
// transformed, and so does what built-in functions copy. As in a heap profiler one allocation of
// every few megabytes is a sample that stands for all of them.
//
// Whether a sample's array was collected since is seen at once, also in a loop that never awaits: a
// sentinel that only the array keeps alive, by a weak map, is asked for by a weak reference that
// was made in an earlier task. (One that is made, or asked successfully, in this task keeps it
// alive until the task ends; so each sample has several, for as many checks.) A task that makes
// more than there are sentinels for ends: what it holds cannot be known.

import { Tensor } from "weft-gpu";
import { send } from "./port";

/** Bytes at which the page tells the reader, and at which the worker ends. */
export const HEAP = { notice: 2e9, limit: 4e9 } as const;

/** Bytes for which a sample stands at least. */
const SAMPLE = 4 << 20;
/** Samples that one task can take, and how many of them at this rate; then each `SLOWER` stand for
 * twice as much, up to 64 MiB. */
const POOL = 6_144;
const FULL_RATE = 1_024;
const SLOWER = 512;
const DOUBLINGS = 4;
/** Looks that say surely whether a sample is held. One that lives longer counts as held from then
 * on. What is not surely held ends the worker at `UNSURE` times the limit. */
const CHECKS = 16;
const UNSURE = 2;
/** Bytes after which it checks again: fewer near the limit, and until the reader is warned. */
const WARNED = 1e9;
const UNWARNED = 2.5e8;
const NEAR = 1e8;
/** Later tasks that check once more where the engine did not collect when it was asked. */
const LATER = 4;
/** Below this an array's buffer is not looked at: engines make it only then. */
const SMALL = 4_096;
/** Objects of a clone that are looked into for arrays. */
const WITHIN = 1_000;
/** Turns of making garbage, each of a little more, until the engine has collected, and how many one
 * task can take. */
const TURNS = 30;
const CANARIES = 4_096;
/** So large that an engine collects before it makes some, and, as nothing touches it, no memory at
 * all. */
const GARBAGE = 2 ** 31 - 1;

interface Sentinels {
  /** What the array is to keep alive, until it is given to that. */
  held: object[] | null;
  readonly refs: readonly WeakRef<object>[];
}
interface Sample {
  readonly bytes: number;
  readonly refs: readonly WeakRef<object>[];
  /** How many of `refs` were checked. */
  checks: number;
}

const { ArrayBuffer, Blob, ImageBitmap, ImageData, OffscreenCanvas, RangeError } = globalThis as typeof globalThis & { OffscreenCanvas?: typeof globalThis.OffscreenCanvas; ImageBitmap?: typeof globalThis.ImageBitmap };
const { Instance, Memory } = WebAssembly;
const Shared = sharedBuffers();
const now = performance.now.bind(performance);
const anchors = new WeakMap<object, object[]>();
const seen = new WeakSet<object>();
let pool: Sentinels[] = [];
const canaries: Sentinels[] = [];
/** Memories of WebAssembly, whose code makes them grow. */
let memories: WeakRef<WebAssembly.Memory>[] = [];
const known = new WeakSet<WebAssembly.Memory>();
let samples: Sample[] = [];
/** Bytes of all samples, and those that no sample stands for yet. */
let sampled = 0;
let unsampled = 0;
let nextCheck: number = HEAP.notice;
let noticed = false;
/** Later tasks that are still to check whether to warn the reader. */
let later = 0;
let over = false;

/** Pages that are not isolated have no name for shared buffers, but memories have some. */
function sharedBuffers(): typeof SharedArrayBuffer | undefined {
  try {
    return new Memory({ initial: 0, maximum: 0, shared: true }).buffer.constructor as typeof SharedArrayBuffer;
  } catch {
    return undefined;
  }
}

function newSentinels(checks: number): Sentinels {
  const held = Array.from({ length: checks }, () => ({}));
  return { held, refs: held.map((each) => new WeakRef(each)) };
}

/** Another task: what it allocates can be watched, what WebAssembly took meanwhile is seen, and a
 * check that was not sure is made again. */
export function refreshHeap(): void {
  if (over) return;
  if (later > 0) later = check() ? 0 : later - 1;
  while (pool.length < POOL) pool.push(newSentinels(CHECKS));
  while (canaries.length < CANARIES) canaries.push(newSentinels(1));
  memories = memories.filter((ref) => {
    const memory = ref.deref();
    if (memory) made(memory);
    return memory !== undefined;
  });
}

/** What a value takes beyond the engine's heap, with what keeps that alive; 0 for what was counted
 * before. */
function sizeOf(value: object): { bytes: number; anchor: object } {
  let anchor = value;
  if (ArrayBuffer.isView(value)) {
    if (value.byteLength < SMALL) return { bytes: value.byteLength, anchor };
    anchor = value.buffer;
  } else if (ImageData && value instanceof ImageData) anchor = value.data.buffer;
  else if (value instanceof Memory) {
    anchor = value.buffer;
    if (!known.has(value)) {
      known.add(value);
      memories.push(new WeakRef(value));
    }
  }
  if (seen.has(anchor)) return { bytes: 0, anchor };
  let bytes = 0;
  if (anchor instanceof ArrayBuffer || (Shared && anchor instanceof Shared)) bytes = anchor.byteLength;
  else if (Blob && anchor instanceof Blob) bytes = anchor.size;
  else if (OffscreenCanvas && anchor instanceof OffscreenCanvas) bytes = 4 * anchor.width * anchor.height;
  else if (ImageBitmap && anchor instanceof ImageBitmap) bytes = 4 * anchor.width * anchor.height;
  if (bytes > 0) seen.add(anchor);
  return { bytes, anchor };
}

/** Counts what was made. Throws `RangeError` beyond the limit, where the page ends the worker. */
export function made<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  try {
    if (value instanceof Instance) Object.values(value.exports).forEach((each) => each instanceof Memory && made(each));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    // A proxy that refuses its prototype; what it stands for was counted when it was made.
    return value;
  }
  const { bytes, anchor } = sizeOf(value);
  if (bytes > 0) count(bytes, anchor);
  return value;
}

/** Counts the arrays in what was cloned. */
function madeWithin(value: unknown): unknown {
  const found: unknown[] = [value];
  for (let at = 0; at < found.length && at < WITHIN; at++) {
    const each = found[at];
    made(each);
    if (typeof each !== "object" || each === null || ArrayBuffer.isView(each)) continue;
    for (const inner of each instanceof Map ? [...each.keys(), ...each.values()] : each instanceof Set ? each : Object.values(each)) {
      if (typeof inner === "object" && found.length < WITHIN) found.push(inner);
    }
  }
  return value;
}

function count(bytes: number, anchor: object): void {
  if (over) throw beyond();
  unsampled += bytes;
  const slower = Math.min(DOUBLINGS, Math.max(0, Math.ceil((POOL - pool.length - FULL_RATE) / SLOWER)));
  if (unsampled < SAMPLE * 2 ** slower) return;
  const sentinels = pool.pop();
  if (!sentinels?.held) {
    end(sampled + unsampled);
    throw beyond();
  }
  anchors.set(anchor, sentinels.held);
  sentinels.held = null;
  samples.push({ bytes: unsampled, refs: sentinels.refs, checks: 0 });
  sampled += unsampled;
  unsampled = 0;
  if (sampled >= nextCheck) later = check() ? 0 : LATER;
  if (over) throw beyond();
}

/** Has the engine collect, by garbage that it counts, and says whether it has: nothing else ends a
 * canary. */
function collectOnce(): boolean {
  for (let turn = 0; turn < TURNS; turn++) {
    const canary = canaries.pop();
    if (!canary) return false;
    canary.held = null;
    // The engine marks beside this thread, and on a busy machine needs time for it.
    const until = now() + turn;
    for (let i = 0; i < 4 + 2 * turn || now() < until; i++) {
      try {
        void new ArrayBuffer(GARBAGE).byteLength;
      } catch {
        // Refused: then the engine has collected first.
      }
    }
    if (canary.refs[0]!.deref() === undefined) return true;
  }
  return false;
}

/** Twice: what is made while an engine marks lives through that collection. */
const collectNow = () => collectOnce() && collectOnce();

/** Forgets samples whose arrays were collected, and reports what is left. False where the reader
 * may need a warning, and the engine did not collect. */
function check(): boolean {
  const sure = collectNow();
  samples = samples.filter((sample) => sample.checks === CHECKS || sample.refs[sample.checks++]!.deref() !== undefined);
  const sum = (some: readonly Sample[]) => some.reduce((bytes, sample) => bytes + sample.bytes, 0);
  sampled = sum(samples);
  const surely = sure ? sum(samples.filter(({ checks }) => checks < CHECKS)) : 0;
  if (surely >= HEAP.limit || sampled >= UNSURE * HEAP.limit) {
    end(sampled);
    return true;
  }
  const warned = noticed;
  noticed = sampled >= HEAP.notice && (warned || sure);
  if (noticed && !warned) send({ type: "heap", bytes: sampled, over });
  const left = (surely > 0 ? 1 : UNSURE) * HEAP.limit - sampled;
  nextCheck = Math.max(HEAP.notice, sampled + Math.max(NEAR, Math.min(noticed ? WARNED : UNWARNED, left)));
  return noticed || sampled < HEAP.notice;
}

function end(bytes: number): void {
  over = true;
  send({ type: "heap", bytes, over });
}

const beyond = () => new RangeError(`This notebook's arrays take more than ${HEAP.limit / 1e9} GB.`);

type Method = (this: unknown, ...rest: never[]) => unknown;

/** Has what a method gives counted, at once or when it comes. Methods of the worker's scope are its
 * prototypes'. */
function watch(target: object | undefined, names: readonly string[], take: (result: unknown, self: unknown) => unknown = made): void {
  for (const name of names) {
    let owner: object | null | undefined = target;
    while (owner && !Object.hasOwn(owner, name)) owner = Reflect.getPrototypeOf(owner);
    const known = owner && Reflect.getOwnPropertyDescriptor(owner, name);
    if (!owner || typeof known?.value !== "function") continue;
    const method = known.value as Method;
    const watched = { [name](this: unknown, ...rest: never[]): unknown {
      const result = Reflect.apply(method, this, rest);
      return result instanceof Promise ? result.then((come: unknown) => take(come, this)) : take(result, this);
    } }[name]!;
    Object.defineProperty(watched, "length", { value: method.length, configurable: true });
    Object.defineProperty(owner, name, { ...known, value: watched });
  }
}

/** Has what built-in functions copy counted. Before any cell runs. */
export function watchHeap(): void {
  const typed = Object.getPrototypeOf(Uint8Array) as { prototype: object };
  watch(typed, ["from", "of"]);
  watch(typed.prototype, ["slice", "map", "filter", "toSorted", "toReversed", "with"]);
  watch(ArrayBuffer.prototype, ["slice", "transfer", "transferToFixedLength"]);
  watch(globalThis, ["structuredClone"], madeWithin);
  watch(globalThis, ["createImageBitmap"]);
  watch(OffscreenCanvas?.prototype, ["transferToImageBitmap", "convertToBlob"]);
  watch(globalThis.OffscreenCanvasRenderingContext2D?.prototype, ["createImageData", "getImageData"]);
  watch(globalThis.crypto?.subtle && Object.getPrototypeOf(crypto.subtle) as object, ["encrypt", "decrypt", "exportKey"]);
  watch(Reflect, ["construct"]);
  watch(globalThis.TextEncoder?.prototype, ["encode"]);
  for (const body of [Blob, globalThis.Response]) watch(body?.prototype, ["arrayBuffer", "bytes", "blob"]);
  const chunk = (read: unknown) => {
    made((read as { value?: unknown }).value);
    return read;
  };
  for (const reader of [globalThis.ReadableStreamDefaultReader, globalThis.ReadableStreamBYOBReader]) watch(reader?.prototype, ["read"], chunk);
  // What `for await` asks of a stream.
  const values = new ReadableStream()[Symbol.asyncIterator]?.();
  if (values) watch(Object.getPrototypeOf(values) as object, ["next"], chunk);
  watch(Memory.prototype, ["grow"], (before, memory) => {
    made(memory);
    return before;
  });
  watch(WebAssembly, ["instantiate", "instantiateStreaming"], (result) => {
    made(result instanceof Instance ? result : (result as WebAssembly.WebAssemblyInstantiatedSource).instance);
    return result;
  });
  watch(Tensor.prototype, ["data"]);
  watch((globalThis as { FileReaderSync?: { prototype: object } }).FileReaderSync?.prototype, ["readAsArrayBuffer"]);
  const data = Reflect.getOwnPropertyDescriptor(MessageEvent.prototype, "data");
  if (data?.get) {
    const get = data.get;
    Object.defineProperty(MessageEvent.prototype, "data", { ...data, get(this: unknown) { return madeWithin(Reflect.apply(get, this, [])); } });
  }
  refreshHeap();
}
