// Trees of values, which the reader opens member by member. A tree is a copy, bounded in depth,
// lines and characters: what the value becomes afterwards does not change what was shown.

import type { Branch } from "../../protocol/messages";
import { MAX_BRANCHES } from "../../protocol/messages";
import { className, isArrayLike, parametersOf, typeOf, writeFunction, writePlain } from "./inspect";
import type { Reading } from "./inspect";
import { isTensor } from "./library";
import type { Tensor } from "./library";

/** Members of a value that are listed, and levels below the value itself. */
const MEMBERS = 100;
const DEPTH = 8;
/** Characters of a line, of a value within a line, of a text that is opened, and of the whole
 * tree. */
const LINE = 96;
const WITHIN = 40;
const TEXT = 4_000;
const CHARACTERS = 100_000;
/** Numbers that share a line, where there are more than fit into one. */
const ROW = 20;

/** A text whose marks stand for values of tensors that are still to come. */
interface Preview {
  text: string;
  /** Whether something was left out. */
  cut: boolean;
}

interface Node {
  readonly key: string;
  readonly value: unknown;
  readonly preview: Preview;
  readonly parent: Node | null;
  readonly depth: number;
  readonly children: Node[];
  /** The tensor among those that are read. */
  readonly tensor: number | null;
}

/** The tree of values; null where their line says all. `finish` writes in what was read of
 * tensors. */
export function treeOf(values: readonly unknown[], reading: Reading): ((found: readonly string[] | null) => Branch[]) | null {
  const roots: Node[] = [];
  let said = "";
  for (const value of values) {
    if (isOpenable(value)) roots.push(nodeOf(roots.length === 0 ? said : "", value, null, reading));
    else if (roots.length === 0) said += `${said === "" ? "" : " "}${typeof value === "string" ? value : writePlain(value)}`;
    else roots.push(nodeOf("", value, null, reading));
  }
  if (roots.length === 0 || said.length > 200 || said.includes("\n")) return null;
  const waiting = [...roots];
  let count = roots.length;
  for (let node = waiting.shift(); node; node = waiting.shift()) {
    if (node.depth >= DEPTH || (node.depth > 0 && isAbove(node.value, node.parent))) continue;
    const { members, rest } = membersOf(node.value);
    // All members or none: half of them would read as all.
    if (members.length === 0 || count + members.length + 1 > MAX_BRANCHES / 2) continue;
    for (const [key, value] of members) node.children.push(nodeOf(key, value, node, reading));
    if (rest > 0) node.children.push({ key: "", value: undefined, preview: { text: `… ${rest.toLocaleString("en")} more`, cut: false }, parent: node, depth: node.depth + 1, children: [], tensor: null });
    count += node.children.length;
    waiting.push(...node.children);
  }
  return (found) => finish(roots, reading, found);
}

/** Whether a value has members, or is a tensor within others. */
const isOpenable = (value: unknown): boolean => typeof value === "object" && value !== null && membersOf(value, 1).members.length > 0;

function isAbove(value: unknown, node: Node | null): boolean {
  for (let at = node; at; at = at.parent) if (at.value === value) return true;
  return false;
}

/** Whether a value is a tensor, asked of one that may be a proxy. */
function safeTensor(value: unknown): value is Tensor {
  try {
    return isTensor(value);
  } catch {
    return false;
  }
}

function nodeOf(key: string, value: unknown, parent: Node | null, reading: Reading): Node {
  const tensor = safeTensor(value) ? reading.take(value) : null;
  const circular = typeof value === "object" && value !== null && isAbove(value, parent);
  const preview = circular ? { text: "[circular]", cut: false } : previewOf(value, reading);
  return { key: key.slice(0, 200), value, preview, parent, depth: parent ? parent.depth + 1 : 0, children: [], tensor };
}

/** A line of a long list: its numbers from `from` on. */
class Row {
  constructor(
    private readonly list: ArrayLike<unknown>,
    private readonly from: number,
  ) {}
  get text(): string {
    return Array.from({ length: Math.min(ROW, this.list.length - this.from) }, (_, i) => writePlain(this.list[this.from + i])).join(", ");
  }
}

const isNumbers = (value: ArrayLike<unknown>): boolean => {
  for (let i = 0; i < Math.min(value.length, MEMBERS * ROW); i++) if (typeof value[i] !== "number" && typeof value[i] !== "bigint") return false;
  return true;
};

type Member = readonly [string, unknown];

/** A proxy that throws has no members. */
function membersOf(value: unknown, most = MEMBERS): { members: Member[]; rest: number } {
  try {
    return listMembers(value, most);
  } catch {
    return { members: [], rest: 0 };
  }
}

function listMembers(value: unknown, most: number): { members: Member[]; rest: number } {
  const none = { members: [], rest: 0 };
  if (typeof value === "string") return value.length > LINE || value.includes("\n") ? { members: [["", new Words(value)]], rest: 0 } : none;
  if (typeof value !== "object" || value === null || value instanceof Row || value instanceof Words || isTensor(value)) return none;
  if (value instanceof Date || value instanceof RegExp || value instanceof Promise || value instanceof ArrayBuffer || value instanceof DataView || value instanceof Error) return none;
  if (isArrayLike(value)) {
    const { length } = value;
    if (length > ROW && isNumbers(value)) {
      const rows = Math.min(most, Math.ceil(length / ROW));
      const members = Array.from({ length: rows }, (_, row): Member => [`${row * ROW} … ${Math.min(length, (row + 1) * ROW) - 1}`, new Row(value, row * ROW)]);
      return { members, rest: Math.max(0, length - rows * ROW) };
    }
    return { members: Array.from({ length: Math.min(most, length) }, (_, i): Member => [String(i), value[i]]), rest: Math.max(0, length - most) };
  }
  const members: Member[] = [];
  if (value instanceof Map || value instanceof Set) {
    let at = 0;
    for (const item of value as Iterable<unknown>) {
      if (at === most) break;
      if (value instanceof Map) members.push([`${previewOf((item as Member)[0], null, 60).text} →`, (item as [unknown, unknown])[1]]);
      else members.push([String(at), item]);
      at++;
    }
    return { members, rest: value.size - members.length };
  }
  const keys = Object.keys(value);
  for (const key of keys.slice(0, most)) members.push([nameOf(key), read(value, key)]);
  return { members, rest: keys.length - members.length };
}

const nameOf = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key.slice(0, 190)));

/** What stands for a value whose members throw when they are read. */
const UNREADABLE = "(unreadable)";

class Words {
  constructor(readonly text: string) {}
}
function read(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return new Words(UNREADABLE);
  }
}

/** A value on one line. `reading` takes the tensors in it. */
function previewOf(value: unknown, reading: Reading | null, room = LINE): Preview {
  try {
    return writePreview(value, reading, room);
  } catch {
    return { text: UNREADABLE, cut: false };
  }
}

function writePreview(value: unknown, reading: Reading | null, room: number): Preview {
  if (value instanceof Row || value instanceof Words) return { text: value.text.slice(0, TEXT), cut: value.text.length > TEXT };
  if (typeof value === "string") {
    const text = JSON.stringify(value.slice(0, room));
    return value.length > room ? { text: `${text}…`, cut: true } : { text, cut: false };
  }
  if (typeof value === "function") return { text: writeFunction(value as { name: string }).slice(0, room), cut: false };
  if (typeof value !== "object" || value === null) return { text: writePlain(value).slice(0, TEXT), cut: false };
  if (isTensor(value)) {
    const at = reading?.take(value) ?? null;
    return { text: at === null ? typeOf(value) : `\u{0}${at}\u{0}`, cut: false };
  }
  if (value instanceof Error || value instanceof Date || value instanceof RegExp || value instanceof Promise || value instanceof ArrayBuffer) return { text: writePlain(value).replaceAll("\n", " ").slice(0, 400), cut: false };
  return previewOfMembers(value, reading, room);
}

/** How a value is called, before its members. */
function headOf(value: object): string {
  if (Array.isArray(value)) return value.length > ROW ? `Array(${value.length.toLocaleString("en")}) ` : "";
  if (isArrayLike(value)) return `${className(value)}(${value.length.toLocaleString("en")}) `;
  if (value instanceof Map || value instanceof Set) return `${className(value)}(${value.size.toLocaleString("en")}) `;
  const name = className(value);
  return name === "Object" || name === "" ? "" : `${name}${parametersOf(value)} `;
}

function previewOfMembers(value: object, reading: Reading | null, room: number): Preview {
  const head = headOf(value).slice(0, 120);
  const list = isArrayLike(value);
  const [open, close] = list ? ["[", "]"] : ["{ ", " }"];
  const length = list ? value.length : value instanceof Map || value instanceof Set ? value.size : Object.keys(value).length;
  if (length === 0) return { text: head + (list ? "[]" : "{}"), cut: false };
  // What is deep within is named and no more.
  if (room < LINE / 2) return { text: head.trim() === "" ? (list ? `Array(${length})` : "{…}") : head.trim(), cut: true };
  const parts: string[] = [];
  let left = room - head.length - 4;
  let cut = false;
  const members: readonly Member[] = list ? Array.from({ length: Math.min(length, 60) }, (_, i): Member => ["", value[i]]) : membersOf(value, 20).members;
  for (const [key, member] of members) {
    const inner = previewOf(member, reading, Math.min(WITHIN, left));
    const text = key === "" || value instanceof Set ? inner.text : value instanceof Map ? `${key} ${inner.text}` : `${key}: ${inner.text}`;
    const size = text.replace(/\u{0}\d+\u{0}/gu, "f32[0, 0]").length + 2;
    if (size > left && parts.length > 0) break;
    left -= size;
    cut ||= inner.cut;
    parts.push(text);
  }
  const rest = parts.length < length;
  return { text: head + open + parts.join(", ") + (rest ? ", …" : "") + close, cut: cut || rest };
}

/** The nodes as lines, in the order in which they stand, `found` being what was read of tensors. */
function finish(roots: readonly Node[], reading: Reading, found: readonly string[] | null): Branch[] {
  const lines: Branch[] = [];
  let left = CHARACTERS;
  const fill = (text: string) => {
    let cut = false;
    const filled = text.replace(/\u{0}(\d+)\u{0}/gu, (_, at) => {
      const whole = found?.[Number(at)];
      if (whole !== undefined && whole.length <= WITHIN && !whole.includes("\n")) return whole;
      cut = true;
      return typeOf(reading.tensors[Number(at)]!);
    });
    return { text: filled, cut };
  };
  const add = (key: string, text: string, depth: number, open: boolean) => {
    const kept = text.slice(0, Math.max(20, left));
    left -= kept.length + key.length;
    lines.push({ key, text: kept.length < text.length ? `${kept}…` : kept, depth, open });
  };
  const walk = (nodes: readonly Node[]) => {
    for (const { key, preview, depth, children, tensor } of nodes) {
      if (lines.length >= MAX_BRANCHES) return;
      const whole = tensor === null ? undefined : found?.[tensor];
      if (whole !== undefined) {
        const oneLine = !whole.includes("\n") && whole.length <= LINE + 60;
        add(key, oneLine ? whole : typeOf(reading.tensors[tensor!]!), depth, false);
        if (!oneLine && lines.length < MAX_BRANCHES) add("", whole.replace(/^\w+\[.*\]\n/, "").slice(0, TEXT), depth + 1, false);
        continue;
      }
      const { text, cut } = fill(preview.text);
      add(key, text, depth, depth === 0 && (cut || preview.cut));
      walk(children);
    }
  };
  walk(roots);
  return lines;
}
