// Removal of raw WebGPU from a cell's reach. An endless shader takes the GPU from every page, and
// nothing stops it; the library cuts its own work into pieces. So the reader must allow raw WebGPU,
// for one notebook. This file hides it once the library has started: the GPU itself, the interfaces
// by which a cell could catch one of the library's objects, and those built-ins through which the
// library's glue passes such objects on. It guards the sharing of the GPU, no more: the sandboxed
// frame keeps a notebook from the reader's data. Nor is it meant for code that rewrites the core's
// memory, to which typed arrays that a cell patches may lead.

import { currentRun } from "../channel/context";
import { writeText } from "../displays/text";

export const HIDDEN =
  "Cells cannot use raw WebGPU, because an endless shader can freeze every tab. To allow it for this notebook, open the device menu at the top of the page and tick “Cells may use raw WebGPU”.";

type Scope = Record<string, unknown>;
const scope = globalThis as unknown as Scope;

let warned: number | null = null;

/** Says so in the cell's output, once for each run. */
function warn(): void {
  const run = currentRun();
  if (run === null || run === warned) return;
  warned = run;
  writeText("warn", HIDDEN);
}

/** What cells have for the library's `gpuDevice`. */
export function hiddenDevice(): null {
  warn();
  return null;
}

const prototypeOf = (name: string): object | null => {
  const made = scope[name];
  return typeof made === "function" ? (made.prototype as object | undefined) ?? null : null;
};

/** What is there stays as it is; more may be added. */
function lock(target: object | null): void {
  if (!target) return;
  for (const key of Reflect.ownKeys(target)) {
    const property = Reflect.getOwnPropertyDescriptor(target, key)!;
    Reflect.defineProperty(target, key, "value" in property ? { writable: false, configurable: false } : { configurable: false });
  }
}

const pin = (target: object, key: PropertyKey, value: unknown) =>
  Object.defineProperty(target, key, { value, writable: false, configurable: false, enumerable: false });

/** Takes raw WebGPU from cells, for as long as the worker lives. */
export function hideGpu(): void {
  hideEntrances();
  hideInterfaces();
  hideCanvases();
  lockBuiltIns();
}

function hideEntrances(): void {
  const hidden = { get: () => void warn(), enumerable: true, configurable: false };
  for (let at: object | null = navigator; at; at = Object.getPrototypeOf(at) as object | null) {
    if (Object.hasOwn(at, "gpu")) Object.defineProperty(at, "gpu", hidden);
  }
  // A worker within the worker would have a GPU of its own. The heart has been made.
  for (const name of ["Worker", "SharedWorker"]) delete scope[name];
}

function hideInterfaces(): void {
  const interfaces = Object.getOwnPropertyNames(scope).flatMap((name) => {
    const prototype = /^GPU/.test(name) ? prototypeOf(name) : null;
    return prototype ? [{ name, prototype }] : [];
  });
  const own = new Set<unknown>(interfaces.map(({ prototype }) => prototype));
  for (const { name, prototype } of interfaces) {
    delete scope[name];
    Reflect.deleteProperty(prototype, "constructor");
    // Nothing that a cell adds to what all objects inherit is asked when a promise is fulfilled
    // with one of these. Errors have their messages of one another.
    if (!own.has(Object.getPrototypeOf(prototype))) Object.setPrototypeOf(prototype, null);
    if (name === "GPUCanvasContext") Reflect.deleteProperty(prototype, "getConfiguration");
    Object.freeze(prototype);
  }
}

/** A canvas's context could be given a `configure` that is handed the library's device. */
function hideCanvases(): void {
  const prototype = prototypeOf("OffscreenCanvas") as { getContext: OffscreenCanvas["getContext"] } | null;
  if (!prototype) return;
  const { getContext } = prototype;
  const { apply } = Reflect;
  pin(prototype, "getContext", function (this: unknown, type: unknown, ...rest: unknown[]): unknown {
    const kind = `${type as string}`;
    if (kind !== "webgpu") return apply(getContext, this, [kind, ...rest]) as unknown;
    warn();
    return null;
  });
}

/** What the glue calls with, or on, what it holds, and what the engine looks at meanwhile. */
function lockBuiltIns(): void {
  for (const name of ["Array", "Function", "Object", "Promise", "Reflect", "Set", "Symbol", "TextDecoder", "Uint8Array", "WebAssembly"]) {
    if (name in scope) pin(scope, name, scope[name]);
  }
  for (const built of [Object, Promise, Reflect, WebAssembly]) Object.freeze(built);
  const { Instance, Memory, Module, Table } = WebAssembly;
  for (const { prototype } of [Instance, Memory, Module, Table, TextDecoder]) lock(prototype);
  // Descriptors are plain objects: a getter or setter in their prototype would see what is put into
  // them.
  Object.preventExtensions(Object.prototype);
  for (const name of ["call", "apply", "bind"] as const) pin(Function.prototype, name, Function.prototype[name]);
  // The text of a kernel is decoded from it.
  const typed = Object.getPrototypeOf(Uint8Array) as { prototype: Uint8Array };
  pin(Uint8Array.prototype, "subarray", typed.prototype.subarray);
  // Engines take short ways while nobody has redefined a property of these, and long ones ever
  // after: `Float32Array.from` of bytes takes thirty times as long, spreading a list ten times. An
  // object that is frozen as a whole keeps the short ones. The iterator's own maker, which arrays
  // have, stays open: nobody could add to arrays if they were frozen, so nothing that holds a
  // device is spread or iterated (see `xtask/src/glue.rs`).
  for (const built of [Object.getPrototypeOf([][Symbol.iterator]()) as object, Promise.prototype, typed, Uint8Array, Uint8Array.prototype]) Object.freeze(built);
}
