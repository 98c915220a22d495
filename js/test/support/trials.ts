// The committed cases of `tests/conformance` as trials: each runs on the device that is open, and
// throws unless it gives what is expected. Shared by the tests on the CPU device and by the
// hardware kit (`tests/hardware`).

import * as weft from "../../src/index.js";
import type { Tensor } from "../../src/index.js";
import { call, cases, check, inputsOf, make, number, type Case, type TensorJson } from "./cases.js";
import { run, type Program } from "./program.js";

/** The groups whose cases are one call. */
export const CALLS = ["unary", "binary", "reduce", "view", "matmul", "nn", "index", "create", "composite", "order", "windows", "promote", "packed", "random", "samplers", "special"];
/** The groups of gradients of one call, and of gradients of those. */
export const GRADIENTS = ["gradients", "windows_gradients", "special_gradients"];
/** The groups of programs. */
export const PROGRAMS = ["transforms", "nesting", "programs", "linalg", "fft", "rarities"];

/** Programs of algebra that floats do not obey. */
export const IDENTITIES = ["identities"];

/** A case of the committed ones: its name, and what throws where its result is wrong. */
export interface Trial {
  readonly name: string;
  run(): Promise<void>;
}

/** The trials of a group. */
export function trials(group: string): Trial[] {
  if ([...PROGRAMS, ...IDENTITIES].includes(group)) return cases<Program>(group).map((program) => ({ name: program.name, run: () => tryProgram(program) }));
  const attempt = GRADIENTS.includes(group) ? tryGradient : tryCall;
  return cases(group).map((test) => ({ name: test.name, run: () => attempt(test) }));
}

async function tryCall(test: Case): Promise<void> {
  const result = weft.tidy(() => call(test, inputsOf(test)));
  await check(test.name, result, test.expected, test.tolerance);
  result.dispose();
}

async function tryGradient(test: Case): Promise<void> {
  const inputs = inputsOf(test);
  const weights = make(test.weights);
  const directions = (test.directions ?? []).map(make);
  const first = inputs.findIndex((input) => typeof input !== "number");
  const differentiated = directions.length > 0 ? [first] : inputs.flatMap((_, i) => (test.gradients[i] ? [i] : []));
  const expected = test.gradients.filter((gradient) => gradient !== null);
  const score = (...args: Tensor[]): Tensor => call(test, args).mul(weights).sum();
  let gradient = weft.grad(score, { argnums: differentiated });
  for (const direction of directions) {
    const inner = gradient;
    gradient = weft.grad((...args: Tensor[]) => (inner(...args)[0] as Tensor).mul(direction).sum(), { argnums: differentiated });
  }
  const found = gradient(...(inputs as Tensor[]));
  for (const [i, argument] of differentiated.entries()) {
    await check(`${test.name} by input ${argument}`, found[i] as Tensor, expected[i] as TensorJson, test.tolerance);
  }
}

async function tryProgram(program: Program): Promise<void> {
  const results = run(program);
  if (results.length !== program.expected.length) throw new Error(`${program.name} gives ${results.length} results, expected ${program.expected.length}`);
  for (const [n, expected] of program.expected.entries()) {
    const largest = Math.max(1e-3, ...expected.data.map((x) => Math.abs(number(x))).filter(Number.isFinite));
    const slack = expected.dtype === "f32" ? program.tolerance : 0;
    await check(`${program.name}, result ${n}`, results[n]!, expected, { abs: slack * largest, rel: slack });
  }
  for (const result of new Set(results)) result.dispose();
}
