// Messages for the mistakes that beginners make in kernels, word for word.

import { describe, expect, it } from "vitest";
import { KernelError } from "../../src/kernel/index.js";
import { compileKernel } from "../../src/kernel/compile.js";
import { specOf, type Case } from "../support/kernel/compare.js";

const world = { shape: [4, 4], data: [] };
const list = { shape: [8], data: [] };
const counts = { shape: [8], data: [], dtype: "i32" as const };

function messageOf(source: string, given: Case): string {
  try {
    compileKernel(specOf(source, given));
  } catch (error) {
    expect(error).toBeInstanceOf(KernelError);
    return (error as KernelError).message;
  }
  return "nothing was thrown";
}

const mistakes: Record<string, [source: string, given: Case, message: string]> = {
  "a wrong index count": ["(world, i, j) => world.at(i) * 2", { args: [world] }, `kernel: line 1, column 18: \`world\` has 2 axes, and at takes an index for each: world.at(i, j). This has 1
  (world, i, j) => world.at(i) * 2
                   ^`],
  "a float index": ["(x, i) => {\n  const half = i / 2;\n  return x.at(half);\n}", { args: [list] }, `kernel: line 3, column 15: an index is a whole number, and \`half\` may have a fraction: write Math.floor(half), or Math.round
  return x.at(half);
              ^`],
  "an unknown name": ["(x, i) => x.at(i) * gain", { args: [list] }, `kernel: line 1, column 21: there is no \`gain\` here. A kernel sees its parameters, Math, and what you give it by name: kernel((…, { gain }) => …, { with: { gain } })
  (x, i) => x.at(i) * gain
                      ^`],
  "a name that is nearly known": ["(x, i, { radius }) => x.at(i) * raduis", { args: [list], with: { radius: 2, rates: 1 } }, `kernel: line 1, column 33: there is no \`raduis\` here. Did you mean \`radius\`?
  (x, i, { radius }) => x.at(i) * raduis
                                  ^`],
  recursion: ["(n, i) => {\n  const factorial = (k) => k <= 1 ? 1 : k * factorial(k - 1);\n  return factorial(n.at(i));\n}", { args: [list] }, `kernel: line 2, column 45: \`factorial\` calls itself, which a GPU cannot do: write a loop, with an array for what is still to be done
  const factorial = (k) => k <= 1 ? 1 : k * factorial(k - 1);
                                            ^`],
  "a variable of the module": ["(x, i) => x.at(i) * SETTINGS.rate", { args: [list] }, `kernel: line 1, column 21: there is no \`SETTINGS\` here. A kernel sees its parameters, Math, and what you give it by name: kernel((…, { SETTINGS }) => …, { with: { SETTINGS } })
  (x, i) => x.at(i) * SETTINGS.rate
                      ^`],
  "a literal out of range": ["(n, i) => n.at(i) + 5000000000", { args: [counts] }, `kernel: line 1, column 11: 5000000000 does not fit in a whole number of 32 bits (-2147483648 to 4294967295): write 5000000000.0 if a float is meant
  (n, i) => n.at(i) + 5000000000
            ^`],
  "a float out of range": ["(x, i) => x.at(i) * 1.5e39", { args: [list] }, `kernel: line 1, column 11: 1.5e+39 is larger than any f32, the largest of which is 3.4e38: write Infinity if that is meant
  (x, i) => x.at(i) * 1.5e39
            ^`],
  "a string": ['(x, i) => x.at(i) > 0 ? "on" : "off"', { args: [list] }, `kernel: line 1, column 25: a kernel computes with numbers, and "on" is a string: use a number for each case, such as 0 and 1
  (x, i) => x.at(i) > 0 ? "on" : "off"
                          ^`],
  async: ["async (x, i) => x.at(i)", { args: [list] }, `kernel: line 1, column 1: a kernel cannot be async: nothing in it can wait. Remove \`async\`, and await what you need before the call
  async (x, i) => x.at(i)
  ^`],
  this: ["function (x, i) {\n  return x.at(i) * this.rate;\n}", { args: [list] }, `kernel: line 2, column 20: a kernel has no \`this\`: give it what you need by name, kernel((…, { rate }) => …, { with: { rate: this.rate } })
  return x.at(i) * this.rate;
                   ^`],
  "too few parameters": ["(world, i) => world.at(i, i)", { args: [world] }, `kernel: line 1, column 1: this kernel was called with 1 argument and a grid of 2 axes, so that its parameters are (world, i, j), and one more for what it captures; it has 2
  (world, i) => world.at(i, i)
  ^`],
  "an index in brackets": ["(x, i) => x[i]", { args: [list] }, `kernel: line 1, column 11: the elements of \`x\` are read by at: write x.at(i)
  (x, i) => x[i]
            ^`],
  "a tensor as a number": ["(x, i) => x * 2", { args: [list] }, `kernel: line 1, column 11: \`x\` is a tensor, and a number is needed here: read an element, as in x.at(i)
  (x, i) => x * 2
            ^`],
  "an operation on a tensor": ["(x, i) => x.sum() + i", { args: [list] }, `kernel: line 1, column 11: \`x\` has no \`sum\` in a kernel: there are at(i, …), sample(u, …), shape, length, size and ndim. Operations on whole tensors come before or after the kernel
  (x, i) => x.sum() + i
            ^`],
  "Math.random": ["(x, i) => x.at(i) + Math.random()", { args: [list] }, `kernel: line 1, column 21: a kernel has no Math.random: write rand(i), whose numbers depend on what it is given, and differ for each i
  (x, i) => x.at(i) + Math.random()
                      ^`],
  "a key that is none": ["(x, i, { threefry }) => threefry(x, i)", { args: [list] }, `kernel: line 1, column 34: a key is u32[2], as random.key(seed) gives, or an array of two whole numbers, and \`x\` is none: pass a key, or write pcg(i)
  (x, i, { threefry }) => threefry(x, i)
                                   ^`],
  "for of a tensor": ["(x, i) => { let s = 0; for (const v of x) s += v; return s; }", { args: [list] }, `kernel: line 1, column 40: \`x\` is no small array: count, as in for (let k = 0; k < x.length; k++)
  (x, i) => { let s = 0; for (const v of x) s += v; return s; }
                                         ^`],
  "for of a number": ["(x, i) => { let s = 0; for (const v of i) s += v; return s; }", { args: [list] }, `kernel: line 1, column 40: \`for … of\` goes over a small array: for (const v of [1, 2, 4])
  (x, i) => { let s = 0; for (const v of i) s += v; return s; }
                                         ^`],
  "recursion of a named function": ["function power(x, i) { return i > 0 ? 2 * power(x, i - 1) : 1; }", { args: [list] }, `kernel: line 1, column 43: \`power\` calls itself, which a GPU cannot do: write a loop, with an array for what is still to be done
  function power(x, i) { return i > 0 ? 2 * power(x, i - 1) : 1; }
                                            ^`],
  "a missing return": ["(x, i) => {\n  if (x.at(i) > 0) return 1;\n}", { args: [list] }, `kernel: line 1, column 1: not every way through this function returns a value: end it with a return (a loop may end without one)
  (x, i) => {
  ^`],
  "no result": ["(x, i) => {\n  x.at(i);\n}", { args: [list] }, `kernel: line 1, column 1: this kernel yields nothing: return a value, or store into an output, { outputs: { out: { shape: [8] } } }
  (x, i) => {
  ^`],
  "assigning an input": ["(x, i) => { x[i] = 1; return 0; }", { args: [list] }, `kernel: line 1, column 13: \`x\` is read only: return the new value, or store it into an output, out.set(value, …)
  (x, i) => { x[i] = 1; return 0; }
              ^`],
  "assigning a const": ["(x, i) => { const a = 1; a += 1; return a; }", { args: [list] }, `kernel: line 1, column 26: \`a\` is a const and cannot be assigned again: declare it with let
  (x, i) => { const a = 1; a += 1; return a; }
                           ^`],
  "adding arrays": ["(x, i) => { const a = [1, 2], b = [3, 4]; return a + b; }", { args: [list] }, `kernel: line 1, column 50: \`a\` is an array, and a number is needed here: compute with its elements one by one, as in [a[0] + b[0], a[1] + b[1]]
  (x, i) => { const a = [1, 2], b = [3, 4]; return a + b; }
                                                   ^`],
  printing: ["(x, i) => { console.table(i); return x.at(i); }", { args: [list] }, `kernel: line 1, column 13: there is no \`console\` here. Write print(i, x), whose line is shown with the invocation's index.
  (x, i) => { console.table(i); return x.at(i); }
              ^`],
  coverage: ["(x, i) => { cov_1a2b().f[0]++; return x.at(i); }", { args: [list] }, `kernel: line 1, column 13: there is no \`cov_1a2b\` here. A tool has added it to the function's source, for coverage or modules: leave this file out of its work.
  (x, i) => { cov_1a2b().f[0]++; return x.at(i); }
              ^`],
  "a function of the engine": ["function sin() { [native code] }", { args: [list] }, `kernel: line 1, column 1: this function has no source: it is built in, or was bound. Write an arrow function that calls what it does: (x) => Math.sin(x)
  function sin() { [native code] }
  ^`],
};

describe("mistakes", () => {
  for (const [name, [source, given, message]] of Object.entries(mistakes)) {
    it(name, () => expect(messageOf(source, given)).toBe(message));
  }

  it("on the long line of a minifier", () => {
    const source = `(x,i)=>{${"let a=x.at(i);a+=1;".replace(/a\b/g, "b").repeat(1)}${Array.from({ length: 40 }, (_, n) => `let c${n}=${n};`).join("")}return nope}`;
    const message = messageOf(source, { args: [list] });
    expect(message.split("\n").every((line) => line.length < 260)).toBe(true);
    const [, shown, caret] = message.split("\n") as [string, string, string];
    expect(shown.slice(caret.indexOf("^")).startsWith("nope")).toBe(true);
  });
});
