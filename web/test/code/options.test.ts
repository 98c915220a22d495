// Completion of options: inside of braces each function of the notebook offers the options that it
// takes, and no others. What it takes, it says where it refuses another.

import { CompletionContext } from "@codemirror/autocomplete";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import { EditorState } from "@codemirror/state";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import * as weft from "weft-gpu";
import { readVocabulary } from "../../build/types";
import { complete } from "../../src/editing/complete";
import type { Vocabulary } from "../../src/state/code/vocabulary";
import { notebookNames } from "../../src/worker/run/scope";

let vocabulary: Vocabulary;
beforeAll(async () => {
  const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  ({ vocabulary } = readVocabulary({ library: path("../../../js/src/index.ts"), kernels: path("../../../js/src/kernel/index.ts") }));
  await weft.init({ device: "cpu" });
}, 180_000);

const offered = (marked: string, explicit = true): string[] => {
  const pos = marked.indexOf("|");
  const state = EditorState.create({ doc: marked.replace("|", ""), extensions: [javascriptLanguage] });
  const found = complete(new CompletionContext(state, pos, explicit), vocabulary, []);
  return found ? found.options.filter(({ apply }) => typeof apply === "string" && apply.endsWith(": ")).map(({ label }) => label) : [];
};

/** What a call that is given an option that nothing has says that there is. */
async function taken(call: () => unknown): Promise<string[]> {
  try {
    await call();
  } catch (error) {
    const [, list] = /no option “zzz”; the options are (.*)$/.exec((error as Error).message) ?? [];
    if (list !== undefined) return list.split(", ");
    throw error;
  }
  return ["it takes anything"];
}

const n = notebookNames as unknown as Record<string, (...values: unknown[]) => unknown>;
const o = { zzz: 1 };
const xs = [1, 2, 3];
const f = (x: unknown) => x;

const CALLS: readonly (readonly [written: string, call: () => unknown])[] = [
  ["display(x, { | })", () => n.display!(1, o)],
  ["table(rows, { | })", () => n.table!([], o)],
  ["image(t, { | })", () => n.image!(1, o)],
  ["heatmap(t, { | })", () => n.heatmap!(1, o)],
  ["plot(y, { | })", () => n.plot!(xs, o)],
  ["plot(x, y, { | })", () => n.plot!(xs, xs, o)],
  ["plot(sin, [0, 1], { | })", () => n.plot!(f, [0, 1], o)],
  ["plot({ | })", () => n.plot!({ series: ["a"], ...o })],
  ["scatter(p, { | })", () => n.scatter!(weft.zeros([3, 2]), o)],
  ["scatter(x, y, { | })", () => n.scatter!(xs, xs, o)],
  ["hist(x, { | })", () => n.hist!(xs, o)],
  ["bars({ a: 1 }, { | })", () => n.bars!({ a: 1 }, o)],
  ["bars(names, values, { | })", () => n.bars!(["a"], [1], o)],
  ["box(x, { | })", () => n.box!(xs, o)],
  ["contour(z, { | })", () => n.contour!(weft.zeros([3, 3]), o)],
  ["contour(f, [0, 1], [0, 1], { | })", () => n.contour!(f, [0, 1], [0, 1], o)],
  ["progress(10, { | })", () => n.progress!(10, o)],
  ["animate(f, { | })", () => n.animate!(f, o)],
  ['slider("a", { | })', () => n.slider!("a", o)],
  ['number("a", { | })', () => n.number!("a", o)],
  ['select("a", [1], { | })', () => n.select!("a", [1], o)],
  ['checkbox("a", { | })', () => n.checkbox!("a", o)],
  ['color("a", { | })', () => n.color!("a", o)],
  ['text("a", { | })', () => n.text!("a", o)],
  ['range("a", { | })', () => n.range!("a", o)],
  ['point("a", { | })', () => n.point!("a", o)],
  ['play("a", { | })', () => n.play!("a", o)],
  ["draw({ | })", () => n.draw!(o)],
  ["input.draw({ | })", () => notebookNames.input.draw(o as never)],
  ['allow("a.com", { | })', () => n.allow!("a.com", o)],
  ["camera({ | })", () => n.camera!(o)],
  ["microphone({ | })", () => n.microphone!(o)],
  ["audio(x, { | })", () => n.audio!(xs, o)],
  ["unzip(bytes, { | })", () => n.unzip!(new Uint8Array(1), o)],
  ['upload("a", { | })', () => n.upload!("a", o)],
];

describe("options of the notebook's functions", () => {
  it.each(CALLS)("%s", async (written, call) => expect(offered(written).sort()).toEqual((await taken(call)).sort()));

  it("all that take options are tried", () => {
    const functions = vocabulary.notebook.filter(([, , , type, takes]) => takes && Array.isArray(type) && type[0] === "F").map(([name]) => name);
    const tried = new Set(CALLS.map(([written]) => /^\w+/.exec(written)![0]));
    expect(functions.filter((name) => !tried.has(name))).toEqual([]);
    expect(functions.length).toBeGreaterThan(25);
  });

  it("are offered while they are typed, besides those that are there", () => {
    expect(offered('slider("a", { m| })', false)).toEqual(["min", "max", "step", "value"]);
    expect(offered('slider("a", { min: 0, | })')).toEqual(["max", "step", "value"]);
    expect(offered('const s = slider("a", { min: 0, ma|')).toContain("max");
    expect(offered('print("a", { | })')).toEqual([]);
    expect(offered("{ const hist = (x, o) => o; hist(x, { | }) }")).toEqual([]);
  });

  it("of the library are those of each function, whatever types share a name", () => {
    expect(offered("histogram(x, { | })").sort()).toEqual(["bins", "density", "range", "weights"]);
    expect(offered('data.image(bytes, { | })').sort()).toEqual(["channels", "dtype"]);
    expect(offered("canvas.draw(c, t, { | })").sort()).toEqual(["colormap", "flip", "high", "low"]);
    expect(offered("random.normal([3], { | })").sort()).toEqual(["mean", "std"]);
    expect(offered("random.normal(key, [3], { | })").sort()).toEqual(["mean", "std"]);
    expect(offered("tensor([1]).sum(0, { | })")).toContain("keepdims");
    expect(offered("new nn.Linear(2, 3, { | })")).toEqual(["bias"]);
  });
});

describe("options as other libraries write them", () => {
  const refused = async (call: () => unknown) => Promise.resolve().then(call).then(() => "nothing", (error: Error) => error.message);
  const t = () => weft.zeros([3]);
  it.each([
    ["plot(x, y, x, cos(x))", () => n.plot!(t(), t(), t(), t()), /^plot: takes x, the lines and options, as in plot\(x, \{ sine: y, cosine: z \}, .*several lines are an object/],
    ["plot(x, y, x)", () => n.plot!(t(), t(), t()), /several lines are an object/],
    ['plot(x, y, "r--")', () => n.plot!(xs, xs, "r--"), /\{ dots: true \} draws points/],
    ['plot(x, y, { label: "cosine" })', () => n.plot!(xs, xs, { label: "cosine" }), /^plot: no option “label”: lines are named as an object, plot\(x, \{ cosine: y \}\)$/],
    ['plot(y, { legend: "two words" })', () => n.plot!(xs, { legend: "two words" }), /plot\(\{ sine: y \}\)$/],
    ['scatter(p, { label: "points" })', () => n.scatter!(weft.zeros([3, 2]), { label: "points" }), /^scatter: label is the name of what color shows/],
    ["plot of one row", () => n.plot!(weft.zeros([1, 50])), /^plot: .* has one row: write plot\(x\[0\]\)$/],
    ["hist of a picture", () => n.hist!(weft.zeros([28, 28])), /^hist: .* 28 columns, .*hist\(x\.flatten\(\)\) for all values$/],
    ["image(a, b)", () => n.image!(t(), t()), /^image: options must be an object such as \{ title: …, .*not a tensor \[\d*\]; two pictures are image\(\[a, b\]\)/],
    ["heatmap(a, [0, 1])", () => n.heatmap!(t(), [0, 1]), /not a list; .*stack\(\[a, b\]\)/],
    ["display(a, b)", () => n.display!(1, 2), /^display: options must be an object .*print\(a, b\)/],
    ['heatmap(t, { vmin: 0 })', () => n.heatmap!(t(), { vmin: 0 }), /which is “range” here/],
    ['heatmap(t, { cmap: "gray" })', () => n.heatmap!(t(), { cmap: "gray" }), /which is “colormap” here/],
  ])("%s", async (_, call, said) => expect(await refused(call)).toMatch(said));
});
