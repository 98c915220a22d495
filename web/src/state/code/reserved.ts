// Names that a cell may not declare, because the language, the library and the worker need them.
// Cells share one scope with all three, and a notebook that redefines `Promise` would break the
// worker that runs it.

const LANGUAGE = [
  "AggregateError Array ArrayBuffer AsyncIterator Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date",
  "Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array",
  "Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set",
  "SharedArrayBuffer String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray",
  "WeakMap WeakRef WeakSet WebAssembly decodeURIComponent encodeURIComponent globalThis isFinite isNaN parseFloat",
  "parseInt undefined",
];
const WORKER = [
  "AbortController DOMException Event EventTarget ImageBitmap ImageData MessageChannel MessagePort OffscreenCanvas",
  "DecompressionStream ReadableStream Response TextDecoder TextEncoder Worker WorkerGlobalScope WorkerNavigator",
  "DedicatedWorkerGlobalScope clearInterval clearTimeout console createImageBitmap crypto location navigator performance",
  "postMessage queueMicrotask requestAnimationFrame self setInterval setTimeout structuredClone",
];

const names = new Set([...LANGUAGE, ...WORKER].flatMap((line) => line.split(" ")));

/** WebGPU's interfaces and constants are all named `GPU…`. */
export const isReserved = (name: string) => names.has(name) || /^GPU[A-Z]?/.test(name) || name.includes("$weft");
