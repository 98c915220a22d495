// Activation modules. Names and defaults are PyTorch's.

import { axisOf, countOf, finiteOf, noMore } from "../core/check/check.js";
import { inScope } from "../core/tensor/scope.js";
import { Tensor } from "../core/tensor/tensor.js";
import { mul } from "../ops/generated/arithmetic.js";
import { less, where } from "../ops/generated/compare.js";
import { full } from "../ops/create.js";
import { gelu, relu, sigmoid } from "../ops/generated/activation.js";
import { tanh } from "../ops/generated/elementwise.js";
import * as activation from "../ops/generated/activation.js";
import { reshape } from "../ops/generated/shape.js";
import { Module } from "./module.js";
import { begun, type Parameter } from "../transforms/parameter.js";

/**
 * max(x, 0).
 *
 * @example
 * new nn.ReLU().forward(tensor([-1, 2])); // [0,2]
 */
export class ReLU extends Module {
  forward(x: Tensor): Tensor {
    noMore("ReLU", arguments, 1);
    return relu(x);
  }
}

/**
 * x·Φ(x).
 *
 * @example
 * new nn.GELU().forward(tensor([0, 1])); // [0,0.84134]
 */
export class GELU extends Module {
  forward(x: Tensor): Tensor {
    noMore("GELU", arguments, 1);
    return gelu(x);
  }
}

/**
 * Hyperbolic tangent.
 *
 * @example
 * new nn.Tanh().forward(tensor([0, 1])); // [0,0.76159]
 */
export class Tanh extends Module {
  forward(x: Tensor): Tensor {
    noMore("Tanh", arguments, 1);
    return tanh(x);
  }
}

/**
 * 1/(1+e⁻ˣ).
 *
 * @example
 * new nn.Sigmoid().forward(tensor([0])); // [0.5]
 */
export class Sigmoid extends Module {
  forward(x: Tensor): Tensor {
    noMore("Sigmoid", arguments, 1);
    return sigmoid(x);
  }
}

/**
 * softmax along an axis.
 *
 * @example
 * new nn.Softmax().forward(tensor([1, 1])); // [0.5,0.5]
 */
export class Softmax extends Module {
  readonly axis: number;

  constructor(axis = -1) {
    noMore("Softmax", arguments, 1);
    super();
    this.axis = axisOf("Softmax", axis);
  }

  forward(x: Tensor): Tensor {
    noMore("Softmax", arguments, 1);
    return activation.softmax(x, this.axis);
  }
}

/**
 * log softmax along an axis.
 *
 * @example
 * new nn.LogSoftmax().forward(tensor([1, 1])); // [-0.69315,-0.69315]
 */
export class LogSoftmax extends Module {
  readonly axis: number;

  constructor(axis = -1) {
    noMore("LogSoftmax", arguments, 1);
    super();
    this.axis = axisOf("LogSoftmax", axis);
  }

  forward(x: Tensor): Tensor {
    noMore("LogSoftmax", arguments, 1);
    return activation.logSoftmax(x, this.axis);
  }
}

/**
 * x · sigmoid(x).
 *
 * @example
 * new nn.SiLU().forward(tensor([0, 1])); // [0,0.73106]
 */
export class SiLU extends Module {
  forward(x: Tensor): Tensor {
    noMore("SiLU", arguments, 1);
    return activation.silu(x);
  }
}

/**
 * x · tanh(softplus(x)).
 *
 * @example
 * new nn.Mish().forward(tensor([0, 1])); // [0,0.8651]
 */
export class Mish extends Module {
  forward(x: Tensor): Tensor {
    noMore("Mish", arguments, 1);
    return activation.mish(x);
  }
}

/**
 * ELU scaled so that means of 0 and variances of 1 stay.
 *
 * @example
 * new nn.SELU().forward(tensor([0, 1])); // [0,1.0507]
 */
export class SELU extends Module {
  forward(x: Tensor): Tensor {
    noMore("SELU", arguments, 1);
    return activation.selu(x);
  }
}

/**
 * x within 0 and 6.
 *
 * @example
 * new nn.ReLU6().forward(tensor([-1, 7])); // [0,6]
 */
export class ReLU6 extends Module {
  forward(x: Tensor): Tensor {
    noMore("ReLU6", arguments, 1);
    return activation.relu6(x);
  }
}

/**
 * (x + 3)/6 within 0 and 1.
 *
 * @example
 * new nn.HardSigmoid().forward(tensor([0, 9])); // [0.5,1]
 */
export class HardSigmoid extends Module {
  forward(x: Tensor): Tensor {
    noMore("HardSigmoid", arguments, 1);
    return activation.hardSigmoid(x);
  }
}

/**
 * x · hardSigmoid(x).
 *
 * @example
 * new nn.HardSiLU().forward(tensor([0, 9])); // [0,9]
 */
export class HardSiLU extends Module {
  forward(x: Tensor): Tensor {
    noMore("HardSiLU", arguments, 1);
    return activation.hardSilu(x);
  }
}

/**
 * x within −1 and 1.
 *
 * @example
 * new nn.HardTanh().forward(tensor([-2, 0.5])); // [-1,0.5]
 */
export class HardTanh extends Module {
  forward(x: Tensor): Tensor {
    noMore("HardTanh", arguments, 1);
    return activation.hardTanh(x);
  }
}

/**
 * x / (1 + |x|).
 *
 * @example
 * new nn.SoftSign().forward(tensor([0, 1])); // [0,0.5]
 */
export class SoftSign extends Module {
  forward(x: Tensor): Tensor {
    noMore("SoftSign", arguments, 1);
    return activation.softSign(x);
  }
}

/**
 * log(sigmoid(x)), without overflow.
 *
 * @example
 * new nn.LogSigmoid().forward(tensor([0])); // [-0.69315]
 */
export class LogSigmoid extends Module {
  forward(x: Tensor): Tensor {
    noMore("LogSigmoid", arguments, 1);
    return activation.logSigmoid(x);
  }
}

/**
 * log(1 + eˣ), without overflow.
 *
 * @example
 * new nn.Softplus().forward(tensor([0, 100])); // [0.69315,100]
 */
export class Softplus extends Module {
  forward(x: Tensor): Tensor {
    noMore("Softplus", arguments, 1);
    return activation.softplus(x);
  }
}

/**
 * x above 0, alpha · (eˣ − 1) below.
 *
 * @example
 * new nn.ELU().forward(tensor([0, 1])); // [0,1]
 */
export class ELU extends Module {
  readonly alpha: number;

  constructor(alpha = 1) {
    noMore("ELU", arguments, 1);
    super();
    this.alpha = finiteOf("ELU", "alpha", alpha);
  }

  forward(x: Tensor): Tensor {
    noMore("ELU", arguments, 1);
    return activation.elu(x, this.alpha);
  }
}

/**
 * x above 0, alpha · (e^(x/alpha) − 1) below. Throws `ValueError` where alpha is 0.
 *
 * @example
 * new nn.CELU().forward(tensor([0, 1])); // [0,1]
 */
export class CELU extends Module {
  readonly alpha: number;

  constructor(alpha = 1) {
    noMore("CELU", arguments, 1);
    super();
    this.alpha = finiteOf("CELU", "alpha", alpha);
  }

  forward(x: Tensor): Tensor {
    noMore("CELU", arguments, 1);
    return activation.celu(x, this.alpha);
  }
}

/**
 * x above 0, slope · x below.
 *
 * @example
 * new nn.LeakyReLU().forward(tensor([-1, 2])); // [-0.01,2]
 */
export class LeakyReLU extends Module {
  readonly slope: number;

  constructor(slope = 0.01) {
    noMore("LeakyReLU", arguments, 1);
    super();
    this.slope = finiteOf("LeakyReLU", "the slope", slope);
  }

  forward(x: Tensor): Tensor {
    noMore("LeakyReLU", arguments, 1);
    return activation.leakyRelu(x, this.slope);
  }
}

/**
 * The first half of an axis times the sigmoid of the second.
 *
 * @example
 * new nn.GLU().forward(tensor([2, 0])); // [1]
 */
export class GLU extends Module {
  readonly axis: number;

  constructor(axis = -1) {
    noMore("GLU", arguments, 1);
    super();
    this.axis = axisOf("GLU", axis);
  }

  forward(x: Tensor): Tensor {
    noMore("GLU", arguments, 1);
    return activation.glu(x, this.axis);
  }
}

/**
 * x above 0, weight · x below, with a weight that is learned: one, or one for each channel, which
 * is axis 1.
 *
 * @example
 * new nn.PReLU().forward(tensor([-4, 2])); // [-1,2]
 */
export class PReLU extends Module {
  readonly weight: Parameter;

  constructor(channels = 1, initial = 0.25) {
    noMore("PReLU", arguments, 2);
    super();
    const count = countOf("PReLU", "the number of channels", channels, 1);
    this.weight = begun(() => full([count], finiteOf("PReLU", "the initial weight", initial)));
  }

  forward(x: Tensor): Tensor {
    noMore("PReLU", arguments, 1);
    const rank = Tensor.of("PReLU", "what it acts on", x).shape.length;
    return inScope(
      () => where(less(x, 0), mul(x, rank > 1 && this.weight.size > 1 ? reshape(this.weight, [-1, ...Array<number>(rank - 2).fill(1)]) : this.weight), x),
      (result) => [result],
    );
  }
}

/**
 * x itself.
 *
 * @example
 * new nn.Identity().forward(tensor([1, 2])); // [1,2]
 */
export class Identity extends Module {
  forward(x: Tensor): Tensor {
    noMore("Identity", arguments, 1);
    // A tensor that was freed has none.
    Tensor.of("Identity", "what it acts on", x).handle;
    return x;
  }
}
