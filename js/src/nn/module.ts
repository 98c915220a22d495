// Modules, the models of `nn`. A module is an object; its parameters and sub-modules are found by
// walking its properties, so that declaring a model is assigning properties.

import { flagOf, noMore, optionsOf } from "../core/check/check.js";
import { inScope } from "../core/tensor/scope.js";
import type { Operand, Tensor } from "../core/tensor/tensor.js";
import { noteRead, noteSet, switchOf } from "../core/check/tracing.js";
import { entriesOf, isNode, treeNode, type Named } from "../core/tensor/tree.js";
import type { ArrayFile } from "../data/array.js";
import { Buffer, Parameter } from "../transforms/parameter.js";
import { fitting } from "./state.js";

/**
 * What every module has, whatever its `forward` takes. Classes are made from it by
 * `extends nn.Module`.
 *
 * @example
 * const parts = (module: nn.ModuleBase) => module.children().length;
 * parts(new nn.Sequential(new nn.ReLU(), new nn.Tanh())); // 2
 */
export class ModuleBase {
  /** What takes arguments has a constructor of its own. */
  constructor() {
    noMore(this.constructor.name, arguments, 0);
  }

  /** @internal */
  [switchOf] = true;

  /** Whether layers that act differently in training (dropout) do so. Set it with `train` and
   * `eval`; functions that `jit` captured see it. */
  get training(): boolean {
    noteRead(this);
    return this[switchOf];
  }

  set training(training: boolean) {
    noteSet(this);
    this[switchOf] = training;
  }

  /** @internal */
  get [treeNode](): true {
    return true;
  }

  /** Parameters that can be learned with their places, as `layers.0.weight`; a shared one once, at
   * its first place. */
  namedParameters(): [name: string, parameter: Parameter][] {
    noMore("namedParameters", arguments, 0);
    return heldBy(this).filter(([, parameter]) => !(parameter instanceof Buffer));
  }

  /** The state that is not learned, as running means are, with its places. */
  namedBuffers(): [name: string, buffer: Parameter][] {
    noMore("namedBuffers", arguments, 0);
    return heldBy(this).filter(([, parameter]) => parameter instanceof Buffer);
  }

  /** Parameters and buffers by their places: what `data.toSafetensors` saves, and `loadStateDict`
   * takes. They are the model's own, not copies. */
  stateDict(): Record<string, Parameter> {
    noMore("stateDict", arguments, 0);
    return Object.fromEntries(heldBy(this));
  }

  /**
   * Assigns parameters and buffers by their places. Values are tensors, arrays, or what
   * `data.safetensors` reads; names may be written as Python writes them (`running_mean`). With
   * `strict`, which is usual, throws `ValueError` unless just those are given that there are.
   * Throws `ShapeError` where one does not fit; then nothing has been assigned.
   */
  loadStateDict<T extends Named<T, Operand | ArrayFile>>(state: T, options: { strict?: boolean } = {}): void {
    noMore("loadStateDict", arguments, 2);
    const op = "loadStateDict";
    const strict = flagOf(op, "strict", optionsOf(op, options, { strict: true }).strict);
    inScope(
      () => {
        for (const [parameter, value] of fitting(op, state, heldBy(this), strict)) parameter.assign(value);
      },
      () => [],
    );
  }

  /** The modules within, what they hold and how many numbers that is, as a table. */
  summary(): string {
    noMore("summary", arguments, 0);
    const rows: [place: string, kind: string, holds: string, count: string][] = [];
    const seen = new Set<unknown>();
    const counted = (n: number) => n.toLocaleString("en-US");
    walk(this, (value, path) => {
      if (!(value instanceof ModuleBase)) return;
      const own = Object.entries(value).filter((entry): entry is [string, Parameter] => entry[1] instanceof Parameter && !seen.has(entry[1]) && !!seen.add(entry[1]));
      const size = own.reduce((sum, [, parameter]) => sum + parameter.size, 0);
      const shapes = own.map(([name, parameter]) => `${name} [${parameter.shape.join(",")}]${parameter instanceof Buffer ? " (buffer)" : parameter.frozen ? " (frozen)" : ""}`);
      rows.push([path.join("."), value.constructor.name, shapes.join(", "), size > 0 ? counted(size) : ""]);
    });
    const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] as string).length)));
    const buffers = this.namedBuffers().reduce((sum, [, buffer]) => sum + buffer.size, 0);
    const bytes = 4 * (this.size() + buffers);
    const size = bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
    const total = `${counted(this.size())} parameters${buffers > 0 ? `, ${counted(buffers)} in buffers` : ""}, ${size}`;
    return [...rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()), total].join("\n");
  }

  /** Parameters, in the order of their properties; a shared one once. */
  parameters(): Parameter[] {
    noMore("parameters", arguments, 0);
    return this.namedParameters().map(([, parameter]) => parameter);
  }

  /** Modules directly below this one, in arrays and objects too, by their places. */
  children(): [name: string, module: AnyModule][] {
    noMore("children", arguments, 0);
    const found: [string, AnyModule][] = [];
    walk(this, (value, path) => {
      if (!(value instanceof ModuleBase) || path.length === 0) return true;
      found.push([path.join("."), value]);
      return false;
    });
    return found;
  }

  /** Puts this module and all below into training, or out of it. */
  train(training = true): this {
    noMore("train", arguments, 1);
    flagOf("train", "whether to train", training);
    walk(this, (value) => {
      if (value instanceof ModuleBase) value.training = training;
    });
    return this;
  }

  /** Puts this module and all below out of training. */
  eval(): this {
    noMore("eval", arguments, 0);
    return this.train(false);
  }

  /** How many numbers the parameters hold. */
  size(): number {
    noMore("size", arguments, 0);
    return this.parameters().reduce((total, parameter) => total + parameter.size, 0);
  }

  /** Freezes the parameters of this module and of all below: gradients and optimizers pass over
   * them, and no memory is taken for their gradients. */
  freeze(): this {
    noMore("freeze", arguments, 0);
    for (const [, parameter] of heldBy(this)) parameter.freeze();
    return this;
  }

  /** Has gradients and optimizers take the parameters again. An optimizer that was made meanwhile
   * does not have them: `addGroup` adds them. */
  unfreeze(): this {
    noMore("unfreeze", arguments, 0);
    for (const [, parameter] of heldBy(this)) parameter.unfreeze();
    return this;
  }

  /** Frees every parameter and buffer. */
  dispose(): void {
    noMore("dispose", arguments, 0);
    for (const [, parameter] of heldBy(this)) parameter.dispose();
  }
}

/** Marks types of modules whose fields are not known: gradients of them have any. */
export declare const fieldsUnknown: unique symbol;

/**
 * Any module: with a `forward` of whatever form, or without one.
 *
 * @example
 * const models: Record<string, nn.AnyModule> = { words: new nn.Embedding(10, 4), attention: new nn.MultiheadAttention(4, 2) };
 * Object.values(models).map((model) => model.size()); // [40,80]
 */
export interface AnyModule extends ModuleBase {
  readonly [fieldsUnknown]?: never;
}

/** What classes with `forward` as declared extend: they have to define it. */
declare abstract class Forward<Args extends readonly unknown[], Result> extends ModuleBase {
  /** What the module computes. */
  abstract forward(...args: Args): Result;
}

/** Without types, `forward` may have any form, or be missing; with them, `nn.Module<Args, Result>`,
 * it must have that. */
interface ModuleClass {
  // One signature: in JavaScript, where no types are given, TypeScript takes all that there are.
  new <Args extends readonly unknown[] = never, Result = Tensor>(): [Args] extends [never] ? ModuleBase : Forward<Args, Result>;
  readonly prototype: AnyModule;
}

/**
 * A part of a model. Subclasses assign parameters, modules, and arrays or plain objects of them, as
 * properties, and define `forward`, which takes and gives what they like: `model.forward(x, t)`. A
 * module that only holds others, or has methods of other names, needs none. A module can be an
 * argument of `grad` and `valueAndGrad`, and goes to an optimizer whole.
 *
 * As a type, `nn.Module` is a module with a `forward` of one tensor to one;
 * `nn.Module<[x: Tensor, t: Tensor], [Tensor, Tensor]>` says another form, and may be extended,
 * too; `nn.AnyModule` is any.
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
 * class Gaussian extends nn.Module<[x: Tensor], [mean: Tensor, spread: Tensor]> {
 *   heads = [new nn.Linear(4, 2), new nn.Linear(4, 2)] as const;
 *   forward(x: Tensor): [Tensor, Tensor] {
 *     return [this.heads[0].forward(x), this.heads[1].forward(x).exp()];
 *   }
 * }
 * const [mean, spread] = new Gaussian().forward(ones([3, 4]));
 * spread.shape; // [3,2]
 */
export const Module = ModuleBase as unknown as ModuleClass;

/** A module whose `forward` takes `Args` and gives `Result`. */
export interface Module<Args extends readonly unknown[] = [x: Tensor], Result = Tensor> extends AnyModule {
  /** What the module computes. */
  forward(...args: Args): Result;
}

/** Visits a tree depth first, each object once; `visit` says with `false` that what is below does
 * not matter. */
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

/** Parameters and buffers of a module with their places; a shared one once. Not a private method:
 * what stands for a module under `vmap` has none. */
function heldBy(module: ModuleBase): [name: string, parameter: Parameter][] {
  const found = new Map<Parameter, string>();
  walk(module, (value, path) => {
    if (value instanceof Parameter && !found.has(value)) found.set(value, path.join("."));
  });
  return Array.from(found, ([parameter, name]) => [name, parameter]);
}
