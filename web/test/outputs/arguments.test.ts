// Arguments of the functions that show something: surplus ones are refused with what to write for
// them; and files that a cell may offer as they are.
import { describe, expect, it, vi } from "vitest";

vi.stubGlobal("ImageBitmap", class {});

import { fromWorker } from "../../src/protocol/messages";
import { checkCount, checkOptions, isCounted } from "../../src/worker/displays/arguments";
import { learnsName, nameControl, passesOn } from "../../src/worker/displays/controls";

describe("arguments", () => {
  it("are as many as a function takes", () => {
    expect(() => checkCount("image", 2)).not.toThrow();
    expect(() => checkCount("image", 3)).toThrow('image: takes at most 2 arguments, not 3; two pictures are image([a, b]), with captions image([a, b], { columns: 2, labels: ["before", "after"] })');
    expect(() => checkCount("draw", 2)).toThrow("draw: takes at most 1 argument, not 2");
    for (const name of ["display", "markdown", "table", "image", "heatmap", "plot", "scatter", "hist", "bars", "box", "contour", "progress", "animate", "button", "download", "audio"]) expect(isCounted(name), name).toBe(true);
    expect(isCounted("print")).toBe(false);
  });
  it.each([[[1, 2], "a list"], [new Float32Array(2), "a list"], [null, "null"], [3, "number"], [Promise.resolve(), "a promise"], [{ __proto__: null, nope: 1 }, null]])("are no options: %s", (value, called) => {
    const expected = called === null ? "heatmap: no option “nope”" : `heatmap: options must be an object such as { title: … }, not ${called}; several of one shape are heatmap(stack([a, b]))`;
    expect(() => checkOptions("heatmap", value, ["title"])).toThrow(expected);
  });
  it("are counted where a control learns its name too, and a function keeps what it has", () => {
    const make = Object.assign((label: string) => `${label} of none`, { more: 1 });
    learnsName(make, (name, label: string) => `${label} of ${name}`);
    const counted = passesOn(make, (count) => checkCount("draw", count));
    expect([counted("a"), counted.more, (nameControl("x", counted) as typeof make)("a")]).toEqual(["a of none", 1, "a of x"]);
    expect(() => (nameControl("x", counted) as (...values: unknown[]) => unknown)(1, 2)).toThrow("draw: takes at most 1 argument");
  });
});

describe("a file that a worker offers", () => {
  const offered = (name: string) => fromWorker({ type: "output", run: 1, output: 1, content: { kind: "download", name, data: "AAAA" } });
  it.each(["files.zip", "out.png", "a-b_c.txt", "model.safetensors", "x.tar.zip", "1.CSV"])("may be called %s", (name) => expect(offered(name)).toBe(true));
  it.each(["run.exe", "page.html", "a.js", "a.svg", "a.png.exe", ".zip", ".bashrc.txt", "a/b.png", "a b.png", "a\u202egnp.png", "a.png\n", `${"x".repeat(90)}.png`, "png", "", 5])("may not be called %j", (name) => expect(offered(name as string)).toBe(false));
});
