// What a worker does about the memory of a notebook's arrays, with an engine that collects when the
// test says so.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { made as Made, refreshHeap as Refresh, watchHeap as Watch } from "../../src/worker/channel/heap";

const GB = 1e9;
const PIECE = 1e8;

/** Whether the engine collects when it is asked, and what a cell holds. */
const engine = { collects: true, held: new Set<object>() };
/** What each sentinel lives as long as. */
const owners = new Map<object, object>();
const sent: unknown[] = [];

class Buffer {
  static isView = () => false;
  constructor(readonly byteLength: number) {}
}

class Owners {
  set(owner: object, sentinels: object[]): void {
    sentinels.forEach((sentinel) => owners.set(sentinel, owner));
  }
}

class Ref {
  constructor(private readonly target: object) {}
  deref(): object | undefined {
    const owner = owners.get(this.target);
    return engine.collects && !(owner && engine.held.has(owner)) ? undefined : this.target;
  }
}

/** A picture of `PICTURE` bytes. */
class Bitmap {
  readonly width = 25_000;
  readonly height = 25_000;
  constructor() {
    engine.held.add(this);
  }
}
class Canvas {
  transferToImageBitmap() {
    return new Bitmap();
  }
}
const PICTURE = 2.5 * GB;

let made: typeof Made;
let refreshHeap: typeof Refresh;
let watchHeap: typeof Watch;
beforeEach(async () => {
  vi.resetModules();
  vi.doMock("weft-gpu", () => ({ Tensor: class {} }));
  vi.doMock("../../src/worker/channel/port", () => ({ send: (message: unknown) => sent.push(message) }));
  let time = 0;
  vi.stubGlobal("performance", { now: () => time++ });
  vi.stubGlobal("ArrayBuffer", Buffer);
  vi.stubGlobal("WeakRef", Ref);
  vi.stubGlobal("WeakMap", Owners);
  vi.stubGlobal("ImageBitmap", Bitmap);
  vi.stubGlobal("OffscreenCanvas", Canvas);
  ({ made, refreshHeap, watchHeap } = await import("../../src/worker/channel/heap"));
  vi.unstubAllGlobals();
  vi.stubGlobal("WeakRef", Ref);
  engine.collects = true;
  engine.held.clear();
  owners.clear();
  sent.length = 0;
  refreshHeap();
});
afterEach(() => vi.unstubAllGlobals());

/** A cell makes arrays, and keeps them if it says so. */
function make(bytes: number, keeps = true): void {
  for (let i = 0; i < bytes / PIECE; i++) {
    const buffer = new Buffer(PIECE);
    if (keeps) engine.held.add(buffer);
    made(buffer);
  }
}

test("the reader is warned once, at 2 GB that a cell holds", () => {
  make(1.9 * GB);
  expect(sent).toEqual([]);
  make(0.2 * GB);
  expect(sent).toEqual([{ type: "heap", bytes: expect.closeTo(2 * GB, -7) as number, over: false }]);
  make(1 * GB);
  expect(sent).toHaveLength(1);
});

test("what was let go is not counted", () => {
  for (let task = 0; task < 20; task++) {
    make(1.5 * GB, false);
    refreshHeap();
  }
  expect(sent).toEqual([]);
});

test("at 4 GB that it holds the worker ends, and makes nothing more", () => {
  expect(() => make(4.5 * GB)).toThrow(RangeError);
  expect(sent.at(-1)).toMatchObject({ type: "heap", over: true });
  expect(() => make(PIECE)).toThrow(RangeError);
});

test.for([1, 2, 3, 4])("an engine that does not collect is asked again in later tasks: it does in the %dth", (task) => {
  engine.collects = false;
  make(2.1 * GB);
  for (let i = 1; i < task; i++) refreshHeap();
  expect(sent).toEqual([]);
  engine.collects = true;
  refreshHeap();
  expect(sent).toMatchObject([{ type: "heap", over: false }]);
});

test("after four tasks in which it did not, it is asked again a quarter of a gigabyte later", () => {
  engine.collects = false;
  make(2 * GB);
  for (let i = 0; i < 4; i++) refreshHeap();
  engine.collects = true;
  refreshHeap();
  make(0.2 * GB);
  expect(sent).toEqual([]);
  make(0.1 * GB);
  expect(sent).toMatchObject([{ type: "heap", over: false }]);
});

test("what an engine that never collects may hold ends the worker at twice the limit", () => {
  engine.collects = false;
  make(7.9 * GB);
  expect(sent).toEqual([]);
  expect(() => make(0.5 * GB)).toThrow(RangeError);
});

/** What gives arrays without `new`, each by one call in a scope that has it. */
const WAYS: Readonly<Record<string, (give: () => object) => { scope: Record<string, unknown>; call: () => unknown }>> = {
  "Reflect.construct": (give) => {
    const scope = { Reflect: Object.defineProperties({}, Object.getOwnPropertyDescriptors(Reflect)) as typeof Reflect };
    return { scope, call: () => scope.Reflect.construct(function () { return give(); }, []) as unknown };
  },
  "structuredClone of what holds one": (give) => {
    const scope = { structuredClone: () => ({ list: [1, new Map([["one", give()]])] }) };
    return { scope, call: () => (globalThis as unknown as typeof scope).structuredClone() };
  },
  "the data of a message": (give) => {
    class Event { get data() { return { one: give() }; } }
    return { scope: { MessageEvent: Event }, call: () => new Event().data };
  },
  "createImageBitmap": () => {
    const scope = { createImageBitmap: () => Promise.resolve(new Bitmap()) };
    return { scope, call: () => (globalThis as unknown as typeof scope).createImageBitmap() };
  },
  "a canvas's picture": () => ({ scope: {}, call: () => new Canvas().transferToImageBitmap() }),
  "a canvas's pixels": (give) => {
    class Context { getImageData() { return give(); } }
    return { scope: { OffscreenCanvasRenderingContext2D: Context }, call: () => new Context().getImageData() };
  },
  "crypto": (give) => {
    class Subtle { encrypt() { return Promise.resolve(give()); } }
    const subtle = new Subtle();
    return { scope: { crypto: { subtle } }, call: () => subtle.encrypt() };
  },
  "a file's reader": (give) => {
    class Reader { readAsArrayBuffer() { return give(); } }
    return { scope: { FileReaderSync: Reader }, call: () => new Reader().readAsArrayBuffer() };
  },
};
test.each(Object.entries(WAYS))("%s gives what counts", async (_, way) => {
  const give = () => {
    const buffer = new Buffer(PICTURE);
    engine.held.add(buffer);
    return buffer;
  };
  const { scope, call } = way(give);
  for (const [name, value] of Object.entries({ MessageEvent: class {}, ...scope })) vi.stubGlobal(name, value);
  watchHeap();
  await call();
  expect(sent).toEqual([{ type: "heap", bytes: PICTURE, over: false }]);
});
