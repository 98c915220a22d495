// Inspection of values as text, like a console's: short, one level or three deep. Tensors have dtype
// and shape at once; their values are read from the device, and written in when they arrive.

import { nn } from "weft-gpu";
import { inFull } from "../../state/figure";
import { isTensor } from "./library";
import type { Tensor } from "./library";
import { valuesOf } from "./summary";

const MAX_ITEMS = 50;
const MAX_DEPTH = 3;
const WIDTH = 72;

/** Without the values of tensors. */
export function inspect(value: unknown): string {
  return new Inspector(null).write(value, 0);
}

/** A text, and the whole of it where values of tensors are still to come. */
export interface Inspected {
  readonly text: string;
  readonly complete: Promise<string> | null;
}

/** Tensors of one value that are read. */
const MAX_READ = 20;

/** Values as they are now, each by itself; texts stay as they are. Tensors that are let go of meanwhile are shown all the same. */
export function inspectAll(values: readonly unknown[], reads = true): Inspected {
  const read: Tensor[] = [];
  const text = values.map((value) => (typeof value === "string" ? value : new Inspector(reads ? read : null).write(value, 0))).join(" ");
  if (read.length === 0) return { text, complete: null };
  const complete = Promise.all(read.map((tensor) => valuesOf(tensor).catch(() => typeOf(tensor)))).then((found) => fillIn(text, found));
  return { text: fillIn(text, read.map(typeOf)), complete };
}

const typeOf = (tensor: Tensor): string => {
  try {
    return `${tensor.dtype}[${tensor.shape.join(", ")}]`;
  } catch {
    return "tensor (disposed)";
  }
};

/** Writes the texts of tensors in their places; lines that follow in one are indented as its first. */
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

  /** `read` takes the tensors whose values are to be read. */
  constructor(private readonly read: Tensor[] | null) {}

  write(value: unknown, depth: number): string {
    switch (typeof value) {
      case "string":
        return JSON.stringify(value.length > 2_000 ? value.slice(0, 2_000) + "…" : value);
      case "bigint":
        return `${value}n`;
      case "function":
        return this.writeFunction(value);
      case "object":
        return value === null ? "null" : this.writeObject(value, depth);
      default:
        return typeof value === "number" ? inFull(value) : String(value);
    }
  }

  private writeFunction(value: { name: string }): string {
    const text = Function.prototype.toString.call(value);
    return `${/^class\b/.test(text) ? "class" : "function"} ${value.name || "(anonymous)"}`;
  }

  private writeObject(value: object, depth: number): string {
    if (this.open.has(value)) return "[circular]";
    if (isTensor(value)) return this.writeTensor(value);
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
    if (value instanceof RegExp) return String(value);
    if (value instanceof Promise) return "Promise";
    this.open.add(value);
    try {
      return this.writeMembers(value, depth);
    } finally {
      this.open.delete(value);
    }
  }

  private writeTensor(tensor: Tensor): string {
    if (!this.read || this.read.length === MAX_READ || tensor.disposed) return typeOf(tensor);
    this.read.push(tensor);
    // What takes lines of its own is put on one.
    return `\u{0}${this.read.length - 1}${tensor.ndim > 1 ? "\n" : ""}\u{0}`;
  }

  private writeMembers(value: object, depth: number): string {
    if (Array.isArray(value)) {
      if (depth >= MAX_DEPTH) return `Array(${value.length})`;
      return this.enclose("[", value, value.length, (item) => this.write(item, depth + 1), "]");
    }
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
      const items = value as unknown as ArrayLike<number | bigint>;
      const head = Array.from({ length: Math.min(items.length, MAX_ITEMS) }, (_, i) => items[i]);
      return `${className(value)}(${items.length}) ` + this.enclose("[", head, items.length, (item) => (typeof item === "number" ? inFull(item) : String(item)), "]");
    }
    if (value instanceof ArrayBuffer) return `ArrayBuffer(${value.byteLength})`;
    if (value instanceof Map) {
      const entry = ([key, item]: [unknown, unknown]) => `${this.write(key, depth + 1)} → ${this.write(item, depth + 1)}`;
      return `Map(${value.size}) ` + this.enclose("{", value, value.size, entry, "}");
    }
    if (value instanceof Set) {
      return `Set(${value.size}) ` + this.enclose("{", value, value.size, (item) => this.write(item, depth + 1), "}");
    }
    const name = className(value);
    const prefix = name === "Object" || name === "" ? "" : `${name}${this.parametersOf(value)} `;
    const keys = Object.keys(value);
    if (depth >= MAX_DEPTH) return `${prefix}{…}`;
    return prefix + this.enclose("{", keys, keys.length, (key) => this.writeProperty(value, key, depth), "}");
  }

  /** How many numbers a layer or a network learns. */
  private parametersOf(value: object): string {
    if (!(value instanceof nn.Module)) return "";
    const count = [...value.parameters()].reduce((sum, { size }) => sum + size, 0);
    return ` (${count.toLocaleString("en")} ${count === 1 ? "parameter" : "parameters"})`;
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
    if (count > parts.length) parts.push(`… ${count - parts.length} more`);
    if (parts.length === 0) return open + close;
    const pad = open === "{" ? " " : "";
    const line = open + pad + parts.join(", ") + pad + close;
    const short = parts.every((part) => part.length < 16 && !part.includes("\n"));
    if ((line.length <= WIDTH && !line.includes("\n")) || (short && open === "[")) return line;
    return `${open}\n${parts.map((part) => "  " + part.replace(/\n/g, "\n  ")).join(",\n")}\n${close}`;
  }
}

function className(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== "object" || prototype === null) return "";
  const { constructor } = prototype as { constructor?: unknown };
  return typeof constructor === "function" ? constructor.name : "";
}
