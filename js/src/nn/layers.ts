// Dense layers, and modules that compose modules. Names, defaults and initial values are PyTorch's.

import { countOf, holds, isArray, noMore, optionsOf, shown } from "../core/check/check.js";
import { isClass } from "../core/tensor/functions.js";
import { Tensor } from "../core/tensor/tensor.js";
import { ValueError } from "../core/errors.js";
import { add } from "../ops/generated/arithmetic.js";
import { composed } from "../ops/lift.js";
import { matmul } from "../ops/generated/contract.js";
import { transpose } from "../ops/shape.js";
import { roundedOnce } from "../ops/rounded.js";
import { reshape } from "../ops/generated/shape.js";
import { dropout, rateOf } from "./dropout.js";
import { kaimingUniform, uniformWithin } from "./initial.js";
import { Module } from "./module.js";
import { begun, type Parameter } from "../transforms/parameter.js";

/**
 * How a `Linear` is made.
 *
 * @example
 * new nn.Linear(3, 2, { bias: false }).parameters().length; // 1
 */
export interface LinearOptions {
  /** Whether to add a bias; true by default. */
  bias?: boolean;
}

/**
 * x·Wᵀ + b over the last axis: [..., inputs] to [..., outputs]. `weight` is [outputs, inputs],
 * `bias` [outputs].
 *
 * @example
 * new nn.Linear(3, 2).forward(ones([5, 3])).shape; // [5,2]
 */
export class Linear extends Module {
  readonly inputs: number;
  readonly outputs: number;
  readonly weight: Parameter;
  readonly bias: Parameter | null;

  constructor(inputs: number, outputs: number, options: LinearOptions = {}) {
    noMore("Linear", arguments, 3);
    super();
    const { bias } = optionsOf("Linear", options, { bias: true });
    this.inputs = countOf("Linear", "the number of inputs", inputs, 1);
    this.outputs = countOf("Linear", "the number of outputs", outputs, 1);
    this.weight = begun(() => kaimingUniform([outputs, inputs]));
    this.bias = bias ? begun(() => uniformWithin([outputs], 1 / Math.sqrt(inputs))) : null;
  }

  forward(x: Tensor): Tensor {
    noMore("Linear", arguments, 1);
    return composed("Linear", () =>
      roundedOnce([x, this.weight, this.bias], (x, weight, bias) => {
        const product = matmul(x, transpose(weight));
        return bias ? add(product, bias) : product;
      }),
    );
  }
}

/**
 * All axes but the first in one.
 *
 * @example
 * new nn.Flatten().forward(ones([2, 3, 4])).shape; // [2,12]
 */
export class Flatten extends Module {
  forward(x: Tensor): Tensor {
    noMore("Flatten", arguments, 1);
    const [first = 1, ...rest] = Tensor.of("Flatten", "what it acts on", x).shape;
    return reshape(x, [first, rest.reduce((size, extent) => size * extent, 1)]);
  }
}

/**
 * In training, each element becomes 0 with probability `rate`, and the others grow to make up for
 * it.
 *
 * @example
 * new nn.Dropout(0.5).eval().forward(ones([2])); // [1,1]
 */
export class Dropout extends Module {
  readonly rate: number;

  constructor(rate = 0.5) {
    noMore("Dropout", arguments, 1);
    super();
    this.rate = rateOf("Dropout", rate);
  }

  forward(x: Tensor): Tensor {
    noMore("Dropout", arguments, 1);
    Tensor.of("Dropout", "what it acts on", x);
    return this.training ? dropout(x, this.rate) : x;
  }
}

/**
 * What `Sequential` calls: a module of one tensor to one, or a plain function.
 *
 * @example
 * const layers: nn.Layer[] = [new nn.Linear(2, 8), (x) => x.sin()];
 * new nn.Sequential(...layers).forward(ones([3, 2])).shape; // [3,8]
 */
export type Layer = Module | ((x: Tensor) => Tensor);

/**
 * Modules one after the other. Plain functions may be among them.
 *
 * @example
 * new nn.Sequential(new nn.Linear(2, 8), new nn.Tanh(), (x) => x.mul(2)).forward(ones([3, 2])).shape; // [3,8]
 */
export class Sequential<const Layers extends readonly Layer[] = readonly Layer[]> extends Module {
  readonly layers: Layers;

  constructor(...layers: Layers) {
    super();
    const isModule = (layer: unknown): layer is object => holds(() => layer instanceof Module);
    const fits = (layer: unknown) => (typeof layer === "function" ? !isClass(layer) : isModule(layer) && "forward" in layer);
    const wrong = layers.findIndex((layer) => !fits(layer));
    if (wrong >= 0) {
      const described = isArray(layers[wrong]) ? "an array: layers are arguments, new nn.Sequential(a, b)" : `${shown(layers[wrong])}${isModule(layers[wrong]) ? ", which has no forward" : ""}`;
      const got = isClass(layers[wrong]) ? "a class: make one with new" : described;
      throw new ValueError("Sequential", `layer ${wrong} must be a module or a function, got ${got}`);
    }
    this.layers = layers;
  }

  forward(x: Tensor): Tensor {
    noMore("Sequential", arguments, 1);
    return this.layers.reduce<Tensor>((value, layer) => (typeof layer === "function" ? layer(value) : layer.forward(value)), x);
  }
}
