// Types of gradients: a tree of tensors for each argument, which is that of its parameters for a
// module.

import type { Tensor } from "../core/tensor/tensor.js";
import type { TensorTree } from "../core/tensor/tree.js";
import type { fieldsUnknown, ModuleBase } from "../nn/module.js";
import type { Buffer, Parameter } from "./parameter.js";
import type { Complex } from "../ops/complex.js";

/**
 * The gradient of an argument: a tree of its form, with a tensor for each tensor and number in it.
 * Of a module, an object with a tensor for each parameter, nested as the module is; of a parameter
 * that is frozen there is none.
 *
 * @example
 * const loss = (weights: { a: Tensor; b: Tensor }) => weights.a.mul(weights.b);
 * const gradient: Gradient<{ a: Tensor; b: Tensor }> = grad(loss)({ a: tensor(2), b: tensor(3) });
 * gradient.a; // 3
 * const ofLayer: Gradient<nn.Linear> = grad((layer: nn.Linear) => layer.forward(ones([4, 2])).sum())(new nn.Linear(2, 1));
 * ofLayer.weight; // [[4,4]]
 */
export type Gradient<T> = T extends Tensor | number
  ? Tensor
  : T extends Complex | Method
    ? T
    : T extends ModuleBase
      ? Learned<T>
      : T extends readonly unknown[] | object
        ? { [K in keyof T]: Gradient<T[K]> }
        : T;

type Method = (...args: never[]) => unknown;

/** What a gradient has for a part of a module: nothing for what holds no parameter, though in a
 * list an empty object keeps the place. */
type Learned<T> = T extends Parameter
  ? Tensor
  : T extends Tensor | Method
    ? never
    : T extends readonly unknown[]
      ? { [K in keyof T]: true extends Learns<T[K]> ? Learned<T[K]> : Nothing }
      : T extends object
        ? typeof fieldsUnknown extends keyof T
          ? { readonly [name: string]: TensorTree }
          : Flat<{ [K in keyof T as Learns<T[K]> extends true ? K : never]: Learned<T[K]> } & { [K in keyof T as boolean extends Learns<T[K]> ? K : never]?: Learned<T[K]> }>
        : never;

/** An object without properties. */
type Nothing = { readonly [name: string]: never };

type Flat<T> = { [K in keyof T]: T[K] };

/** Whether a part of a module holds parameters: `boolean` where only some members of a union do.
 * Modules that hold their own kind are taken to. */
type Learns<T, Depth extends readonly unknown[] = []> = Depth["length"] extends 8
  ? true
  : T extends Tensor
    ? T extends Parameter
      ? T extends Buffer
        ? false
        : true
      : false
    : T extends Method
      ? false
      : T extends readonly (infer Item)[]
        ? true extends Learns<Item, [...Depth, 0]>
          ? true
          : false
        : T extends object
          ? typeof fieldsUnknown extends keyof T
            ? true
            : true extends { [K in keyof T]-?: Learns<T[K], [...Depth, 0]> }[keyof T]
              ? true
              : false
          : false;
