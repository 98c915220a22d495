// Inspection of values as text, like a console's: short, one level or three deep, tensors by dtype
// and shape.

import { inFull } from "../../state/figure";
import { isTensor } from "./library";

const MAX_ITEMS = 50;
const MAX_DEPTH = 3;
const WIDTH = 72;

export function inspect(value: unknown): string {
  return new Inspector().write(value, 0);
}

class Inspector {
  private readonly open = new Set<object>();

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
    if (isTensor(value)) return `${value.dtype}[${value.shape.join(", ")}]`;
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
    const prefix = name === "Object" || name === "" ? "" : `${name} `;
    const keys = Object.keys(value);
    if (depth >= MAX_DEPTH) return `${prefix}{…}`;
    return prefix + this.enclose("{", keys, keys.length, (key) => this.writeProperty(value, key, depth), "}");
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
