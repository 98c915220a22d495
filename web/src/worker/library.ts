// What does the worker need to know of weft-gpu? How to start it, what it exports, and how to recognise a tensor. The
// playground asks no more of a tensor than this, whatever else the library gives it.

import * as weft from "weft-gpu";
import type { DeviceReport, LibraryName } from "../protocol/messages";

/** The part of a tensor that displays use. */
export interface TensorLike {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly size: number;
  data(): Promise<ArrayLike<number>>;
}

export const library: Readonly<Record<string, unknown>> = { ...weft };

export function isTensor(value: unknown): value is TensorLike {
  if (typeof value !== "object" || value === null) return false;
  const { shape, dtype, data } = value as Partial<TensorLike>;
  return Array.isArray(shape) && typeof dtype === "string" && typeof data === "function";
}

/** Opens the device: WebGPU, else Weft's own CPU device, and says which it became. */
export async function startLibrary(wasm: ArrayBuffer, device: "auto" | "cpu"): Promise<DeviceReport> {
  const info = await weft.init(device === "cpu" ? { wasm, device: "cpu" } : { wasm });
  const { kind, adapter, reason } = info;
  return {
    kind,
    adapter: adapter
      ? {
          vendor: adapter.vendor,
          architecture: adapter.architecture,
          description: adapter.description,
          isFallback: adapter.isFallback,
        }
      : null,
    reason: reason ?? null,
  };
}

/** What the editor completes. */
export function libraryNames(): LibraryName[] {
  return Object.entries(library)
    .filter(([label]) => /^[a-z]\w*$/i.test(label))
    .map(([label, value]) => ({ label, kind: kindOf(value), members: membersOf(value) }));
}

function kindOf(value: unknown): LibraryName["kind"] {
  if (typeof value === "function") return /^class\b/.test(Function.prototype.toString.call(value)) ? "class" : "function";
  return typeof value === "object" && value !== null ? "namespace" : "constant";
}

function membersOf(value: unknown): string[] {
  const holder: unknown =
    typeof value === "function" && kindOf(value) === "class" ? (value as { prototype: unknown }).prototype : value;
  if ((typeof holder !== "object" && typeof holder !== "function") || holder === null) return [];
  const own = typeof holder === "function" ? Object.keys(holder) : Object.getOwnPropertyNames(holder);
  return own.filter((name) => /^[a-z]\w*$/i.test(name) && name !== "constructor" && name !== "length" && name !== "name");
}
