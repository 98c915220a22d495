// Names of the entry of kernels, `weft-gpu/kernel`. Its text is handed to the worker with the first
// cell that uses one of them.

import type { AnyNode, CallExpression, Program } from "acorn";
import { allOf, isFunction } from "./syntax";

export const KERNELS = "weft-gpu/kernel";

/** Every name that the entry exports, and what it is. */
export const KERNEL_NAMES = { assert: "function", kernel: "function", kernelIn: "function", KernelError: "class", exportWGSL: "function", pcg: "function", print: "function", rand: "function", threefry: "function", wgsl: "function" } as const;

/** Whether a cell needs the entry: `reads` are the names that it mentions without declaring
 * them. */
export function usesKernels(program: Program, reads: ReadonlySet<string>): boolean {
  // Outside of kernels `print` is the notebook's own.
  return Object.keys(KERNEL_NAMES).some((name) => name !== "print" && reads.has(name)) || program.body.some((node) => node.type === "ImportDeclaration" && node.source.value === KERNELS);
}

/** Whether this may make a kernel: `kernel(…)`, `kernel.group(…)`. */
export function makesKernel({ callee }: CallExpression): boolean {
  if (callee.type !== "MemberExpression") return callee.type === "Identifier" && callee.name === "kernel";
  return !callee.computed && callee.object.type === "Identifier" && callee.object.name === "kernel" && callee.property.type === "Identifier" && callee.property.name === "group";
}

/** Function literals that calls of `kernel` are given. */
export function kernelFunctions(root: AnyNode): Set<AnyNode> {
  const given = (call: CallExpression) => (makesKernel(call) ? call.arguments.filter(isFunction) : []);
  return new Set(allOf(root, ["CallExpression"]).flatMap(given));
}
