// A kernel as numbers and names, in which form it crosses to the core: a header, the declarations,
// the expressions in order, then the body, block by block.

import {
  BINARY, COMBINE, COMPARE, COORDINATE, KERNEL_DTYPES, SUBGROUP, UNARY, type Expr, type KernelDType, type Stmt, type UserKernel,
} from "./ir.js";

/** A kernel as the core takes it. */
export interface KernelWords {
  readonly words: Uint32Array;
  /** Of the kernel, then of its tensors, scalars, outputs, locals and arrays. */
  readonly names: readonly string[];
}

const VERSION = 1;
const code = (dtype: KernelDType) => KERNEL_DTYPES.indexOf(dtype);

export function encode(kernel: UserKernel): KernelWords {
  const words: number[] = [VERSION, kernel.rank, kernel.workgroup ? 1 : 0, ...(kernel.workgroup ?? [1, 1, 1])];
  const { tensors, scalars, outputs, locals, arrays, exprs, body } = kernel;
  words.push(tensors.length, scalars.length, outputs.length, locals.length, arrays.length, exprs.length);
  for (const { dtype, rank } of tensors) words.push(code(dtype), rank);
  for (const { dtype } of scalars) words.push(code(dtype));
  for (const { dtype, rank, combine, initial } of outputs) {
    words.push(code(dtype), rank, COMBINE.indexOf(combine), "tensor" in initial ? 1 : 0, "tensor" in initial ? initial.tensor : initial.bits);
  }
  for (const { dtype } of locals) words.push(code(dtype));
  for (const { dtype, length, shared } of arrays) words.push(code(dtype), length, shared ? 1 : 0);
  for (const expr of exprs) putExpr(words, expr);
  putBlock(words, body);
  return { words: Uint32Array.from(words), names: [kernel.name, ...[tensors, scalars, outputs, locals, arrays].flatMap((list) => list.map(({ name }) => name))] };
}

function putExpr(words: number[], expr: Expr): void {
  switch (expr.is) {
    case "Literal":
      words.push(0, code(expr.dtype), expr.bits);
      break;
    case "Local":
      words.push(1, expr.local);
      break;
    case "Scalar":
      words.push(2, expr.scalar);
      break;
    case "Index":
      words.push(3, COORDINATE.indexOf(expr.coordinate), expr.axis);
      break;
    case "GridExtent":
      words.push(4, expr.axis);
      break;
    case "Extent":
      words.push(5, expr.tensor, expr.axis);
      break;
    case "OutputExtent":
      words.push(6, expr.output, expr.axis);
      break;
    case "Unary":
      words.push(7, UNARY.indexOf(expr.op), expr.x);
      break;
    case "Binary":
      words.push(8, BINARY.indexOf(expr.op), expr.a, expr.b);
      break;
    case "Compare":
      words.push(9, COMPARE.indexOf(expr.op), expr.a, expr.b);
      break;
    case "Select":
      words.push(10, expr.condition, expr.a, expr.b);
      break;
    case "Cast":
      words.push(11, code(expr.dtype), expr.x);
      break;
    case "Bitcast":
      words.push(12, code(expr.dtype), expr.x);
      break;
    case "Load": {
      const edge = expr.edge === "Clamp" ? 0 : expr.edge === "Wrap" ? 1 : expr.edge === "Mirror" ? 2 : 3;
      words.push(13, expr.tensor, edge, typeof expr.edge === "string" ? 0 : expr.edge.fill, expr.indices.length, ...expr.indices);
      break;
    }
    case "Element":
      words.push(14, expr.array, expr.index);
      break;
    case "Subgroup":
      words.push(15, SUBGROUP.indexOf(expr.op), expr.x);
      break;
    case "Shuffle":
      words.push(16, expr.x, expr.from);
      break;
  }
}

function putBlock(words: number[], block: readonly Stmt[]): void {
  words.push(block.length);
  for (const stmt of block) {
    switch (stmt.is) {
      case "Let":
        words.push(0, stmt.local, stmt.value);
        break;
      case "SetElement":
        words.push(1, stmt.array, stmt.index, stmt.value);
        break;
      case "Store":
        words.push(2, stmt.output, stmt.indices.length, ...stmt.indices, stmt.value, stmt.before === null ? 0 : stmt.before + 1);
        break;
      case "If":
        words.push(3, stmt.condition);
        putBlock(words, stmt.then);
        putBlock(words, stmt.otherwise);
        break;
      case "For":
        words.push(4, stmt.counter, stmt.from, stmt.to, stmt.step >>> 0);
        putBlock(words, stmt.body);
        break;
      case "While":
        words.push(5, stmt.condition, stmt.limit);
        putBlock(words, stmt.body);
        break;
      case "Break":
        words.push(6);
        break;
      case "Continue":
        words.push(7);
        break;
      case "Return":
        words.push(8);
        break;
      case "Barrier":
        words.push(9);
        break;
    }
  }
}
