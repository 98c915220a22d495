// Parameter groups, as PyTorch has them: parameters with options of their own.

import { isArray, isBag, shown } from "../core/check/check.js";
import { isNode } from "../core/tensor/tree.js";
import { Tensor } from "../core/tensor/tensor.js";
import { ValueError } from "../core/errors.js";
import type { Parameters } from "./optimizer.js";

/**
 * A group of parameters with options of its own; what it does not name is as for all.
 *
 * @example
 * const model = { body: new nn.Linear(2, 2), head: new nn.Linear(2, 1) };
 * const groups: optim.GroupOptions<optim.AdamWOptions>[] = [{ params: model.body, lr: 1e-4, weightDecay: 0 }, { params: model.head }];
 * const optimizer = optim.adamw(groups, { lr: 1e-3 });
 * const loss = (m: typeof model) => m.head.forward(m.body.forward(ones([4, 2]))).sum();
 * optimizer.step(grad(loss)(model), model);
 */
export type GroupOptions<O> = { readonly params: Parameters } & { readonly [K in keyof O]?: O[K] };

/**
 * Parameter groups, in a list.
 *
 * @example
 * const groups: optim.Groups<optim.SgdOptions> = [{ params: new Parameter(1), momentum: 0.9 }, { params: new Parameter(2) }];
 * optim.sgd(groups, { lr: 0.1 }).groups.length; // 2
 */
export type Groups<O> = readonly GroupOptions<O>[];

/** The parameters and the options of a group. */
export interface GroupEntry {
  readonly params: Parameters;
  readonly options: { readonly lr?: number; readonly [option: string]: unknown };
}

/** Parameter groups, or `null` for a plain tree. Throws `ValueError` for a list in which only some
 * entries are groups, and for a group that is in no list. */
export function groupsOf(op: string, given: unknown): GroupEntry[] | null {
  if (isGroup(given) && Object.values(given).some((value) => !(value instanceof Tensor) && !isNode(value))) {
    throw new ValueError(op, "parameter groups come in a list: [{ params, lr }, …]");
  }
  if (!isArray(given) || !given.some(isGroup)) return null;
  return given.map((entry, n) => {
    if (!isGroup(entry)) throw new ValueError(op, `entry ${n} is no parameter group, as others are: expected { params, … }, got ${shown(entry)}`);
    const options = Object.entries(entry).filter(([name, value]) => name !== "params" && value !== undefined);
    return { params: entry["params"] as Parameters, options: Object.fromEntries(options) };
  });
}

/** Whether this is an object of options that names `params`, and no module. */
function isGroup(value: unknown): value is Record<string, unknown> {
  return isBag(value) && isNode(value) && !("namedParameters" in value) && Object.hasOwn(value, "params");
}
