// Scope of the cells: the library, the notebook's additions to it, and the declarations of earlier
// cells, all properties of the worker's global object. Transformed cells call `$weft`; see
// `state/code/transform.ts`.

import { animate } from "../displays/animate";
import { checkCount, isCounted } from "../displays/arguments";
import { checkbox, color, learnsName, nameControl, number, passesOn, select, slider } from "../displays/controls";
import { play, point, range, text } from "../displays/fields";
import type { KernelReport } from "weft-gpu/kernel";
import { breathe, callFrom, check, currentRun, isRunning, nextFrame, tick } from "../channel/context";
import { track } from "../channel/pending";
import { display, markdown, table } from "../displays/displays";
import { download } from "../displays/download";
import { camera, microphone } from "../devices/devices";
import { NotAllowed } from "./ask";
import { file, FileError, FileNotFound } from "./files";
import { allow } from "./hosts";
import { audio } from "./audio";
import { unzip } from "./unzip";
import { made } from "../channel/heap";
import { image } from "../displays/images";
import { button, draw, input } from "../displays/input";
import { loadKernels } from "../library/kernels";
import { contour } from "../plots/contour";
import { heatmap } from "../plots/heatmap";
import { plot } from "../plots/plot";
import { scatter } from "../plots/scatter";
import { bars, box, hist } from "../plots/statistics";
import { progress } from "../displays/progress";
import { print } from "../displays/text";
import { upload } from "../displays/upload";
import { installIndices, operators } from "./operators";
import { textOf } from "./texts";
import { KERNELS } from "../../state/code/kernels";
import { isReserved } from "../../state/code/reserved";

/** What the notebook adds to the library. The editor completes it by these types
 * (`build/types.ts`). */
export const notebookNames = {
  print, display, markdown, table, image, heatmap, plot, scatter, hist, bars, box, contour, progress, animate, slider, number, select, checkbox, color, text, range, point, play, button, draw, input, file, download,
  FileError, FileNotFound, tick,
  nextFrame, breathe, allow, camera, microphone, NotAllowed, audio, unzip, upload,
};

const scope = globalThis as unknown as Record<string, unknown>;

function bind(name: string, value: unknown, writable = true): void {
  Object.defineProperty(globalThis, name, { value, writable, configurable: true, enumerable: true });
}

/** Unbinds names that a cell is about to declare, so that using one before its declaration
 * fails. */
export function unbind(names: readonly string[]): void {
  for (const name of names) delete scope[name];
}

/** Unbinds names that no cell declares any more; one that hid a name of the library gives it
 * back. */
export function unbindGone(names: readonly string[]): void {
  for (const name of names) {
    delete scope[name];
    if (Object.hasOwn(own, name)) bind(name, own[name]);
  }
}

/** A name that a cell declared stands for another value, as constant as before; one that is gone
 * stays gone. */
export function rebind(name: string, value: unknown): void {
  const known = Reflect.getOwnPropertyDescriptor(globalThis, name);
  if (known?.configurable) bind(name, value, known.writable ?? true);
}

/** Lets cells declare names that workers have as attributes without a setter, such as `caches` and
 * `fonts`: until then they mean those. */
function openAttributes(): void {
  for (let at = Object.getPrototypeOf(globalThis) as object | null; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object | null) {
    for (const name of Object.getOwnPropertyNames(at)) {
      const attribute = Reflect.getOwnPropertyDescriptor(at, name);
      if (!attribute?.get || attribute.set || !attribute.configurable || isReserved(name)) continue;
      Object.defineProperty(at, name, { ...attribute, set: (value: unknown) => bind(name, value) });
    }
  }
}

/** What stands in the scope before any cell has run. */
let own: Readonly<Record<string, unknown>> = {};

/** The entry of kernels, once a cell has needed it. */
let kernels: Readonly<Record<string, unknown>> | null = null;

/** What a kernel prints belongs to the cell that called it. An assertion that fails is the cell's
 * error, or, once the cell has ended, a line. */
function showReport(report: Promise<KernelReport>): void {
  const run = currentRun();
  const shown = report.then(({ lines, error }) => {
    callFrom(run, () => lines.forEach((line) => console.log(line)));
    if (error) throw error;
  });
  if (isRunning(run)) void track(shown, run);
  else shown.catch((error: unknown) => callFrom(run, () => console.error(error instanceof Error ? error.message : error)));
}

/** Brings the entry of kernels into the scope, unless it is there. Names that cells have declared
 * stay theirs. */
export async function bindKernels(): Promise<Readonly<Record<string, unknown>>> {
  if (kernels) return kernels;
  const entry = await loadKernels();
  // The library's own functions have no text that a kernel could use.
  const find = (name: string) => (Object.hasOwn(own, name) && scope[name] === own[name] ? undefined : scope[name]);
  const kernel = entry.kernelIn(find, showReport, textOf);
  // A kernel of an anonymous function has the name of its variable.
  type Make = typeof kernel | typeof kernel.group;
  for (const make of [kernel, kernel.group] as Make[]) {
    learnsName(make, (name, fn: () => unknown, options: never) => make(fn, (name === null || typeof fn !== "function" || fn.name !== "" ? options : { name, ...(options as object) }) as never));
  }
  kernels = { ...entry, kernel };
  // The notebook's `print` stays its own; in kernels it means theirs.
  own = { ...kernels, ...own };
  for (const [name, value] of Object.entries(kernels)) if (!Object.hasOwn(scope, name)) bind(name, value);
  return kernels;
}

/** The value of the running cell's last expression. */
let last: unknown;

/** What the cell ends with, which from now on only the cell's own variables hold. */
export function takeLast(): unknown {
  const value = last;
  last = undefined;
  return value;
}

export function bindScope(library: Readonly<Record<string, unknown>>): void {
  const functions = Object.entries(notebookNames).map(([name, value]) => [name, isCounted(name) ? passesOn(value, (count) => checkCount(name, count)) : value] as const);
  own = { ...library, ...Object.fromEntries(functions), weft: library };
  for (const [name, value] of Object.entries(own)) bind(name, value);
  openAttributes();
  installIndices();

  const hoist = (functions: Record<string, object>) => {
    for (const [name, value] of Object.entries(functions)) {
      Object.defineProperty(value, "name", { value: name, configurable: true });
      bind(name, value);
    }
  };
  const constant = (...names: string[]) => {
    for (const name of names) bind(name, scope[name], false);
  };
  const imported = (module: string, name: string) => {
    const exported = module === KERNELS ? kernels! : library;
    if (name === "*") return exported;
    if (name in exported) return exported[name];
    throw new SyntaxError(`"${module}" exports no “${name}”`);
  };
  const importLater = async (module: unknown) => {
    if (module === "weft-gpu") return library;
    if (module === KERNELS) return bindKernels();
    throw new TypeError(`only "weft-gpu" can be imported here, not ${JSON.stringify(module)}: cells have no network access`);
  };
  const setLast = (value: unknown) => void (last = value);
  const weft = Object.freeze({ last: setLast, hoist, constant, imported, importLater, check, tick, made, control: nameControl, ...operators });
  Object.defineProperty(globalThis, "$weft", { value: weft, writable: false, configurable: false, enumerable: false });
}
