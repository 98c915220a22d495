// Reading of a cell, with the parser that it takes.

import { usesKernels } from "./kernels";
import { namesIn } from "./names";
import type { ReadCell } from "./reading";
import { CellSyntaxError, transformCell } from "./transform";

export const readCell: ReadCell = (source, operators) => {
  try {
    const { rewritten, declared, redeclared, functions, program } = transformCell(source, { operators });
    const names = namesIn(program);
    return { ok: true, rewritten, declared, redeclared, functions, names, kernels: usesKernels(program, names.reads) };
  } catch (error) {
    const { name, message } = error as Error;
    return { ok: false, name, message, at: error instanceof CellSyntaxError ? error.position : null };
  }
};
