// The library's view of the browser's WebGPU, in place of the worker's global object. It holds
// references of its own, taken before any cell runs, which remain when `guard.ts` takes the GPU
// from where cells could reach it. The build inserts it (see `build/runner.ts`).

interface Errors {
  readonly GPUOutOfMemoryError?: unknown;
  readonly GPUValidationError?: unknown;
}
const { GPUOutOfMemoryError, GPUValidationError } = globalThis as Errors;
const { apply } = Reflect;
// A browser may have no canvas for workers.
const getContext = (globalThis as { OffscreenCanvas?: typeof OffscreenCanvas }).OffscreenCanvas?.prototype.getContext;
const bare = <T extends object>(properties: T): T => Object.assign(Object.create(null) as object, properties);

/** Inherits from nothing: a cell may extend `Object.prototype`. */
export const engine = bare({
  WorkerGlobalScope: (globalThis as { WorkerGlobalScope?: unknown }).WorkerGlobalScope,
  queueMicrotask: globalThis.queueMicrotask,
  /** The library puts another GPU here where `init({ gpu })` names one. */
  navigator: bare({ gpu: (globalThis.navigator as Navigator | undefined)?.gpu }),
  GPUOutOfMemoryError,
  GPUValidationError,
  /** The canvas's context, whatever a cell has made of its `getContext`. */
  contextOf: (canvas: unknown, type: string): unknown => (getContext ? apply(getContext, canvas, [type]) : null),
});
