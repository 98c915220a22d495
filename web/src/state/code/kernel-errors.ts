// What an error of a kernel means to those who write tensors in it: a kernel computes one element,
// with numbers and with Math.

/** What kernels write for functions of tensors that Math lacks. */
const INSTEAD: Readonly<Record<string, string>> = {
  where: "condition ? a : b",
  square: "v * v",
  maximum: "Math.max(a, b)",
  minimum: "Math.min(a, b)",
  clip: "Math.min(Math.max(v, low), high)",
  sigmoid: "1 / (1 + Math.exp(-v))",
  relu: "Math.max(v, 0)",
};

/** The name of what Math has for a function of tensors. */
const ofMath = (name: string): string | undefined => {
  const own = name === "power" ? "pow" : name;
  return typeof (Math as unknown as Record<string, unknown>)[own] === "function" ? own : undefined;
};

/** What to write in the kernel; undefined where nothing is known. */
export function saidOfKernel(message: string): string | undefined {
  const [, lacking] = /: there is no `([\w$]+)` here\./.exec(message) ?? [];
  const [, owner, method] = /: `([^`\n]+)` has no `([\w$]+)`/.exec(message) ?? [];
  const name = lacking ?? method;
  if (name !== undefined) {
    const math = ofMath(name);
    if (math !== undefined) return `A kernel computes with numbers: write Math.${math}(${owner ?? "…"}).`;
    if (Object.hasOwn(INSTEAD, name)) return `A kernel computes with numbers: write ${INSTEAD[name]}.`;
  }
  const [, called] = /: `([\w$]+)` is no function/.exec(message) ?? [];
  return called === undefined ? undefined : `Elements are read by at: ${called}.at(i).`;
}
