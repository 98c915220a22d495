// Builder of a kernel's IR: the arena of expressions, in which equal ones are one, the locals and
// arrays, and the block that statements go into.

import {
  bitsOf, type Binary, type Compare, type Expr, type ExprId, type KernelArray, type KernelDType, type KernelLocal, type Stmt, type Unary,
} from "./ir.js";

/** A block that is being written. */
export type Block = Stmt[];

export class Builder {
  readonly exprs: Expr[] = [];
  readonly locals: KernelLocal[] = [];
  readonly arrays: KernelArray[] = [];
  /** Where statements go now. */
  block: Block = [];
  /** How many statements were written that change what expressions yield. */
  effects = 0;
  readonly #known = new Map<string, ExprId>();
  /** Locals that are assigned once, before anything reads them. */
  readonly #constant = new Set<number>();

  add(expr: Expr): ExprId {
    const key = keyOf(expr);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.exprs.length);
    return this.exprs.push(expr) - 1;
  }

  literal(dtype: KernelDType, value: number): ExprId {
    return this.add({ is: "Literal", dtype, bits: bitsOf(dtype, value) });
  }

  unary(op: Unary, x: ExprId): ExprId {
    return this.add({ is: "Unary", op, x });
  }

  binary(op: Binary, a: ExprId, b: ExprId): ExprId {
    return this.add({ is: "Binary", op, a, b });
  }

  compare(op: Compare, a: ExprId, b: ExprId): ExprId {
    return this.add({ is: "Compare", op, a, b });
  }

  select(condition: ExprId, a: ExprId, b: ExprId): ExprId {
    return a === b ? a : this.add({ is: "Select", condition, a, b });
  }

  cast(dtype: KernelDType, x: ExprId): ExprId {
    return this.add({ is: "Cast", dtype, x });
  }

  read(local: number): ExprId {
    return this.add({ is: "Local", local });
  }

  local(name: string, dtype: KernelDType): number {
    return this.locals.push({ name, dtype }) - 1;
  }

  /** A local that no statement but the one that declares it assigns: a loop's counter. */
  counter(name: string): number {
    const local = this.local(name, "i32");
    this.#constant.add(local);
    return local;
  }

  /** Writes a statement. */
  emit(stmt: Stmt): void {
    this.effects++;
    this.block.push(stmt);
  }

  /** A local that has the value of an expression from here on. */
  temporary(name: string, dtype: KernelDType, value: ExprId): ExprId {
    const local = this.local(name, dtype);
    this.#constant.add(local);
    this.block.push({ is: "Let", local, value });
    return this.read(local);
  }

  array(name: string, dtype: KernelDType, length: number, shared: boolean): number {
    return this.arrays.push({ name, dtype, length, shared }) - 1;
  }

  /** Whether an expression costs nothing and yields the same wherever it is evaluated, so that it
   * may be mentioned several times. */
  isStable(id: ExprId): boolean {
    const expr = this.exprs[id] as Expr;
    switch (expr.is) {
      case "Literal":
      case "Scalar":
      case "Index":
      case "GridExtent":
      case "Extent":
      case "OutputExtent":
        return true;
      case "Local":
        return this.#constant.has(expr.local);
      default:
        return false;
    }
  }

  /** The value of an expression, evaluated once. */
  once(dtype: KernelDType, id: ExprId, name = "t"): ExprId {
    return this.isStable(id) ? id : this.temporary(name, dtype, id);
  }

  /** Runs `write` with `block` in the place of the present one, and gives both what it returns and
   * the block. */
  within<R>(write: () => R, block: Block = []): [result: R, block: Block] {
    const outer = this.block;
    this.block = block;
    try {
      return [write(), block];
    } finally {
      this.block = outer;
    }
  }
}

/** What equal expressions have in common. */
function keyOf(expr: Expr): string {
  switch (expr.is) {
    case "Literal":
      return `${expr.dtype} ${expr.bits}`;
    case "Local":
      return `l${expr.local}`;
    case "Unary":
      return `${expr.op} ${expr.x}`;
    case "Binary":
      return `${expr.op} ${expr.a},${expr.b}`;
    case "Compare":
      return `c${expr.op} ${expr.a},${expr.b}`;
    case "Load":
      return `x${expr.tensor},${expr.indices.join()};${typeof expr.edge === "string" ? expr.edge : expr.edge.fill}`;
    default:
      return Object.values(expr).join();
  }
}
