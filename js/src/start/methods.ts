// Installation of operations as methods. Each function of the modules below takes the tensor it
// acts on first; the method of the same name passes `this` for it. The table of operations says
// which generated functions are methods.

import * as clip from "../ops/clip.js";
import * as unique from "../ops/unique.js";
import * as generated from "../ops/generated/methods.js";
import * as indexing from "../ops/indexing.js";
import * as shape from "../ops/shape.js";
import * as functional from "../nn/functional.js";
import { Tensor } from "../core/tensor/tensor.js";

type MethodsOf<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (first: infer _First, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

type Clip = MethodsOf<typeof clip>;
type Unique = MethodsOf<typeof unique>;
type Generated = MethodsOf<generated.Functions>;
type Indexing = MethodsOf<typeof indexing>;
type Shape = MethodsOf<typeof shape>;
type Functional = MethodsOf<typeof functional>;

/**
 * The operations as methods.
 *
 * @example
 * tensor([1, 4]).sqrt().add(1); // [2,3]
 */
export interface Methods extends Clip, Unique, Generated, Indexing, Shape, Functional {}

let installed = false;

/** Gives `Tensor` its methods, once. Called by `init`: nobody has a tensor before. */
export function installMethods(): void {
  if (installed) return;
  installed = true;
  const define = (name: string | symbol, value: unknown) =>
    Object.defineProperty(Tensor.prototype, name, { value, configurable: true, writable: true });
  for (const functions of [generated, clip, unique, indexing, shape, functional]) {
    for (const [name, act] of Object.entries(functions) as [string, (first: Tensor, ...rest: never[]) => unknown][]) {
      define(name, function (this: Tensor, ...rest: never[]) {
        return act(this, ...rest);
      });
    }
  }
  // Engines without `using` have no such symbol.
  if (Symbol.dispose) define(Symbol.dispose, Tensor.prototype.dispose);
}
