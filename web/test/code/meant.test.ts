// Spelling suggestions for errors about names.

import { expect, test } from "vitest";
import type { LibraryName } from "../../src/protocol/messages";
import { membersSaid, nameMeant } from "../../src/state/code/meant";
import { saidElsewhere } from "../../src/state/code/elsewhere";

const names: LibraryName[] = [
  { label: "tensor", kind: "function", members: [] },
  { label: "Tensor", kind: "class", members: ["matmul", "reshape", "sum", "softmax"] },
  { label: "nn", kind: "namespace", members: ["Linear", "Sequential"] },
  { label: "print", kind: "function", members: [] },
];
const meant = (message: string, declared: string[] = []) => nameMeant(message, names, declared);

test.each([
  ["tensr is not defined", "tensor"],
  ["tesnor is not defined", "tensor"],
  ["Print is not defined", "print"],
  ["Can't find variable: tensr", "tensor"],
  ["learningRat is not defined", "learningRate"],
  ["a.mtmul is not a function", "matmul"],
  ["tensor(...).reshpae is not a function", "reshape"],
  ["a.mtmul is not a function. (In 'a.mtmul(b)', 'a.mtmul' is undefined)", "matmul"],
  ["nn.Liner is not a constructor", "Linear"],
  ["Linear is not defined", "nn.Linear"],
  ["sequential is not defined", "nn.Sequential"],
  ['"weft-gpu" exports no “tensr”', "tensor"],
])("%s", (message, expected) => expect(meant(message, ["learningRate"])).toBe(expected));

test.each(["x is not defined", "wholly.other is not a function", "unrelated is not defined", "nn.matmul is not a function", "Something else went wrong", `${"a".repeat(10_000)} is not defined`])(
  "nothing is guessed: %s",
  (message) => expect(meant(message)).toBeNull(),
);

test("names of other libraries say what is written here", () => {
  expect(saidElsewhere("np is not defined")).toMatch(/no prefix/);
  expect(saidElsewhere("randn is not defined")).toMatch(/random\.normal\(\[3\]\)/);
  const values: Record<string, unknown> = { net: { forward: () => 1 }, random: { normal: () => 1, seed: () => 2 }, five: 5 };
  const said = (message: string) => saidElsewhere(message, (name) => values[name]);
  expect(said("net is not a function")).toBe("net is a module: apply it by net.forward(x).");
  expect(said("this.conv1 is not a function")).toBe("A layer is applied by its forward: this.conv1.forward(x).");
  expect(said("random is not a function")).toBe("random has functions: random.normal, random.seed and others.");
  expect(said("m is not a function")).toBe("A module is applied by its forward: m.forward(x).");
  expect(said("nn.mse is not a function")).toMatch(/nn\.mseLoss/);
  expect(said("concatenate is not defined")).toMatch(/concat\(\[a, b\]\)/);
  expect(said("tensor(...).plus is not a function")).toBe("Write add(other), or the operator.");
  expect(said("x.shape is not a function")).toMatch(/without \(\)/);
  expect(said("loss.toFixed is not a function")).toMatch(/await t\.item\(\)/);
  expect(said("random.randn is not a function")).toMatch(/random\.normal/);
  expect(said("padding is not defined")).toMatch(/\{ padding: … \}/);
  expect(said("x.clone is not a function")).toMatch(/needs no copy/);
  expect(said("Failed to fetch")).toMatch(/await allow/);
  for (const other of ["random.plus is not a function", "five.shape is not a function"]) expect(said(other)).toBeUndefined();
  for (const other of ["five is not a function", "gone is not a function", "net.call is not a function"]) expect(said(other)).toBeUndefined();
  for (const other of ["constructor is not defined", "__proto__ is not defined", "x.np is not a function", ""]) expect(saidElsewhere(other)).toBeUndefined();
});

test("of another value than a tensor its own members are meant, or listed", () => {
  const members = ["names", "length", "column", "typed"];
  expect(nameMeant("table.colunm is not a function", names, [], members)).toBe("column");
  expect(nameMeant("table.smu is not a function", names, [], members)).toBeNull();
  expect(membersSaid("table.describe is not a function", members)).toBe("table has names, length, column, typed.");
  expect(membersSaid("x.describe is not a function", [])).toBeNull();
  expect(membersSaid("x.describe is not a function", Array.from({ length: 200 }, (_, i) => `m${i}`))).toBeNull();
});
