// A model in JavaScript, whose types TypeScript finds.
import { nn } from "weft-gpu";

/** @typedef {import("weft-gpu").Tensor} Tensor */

export class Model extends nn.Module {
  constructor() {
    super();
    this.hidden = new nn.Linear(2, 3);
    this.output = new nn.Linear(3, 1);
  }

  /** @param {Tensor} x @param {number} scale @returns {[Tensor, Tensor]} */
  forward(x, scale) {
    const hidden = this.hidden.forward(x).relu();
    return [this.output.forward(hidden).mul(scale), hidden];
  }
}
