// Documentation of the name under the pointer: its signature and its comment, or the type of the
// value that it is bound to.

import type { SyntaxNode } from "@lezer/common";
import { entryOf, globalEntry, membersOf } from "../state/code/vocabulary";
import { bindingOf, bindingType, describe, textOf, typeOf } from "./infer";
import type { Takes } from "../state/code/vocabulary";
import type { Code, World } from "./infer";
import { kernelDType } from "./kernel";

export interface Meaning {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  /** `matmul(b: Operand): Tensor` */
  readonly signature: string;
  readonly doc: string;
  readonly takes?: Takes | undefined;
}

/** Null where nothing is known of what stands at a place. */
export function meaningAt(code: Code, pos: number, world: World): Meaning | null {
  const inner = code.tree.resolveInner(pos, 1);
  const node = /^(?:VariableName|VariableDefinition|PropertyName)$/.test(inner.name) ? inner : code.tree.resolveInner(pos, -1);
  const name = textOf(code, node);
  const place = { from: node.from, to: node.to, name };
  if (node.name === "PropertyName") {
    const owner = node.parent?.name === "MemberExpression" ? typeOf(node.parent.firstChild, code, world) : null;
    const entry = entryOf(membersOf(world.vocabulary, owner), name);
    return entry ? { ...place, signature: written(entry[0], entry[1] || describe(entry[3])), doc: entry[2], takes: entry[4] } : null;
  }
  if (node.name !== "VariableName" && node.name !== "VariableDefinition") return null;
  const binding = node.name === "VariableDefinition" ? { code, node: node as SyntaxNode } : bindingOf(name, code, node, world);
  if (binding) {
    const dtype = kernelDType(binding.node, binding.code);
    if (dtype) return { ...place, signature: written(name, dtype), doc: "In the kernel, where tensors are f32." };
    const type = describe(bindingType(binding, { ...world, certain: true }));
    return type === "" ? null : { ...place, signature: written(name, type), doc: "" };
  }
  const entry = globalEntry(world.vocabulary, name);
  return entry ? { ...place, signature: written(name, entry[1] || describe(entry[3])), doc: entry[2], takes: entry[4] } : null;
}

/** A name with its signature, as it would be declared. */
export function written(name: string, signature: string): string {
  if (signature === "") return name;
  if (signature.startsWith("new ")) return `new ${name}${signature.slice(4)}`;
  return signature.startsWith("(") && !signature.startsWith("(…)") ? `${name}${signature}` : `${name}: ${signature}`;
}
