// Trees of values: what they list, how much of it, and that they follow no circle and no depth.
import { init, nn, tensor, zeros } from "weft-gpu";
import { beforeAll, describe, expect, it } from "vitest";
import { dataContent } from "../../src/worker/displays/data";
import { inspectAll } from "../../src/worker/library/inspect";
import { fromWorker, MAX_BRANCHES } from "../../src/protocol/messages";
import type { Branch } from "../../src/protocol/messages";
import { membersAt, pathOf, rootsOf } from "../../src/state/outputs/branches";

beforeAll(async () => void (await init({ device: "cpu" })));

async function shown(...values: unknown[]) {
  const found = inspectAll(values, true, true);
  const { text, tree } = (await found.complete) ?? found;
  expect(found.opens).toBe(tree !== undefined);
  return { text, tree };
}
const lines = (tree: Branch[] | undefined) => (tree ?? []).map(({ key, text, depth, open }) => `${"  ".repeat(depth)}${key}${key === "" ? "" : ": "}${text}${open ? " (open)" : ""}`);

describe("a value's tree", () => {
  it("is none where a line says all", async () => {
    for (const value of [1, "text", null, [1, 2, 3], { a: 1, b: "two" }, new Map([["a", 1]]), new Set([1]), new Float32Array(3), tensor([1, 2]), () => 1, new Date(0), []]) expect((await shown(value)).tree, String(value)).toBeUndefined();
  });
  it("lists members with the values of tensors", async () => {
    const { text, tree } = await shown({ a: tensor([1, 2, 3]), b: [tensor([[1, 2], [3, 4]])] });
    expect(text).toContain("[1, 2, 3]");
    expect(lines(tree)).toEqual([
      "{ a: f32[3] [1, 2, 3], b: Array(1) } (open)",
      "  a: f32[3] [1, 2, 3]",
      "  b: [f32[2, 2]]",
      "    0: f32[2, 2]",
      "      [[1, 2],\n [3, 4]]",
    ]);
  });
  it("opens at once where its line leaves something out, and only then", async () => {
    expect((await shown({ step: 1, loss: tensor(0.5) })).tree?.[0]).toEqual({ key: "", text: "{ step: 1, loss: f32[] 0.5 }", depth: 0, open: false });
    expect((await shown({ a: Array.from({ length: 90 }, (_, i) => ({ i })) })).tree?.[0]?.open).toBe(true);
  });
  it("says what comes before it, and shows several", async () => {
    expect(lines((await shown("loss", 3, { t: tensor(1) }, [1])).tree)).toEqual(["loss 3: { t: f32[] 1 }", "  t: f32[] 1", "[1]", "  0: 1"]);
  });
  it("has maps, sets, classes, typed arrays and long lists", async () => {
    class Point {
      constructor(public x = 1, public list = Array.from({ length: 45 }, (_, i) => i)) {}
    }
    const { tree } = await shown({ map: new Map<unknown, unknown>([[{ k: 1 }, new Point()]]), set: new Set(["a"]), bytes: new Uint8Array(41), many: Array.from({ length: 130 }, (_, i) => `${i}`) });
    const all = lines(tree);
    for (const line of ["    { k: 1 } →: Point { x: 1, list: Array(45) }", "    0: \"a\"", "    0 … 19: " + Array(20).fill(0).join(", "), "    40 … 40: 0", "        40 … 44: 40, 41, 42, 43, 44", "    … 30 more"]) expect(all).toContain(line);
  });
  it("counts the parameters of modules, at every level", async () => {
    const model = new nn.Sequential(new nn.Linear(4, 3), new nn.Linear(3, 2));
    const all = lines((await shown(model)).tree).join("\n");
    expect(all).toMatch(/^Sequential \(23 parameters\)/);
    expect(all).toMatch(/Linear \(15 parameters\)[^]*Linear \(8 parameters\)/);
    expect(all).toMatch(/weight: f32\[/);
  });
  it("follows no circle, and shows what cannot be read", async () => {
    const value: Record<string, unknown> = { name: "x".repeat(200), get bad() { throw new Error("no"); } };
    value["self"] = value;
    const all = lines((await shown(value)).tree);
    expect(all).toContain("  self: [circular]");
    expect(all).toContain("  bad: (unreadable)");
  });
  it("shows what lies beside a proxy whose traps throw", async () => {
    const refuse = () => { throw new Error("no"); };
    for (const trap of ["ownKeys", "get", "getPrototypeOf", "has", "getOwnPropertyDescriptor"]) {
      const trapped = new Proxy({ a: 1 }, { [trap]: refuse });
      expect((await shown([1, trapped, 3])).text).toMatch(/^\[1, .+, 3\]$/);
      expect((await shown(trapped)).text).toMatch(/unreadable|^\{|^f32/);
      expect((await shown({ before: "x".repeat(300), trapped, after: [trapped] })).text).toContain("after");
    }
  });
  it("is bounded whatever it is of", async () => {
    let deep: unknown = 1;
    for (let i = 0; i < 10_000; i++) deep = { deep, wide: "x".repeat(5_000) };
    const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`k${i}`.padEnd(1_000, "y"), Object.fromEntries(Array.from({ length: 200 }, (_, j) => [j, "z".repeat(3_000)]))]));
    const endless = new Proxy({}, { ownKeys: () => Array.from({ length: 5_000 }, (_, i) => `p${i}`), getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }), get: () => wide });
    for (const value of [deep, wide, endless, Array(1e6).fill(wide), new Float64Array(1e6), Array.from({ length: 5_000 }, () => zeros([2])), new Array(4e9)]) {
      const { text, tree } = await shown(value);
      expect(tree!.length).toBeLessThanOrEqual(MAX_BRANCHES);
      expect(fromWorker({ type: "output", run: 1, output: 1, content: { kind: "value", text: text.slice(0, 200_000), tree } })).toBe(true);
      expect(tree!.reduce((sum, each) => sum + each.text.length + each.key.length, 0)).toBeLessThan(200_000);
    }
  });
});

describe("arrays that a file was read into", () => {
  const array = () => ({ shape: [2], dtype: "f32", bits: 32, tensor: () => tensor([1, 2]) });
  it("are listed by name", () => {
    for (const value of [{ a: array(), b: array() }, { tensors: { a: array(), b: array() }, metadata: {} }]) expect(dataContent(value, "")).toMatchObject({ table: { rows: [["a", "f32", "[2]"], ["b", "f32", "[2]"]] } });
    for (const value of [{}, { a: array(), b: 1 }, [array()]]) expect(dataContent(value, "")).toBeNull();
  });
  it("are not sought among millions of elements", () => {
    // To list their names takes a minute.
    expect(dataContent(new Float32Array(2e7), "")).toBeNull();
    expect(dataContent(new Array(2e7).fill(0), "")).toBeNull();
  });
});

describe("lines of a tree that a worker sent", () => {
  const of = (...depths: number[]): Branch[] => depths.map((depth, i) => ({ key: `k${i}`, text: "", depth, open: true }));
  it("stand at most one level below the line before them", () => {
    const branches = of(9, 12, 3, 0, 5, 5);
    expect(rootsOf(branches)).toEqual([0, 3]);
    expect(branches.map((_, at) => membersAt(branches, at))).toEqual([[1], [2], [], [4], [5], []]);
    expect(pathOf(branches, 5)).not.toBe(pathOf(branches, 4));
  });
  it("have names of any kind", () => {
    const branches: Branch[] = [{ key: "", text: "", depth: 0, open: true }, ...["__proto__", "constructor", "toString"].map((key) => ({ key, text: "", depth: 1, open: true }))];
    expect(new Set(branches.map((_, i) => pathOf(branches, i))).size).toBe(4);
  });
});
