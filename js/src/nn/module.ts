// What is a model? A module: an object whose parameters and sub-modules are found by walking its properties, so that declaring a
// model is assigning properties.

import { flagOf } from "../core/check.js";
import type { Tensor } from "../core/tensor.js";
import { entriesOf, isNode, treeNode } from "../core/tree.js";
import { Parameter } from "./parameter.js";

/**
 * A part of a model. Subclasses assign parameters, modules, and arrays or plain objects of them, as properties, and define
 * `forward`. A module can be an argument of `grad` and `valueAndGrad`, and goes to an optimizer whole.
 *
 * ```js
 * class Residual extends nn.Module {
 *   inner = new nn.Linear(64, 64);
 *   forward(x) { return x.add(this.inner.forward(x).relu()); }
 * }
 * ```
 *
 * @example
 * class Residual extends nn.Module {
 *   inner = new nn.Linear(4, 4);
 *   forward(x: Tensor) {
 *     return x.add(this.inner.forward(x).relu());
 *   }
 * }
 * new Residual().forward(ones([2, 4])).shape; // [2,4]
 */
export abstract class Module {
  /** Whether layers that act differently in training (dropout) do so. Set it with `train` and `eval`. */
  training = true;

  /** @internal */
  get [treeNode](): true {
    return true;
  }

  /** What the module computes. */
  abstract forward(x: Tensor): Tensor;

  /** Parameters with their places, as `layers.0.weight`; a shared one stands once, at its first place. */
  namedParameters(): [name: string, parameter: Parameter][] {
    const found = new Map<Parameter, string>();
    walk(this, (value, path) => {
      if (value instanceof Parameter && !found.has(value)) found.set(value, path.join("."));
    });
    return Array.from(found, ([parameter, name]) => [name, parameter]);
  }

  /** Parameters, in the order of their properties; a shared one once. */
  parameters(): Parameter[] {
    return this.namedParameters().map(([, parameter]) => parameter);
  }

  /** Modules directly below this one, in arrays and objects too, by their places. */
  children(): [name: string, module: Module][] {
    const found: [string, Module][] = [];
    walk(this, (value, path) => {
      if (!(value instanceof Module) || path.length === 0) return true;
      found.push([path.join("."), value]);
      return false;
    });
    return found;
  }

  /** Puts this module and all below into training, or out of it. */
  train(training = true): this {
    flagOf("train", "whether to train", training);
    walk(this, (value) => {
      if (value instanceof Module) value.training = training;
    });
    return this;
  }

  /** Puts this module and all below out of training. */
  eval(): this {
    return this.train(false);
  }

  /** Number of learned numbers. */
  size(): number {
    return this.parameters().reduce((total, parameter) => total + parameter.size, 0);
  }

  /** Frees every parameter. */
  dispose(): void {
    for (const parameter of this.parameters()) parameter.dispose();
  }
}

/** Visits a tree depth first, each object once; `visit` says with `false` that what is below does not matter. */
function walk(root: unknown, visit: (value: unknown, path: readonly string[]) => boolean | void): void {
  const seen = new Set<unknown>();
  const step = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (visit(value, path) === false || !isNode(value)) return;
    for (const [key, child] of entriesOf(value)) step(child, [...path, key]);
  };
  step(root, []);
}
