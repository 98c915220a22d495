// Sources that are crafted against the transform of operators, which runs in the page: each takes
// time that grows with its length alone, and becomes a module that parses, or an error that says
// why.
import { parse } from "acorn";
import { describe, expect, it } from "vitest";
import { CellSyntaxError, transformCell } from "../../src/state/code/transform";

/** Far above what linear work takes on a busy machine, far below what quadratic work takes on
 * any. */
const SOON = 6_000;
const long = (unit: string, characters = 200_000) => unit.repeat(Math.ceil(characters / unit.length));

const CRAFTED: readonly (readonly [string, string])[] = [
  ["a long sum", `a${long("+a")}`],
  ["a long power, which groups to the right", `a${long("**a")}`],
  ["a chain of comparisons", `a${long("<a")}`],
  ["signs", `${long("- ")}a`],
  ["negations", `${long("!")}a`],
  ["assignments of assignments", `${long("a-=")}a`],
  ["indices in indices", `${long("a[")}0${long("]", 100_000)}`],
  ["indices of indices", `a${long("[0]")}`],
  ["assignments to indices", `${long("a[0]=")}1`],
  ["conditions in conditions", `a${long("?a:a")}`],
  ["optional members", `a${long("?.b")}`],
  ["templates in templates", `${long("`${")}a`],
  ["arrows in arrows", `${long("a=>")}a*a`],
  ["many statements", long("a*b;")],
  ["many statements without semicolons", long("a*b\n")],
  ["lines that begin with brackets", long("a*b\n(c)\n[d]\n")],
  ["comments between operands", `a${long("/*+*/*//\na")}`],
  ["other ends of lines", long("a\u2028*\u2029b\r")],
  ["division and regular expressions", long("a/b/c;a++/b;/a/g/b;({})/a/1;")],
  ["conditions of loops", long("while(a<b)break;do{}while(a*b);for(;a<b;a+=b)break;if(a)b;")],
  ["blocks in blocks", `${long("if(a<b){", 40_000)}`],
  ["patterns with defaults", `let a;const {x=a*b,...y}=a;[${long("a=b*c,")}]=d`],
  ["members that are prototypes'", "a.__proto__*b.constructor;a['__proto__']+=b;({['__proto__']:a*b,constructor:a<b});a.toString*1;delete a[b*c];typeof a*b"],
  ["names of the transform's own", "const $weft={binary:1};$weft.binary*2;globalThis.$weft=1;var globalThis2=a*b;function f(arguments2){return arguments2*1}"],
  ["classes", "class A extends (a*b){static x=a<b;#y=a+b;get [a*b](){return this.#y**2}static{a*=b}has(o){return #y in o}}"],
  ["generators and awaits", "await a*await b;async function*f(){yield a*(yield);for await(const x of a*b)await x<b}"],
  ["exponents that JavaScript refuses", "(-a)**2;(+a)**b;2**-a"],
  ["bigints and strings", "1n*2n;'a'+`b${a*b}`;`${a}`*b;tag`${a*b}`"],
  ["new and calls", "new a(b*c)(d<e);new (a*b);(a*b)(c);a?.(b*c)?.[d*e]"],
];

describe("a crafted source", () => {
  it.each(CRAFTED)("%s", (_, source) => {
    let code: string | null = null;
    let least = Infinity;
    // A machine may be busy with other things: what is quadratic takes long every time.
    for (let attempt = 0; attempt < 4 && least >= SOON; attempt++) {
      const begin = performance.now();
      try {
        code = transformCell(source, { operators: true }).rewritten.code;
      } catch (error) {
        if (!(error instanceof CellSyntaxError)) throw error;
        expect(error.message).not.toBe("");
      }
      least = Math.min(least, performance.now() - begin);
    }
    expect(least).toBeLessThan(SOON);
    if (code === null) return;
    try {
      parse(code, { ecmaVersion: "latest", sourceType: "module", allowAwaitOutsideFunction: true });
    } catch (error) {
      // What is as deep as its parser can go may be deeper when it is written out.
      if (!(error instanceof RangeError)) throw new Error(`${(error as Error).message}: ${code.slice(0, 300)}`);
    }
  });
});
