// Random kernels, each in two texts: as a user would write it, and with the rounding of each
// operation written out (Math.fround, Math.imul, | 0), which JavaScript computes as a kernel does.

/** Where chances come from. */
export interface Chance {
  /** A whole number from `low` to `high`, both among them. */
  whole(low: number, high: number): number;
  of<T>(list: readonly T[]): T;
}

export interface Program {
  /** The kernel: (x, i, j, { hist, one }), where `one` is 1. */
  readonly kernel: string;
  /** The same for JavaScript. */
  readonly reference: string;
}

/** An expression in both texts. */
interface Pair {
  readonly kernel: string;
  readonly reference: string;
}

type Kind = "float" | "whole";

interface Variable {
  readonly name: string;
  readonly kind: Kind;
  readonly isCounter?: boolean;
}

interface ArrayVariable {
  readonly name: string;
  readonly kind: Kind;
  readonly length: number;
}

const same = (text: string): Pair => ({ kernel: text, reference: text });

export class Programs {
  #names = 0;
  #loops = 0;
  #budget = 0;

  constructor(readonly chance: Chance) {}

  program(): Program {
    this.#names = 0;
    this.#budget = 40;
    const scope: Scope = { variables: [{ name: "i", kind: "whole", isCounter: true }, { name: "j", kind: "whole", isCounter: true }], arrays: [], helper: null };
    const lines: Pair[] = [];
    if (this.chance.whole(0, 1) === 1) {
      const inner: Scope = { variables: [{ name: "p", kind: "float" }, { name: "q", kind: "float" }, { name: "i", kind: "whole", isCounter: true }], arrays: [], helper: null };
      const body = [...this.#block(inner, 2, true), this.#line((value) => `return ${value};`, this.#float(inner, 2))];
      lines.push(wrap("const helper = (p, q) => {", body, "};"));
      scope.helper = "helper";
    }
    lines.push(...this.#block(scope, 3, true));
    lines.push(this.#line((value) => `return ${value};`, this.#float(scope, 3)));
    const text = (which: keyof Pair) => `(x, i, j, { hist, one }) => {\n${lines.map((line) => line[which]).join("\n")}\n}`;
    return { kernel: text("kernel"), reference: text("reference") };
  }

  #line(write: (text: string) => string, value: Pair): Pair {
    return { kernel: write(value.kernel), reference: write(value.reference) };
  }

  #block(outer: Scope, depth: number, mayReturn: boolean): Pair[] {
    const scope: Scope = { ...outer, variables: [...outer.variables], arrays: [...outer.arrays] };
    const lines = Array.from({ length: this.chance.whole(1, 4) }, () => this.#statement(scope, depth, mayReturn));
    // What the block declared is seen behind it where the block is the function's own.
    if (mayReturn && depth >= 2) {
      outer.variables.splice(0, outer.variables.length, ...scope.variables);
      outer.arrays.splice(0, outer.arrays.length, ...scope.arrays);
    }
    return lines;
  }

  #statement(scope: Scope, depth: number, mayReturn: boolean): Pair {
    const assignable = scope.variables.filter(({ isCounter }) => !isCounter);
    const choice = depth <= 0 || this.#budget-- <= 0 ? this.chance.whole(0, 2) : this.chance.whole(0, 10);
    switch (choice) {
      case 0:
      case 1:
        return this.#declare(scope);
      case 2:
      case 3:
        return assignable.length > 0 ? this.#assign(scope, this.chance.of(assignable)) : this.#declare(scope);
      case 4:
        return scope.arrays.length > 0 ? this.#setElement(scope) : this.#declareArray(scope);
      case 5:
      case 6: {
        const test = this.#truth(scope, 2);
        const then = this.#block(scope, depth - 1, false);
        if (this.chance.whole(0, 3) === 0) then.push(this.#leave(scope, mayReturn));
        const otherwise = this.chance.whole(0, 1) === 1 ? this.#block(scope, depth - 1, false) : null;
        const pair = this.#line((text) => `if (${text}) {`, test);
        return { kernel: join(pair.kernel, then, otherwise, "kernel"), reference: join(pair.reference, then, otherwise, "reference") };
      }
      case 7:
        return this.#counted(scope, depth, mayReturn);
      case 8:
        return this.#while(scope, depth, mayReturn);
      case 9: {
        const [place, value] = [this.#whole(scope, 1), this.#whole(scope, 2)];
        const write = (which: keyof Pair) => `hist.add(${value[which]}, (${place[which]}) & 7);`;
        return { kernel: write("kernel"), reference: write("reference") };
      }
      default:
        return this.#declareArray(scope);
    }
  }

  #leave(scope: Scope, mayReturn: boolean): Pair {
    if (this.#loops > 0 && this.chance.whole(0, 1) === 1) return same(this.chance.of(["break;", "continue;"]));
    return mayReturn || this.#loops > 0 || this.chance.whole(0, 1) === 1 ? this.#line((value) => `return ${value};`, this.#float(scope, 2)) : same(";");
  }

  #declare(scope: Scope): Pair {
    const kind = this.chance.of<Kind>(["float", "whole"]);
    const name = `v${this.#names++}`;
    const value = kind === "float" ? this.#float(scope, 2) : this.#whole(scope, 2);
    scope.variables.push({ name, kind });
    return this.#line((text) => `let ${name} = ${text};`, value);
  }

  #assign(scope: Scope, { name, kind }: Variable): Pair {
    if (kind === "whole") {
      if (this.chance.whole(0, 3) === 0) return { kernel: `${name}++;`, reference: `${name} = (${name} + 1) | 0;` };
      const value = this.#whole(scope, 2);
      const operator = this.chance.of(["", "+", "-", "&", "|", "^"]);
      return { kernel: `${name} ${operator}= ${value.kernel};`, reference: operator === "" ? `${name} = ${value.reference};` : `${name} = (${name} ${operator} (${value.reference})) | 0;` };
    }
    const value = this.#float(scope, 2);
    const operator = this.chance.of(["", "+", "-", "*"]);
    return { kernel: `${name} ${operator}= ${value.kernel};`, reference: operator === "" ? `${name} = ${value.reference};` : `${name} = Math.fround(${name} ${operator} (${value.reference}));` };
  }

  #declareArray(scope: Scope): Pair {
    const kind = this.chance.of<Kind>(["float", "whole"]);
    const name = `a${this.#names++}`;
    const elements = Array.from({ length: this.chance.whole(2, 4) }, () => (kind === "float" ? this.#float(scope, 1) : this.#whole(scope, 1)));
    scope.arrays.push({ name, kind, length: elements.length });
    const write = (which: keyof Pair) => `const ${name} = [${elements.map((element) => element[which]).join(", ")}];`;
    return { kernel: write("kernel"), reference: write("reference") };
  }

  #place(scope: Scope, { length }: ArrayVariable): Pair {
    if (this.chance.whole(0, 1) === 1) return same(String(this.chance.whole(0, length - 1)));
    return this.#line((text) => `(${text}) & ${length === 4 ? 3 : 1}`, this.#whole(scope, 1));
  }

  #setElement(scope: Scope): Pair {
    const array = this.chance.of(scope.arrays);
    const [place, value] = [this.#place(scope, array), array.kind === "float" ? this.#float(scope, 2) : this.#whole(scope, 2)];
    const write = (which: keyof Pair) => `${array.name}[${place[which]}] = ${value[which]};`;
    return { kernel: write("kernel"), reference: write("reference") };
  }

  #counted(scope: Scope, depth: number, mayReturn: boolean): Pair {
    const name = `k${this.#names++}`;
    if (this.chance.whole(0, 3) === 0) {
      // Over an array that the body may change, or one that is written out.
      const array = scope.arrays.length > 0 && this.chance.whole(0, 1) === 1 ? this.chance.of(scope.arrays) : null;
      const elements = [this.#whole(scope, 1), this.#whole(scope, 1)];
      const over = (which: keyof Pair) => `for (const ${name} of ${array?.name ?? `[${elements.map((element) => element[which]).join(", ")}]`}) {`;
      const inner: Scope = { ...scope, variables: [...scope.variables, { name, kind: array?.kind ?? "whole", isCounter: true }], arrays: [...scope.arrays] };
      return this.#loopOf({ kernel: over("kernel"), reference: over("reference") }, inner, depth, mayReturn);
    }
    const [from, count, step] = [this.chance.whole(-2, 2), this.chance.whole(0, 4), this.chance.whole(1, 2)];
    const head = this.chance.whole(0, 1) === 1 ? `for (let ${name} = ${from}; ${name} < ${from + count}; ${name} += ${step}) {` : `for (let ${name} = ${from}; ${name} >= ${from - count}; ${name}--) {`;
    const inner: Scope = { ...scope, variables: [...scope.variables, { name, kind: "whole", isCounter: true }], arrays: [...scope.arrays] };
    return this.#loop(head, inner, depth, mayReturn);
  }

  #while(scope: Scope, depth: number, mayReturn: boolean): Pair {
    const name = `w${this.#names++}`;
    const test = this.#truth(scope, 1);
    const most = this.chance.whole(1, 4);
    const head = this.#line((text) => `let ${name} = 0;\nwhile (${name}++ < ${most} && ${text}) {`, test);
    const inner: Scope = { ...scope, variables: [...scope.variables, { name, kind: "whole", isCounter: true }], arrays: [...scope.arrays] };
    return this.#loopOf(head, inner, depth, mayReturn);
  }

  #loop(head: string, inner: Scope, depth: number, mayReturn: boolean): Pair {
    return this.#loopOf(same(head), inner, depth, mayReturn);
  }

  #loopOf(head: Pair, inner: Scope, depth: number, mayReturn: boolean): Pair {
    this.#loops++;
    const body = this.#block(inner, depth - 1, false);
    if (this.chance.whole(0, 2) === 0) body.push(this.#line((text) => `if (${text}) {`, this.#truth(inner, 1)), this.#leave(inner, mayReturn), same("}"));
    this.#loops--;
    return { kernel: join(head.kernel, body, null, "kernel"), reference: join(head.reference, body, null, "reference") };
  }

  // Expressions.

  #float(scope: Scope, depth: number): Pair {
    const floats = scope.variables.filter(({ kind }) => kind === "float");
    if (depth <= 0 || this.chance.whole(0, 4) === 0) {
      const choice = this.chance.whole(0, 3);
      if (choice === 0 && floats.length > 0) return same(this.chance.of(floats).name);
      if (choice === 1 && scope.helper !== null) {
        const place = [this.#whole(scope, 0), this.#whole(scope, 0)] as const;
        return { kernel: `x.at(${place[0].kernel}, ${place[1].kernel})`, reference: `x.at(${place[0].reference}, ${place[1].reference})` };
      }
      const arrays = scope.arrays.filter(({ kind }) => kind === "float");
      if (choice === 2 && arrays.length > 0) {
        const array = this.chance.of(arrays);
        return this.#line((place) => `${array.name}[${place}]`, this.#place(scope, array));
      }
      // Binary fractions are the same in f32. What is made of literals alone is computed in 64 bits
      // when the kernel is made, so that they are none.
      return same(`(one * ${this.chance.whole(0, 9)}.${this.chance.of(["5", "25", "125", "75"])})`);
    }
    const [a, b] = [this.#float(scope, depth - 1), this.chance.whole(0, 2) === 0 ? this.#whole(scope, depth - 1) : this.#float(scope, depth - 1)];
    const operator = (text: string): Pair => ({ kernel: `(${a.kernel} ${text} ${b.kernel})`, reference: `Math.fround(${a.reference} ${text} Math.fround(${b.reference}))` });
    switch (this.chance.whole(0, 9)) {
      case 0:
        return operator("+");
      case 1:
        return operator("-");
      case 2:
        return operator("*");
      case 3:
        return operator("/");
      case 4:
        return { kernel: `(${a.kernel} % ${b.kernel} + 0)`, reference: `Math.fround(Math.fround(${a.reference} % Math.fround(${b.reference})) + 0)` };
      case 5:
        return { kernel: `Math.max(${a.kernel}, ${b.kernel})`, reference: `Math.max(${a.reference}, Math.fround(${b.reference}))` };
      case 6:
        return this.#line((text) => `Math.abs(${text})`, a);
      case 7: {
        const test = this.#truth(scope, depth - 1);
        return { kernel: `(${test.kernel} ? ${a.kernel} : ${b.kernel})`, reference: `(${test.reference} ? ${a.reference} : Math.fround(${b.reference}))` };
      }
      case 8: {
        const name = this.chance.of(["floor", "ceil", "trunc", "round"]);
        // Zeros of either sign become one: by which a division would tell them apart.
        return { kernel: `(Math.${name}(${a.kernel}) + 0)`, reference: `Math.fround(Math.${name}(${a.reference}) + 0)` };
      }
      default:
        if (scope.helper === null) return { kernel: `-${a.kernel.startsWith("-") ? `(${a.kernel})` : a.kernel}`, reference: `-(${a.reference})` };
        return { kernel: `${scope.helper}(${a.kernel}, ${b.kernel} + 0.5)`, reference: `${scope.helper}(${a.reference}, Math.fround(Math.fround(${b.reference}) + 0.5))` };
    }
  }

  #whole(scope: Scope, depth: number): Pair {
    const wholes = scope.variables.filter(({ kind }) => kind === "whole");
    if (depth <= 0 || this.chance.whole(0, 3) === 0) {
      const arrays = scope.arrays.filter(({ kind }) => kind === "whole");
      const choice = this.chance.whole(0, 4);
      if (choice === 0 && arrays.length > 0) {
        const array = this.chance.of(arrays);
        return this.#line((place) => `${array.name}[${place}]`, this.#place(scope, array));
      }
      return choice < 4 && wholes.length > 0 ? same(this.chance.of(wholes).name) : same(String(this.chance.whole(0, 12)));
    }
    const [a, b] = [this.#whole(scope, depth - 1), this.#whole(scope, depth - 1)];
    const both = (kernel: string, reference: string): Pair => ({ kernel, reference });
    const divisor = this.chance.whole(1, 7);
    switch (this.chance.whole(0, 10)) {
      case 0:
        return both(`(${a.kernel} + ${b.kernel})`, `((${a.reference} + ${b.reference}) | 0)`);
      case 1:
        return both(`(${a.kernel} - ${b.kernel})`, `((${a.reference} - ${b.reference}) | 0)`);
      case 2:
        return both(`(${a.kernel} * ${b.kernel})`, `Math.imul(${a.reference}, ${b.reference})`);
      case 3:
        return both(`(${a.kernel} % ${divisor})`, `(((${a.reference}) % ${divisor}) | 0)`);
      case 4:
        return both(`Math.floor(${a.kernel} / ${divisor})`, `Math.floor((${a.reference}) / ${divisor})`);
      case 5:
        return both(`((${a.kernel} / ${divisor}) | 0)`, `(((${a.reference}) / ${divisor}) | 0)`);
      case 6: {
        const operator = this.chance.of(["&", "|", "^", "<<", ">>"]);
        return both(`(${a.kernel} ${operator} ${b.kernel})`, `(${a.reference} ${operator} ${b.reference})`);
      }
      case 7:
        return both(`Math.min(${a.kernel}, ${b.kernel})`, `Math.min(${a.reference}, ${b.reference})`);
      case 8: {
        const test = this.#truth(scope, depth - 1);
        return both(`(${test.kernel} ? ${a.kernel} : ${b.kernel})`, `(${test.reference} ? ${a.reference} : ${b.reference})`);
      }
      case 9:
        return both(`Math.imul(${a.kernel}, ${b.kernel})`, `Math.imul(${a.reference}, ${b.reference})`);
      default:
        return both(`~${a.kernel}`, `~(${a.reference})`);
    }
  }

  #truth(scope: Scope, depth: number): Pair {
    const operator = this.chance.of(["<", "<=", ">", ">=", "===", "!=="]);
    const compared = (a: Pair, b: Pair): Pair => ({ kernel: `${a.kernel} ${operator} ${b.kernel}`, reference: `${a.reference} ${operator} ${b.reference}` });
    switch (depth <= 0 ? this.chance.whole(0, 1) : this.chance.whole(0, 4)) {
      case 0: {
        // Not of literals alone: what is never chosen has no say in a dtype.
        const a = this.#whole(scope, depth - 1);
        return compared({ kernel: `(i + ${a.kernel})`, reference: `((i + ${a.reference}) | 0)` }, this.#whole(scope, depth - 1));
      }
      case 1:
        return compared(this.#float(scope, depth - 1), this.#float(scope, depth - 1));
      case 2:
        return this.#line((text) => `!(${text})`, this.#truth(scope, depth - 1));
      default: {
        const [a, b] = [this.#truth(scope, depth - 1), this.#truth(scope, depth - 1)];
        const join_ = this.chance.of(["&&", "||"]);
        return { kernel: `(${a.kernel} ${join_} ${b.kernel})`, reference: `(${a.reference} ${join_} ${b.reference})` };
      }
    }
  }
}

interface Scope {
  variables: Variable[];
  arrays: ArrayVariable[];
  helper: string | null;
}

function wrap(head: string, body: readonly Pair[], end: string): Pair {
  return { kernel: `${head}\n${body.map(({ kernel }) => kernel).join("\n")}\n${end}`, reference: `${head}\n${body.map(({ reference }) => reference).join("\n")}\n${end}` };
}

function join(head: string, body: readonly Pair[], otherwise: readonly Pair[] | null, which: keyof Pair): string {
  const lines = body.map((line) => line[which]).join("\n");
  return `${head}\n${lines}\n}${otherwise ? ` else {\n${otherwise.map((line) => line[which]).join("\n")}\n}` : ""}`;
}
