// Installation of operations as methods. Each function of the modules below takes the tensor it
// acts on first; the method of the same name passes `this` for it. Nothing is listed twice.

import * as arithmetic from "../ops/arithmetic.js";
import * as clip from "../ops/clip.js";
import * as compare from "../ops/compare.js";
import * as copies from "../ops/copies.js";
import * as distinct from "../ops/distinct.js";
import * as elementwise from "../ops/elementwise.js";
import * as mathematics from "../ops/mathematics.js";
import * as indexing from "../ops/indexing.js";
import * as nans from "../ops/nans.js";
import * as order from "../ops/order.js";
import * as parts from "../ops/parts.js";
import * as product from "../ops/product.js";
import * as recipes from "../ops/recipes.js";
import * as reduce from "../ops/reduce.js";
import * as running from "../ops/running.js";
import * as tallies from "../ops/tallies.js";
import * as view from "../ops/view.js";
import * as functional from "../nn/functional.js";
import { Tensor } from "./tensor.js";

type MethodsOf<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (first: infer _First, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

type Arithmetic = MethodsOf<typeof arithmetic>;
type Clip = MethodsOf<typeof clip>;
type Compare = MethodsOf<typeof compare>;
type Copies = MethodsOf<typeof copies>;
type Distinct = MethodsOf<typeof distinct>;
type Elementwise = MethodsOf<typeof elementwise>;
type Mathematics = MethodsOf<typeof mathematics>;
type Indexing = MethodsOf<typeof indexing>;
type Nans = MethodsOf<typeof nans>;
type Order = MethodsOf<Omit<typeof order, "lexsort">>;
type Parts = MethodsOf<typeof parts>;
type Product = MethodsOf<typeof product>;
type Recipes = MethodsOf<typeof recipes>;
type Reduce = MethodsOf<typeof reduce>;
type Running = MethodsOf<typeof running>;
type Tallies = MethodsOf<typeof tallies>;
type View = MethodsOf<typeof view>;
type Functional = MethodsOf<typeof functional>;

/**
 * The operations as methods.
 *
 * @example
 * tensor([1, 4]).sqrt().add(1); // [2,3]
 */
export interface Methods extends Arithmetic, Clip, Compare, Copies, Distinct, Elementwise, Mathematics, Indexing, Nans, Order, Parts, Product, Recipes, Reduce, Running, Tallies, View, Functional {}

let installed = false;

/** Gives `Tensor` its methods, once. Called by `init`: nobody has a tensor before. */
export function installMethods(): void {
  if (installed) return;
  installed = true;
  const define = (name: string | symbol, value: unknown) =>
    Object.defineProperty(Tensor.prototype, name, { value, configurable: true, writable: true });
  // It takes several tensors.
  const { lexsort: _, ...ordering } = order;
  for (const functions of [arithmetic, clip, compare, copies, distinct, elementwise, mathematics, indexing, nans, ordering, parts, product, recipes, reduce, running, tallies, view, functional]) {
    for (const [name, act] of Object.entries(functions) as [string, (first: Tensor, ...rest: never[]) => unknown][]) {
      define(name, function (this: Tensor, ...rest: never[]) {
        return act(this, ...rest);
      });
    }
  }
  // Engines without `using` have no such symbol.
  if (Symbol.dispose) define(Symbol.dispose, Tensor.prototype.dispose);
}
