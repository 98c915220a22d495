// Inspection of values as text, like a console's: short, one level or three deep. Tensors have
// dtype and shape at once; their values are read from the device, and written in when they arrive.

import { nn } from "weft-gpu";
import { inFull } from "../../state/figure";
import type { Branch } from "../../protocol/messages";
import { isTensor } from "./library";
import type { Tensor } from "./library";
import { valuesOf } from "./summary";
import { treeOf } from "./tree";

const MAX_ITEMS = 50;
const MAX_DEPTH = 3;
const WIDTH = 72;
const CHARACTERS = 100_000;

/** Without the values of tensors. */
export function inspect(value: unknown): string {
  return new Inspector(new Reading(0)).write(value, 0);
}

/** Values as text and, where a line does not say all of them, as a tree. */
export interface Shown {
  readonly text: string;
  readonly tree: Branch[] | undefined;
}

/** What is known at once, and the whole where values of tensors are still to come. */
export interface Inspected extends Shown {
  readonly complete: Promise<Shown> | null;
  /** Whether there is a tree, or will be. */
  readonly opens: boolean;
}

/** Tensors of one value that are read. */
const MAX_READ = 32;

/** Tensors whose values are to be read, each once. */
export class Reading {
  readonly tensors: Tensor[] = [];
  private readonly places = new Map<Tensor, number>();

  constructor(private readonly most: number) {}

  /** The place of a tensor among them; null where it is not read. */
  take(tensor: Tensor): number | null {
    const known = this.places.get(tensor);
    if (known !== undefined) return known;
    if (this.tensors.length === this.most || tensor.disposed) return null;
    this.places.set(tensor, this.tensors.length);
    return this.tensors.push(tensor) - 1;
  }
}

/** Values as they are now, each by itself; texts stay as they are. Tensors that are let go of
 * meanwhile are shown all the same. */
export function inspectAll(values: readonly unknown[], reads = true, trees = false): Inspected {
  const reading = new Reading(reads ? MAX_READ : 0);
  const inspectors = values.map(() => new Inspector(reading));
  const text = values.map((value, i) => (typeof value === "string" ? value : inspectors[i]!.write(value, 0))).join(" ");
  const opens = trees && inspectors.some(({ partial }) => partial);
  const tree = opens ? treeOf(values, reading) : null;
  const types = reading.tensors.map(typeOf);
  const at = (found: readonly string[], read: boolean): Shown => ({ text: fillIn(text, found), tree: tree?.(read ? found : null) });
  if (types.length === 0) return { ...at([], false), complete: null, opens: tree !== null };
  const complete = Promise.all(reading.tensors.map((tensor) => valuesOf(tensor).catch(() => typeOf(tensor)))).then((found) => at(found, true));
  return { text: fillIn(text, types), tree: undefined, complete, opens: tree !== null };
}

export const typeOf = (tensor: Tensor): string => {
  try {
    return `${tensor.dtype}[${tensor.shape.join(", ")}]`;
  } catch {
    return "tensor (disposed)";
  }
};

/** Writes the texts of tensors in their places; lines that follow in one are indented as its
 * first. */
function fillIn(text: string, found: readonly string[]): string {
  let filled = "";
  let at = 0;
  for (const place of text.matchAll(/\u{0}(\d+)\s*\u{0}/gu)) {
    filled += text.slice(at, place.index);
    const column = filled.length - (filled.lastIndexOf("\n") + 1);
    filled += (found[Number(place[1])] ?? "").replaceAll("\n", `\n${" ".repeat(column)}`);
    at = place.index + place[0].length;
  }
  return filled + text.slice(at);
}

class Inspector {
  private readonly open = new Set<object>();

  /** Whether the text leaves something out, takes several lines, or has tensors among members. */
  partial = false;
  /** Characters that may still be written. */
  private left = CHARACTERS;

  constructor(private readonly reading: Reading) {}

  write(value: unknown, depth: number): string {
    if (this.left <= 0) return this.cut("…");
    const text = this.writeWhole(value, depth);
    // What has members has counted them.
    if (typeof value !== "object") this.left -= text.length;
    return text;
  }

  private writeWhole(value: unknown, depth: number): string {
    switch (typeof value) {
      case "string":
        if (value.length > 2_000) this.partial = true;
        return JSON.stringify(value.length > 2_000 ? value.slice(0, 2_000) + "…" : value);
      case "object":
        return value === null ? "null" : this.writeObject(value, depth);
      default:
        return writePlain(value);
    }
  }

  private writeObject(value: object, depth: number): string {
    if (this.open.has(value)) return "[circular]";
    try {
      return this.writeReadable(value, depth);
    } catch {
      // A proxy, or a getter, that throws.
      return "(unreadable)";
    }
  }

  private writeReadable(value: object, depth: number): string {
    if (isTensor(value)) {
      if (depth > 0) this.partial = true;
      return this.writeTensor(value);
    }
    if (value instanceof Error || value instanceof Date || value instanceof RegExp || value instanceof Promise || value instanceof ArrayBuffer) return writePlain(value);
    this.open.add(value);
    try {
      return this.writeMembers(value, depth);
    } finally {
      this.open.delete(value);
    }
  }

  private writeTensor(tensor: Tensor): string {
    const at = this.reading.take(tensor);
    if (at === null) return typeOf(tensor);
    // What takes lines of its own is put on one.
    return `\u{0}${at}${tensor.ndim > 1 ? "\n" : ""}\u{0}`;
  }

  private writeMembers(value: object, depth: number): string {
    if (Array.isArray(value)) {
      if (depth >= MAX_DEPTH) return this.cut(`Array(${value.length})`);
      return this.enclose("[", value, value.length, (item) => this.write(item, depth + 1), "]");
    }
    if (isArrayLike(value)) {
      const head = Array.from({ length: Math.min(value.length, MAX_ITEMS) }, (_, i) => value[i]);
      return `${className(value)}(${value.length}) ` + this.enclose("[", head, value.length, (item) => (typeof item === "number" ? inFull(item) : String(item)), "]");
    }
    if (value instanceof Map) {
      const entry = ([key, item]: [unknown, unknown]) => `${this.write(key, depth + 1)} → ${this.write(item, depth + 1)}`;
      return `Map(${value.size}) ` + this.enclose("{", value, value.size, entry, "}");
    }
    if (value instanceof Set) {
      return `Set(${value.size}) ` + this.enclose("{", value, value.size, (item) => this.write(item, depth + 1), "}");
    }
    const name = className(value);
    const prefix = name === "Object" || name === "" ? "" : `${name}${parametersOf(value)} `;
    if (value instanceof nn.Module) this.partial = true;
    const keys = Object.keys(value);
    if (depth >= MAX_DEPTH) return this.cut(`${prefix}{…}`);
    return prefix + this.enclose("{", keys, keys.length, (key) => this.writeProperty(value, key, depth), "}");
  }

  private cut(text: string): string {
    this.partial = true;
    return text;
  }

  private writeProperty(value: object, key: string, depth: number): string {
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    try {
      return `${name}: ${this.write((value as Record<string, unknown>)[key], depth + 1)}`;
    } catch {
      return `${name}: (unreadable)`;
    }
  }

  /** Items on one line if they fit, else each on its own. */
  private enclose<T>(open: string, items: Iterable<T>, count: number, write: (item: T) => string, close: string): string {
    const parts: string[] = [];
    for (const item of items) {
      if (parts.length === MAX_ITEMS) break;
      parts.push(write(item));
    }
    if (count > parts.length) parts.push(this.cut(`… ${count - parts.length} more`));
    if (parts.length === 0) return open + close;
    const pad = open === "{" ? " " : "";
    const line = open + pad + parts.join(", ") + pad + close;
    const short = parts.every((part) => part.length < 16 && !part.includes("\n"));
    if ((line.length <= WIDTH && !line.includes("\n")) || (short && open === "[")) return line;
    this.partial = true;
    return `${open}\n${parts.map((part) => "  " + part.replace(/\n/g, "\n  ")).join(",\n")}\n${close}`;
  }
}

/** A value without members, or one whose members are not shown. */
export function writePlain(value: unknown): string {
  if (typeof value === "number") return inFull(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return writeFunction(value as { name: string });
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof Promise) return "Promise: write await before it";
  if (value instanceof ArrayBuffer) return `ArrayBuffer(${value.byteLength})`;
  return String(value);
}

export function writeFunction(value: { name: string }): string {
  const text = Function.prototype.toString.call(value);
  return `${/^class\b/.test(text) ? "class" : "function"} ${value.name || "(anonymous)"}`;
}

/** An array, or a view of numbers. */
export const isArrayLike = (value: object): value is ArrayLike<unknown> => Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

/** How many numbers a layer or a network learns. */
export function parametersOf(value: object): string {
  if (!(value instanceof nn.Module)) return "";
  const count = [...value.parameters()].reduce((sum, { size }) => sum + size, 0);
  return ` (${count.toLocaleString("en")} ${count === 1 ? "parameter" : "parameters"})`;
}

export function className(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== "object" || prototype === null) return "";
  const { constructor } = prototype as { constructor?: unknown };
  return typeof constructor === "function" ? constructor.name : "";
}
