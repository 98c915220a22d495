// The worker's access to weft-gpu: all exports, for cells to name; the device that it opens; and
// the names that the editor completes.

import * as weft from "weft-gpu";
import type { DeviceInfo } from "weft-gpu";
import type { DeviceReport, LibraryName, MemoryReport } from "../../protocol/messages";
import type { DeviceChoice } from "../../protocol/messages";
import { KERNEL_NAMES } from "../../state/code/kernels";
import { loadRest } from "./rest";
import { store, tuningOf } from "./tuning";
import { wasm } from "./wasm";

export type Tensor = weft.Tensor;
export const library: Readonly<Record<string, unknown>> = { ...weft };

export const isTensor = (value: unknown): value is Tensor => value instanceof weft.Tensor;

/** The open device, as it is reported to the page, and the moment when it is lost. */
export interface OpenDevice {
  readonly info: DeviceInfo;
  readonly report: DeviceReport;
}

/** Opens the device: WebGPU on a GPU, else Weft's own CPU device, unless the reader chose. */
export async function startLibrary(choice: DeviceChoice, tuning: boolean | null): Promise<OpenDevice> {
  const parts = { wasm, rest: loadRest, ...(choice === "low-power" ? { powerPreference: choice } : {}) };
  const info = await weft.init(choice === "cpu" ? { ...parts, device: choice } : { ...parts, store, ...tuningOf(tuning) });
  if (choice !== "auto" || !info.adapter?.isFallback) return { info, report: reportDevice(info) };
  const cpu = await weft.init({ device: "cpu" });
  return { info: cpu, report: { ...reportDevice(info), kind: "cpu" } };
}

/** The device that is open now, if it is another than `known`: a cell may have opened one. */
export function changedDevice(known: OpenDevice): OpenDevice | null {
  const info = weft.deviceInfo();
  return info === null || info === known.info ? null : { info, report: reportDevice(info) };
}

/** What tensors take, and how many kernels are optimised; null where the library cannot say. */
export function memoryNow(): MemoryReport | null {
  try {
    const { bytes, peak, pooled } = weft.memory();
    return { live: bytes, peak, pooled, optimising: weft.tune.optimising() };
  } catch {
    return null;
  }
}

/** From now on what the device runs is this run's. */
export function noteRuns(run: number): void {
  try {
    weft.labelRuns(run);
  } catch {
    // There is no device, and so nothing to note.
  }
}

/** Characters of an explanation that the page is sent. */
const MOST_EXPLAINED = 390_000;

/** What a run computed, for people: every program, with how often it ran. */
export function explainRun(run: number): string {
  try {
    const runs = weft.explainRuns(run);
    if (runs.length === 0) return "The last run of this cell computed nothing on the device.";
    const explained = runs.map(({ times, explanation }, n) => `Program ${n + 1} of ${runs.length}, ran ${times === 1 ? "once" : `${times.toLocaleString("en")} times`}\n${"=".repeat(40)}\n\n${explanation}`).join("\n\n");
    const rest = explained.length - MOST_EXPLAINED;
    return rest <= 0 ? explained : `${clip(explained, MOST_EXPLAINED)}\n\n… and ${rest.toLocaleString("en")} more characters. Call explain(fn, …args) to see one function.`;
  } catch (error) {
    return `This cannot be explained now: ${String(error)}`.slice(0, MOST_EXPLAINED);
  }
}

const clip = (text: string, length: number) => text.slice(0, length);

function reportDevice({ kind, adapter, reason }: DeviceInfo): DeviceReport {
  return {
    kind,
    adapter: adapter && {
      vendor: clip(adapter.vendor, 400),
      architecture: clip(adapter.architecture, 400),
      description: clip(adapter.description, 400),
      isFallback: adapter.isFallback,
    },
    reason: reason === undefined ? null : clip(reason, 2_000),
  };
}

/** What cells may name without declaring it; `more` is what the notebook adds. An error about
 * another name is compared with these. */
export function libraryNames(more: Readonly<Record<string, unknown>>): LibraryName[] {
  const here = Object.entries({ ...library, ...more })
    .filter(([label]) => isWord(label))
    .map(([label, value]) => ({ label, kind: kindOf(value), members: membersOf(value) }));
  return [...here, ...Object.entries(KERNEL_NAMES).map(([label, kind]) => ({ label, kind, members: [] }))];
}

const isWord = (name: string) => /^[a-z]\w*$/i.test(name);
const isClass = (value: unknown) => typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));

function kindOf(value: unknown): LibraryName["kind"] {
  if (isClass(value)) return "class";
  if (typeof value === "function") return "function";
  return typeof value === "object" && value !== null ? "namespace" : "constant";
}

function membersOf(value: unknown): string[] {
  if (isClass(value)) {
    const { prototype } = value as { prototype: object };
    return Object.getOwnPropertyNames(prototype).filter((name) => isWord(name) && name !== "constructor");
  }
  return typeof value === "object" && value !== null ? Object.keys(value).filter(isWord) : [];
}
