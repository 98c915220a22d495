// Random kernels of users, written in JavaScript: what they yield, beside plain JavaScript that
// rounds as they do, and the derivatives of smooth ones, beside the CPU device's.

import { grad, jit, tensor, type Tensor } from "../../js/src/index.js";
import { kernel, type Kernel } from "../../js/src/kernel/index.js";
import { plainOutput, plainTensor } from "../../js/src/kernel/plain.js";
import { Programs } from "../../js/test/support/kernel/programs.js";
import type { Chance } from "./chance.js";
import type { Expected } from "./compare.js";
import { Chance as Draws } from "./chance.js";

/** What a kernel gives, as elements of its results or derivatives. Fused, it reads what is computed
 * elementwise, and what it stores is computed with. */
export type KernelMode = "eager" | "jit" | "fused" | "gradient" | "second gradient" | "fused gradient";

/** A kernel as text, and what it has to give. */
export interface RandomKernel {
  readonly text: string;
  readonly modes: readonly KernelMode[];
  /** Plain JavaScript that rounds as the kernel does; without it the CPU device says what is
   * right. */
  readonly reference: string | null;
}

type PlainFunction = (...args: unknown[]) => unknown;

const [ROWS, COLUMNS, BINS] = [3, 4, 8];
const X = Array.from({ length: ROWS * COLUMNS }, (_, n) => ((n * 7) % 12) - 5.5);
/** The relative error that is added to each rounding to see whether a program hangs on its last
 * bits, and how far results may move then. */
const NOISE = 3e-6;
const DRAWS = 4;
const WILD = 3e-3;
const SLACK = 64 * 2 ** -23;
/** How far off derivatives of smooth kernels may be, relative to the largest: sums of some hundred
 * terms, of which some cancel. */
const SMOOTH = 2e-4;

/** Kernels that were wrong once. */
export const FIXED_KERNELS: readonly RandomKernel[] = [
  // Seed 112341: Math.ceil of −0.5 is −0, and with 0 added it is 0. So are sums that begin with 0;
  // the opposite of a difference of equals is −0.
  `(x, i, j, { hist, one }) => {
const a = Math.ceil(x.at(i, j));
const list = [0, 0];
let [s, t] = [0, 0];
s += a;
for (let k = 0; k < 4; k++) {
t += a * one;
list[k & 1] += a;
}
return 1 / (a + 0) + 1 / (0 + a) + 1 / (0 - -a) + 1 / s + 1 / t + 1 / list[1] - 1 / -(one - (a + 1)) - 1 / ((one - (a + 1)) * -1);
}`,
].map((text) => ({ text, reference: text, modes: ["eager", "jit"] }));

/** A kernel with branches, loops, local arrays and sums into bins. */
export function randomKernel(chance: Chance): RandomKernel {
  const { kernel: text, reference } = new Programs(chance).program();
  return { text, reference, modes: ["eager", "jit", "fused"] };
}

/** A kernel of floats without jumps, whose branches and indices do not depend on them. */
export function smoothKernel(chance: Chance): RandomKernel {
  const lines: string[] = [];
  const names = ["one"];
  const value = () => chance.of(names);
  const leaf = () => (chance.happens(0.5) ? value() : `x.at(i + ${chance.whole(-1, 1)}, j + ${chance.whole(-2, 2)})`);
  const smooth = (): string => {
    const [a, b] = [leaf(), leaf()];
    return chance.of([`Math.sin(${a} + ${b})`, `Math.tanh(${a} * ${b})`, `${a} / (1 + ${b} * ${b})`, `0.5 * ${a} - ${b} * 0.25`, `Math.exp(-(${a} * ${a})) * ${b}`, `w.at((i + j) % 4) * ${a}`]);
  };
  for (let n = 0, count = chance.whole(3, 7); n < count; n++) {
    const name = `v${n}`;
    lines.push(`let ${name} = ${smooth()};`);
    names.push(name);
    switch (chance.whole(0, 5)) {
      case 0:
        lines.push(`for (let k = 0; k < ${chance.whole(1, 9)}; k++) ${name} = Math.tanh(${name} * 0.9 + ${smooth()} * 0.3);`);
        break;
      case 1:
        lines.push(`for (let k = 0; k < i + ${chance.whole(0, 3)}; k++) { if (k === 2) ${chance.of(["continue", "break"])}; ${name} += 0.2 * Math.sin(${name} + k); }`);
        break;
      case 2:
        lines.push(`if ((i + j) % ${chance.whole(2, 3)} === 0) ${name} *= ${smooth()}; else ${name} -= 0.5 * ${smooth()};`);
        break;
      case 3:
        lines.push(`const a${n} = [${smooth()}, ${name}, ${smooth()}];`, `for (let k = 0; k < 4; k++) a${n}[(k + j) % 3] += 0.5 * Math.cos(a${n}[k % 3]);`, `${name} = a${n}[1] - a${n}[j % 3];`);
        break;
      case 4:
        lines.push(`hist.add(${name}, (i * 3 + j) % ${BINS});`);
        break;
      default:
        if (chance.happens(0.3)) lines.push(`if (i === 1 && j > 1) return ${value()} * 2;`);
    }
  }
  return { text: `(x, w, i, j, { hist, one }) => {\n${lines.join("\n")}\nreturn ${names.at(-1)} + ${value()};\n}`, reference: null, modes: ["gradient", "second gradient", "fused gradient"] };
}

const made = (text: string) => new Function(`return ${text}`)() as (...args: any[]) => number;

/** What a kernel gives on the device that is open. */
export async function attemptKernel({ text, reference }: RandomKernel, mode: KernelMode): Promise<number[][]> {
  const dtype = reference === null ? "f32" : "i32";
  const one = 1;
  const call = kernel(made(text), { edge: "wrap", with: { one }, outputs: { hist: { shape: [BINS], dtype } }, name: "random" }) as unknown as Kernel<{ hist: Tensor; result: Tensor }>;
  const x = tensor(X, { shape: [ROWS, COLUMNS] }).mul(reference === null ? 0.2 : 1);
  const elements = async (results: readonly Tensor[]) => Promise.all(results.map(async (result) => Array.from(await result.data(), Number)));
  if (mode === "eager" || mode === "jit") {
    const run = (given: Tensor) => {
      const { hist, result } = call(given);
      return [hist, result] as [Tensor, Tensor];
    };
    return elements(mode === "jit" ? jit(run)(x) : run(x));
  }
  if (mode === "fused") {
    // Nothing here rounds, and no element of x is that small.
    const run = (turned: Tensor) => {
      const { hist, result } = call(turned.transpose().maximum(-100));
      return [hist, result.mul(0.5).reshape([ROWS * COLUMNS]).neg()] as [Tensor, Tensor];
    };
    return elements(jit(run)(x.transpose().mul(1)));
  }
  const w = tensor([0.5, -0.25, 0.75, 1]);
  const loss = (given: { x: Tensor; w: Tensor }) => {
    const isFused = mode === "fused gradient";
    const { hist, result } = isFused ? call(given.x.sin().mul(1.25), given.w.square()) : call(given.x, given.w);
    const end = isFused ? result.mul(0.5).tanh().mul(given.x.cos()) : result;
    return end.mul(end).sum().add(hist.mul(hist).mul(0.5).sum());
  };
  const first = grad(loss);
  if (mode !== "second gradient") {
    const found = first({ x, w });
    return elements([found.x, found.w]);
  }
  const steep = (given: { x: Tensor; w: Tensor }) => {
    const found = first(given);
    return found.x.mul(found.x).sum().add(found.w.sum());
  };
  const found = grad(steep)({ x, w });
  return elements([found.x, found.w]);
}

/** What a kernel has to give, by mode; null where it hangs on its last bits. On the CPU device. */
export async function expectedOf(random: RandomKernel): Promise<Partial<Record<KernelMode, Expected | null>>> {
  if (random.reference !== null) {
    const value = plain(random.reference, null);
    const expected = steady(value, Array.from({ length: DRAWS }, (_, n) => plain(random.reference as string, new Draws(n + 1))));
    const fused = expected && { value: expected.value.map(halved), slack: expected.slack };
    return { eager: expected, jit: expected, fused };
  }
  const expected: Partial<Record<KernelMode, Expected | null>> = {};
  for (const mode of random.modes) {
    const value = await attemptKernel(random, mode);
    const largest = Math.max(1, ...value.flat().map(Math.abs));
    expected[mode] = Number.isFinite(largest) && largest < 1e6 ? { value, slack: value.map(() => SMOOTH * largest) } : null;
  }
  return expected;
}

/** What follows the result in the fused mode, and nothing follows the bins. */
const halved = (elements: number[], n: number) => (n === 0 ? elements : elements.map((value) => -value / 2));

/** The bins and the result of plain JavaScript, with an error behind each rounding if there are
 * draws for it. */
function plain(reference: string, draws: Draws | null): number[][] {
  const rounding = Object.create(Math, { fround: { value: (value: number) => Math.fround(draws ? value * (1 + NOISE * (draws.unit() - 0.5)) : value) } }) as Math;
  for (const name of Object.getOwnPropertyNames(Math)) if (name !== "fround") Object.defineProperty(rounding, name, { value: Math[name as keyof Math] });
  const run = new Function("Math", `return ${reference}`)(rounding) as PlainFunction;
  const hist = new Array<number>(BINS).fill(0);
  const x = plainTensor("x", [ROWS, COLUMNS], X, "wrap");
  const record = { one: 1, hist: plainOutput("hist", "i32", [BINS], hist) };
  const result = X.map((_, at) => Number(run(x, Math.floor(at / COLUMNS), at % COLUMNS, record)));
  return [hist, result];
}

/** Results that noise moves little, with what it moved them by. Whole numbers do not move. */
function steady(value: number[][], noisy: readonly number[][][]): Expected | null {
  const slack = value.map((elements) => SLACK * Math.max(...elements.filter(Number.isFinite).map(Math.abs), 0));
  for (const [n, elements] of value.entries()) {
    const largest = (slack[n] as number) / SLACK;
    for (const draw of noisy) {
      for (const [i, element] of elements.entries()) {
        const other = (draw[n] as number[])[i] as number;
        if (!Number.isFinite(element) || n === 0) {
          if (!Object.is(other, element)) return null;
          continue;
        }
        const change = Math.abs(other - element);
        if (!(change <= WILD * largest)) return null;
        slack[n] = Math.max(slack[n] as number, SLACK * largest + change);
      }
    }
  }
  return { value, slack };
}
