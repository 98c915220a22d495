// Kernels after a bundler has minified them: other names, `!0`, commas, `?:` for `if`.

import { rolldown } from "rolldown";
import { expect, it } from "vitest";
import { compileKernel } from "../../src/kernel/compile.js";
import { compare } from "../support/kernel/compare.js";

const SOURCE = `
const WIDTH = 3;
export const life = (world, i, j) => {
  let n = 0;
  for (let a = -1; a <= 1; a++) for (let b = -1; b <= 1; b++) if (a !== 0 || b !== 0) n += world.at(i + a, j + b);
  const alive = world.at(i, j) === 1;
  if (n === 3) return 1;
  else if (n === 2 && alive) return 1;
  return 0;
};
export function search(world, i, j, { limit, weigh }) {
  const place = [i, j];
  let steps = 0;
  while (true) {
    if (steps >= limit) break;
    place[0] = place[0] + 1;
    if (world.at(place[0], place[1]) > 0.5) { steps += weigh(steps, place[1]); continue; }
    steps++;
    if (steps > 1000.0) return -1;
  }
  const twice = (value) => value * 2;
  return { steps: twice(steps), place: [place[0], place[1]] }.steps + WIDTH;
}
export const weigh = (a, b) => { const sum = a + b; return sum > 1 ? 2 : 1; };
`;

it("they compute the same", async () => {
  const bundle = await rolldown({
    input: "kernels",
    plugins: [{ name: "kernels", resolveId: (id) => id, load: () => SOURCE }],
  });
  const { output } = await bundle.generate({ minify: true });
  const { code } = output[0];
  expect(code).not.toContain("alive");
  const { life, search, weigh } = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as Record<string, (...args: any[]) => unknown>;
  const world = { shape: [4, 5], data: Array.from({ length: 20 }, (_, n) => Number((n * 7) % 3 === 0)) };
  expect(compare(life!, { args: [world], edge: "wrap" })[0]!.data.some((value) => value === 1)).toBe(true);
  compare(search!, { args: [world], with: { limit: 9, weigh: weigh! } });
});

it("texts that became templates are texts", () => {
  const source = "(e,t,{local:n,shared:r})=>{let i=r(`f32`,4);return i[n[0]]=e.at(t+1,{edge:`wrap`}),i[n[0]]}";
  const { kernel } = compileKernel({ name: "minified", source, args: [{ is: "tensor", dtype: "f32", rank: 1 }], rank: 1, captured: {}, outputs: {}, edge: "Clamp", limit: 1000, report: "none", dtype: null, workgroup: [4] });
  expect(kernel.arrays).toEqual([expect.objectContaining({ dtype: "f32", length: 4, shared: true })]);
  expect(kernel.exprs.flatMap((expr) => (expr.is === "Load" ? [expr.edge] : []))).toEqual(["Wrap"]);
});

/** Kinds of loops in the text of a kernel's statements. */
const loopsOf = (source: string) => {
  const { kernel } = compileKernel({ name: "minified", source, args: [{ is: "tensor", dtype: "f32", rank: 1 }], rank: 1, captured: {}, outputs: {}, edge: "Clamp", limit: 1000, report: "none", dtype: null, workgroup: null });
  return JSON.stringify(kernel.body).match(/"is":"(For|While)"/g)?.map((each) => each.slice(6, -1)) ?? [];
};

it.each([
  ["a loop in it has a counter of its name", "(e,t)=>{let n=0;for(let e=0;e<8;e++){for(let e=0;e<3;e++)n+=e;n+=e}return n}", ["For", "For"]],
  ["a block in it has a variable of its name", "(e,t)=>{let n=0;for(let r=0;r<8;r++){n+=r;{let r=5;r+=n;n+=r}}return n}", ["For"]],
  ["a function has a parameter of its name", "(e,t)=>{let n=0;const i=(r)=>{r+=1;return r};for(let r=0;r<8;r++)n+=i(r);return n}", ["For"]],
  ["of a pattern in it one has its name", "(e,t)=>{let n=0;for(let r=0;r<8;r++){let[r,i]=[n,1];r+=i;n=r}return n}", ["For"]],
  ["the body changes it", "(e,t)=>{let n=0;for(let r=0;r<8;r++){n+=r;if(n>5)r+=2}return n}", ["While"]],
  ["a block changes it that declares another", "(e,t)=>{let n=0;for(let r=0;r<8;r++){{let i=1;r+=i}n+=r}return n}", ["While"]],
])("a loop is counted or not where %s", (_, source, kinds) => {
  expect(loopsOf(source)).toEqual(kinds);
});

it("variables of one name that hide each other compute the same", () => {
  const hidden = new Function(`return (e, t) => { let n = 0; for (let e = 0; e < 8; e++) { for (let e = 0; e < 3; e++) n += e * 2; n += e } { let n = 7; n += 1 } return n + e.at(t) }`)() as (...args: any[]) => unknown;
  compare(hidden, { args: [{ shape: [4], data: [1, 2, 3, 4] }] });
});

it.each([4, 40])("%i holes are as many zeros as `new Array` makes", (count) => {
  const make = (array: string) => new Function(`return (e, t) => { const n = ${array}; n[t] = e.at(t); n[3] += 2; return n[t] + n[1] }`)() as (...args: any[]) => unknown;
  const given = { args: [{ shape: [4], data: [1, 2, 3, 4.5] }] };
  const [holes, written] = [`[${",".repeat(count)}].fill(0)`, `new Array(${count}).fill(0)`].map((array) => compare(make(array), given));
  expect(holes![0]!.data).toEqual(written![0]!.data);
});

it("a hole between elements is a mistake", () => {
  expect(() => loopsOf("(e,t)=>{const n=[1,,2];return n[0]}")).toThrow("an array in a kernel has no holes");
});
