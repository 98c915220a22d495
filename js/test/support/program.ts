// Interpreter of the programs of `tests/conformance`. Their functions become calls of JavaScript's
// transforms and loops; the README there describes the format.

import * as weft from "../../src/index.js";
import type { Operand, Tensor } from "../../src/index.js";
import { call, make, number, type Attributes, type Scalar, type TensorJson } from "./cases.js";

type Functional = [takes: number, steps: Step[], gives: number[]];
type Step = [op: string, inputs: (number | [Scalar])[], attrs?: Partial<StepAttributes>, functions?: Functional[]];
type Function = (...given: Tensor[]) => Tensor[];

/** Attributes of the steps that take functions. */
interface StepAttributes extends Attributes {
  axes: number[];
  carried: number;
  from: number;
  length: number;
  limit: number | null;
  norm: weft.fft.Norm;
  outputs: number;
  primals: number;
  reverse: boolean;
  to: number;
}

export interface Program {
  name: string;
  inputs: TensorJson[];
  main: Functional;
  expected: TensorJson[];
  tolerance: number;
}

/** What a program gives. */
export function run(program: Program): Tensor[] {
  return weft.tidy(() => bound(program.main, [])(...program.inputs.map(make)));
}

/** A function within one whose values so far are `outer`. */
function bound([takes, steps, gives]: Functional, outer: readonly Tensor[]): Function {
  return (...given) => {
    if (given.length !== takes) throw new Error(`${takes} are taken, and ${given.length} given`);
    const values = [...outer, ...given];
    for (const [op, places, attrs = {}, functions = []] of steps) {
      const inputs = places.map((place) => (typeof place === "number" ? (values[place] as Tensor) : number(place[0])));
      const inner = functions.map((each) => bound(each, [...values]));
      const step = control[op];
      const made = step ? step(inputs as Tensor[], attrs as StepAttributes, inner as [Function, Function]) : [operation(op, inputs, attrs as StepAttributes)].flat();
      values.push(...made);
    }
    return gives.map((place) => values[place] as Tensor);
  };
}

function operation(op: string, inputs: Operand[], attrs: StepAttributes): Tensor | Tensor[] {
  const [x, indices, value] = inputs as [Tensor, Tensor, Operand];
  if (op === "atSet") return x.at(indices).set(value);
  if (op === "atAdd") return x.at(indices).add(value);
  if (op === "stopGradient") return weft.stopGradient(x);
  if (/^fft\.i?r?fftn?$/.test(op)) return spectrum(op, inputs as Tensor[], attrs);
  return call({ op, attrs }, inputs);
}

/** A Fourier transform of real parts, and imaginary ones where there are any. */
function spectrum(op: string, [re, im]: Tensor[], attrs: StepAttributes): Tensor[] {
  const transform = (weft.fft as unknown as Record<string, (...args: unknown[]) => Tensor | weft.Complex>)[op.slice(4)]!;
  const places = op.endsWith("n") ? [attrs.shape ?? undefined, attrs.axes ?? undefined] : [attrs.n ?? undefined, attrs.axis];
  const made = transform(im ? new weft.Complex(re!, im) : re, ...places, attrs.norm);
  return made instanceof weft.Complex ? [made.re, made.im] : [made];
}

/** The only result of a function. */
const single = (f: Function) => (...xs: Tensor[]) => f(...xs)[0] as Tensor;

const every = (xs: readonly unknown[]) => ({ argnums: xs.map((_, n) => n) });

/** The steps that take functions. */
const control: Record<string, (inputs: Tensor[], attrs: StepAttributes, functions: [Function, Function]) => Tensor[]> = {
  scan: (inputs, { carried, length, reverse }, [body]) => {
    const [state, xs] = [inputs.slice(0, carried), inputs.slice(carried)];
    const turn = (state: Tensor[], xs: Tensor[]) => {
      const found = body(...state, ...xs);
      return [found.slice(0, carried), found.slice(carried)] as const;
    };
    return weft.scan(turn, state, xs, { length, reverse }).flat();
  },
  forLoop: (inputs, { from, to }, [body]) => weft.forLoop(from, to, (i, state) => body(i, ...state), inputs),
  whileLoop: (inputs, { limit }, [holds, body]) => {
    const options = limit === null ? {} : { limit };
    return weft.whileLoop((state) => single(holds)(...state), (state) => body(...state), inputs, options);
  },
  cond: ([truth, ...operands], _, [then, otherwise]) => weft.cond(truth as Tensor, then, otherwise, ...operands),
  switchCase: ([index, ...operands], _, branches) => weft.switchCase(index as Tensor, branches, ...operands),
  grad: (inputs, _, [f]) => {
    const [value, gradients] = weft.valueAndGrad(single(f), every(inputs))(...inputs);
    return [value, ...(gradients as Tensor[])];
  },
  vjp: (inputs, { primals }, [f]) => {
    const [outputs, gradients] = weft.vjp(f, inputs.slice(0, primals), inputs.slice(primals));
    return [...outputs, ...(gradients as Tensor[])];
  },
  jvp: (inputs, { primals }, [f]) => weft.jvp(f, inputs.slice(0, primals), inputs.slice(primals)).flat(),
  linearize: (inputs, { primals }, [f]) => {
    const [outputs, push] = weft.linearize(f, inputs.slice(0, primals));
    return [...outputs, ...push(...inputs.slice(primals))];
  },
  vmap: (inputs, { axes }, [f]) => weft.vmap(f, { inAxes: axes })(...inputs),
  jacfwd: (inputs, _, [f]) => weft.jacfwd(f, every(inputs))(...inputs).flat() as Tensor[],
  jacrev: (inputs, _, [f]) => weft.jacrev(f, every(inputs))(...inputs).flat() as Tensor[],
  hessian: (inputs, _, [f]) => (weft.hessian(single(f), every(inputs))(...inputs) as unknown as Tensor[][]).flat(),
  checkpoint: (inputs, _, [f]) => weft.checkpoint(f)(...inputs),
  jit: (inputs, _, [f]) => weft.jit(f)(...inputs),
  customVjp: (inputs, { outputs }, [f, backward]) => {
    const forward = (...xs: Tensor[]) => {
      const found = f(...xs);
      return [found.slice(0, outputs), found.slice(outputs)] as const;
    };
    return weft.customVjp((...xs: Tensor[]) => forward(...xs)[0], forward, (residuals, cotangents) => backward(...residuals, ...cotangents))(...inputs);
  },
  customJvp: (inputs, _, [f, rule]) => weft.customJvp(f, (xs, tangents) => [f(...xs), rule(...xs, ...tangents)] as const)(...inputs),
};

/** Tensors that a run leaves behind, besides those that it gives. Those that `linearize` keeps for
 * its function are not counted. */
export function left(program: Program): number {
  if (JSON.stringify(program.main).includes('"linearize"')) return 0;
  const before = weft.memory().tensors;
  const results = run(program);
  const after = weft.memory().tensors;
  for (const result of new Set(results)) result.dispose();
  return after - before - new Set(results).size;
}
