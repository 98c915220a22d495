// Spelling suggestions for errors about names.

import { expect, test } from "vitest";
import type { LibraryName } from "../../src/protocol/messages";
import { nameMeant } from "../../src/state/code/meant";

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
  ['"weft-gpu" exports no “tensr”', "tensor"],
])("%s", (message, expected) => expect(meant(message, ["learningRate"])).toBe(expected));

test.each(["x is not defined", "wholly.other is not a function", "unrelated is not defined", "nn.matmul is not a function", "Something else went wrong", `${"a".repeat(10_000)} is not defined`])(
  "nothing is guessed: %s",
  (message) => expect(meant(message)).toBeNull(),
);
