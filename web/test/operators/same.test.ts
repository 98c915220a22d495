// Operators leave JavaScript as it is: random programs that know no tensors do the same with and
// without the rewriting, in the same order, down to the errors that they throw.
import { describe, expect, it } from "vitest";
import { runCells } from "./cells";

/** Numbers from 0 to 1, the same for a seed (Marsaglia's xorshift). */
function generator(seed: number): () => number {
  let state = seed * 2654435761 + 1 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const BINARY = ["+", "-", "*", "/", "%", "**", "<", "<=", ">", ">=", "==", "!=", "===", "!==", "&", "|", "^", "<<", ">>", ">>>", "in", "instanceof"];
const COMPOUND = ["+=", "-=", "*=", "/=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>=", ">>>=", "&&=", "||=", "??=", "="];
const VALUES = [
  "1", "-2.5", "0", "NaN", "7", "`x`", '"3"', '""', "5n", "true", "null", "undefined", "[[1, 2]][0]", "new Date(5)", "Symbol.iterator", "loud(3)", 'loud("s")', "loud(4n)", "broken()", "{}", "() => 1",
];
const LOCALS = ["a", "b", "c", "i"];
const GLOBALS = ["g", "h", "missing"];

class Writer {
  constructor(private readonly random: () => number) {}

  private pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.random() * of.length)]!;
  }

  private space(): string {
    return this.pick([" ", " ", " ", "", " /* ( = [ . */ ", " // )\n"]);
  }

  private name(): string {
    return this.pick([...LOCALS, ...GLOBALS]);
  }

  private target(depth: number): string {
    const owner = () => this.pick(["o", "o", `(${this.expression(depth - 1)}, o)`, `say(o)`, "this.p", "o.inner"]);
    return this.pick([
      () => this.pick([...LOCALS, "g", "h"]),
      () => `${owner()}${this.pick([".p", ".q", ' /* . */ .p'])}`,
      () => `${owner()}[${this.pick(['"p"', "k", this.expression(depth - 1)])}]`,
      () => `o.inner.p`,
    ])();
  }

  expression(depth: number): string {
    if (depth <= 0) return this.pick([() => this.name(), () => this.pick(VALUES), () => "o.p", () => "arguments.length", () => "this"])();
    const e = () => this.expression(depth - 1 - Math.floor(this.random() * 2));
    const wrapped = () => this.pick([e, () => `(${e()})`])();
    return this.pick([
      () => `(${wrapped()}${this.space()}) ${this.pick(BINARY)} (${wrapped()})`,
      () => `${this.name()}${this.space()} ${this.pick(BINARY.slice(0, 20))} ${this.name()}`,
      () => `(say(${e()})${this.space()} ${this.pick(BINARY)} say(${e()}))`,
      () => `${this.pick(["-", "~", "!", "+", "typeof ", "void "])}(${e()})`,
      () => `- ${this.name()}`,
      () => `(${this.target(depth)}${this.space()}${this.pick(COMPOUND)} ${e()})`,
      () => `(${this.target(depth)}${this.pick(["++", "--"])})`,
      () => `(${this.pick(["++", "--"])}${this.target(depth)})`,
      () => `(${e()} ? ${e()} : ${e()})`,
      () => `((${e()}) ${this.pick(["&&", "||", "??"])} (${e()}))`,
      () => `say(${e()}, ${e()})`,
      // Cells refuse it where a tuple could be meant.
      () => `((${e()}, ${e()}) ?? 0)`,
      () => `(${wrapped()} < ${wrapped()} ${this.pick(["<", "<=", ">", ">="])} ${wrapped()})`,
      () => `\`\${say(${this.name()})}\``,
      () => `(${e()})${this.pick(["?.", ""])}[${e()}]`,
      () => `o?.inner?.[${e()}]`,
      () => `o[${e()}, ${e()}]`,
      () => `o.call(${e()})`,
      () => `o[${this.pick(['"call"', "k"])}](${e()})`,
      () => `((${this.pick(["x", "x = " + e()])}) => x ${this.pick(BINARY.slice(0, 20))} (${e()}))(${e()})`,
      () => `((...x) => x[${e()}])(${e()}, ${e()})`,
      () => `(function (x) { const y = x; return ${e()}; })(${e()})`,
      () => `(new (class { f = ${this.name()} ${this.pick(BINARY.slice(0, 6))} ${e().replaceAll("arguments", "o")}; static { say(1 + ${this.name()}) } get v() { return this.f + 1 } })).v`,
      () => `((n) => { let s = 0; for (let i = 0; i < n; i++) s += i; return s + ${e()} })(3)`,
      () => `[${e()}, ...[${e()}]][0]`,
      () => `({ m() { return ${e()} }, [${e()}]: ${e()} }).m()`,
      () => `(function* () { const x = (yield ${e()}) + ${e()}; yield x })().next().value`,
      () => `({ p: a = ${e()}, [k]: o.q } = o, a)`,
    ])();
  }

  statement(depth: number): string {
    const e = () => this.expression(depth);
    return this.pick([
      () => `say(${e()})`,
      () => `${e().replace(/^(?=[{]|function|class|let)/, "0, ")}`,
      () => `if (${e()}) say(1)\n else say(2)`,
      () => `for (let i = 0, m = 0; m++ < 3 && say(i < 3 && ${e()}); i++) say(i, ${e()})`,
      () => `for (const x of [1, ${e()}]) say(x + ${this.name()})`,
      () => `for (const x in { p: 1 }) say(x + ${this.name()})`,
      () => `let n = 2; while (say(n--) > 0 && (${e()})) say(n)`,
      () => `do say(${e()})\n while (false)`,
      () => `switch (${e()}) { case ${e()}: ${this.target(1)} += 1\n default: say(${e()}) }`,
      () => `{ const c = ${e()}\n c * 2\n a < b && say(c) }`,
      () => `try { ${e()}\n throw ${e()} } catch (x) { say(x instanceof Error ? x.message : x, ${this.name()} + 1) }`,
    ])();
  }

  program(): string {
    const body = Array.from({ length: 3 }, () => this.statement(3)).join("\n");
    return `let g = ${this.pick(VALUES)}, h = 2\nfunction run(a, b, k) { let c = 1, i = 0; ${body}\n return ${this.expression(3)} }\ng += 1\nrun.call({ p: { p: 1, q: 2 } }, ${this.pick(VALUES)}, ${this.pick(VALUES)}, ${this.pick(['"p"', "loud('q')", "0"])})`;
  }
}

/** What happened, in order. */
async function trace(source: string, operators: boolean): Promise<string[]> {
  const log: string[] = [];
  const show = (value: unknown): string => {
    if (typeof value === "symbol" || typeof value === "function") return typeof value;
    if (typeof value === "bigint") return `${value}n`;
    if (Array.isArray(value)) return `[${value.map(show).join()}]`;
    if (typeof value === "object" && value !== null) return value instanceof Date ? "date" : Object.prototype.toString.call(value);
    return Object.is(value, -0) ? "-0" : JSON.stringify(value) ?? String(value);
  };
  // Some programs count where they loop.
  const note = (line: string) => {
    if (log.length === 300) throw new Error("endless");
    log.push(line);
  };
  const heard = (what: string, value: unknown) => (note(`${what} ${show(value)}`), value);
  const store: Record<string, unknown> = { p: 3, q: "q" };
  const scope = globalThis as unknown as Record<string, unknown>;
  Object.assign(scope, {
    say: (...values: unknown[]) => (note(values.map(show).join()), values[0]),
    loud: (value: unknown) => ({ valueOf: () => heard("valueOf", value), toString: () => heard("toString", String(value)) }),
    broken: () => ({ [Symbol.toPrimitive](hint: string) { note(`broken ${hint}`); throw new RangeError("broken"); } }),
    o: {
      get p() { return heard("get p", store["p"]); }, set p(value) { heard("set p", value); store["p"] = value; },
      get q() { return heard("get q", store["q"]); }, set q(value) { heard("set q", value); store["q"] = value; },
      call: (x: unknown) => heard("call", x), inner: { p: 1 },
    },
  });
  try {
    log.push(`= ${show(await runCells([source], { operators }))}`);
  } catch (error) {
    // Engines quote the code in messages of a few errors.
    const { name, message } = error as Error;
    log.push(error instanceof Error ? `${name}: ${/is not (?:a function|iterable|a constructor)|Cannot destructure|Spread syntax/.test(message) ? "…" : message}` : `threw ${show(error)}`);
  }
  return log;
}

describe("without tensors", () => {
  const seed = Number(process.env["WEFT_SEED"] ?? 1) * 1_000;
  it("does what JavaScript does", { timeout: 120_000 }, async () => {
    let wrong = 0;
    for (let n = 0; n < Number(process.env["WEFT_FUZZ"] ?? 1_500); n++) {
      const source = new Writer(generator(seed + n)).program();
      try {
        new Function(`"use strict"; async () => {${source}\n}`);
      } catch {
        wrong++;
        continue;
      }
      const [plain, rewritten] = [await trace(source, false), await trace(source, true)];
      expect(rewritten, source).toEqual(plain);
    }
    expect(wrong).toBeLessThan(500);
  });
  it("reads an owner before its key, where neither is there", async () => {
    const source = "{ const c = missing[c] }";
    expect(await trace(source, true)).toEqual(await trace(source, false));
    expect((await trace(source, true)).join()).toContain("missing is not defined");
  });
});
