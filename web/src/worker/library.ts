// What does the worker take of weft-gpu? All its exports, for cells to name; the device that it opens; and the names
// that the editor completes.

import * as weft from "weft-gpu";
import type { DeviceInfo } from "weft-gpu";
import type { DeviceReport, LibraryName } from "../protocol/messages";

export type Tensor = weft.Tensor;
export const library: Readonly<Record<string, unknown>> = { ...weft };

export const isTensor = (value: unknown): value is Tensor => value instanceof weft.Tensor;

/** Opens the device: WebGPU, else Weft's own CPU device, and says which it became. */
export async function startLibrary(wasm: ArrayBuffer, device: "auto" | "cpu"): Promise<DeviceReport> {
  return reportDevice(await weft.init(device === "cpu" ? { wasm, device } : { wasm }));
}

/** The device that is open now, if a cell opened another one than `known`. */
export function changedDevice(known: DeviceReport): DeviceReport | null {
  const info = weft.deviceInfo();
  if (!info) return null;
  const report = reportDevice(info);
  return JSON.stringify(report) === JSON.stringify(known) ? null : report;
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

export function libraryNames(): LibraryName[] {
  return Object.entries(library)
    .filter(([label]) => isWord(label))
    .map(([label, value]) => ({ label, kind: kindOf(value), members: membersOf(value) }));
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
