// Documentation in editors: TypeScript's language service, which editors ask, is asked about each
// export of the packed declarations. It has to show the documentation where the function is called,
// in every form that the function has.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts59 from "typescript-5.9";
import ts54 from "typescript-5.4";

const dist = fileURLToPath(new URL("../dist/npm/", import.meta.url));

/** What editors show at the last letter before each `|` of a program: a signature, and what is said
 * of it. */
function hovers(ts, program) {
  const parts = program.split("|");
  const text = parts.join("");
  const main = join(dist, "hover.ts");
  const options = { ...ts.getDefaultCompilerOptions(), strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, types: [] };
  const host = {
    getScriptFileNames: () => [main],
    getScriptVersion: () => "1",
    getScriptSnapshot: (file) => {
      const source = file === main ? text : ts.sys.readFile(file);
      return source === undefined ? undefined : ts.ScriptSnapshot.fromString(source);
    },
    getCurrentDirectory: () => dirname(main),
    getCompilationSettings: () => options,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (file) => file === main || ts.sys.fileExists(file),
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  const service = ts.createLanguageService(host);
  const errors = service.getSemanticDiagnostics(main).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  assert.deepEqual(errors, []);
  let at = 0;
  return parts.slice(0, -1).map((part) => {
    at += part.length;
    const info = service.getQuickInfoAtPosition(main, at - 1);
    return { at: text.slice(0, at).split("\n").at(-1), signature: ts.displayPartsToString(info?.displayParts), said: ts.displayPartsToString(info?.documentation) };
  });
}

/** Programs with a call for each kind of function, and what must be said there. */
const calls = `
import { add, arange, data, einsum, fft, jit, linalg, nn, ones, optim, random, special, tensor, tensor as made, tune, vjp, zeros, Complex, Parameter, type Tensor } from "./index.js";
const x = zeros|([2]);
add|(x, 1); made|([1]); arange|(3); arange|(1, 3); einsum|("i,i->", x, x); jit|((x: Tensor) => x);
random|.normal|([2]); random.normal|(random.key|(0), [2]); random.uniform|(random.key(0), [2]); random.bits|(random.key(0)); random.randint|(random.key(0), [2], 0, 2);
random.bernoulli|(random.key(0), [2]); random.gumbel|([2]); random.gumbel|(random.key(0), [2]); random.categorical|(random.key(0), x); random.permutation|(null, x);
x.add|(1); x.sum|(0); x.sin|(); x.reshape|([2]); x.matmul|(x); x.at|(0); x.cumsum|(); x.sort|(); x.softmax|(); x.shape|; x.data|(); x.dispose|();
nn|.softmax|(x); nn.conv2d|(x, x); nn.mseLoss|(x, x); new nn.Linear|(2, 3); new nn.Linear(2, 3).forward; new nn.Sequential|(); class Net extends nn.Module| {}; new Net().parameters|();
optim|.adam|(new Net()); optim.adam(new Net()).step|(x); linalg|.solve|(x, x); fft|.rfft|(x); special|.gammaln|(x); data|.npz|; tune|.log|; new Parameter|(1); new Complex|(1, 2);
vjp|((x: Tensor) => x, [x]); vjp|((x: Tensor) => x, [x], x); nn.initial|.kaimingUniform|; nn.LSTM|; nn.relu|(x);
`;

for (const [name, ts] of [["5.4", ts54], ["5.9", ts59]]) {
  test(`editors with TypeScript ${name} show what is said of functions, in every form, of methods and of namespaces`, () => {
    const silent = hovers(ts, calls).filter(({ said }) => said.length < 4);
    assert.deepEqual(silent, []);
  });
}

test("editors show the documentation of every draw, method of tensors, and function", async () => {
  const library = await import(join(dist, "index.js"));
  const functions = (namespace, of) => Object.entries(namespace).filter(([, value]) => typeof value === "function").map(([name]) => `${of}${name}|;`);
  const spaces = ["data", "fft", "linalg", "nn", "optim", "random", "special", "tune"];
  await library.init({ device: "cpu" });
  const declared = new Set(Array.from((await readFile(join(dist, "core/tensor/tensor.d.ts"), "utf8")).matchAll(/^ {4}(?:get )?(\w+)(?=\()/gm), ([, name]) => name));
  const methods = Object.getOwnPropertyNames(library.Tensor.prototype).filter((name) => name !== "constructor" && (name in library || declared.has(name)));
  const program = `
import * as all from "./index.js";
import { ${spaces.join(", ")}, type Tensor } from "./index.js";
declare const x: Tensor;
${[...functions(library, "all."), ...spaces.flatMap((space) => functions(library[space], `${space}.`)), ...methods.map((name) => `x.${name}|;`)].join("\n")}`;
  const shown = hovers(ts59, program);
  assert.ok(shown.length > 900, `${shown.length} names`);
  assert.deepEqual(shown.filter(({ said }) => said.length < 4).map(({ at }) => at), []);
});
