// Operators written out for programs outside of the notebook: as methods where types are known, and
// with the same results.
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import * as weft from "weft-gpu";
import type { Tensor } from "weft-gpu";
import { withoutTypes } from "../../build/erase";
import { readVocabulary } from "../../build/types";
import type { ReferenceEntry } from "../../build/types";
import type { Vocabulary } from "../../src/state/code/vocabulary";
import { withMethods } from "../../src/state/operators/methods";
import { transformCell } from "../../src/state/code/transform";
import { operatorsModule, spelled } from "../../src/state/operators/spelled";

let vocabulary: Vocabulary;
let reference: readonly ReferenceEntry[];
beforeAll(async () => {
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  ({ vocabulary, reference } = readVocabulary({ library: path("../../../js/src/index.ts"), kernels: path("../../../js/src/kernel/index.ts") }));
  await weft.init({ device: "cpu" });
}, 180_000);

const code = (source: string) => spelled(source, vocabulary).code;

describe("spelled", () => {
  it.each([
    ["const a = tensor([1, 2]), b = a * 2 + 1", "const a = tensor([1, 2]), b = (a.mul(2)).add(1)"],
    ["const a = zeros([2]); -a; a[0]; a[n]", "const a = zeros([2]); a.neg(); a.slice(0); $weft.at(a, n)"],
    ["const f = (x) => x ** 2", "const f = (x) => $weft.pow(x, 2)"],
    ["for (let i = 0; i < 3; i++) total += i * 2", "for (let i = 0; i < 3; i++) total = $weft.add(total, i * 2)"],
    ["const k = kernel((x, i) => x.at(i) * 2)", "const k = kernel((x, i) => x.at(i) * 2)"],
    ["if (ones([2]) > 1) 1", 'if ($weft.test("if", ones([2]).greater(1))) 1'],
    ["1 - ones([2])", "$weft.sub(1, ones([2]))"],
    ["const n = 2 * 3 + Math.sqrt(4)", "const n = 2 * 3 + Math.sqrt(4)"],
  ])("%s", (source, expected) => expect(code(source)).toBe(expected));

  it("computes the same as a module", async () => {
    const source = "const s = linspace(0, 1, 6).reshape([2, 3]); const o = { p: s }; o.p -= s[0] / 2; const f = (x) => -x % 2 < 0; let t = 1; t *= o.p; t++; where(f(s), t, o.p * (s > 0.5))";
    const at = source.lastIndexOf("where");
    const text = `${operatorsModule}\n${code(`${source.slice(0, at)}return_(${source.slice(at)})`)}`;
    let value: unknown;
    new Function("weft", "return_", ...Object.keys(weft), text)(weft, (result: unknown) => (value = result), ...Object.values(weft));
    const s = weft.linspace(0, 1, 6).reshape([2, 3]);
    const p = s.sub(s.slice(0).div(2));
    const expected = weft.where(s.neg().fmod(2).less(0), weft.mul(1, p).add(1), p.mul(s.greater(0.5)));
    expect(await (value as Tensor).array()).toEqual(await expected.array());
  });

  it("computes with complex numbers as a module, and calls no method of tensors with them", async () => {
    const source = "const x = linspace(0, 1, 4), z = fft.fft(x); const y = x * z + (1 - z) / 2; -(y[1] ** 2)";
    const { cells } = withMethods([{ id: "a", kind: "code", source }] as never, vocabulary);
    expect(cells[0]!.source).toContain("$weft.mul(x, z)");
    const at = cells[0]!.source.lastIndexOf("$weft.neg");
    let value: unknown;
    new Function("weft", "return_", ...Object.keys(weft), `${operatorsModule}\n${cells[0]!.source.slice(0, at)}return_(${cells[0]!.source.slice(at)})`)(weft, (result: unknown) => (value = result), ...Object.values(weft));
    const x = weft.linspace(0, 1, 4), z = weft.fft.fft(x);
    const expected = z.mul(x).add(new weft.Complex(1).sub(z).div(2)).map((part) => part.slice(1)).pow(2).neg();
    expect(await (value as weft.Complex).re.array()).toBe(await expected.re.array());
    expect(await (value as weft.Complex).im.array()).toBe(await expected.im.array());
  });
});

describe("the reference", () => {
  it("leaves out what is internal", () => {
    const members = reference.flatMap(([name]) => (name.startsWith("Tensor.") ? [name.slice("Tensor.".length)] : []));
    expect(members).toContain("shape");
    for (const name of ["handle", "form", "remember"]) expect(members).not.toContain(name);
  });
});

describe("examples of the reference", () => {
  it("are cells", () => {
    const examples = reference.filter(([, , , example]) => example !== "");
    expect(examples.length).toBeGreaterThan(800);
    for (const [name, , , example] of examples) expect(() => transformCell(example), `${name}\n${example}`).not.toThrow();
  });

  it.each([
    ["const f = <T extends object>(x?: T, ...rest: readonly number[]): T | undefined => x!;", "const f = (x, ...rest) => x;"],
    ["interface A { b: string }\ntype C = A;\nimport type { D } from 'd';\nlet e: Map<string, [a: A]> = new Map<string, [a: A]>(); // a: b", "let e = new Map(); // a: b"],
    ["abstract class F<T> extends G<T> {\n  private readonly h?: number = 1;\n  i!: string;\n  override j<K>(k: K): void {}\n}", "class F extends G {\n  h = 1;\n  i;\n  j(k) {}\n}"],
    ["const l = { m: n ? 1 : (o as unknown as string), p: [q] as const, r: `${s!}` } satisfies T;", "const l = { m: n ? 1 : (o), p: [q], r: `${s}` };"],
  ])("lose their types: %s", (source, expected) => expect(withoutTypes(source)).toBe(expected));
  it("may have nothing but types that JavaScript lacks", () => {
    for (const source of ["enum A { b }", "class A { constructor(private b: number) {} }", "namespace A { export const b = 1 }"]) expect(() => withoutTypes(source)).toThrow(/JavaScript has not/);
  });
});
