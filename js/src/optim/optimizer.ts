// Optimizers: they hold parameters with their state, and a step assigns all of them in one submit.

import { countOf, finiteOf, isArray, noMore, shown } from "../core/check/check.js";
import { Claim, core, wholeCore } from "../core/wasm/core.js";
import { matchTrees } from "../core/tensor/match.js";
import { inScope, releaseAbandoned, releaseLater, together } from "../core/tensor/scope.js";
import { Tensor, type Operand } from "../core/tensor/tensor.js";
import { noteStep } from "../core/check/tracing.js";
import { entriesOf, isNode, mapTree, prune, tensorsOf, type AnyRecord, type Named, type TensorTree } from "../core/tensor/tree.js";
import type { ArrayFile } from "../data/array.js";
import { ShapeError, ValueError } from "../core/errors.js";
import type { ModuleBase } from "../nn/module.js";
import { Buffer, Parameter } from "../transforms/parameter.js";
import { fitting } from "../nn/state.js";
import { handlesOf } from "../transforms/gradients.js";
import { groupsOf, type GroupEntry, type GroupOptions, type Groups } from "./groups.js";

/** The number of the first deferred rule. */
const FIRST_RARE = 2;

/**
 * What an optimizer improves: a module, or parameters in any tree.
 *
 * @example
 * const parameters: optim.Parameters = [new Parameter([1, 2]), new nn.Linear(2, 1).weight];
 * optim.sgd(parameters).parameters.length; // 2
 */
export type Parameters = ModuleBase | Tensor | readonly Parameters[] | (AnyRecord & { readonly params?: never });

const isLearned = (value: unknown): value is Parameter => value instanceof Parameter && value.learned;

/** An optimizer that is collected gives its state back. */
const forgotten = new FinalizationRegistry<readonly Claim[]>((claims) => releaseLater(() => claims.forEach(drop)));

function drop(claim: Claim): void {
  claim.release((known, number) => known.optimizer_drop(number));
}

/**
 * Parameters of an optimizer with options of their own, in `optimizer.groups`.
 *
 * @example
 * const optimizer = optim.sgd([{ params: new Parameter(1), lr: 0.1 }, { params: new Parameter(2) }], { lr: 0.01 });
 * const [first, second] = optimizer.groups as [optim.Group, optim.Group];
 * first.lr; // 0.1
 * second.lr; // 0.01
 */
export class Group {
  /** The parameters, each once. */
  readonly parameters: readonly Parameter[];
  /** The rule with its numbers, in the core. @internal */
  readonly claim: Claim;
  readonly #op: string;

  /** @internal */
  constructor(op: string, parameters: readonly Parameter[], claim: Claim, hasOwn: boolean) {
    this.parameters = parameters;
    this.claim = claim;
    this.hasOwn = hasOwn;
    this.#op = op;
  }

  /** Whether it has a learning rate of its own. @internal */
  hasOwn: boolean;

  /** The learning rate: the optimizer's, until the group has one of its own. May be set at any
   * time, as the optimizer's. */
  get lr(): number {
    return core().optimizer_lr(this.number(this.#op));
  }

  set lr(rate: number) {
    core().optimizer_set_lr(this.number(this.#op), checkRate(this.#op, rate));
    this.hasOwn = true;
  }

  /** How many steps were made since the group was added. */
  get steps(): number {
    return core().optimizer_steps(this.number(this.#op));
  }

  set steps(steps: number) {
    core().optimizer_set_steps(this.number(this.#op), countOf(this.#op, "the number of steps", steps));
  }

  /** @internal */
  number(op: string): number {
    return this.claim.number(op, "the optimizer");
  }
}

/**
 * Improves parameters by gradients. Made by `sgd`, `adam` and similar functions.
 *
 * @example
 * const optimizer: optim.Optimizer = optim.adam(new nn.Linear(2, 1));
 * optimizer.lr = 0.01; // at any time
 * optimizer.dispose();
 */
export class Optimizer {
  readonly #op: string;
  readonly #rule: number;
  /** The numbers of the rule for a group, whose options these are. */
  readonly #numbers: (own: object) => Float64Array;
  readonly #groups: Group[] = [];
  readonly #claims: Claim[] = [];
  readonly #parameters: Parameter[] = [];
  /** The parameters of what was given, nested as gradients have to be: of groups, a list of such
   * trees. */
  #form: unknown;
  /** See `nodesOf`; made by the first step. */
  #nodes: readonly FormNode[] | null = null;
  #isList: boolean;
  /** Where the parameters are in it. */
  readonly #places = new Map<Parameter, readonly string[]>();
  /** The learning rate of groups that have none of their own. */
  #lr: number;

  /** @internal */
  constructor(op: string, parameters: Parameters | Groups<object>, rule: number, options: object, numbers: (options: object) => readonly (number | boolean)[]) {
    if (typeof numbers !== "function") throw new ValueError("Optimizer", "optimizers are made by functions such as optim.sgd, not with new");
    this.#op = op;
    this.#rule = rule;
    this.#numbers = (own) => Float64Array.from(numbers({ ...options, ...own }), Number);
    this.#lr = Number(numbers(options)[0]);
    const groups = groupsOf(op, parameters);
    this.#isList = groups !== null;
    try {
      if (groups) this.#form = groups.map(({ params, options }, n) => this.#add(op, params, [String(n)], options));
      else this.#form = this.#add(op, parameters as Parameters, [], {});
    } catch (error) {
      this.#claims.forEach(drop);
      throw error;
    }
    forgotten.register(this, this.#claims, this);
  }

  /** What it improves, each once: the parameters of all groups, one group after the other. */
  get parameters(): readonly Parameter[] {
    return this.#parameters;
  }

  /** The groups of parameters: one, unless it was given several. */
  get groups(): readonly Group[] {
    return this.#groups;
  }

  /**
   * Adds a group of parameters, as of those that were frozen when the optimizer was made; its steps
   * count from 0. Where they are in the tree that it was made of, gradients keep the form of that;
   * otherwise `step` takes a list with an entry for each group. Throws `ValueError` for a parameter
   * that is in a group already.
   *
   * ```js
   * model.body.freeze();
   * const optimizer = optim.adam(model);
   * // … later
   * model.body.unfreeze();
   * optimizer.addGroup({ params: model.body, lr: 1e-5 });
   * ```
   */
  addGroup(group: GroupOptions<{ lr: number; readonly [option: string]: unknown }>): void {
    noMore("addGroup", arguments, 1);
    const op = "addGroup";
    const entry = groupsOf(op, [group])?.[0];
    if (!entry) throw new ValueError(op, `takes a parameter group such as { params: model.body, lr: 0.1 }, got ${shown(group)}`);
    const known = new Set<unknown>(tensorsOf(this.#form));
    const form = this.#add(op, entry.params, [String(this.#groups.length)], entry.options);
    this.#nodes = null;
    if (tensorsOf(form).every((parameter) => known.has(parameter))) return;
    this.#form = this.#isList ? [...(this.#form as unknown[]), form] : [this.#form, form];
    this.#isList = true;
  }

  /**
   * One step by `gradients`, a tree like that of the parameters, as `grad` and `valueAndGrad`
   * return it: a gradient goes to the parameter of its name. Of parameter groups, a list of such
   * trees, one for each group; or the gradients of any tree that has the parameters, as of the
   * whole model, with that tree as `of`. One parameter and its gradient match with or without lists
   * around them. Frozen parameters have none and stay as they are.
   *
   * Assigns the parameters and frees the gradients, which stay where it throws for them. A flush
   * point: everything pending that the step needs runs in one submit. Inside `jit` it becomes part
   * of what is captured. Throws `ValueError` where names do not match, and `ShapeError` where
   * gradients do not fit.
   */
  step(gradients: TensorTree, of?: Parameters): void {
    noMore("step", arguments, 2);
    const op = "step";
    const exact = of === undefined ? this.#exact(gradients) : null;
    const all = exact ?? tensorsOf(gradients);
    const found = exact ?? this.#matched(op, gradients, of);
    // All are looked at before the first is given to the core.
    const handles: number[] = [];
    for (let n = 0; n < found.length; n++) handles.push(this.#fitting(op, this.#parameters[n] as Parameter, found[n]));
    const numbers = this.#groups.map((group) => group.number(op));
    let from = 0;
    // From here on the core gives them back.
    try {
      numbers.forEach((number, n) => core().optimizer_step(number, handles.slice(from, (from += (this.#groups[n] as Group).parameters.length)), n + 1 < numbers.length));
    } finally {
      together(() => all.forEach((gradient) => gradient.dispose()));
    }
    noteStep();
    releaseAbandoned();
  }

  /** The handle of a parameter's gradient, or 0 for none. Throws where it does not fit. */
  #fitting(op: string, parameter: Parameter, gradient: Tensor | undefined): number {
    const place = (): string => this.#places.get(parameter)?.join(".") || "the parameter";
    if (gradient) {
      // Those of what `grad` gave are one list.
      if (gradient.shape !== parameter.shape && gradient.shape.join() !== parameter.shape.join()) {
        throw new ShapeError(op, `${place()} is [${parameter.shape.join(",")}], and its gradient [${gradient.shape.join(",")}]`);
      }
      return gradient.handle;
    }
    if (parameter.learned) throw new ValueError(op, `there is no gradient for ${place()}`);
    return 0;
  }

  /** The gradient of each parameter if the tree is nested as the form is, holds nothing else, and
   * no parameter is frozen, as in nearly every step: without what finds out how trees differ. */
  #exact(gradients: TensorTree): Tensor[] | null {
    const nodes = (this.#nodes ??= nodesOf(this.#form));
    const values: unknown[] = [[gradients]];
    const found: Tensor[] = [];
    for (const [node, key, holder, size] of nodes) {
      const value = (values[holder] as AnyRecord)[key];
      values.push(value);
      if (node instanceof Parameter) {
        if (node !== this.#parameters[found.length] || !node.learned || !(value instanceof Tensor)) return null;
        found.push(value);
      } else if (!isNode(value) || isArray(value) !== isArray(node) || Object.keys(value).length !== size) return null;
    }
    return found.length === this.#parameters.length ? found : null;
  }

  /** The gradient of each parameter, of a tree that may lack those that are frozen. */
  #matched(op: string, gradients: TensorTree, of: Parameters | undefined): (Tensor | undefined)[] {
    const found = new Map<Parameter, Tensor>();
    const form = of === undefined ? this.#form : formOf(op, of);
    const visit = (parameter: Parameter, gradient: Tensor) => {
      if (!found.has(parameter)) found.set(parameter, gradient);
    };
    // One parameter and its gradient, which `grad` returns as it is, need no lists around them.
    const one = (tree: unknown): unknown => (isArray(tree) && tree.length === 1 ? tree[0] : tree);
    const isOne = isLearned(one(form)) && one(gradients) instanceof Tensor;
    const parameters = { what: of === undefined ? "parameters" : "of", tree: isOne ? one(form) : form };
    matchTrees(op, parameters, { what: "gradients", tree: isOne ? one(gradients) : gradients }, visit, { leaf: isLearned });
    if (of === undefined && this.#parameters.filter((parameter) => found.has(parameter)).length < found.size) this.#refuseUnknown(op, found);
    return this.#parameters.map((parameter) => found.get(parameter));
  }

  /** Throws for gradients of parameters that were frozen when the optimizer was made. */
  #refuseUnknown(op: string, found: ReadonlyMap<Parameter, Tensor>): void {
    const known = new Set(this.#parameters);
    const shapes = [...found.keys()].filter((parameter) => !known.has(parameter)).map((parameter) => `[${parameter.shape.join(",")}]`);
    throw new ValueError(op, `there are gradients for parameters that were frozen when the optimizer was made, of shape ${shapes.join(", ")}: add them by addGroup`);
  }

  /** The learning rate of all groups that have none of their own. May be set at any time, also for
   * captured functions: nothing is compiled anew. */
  get lr(): number {
    this.#first.number(this.#op);
    return this.#lr;
  }

  set lr(rate: number) {
    this.#lr = checkRate(this.#op, rate);
    for (const group of this.#groups) if (!group.hasOwn) core().optimizer_set_lr(group.number(this.#op), rate);
  }

  /** How many steps were made; calls of captured functions that step count. Set it where training
   * goes on that was interrupted: all groups then have it. */
  get steps(): number {
    return this.#first.steps;
  }

  set steps(steps: number) {
    for (const group of this.#groups) group.steps = steps;
  }

  /**
   * What is kept of parameters, by the parameter's place and then one after the other, as
   * `layers.0.weight.1`; with groups the number of the group comes first. This is what
   * `data.toSafetensors` saves. With `steps` and learning rates it is all there is to the
   * optimizer.
   */
  stateDict(): Record<string, Tensor> {
    noMore("stateDict", arguments, 0);
    const whole = wholeCore(this.#op);
    const kept = ({ parameters, claim }: Group) =>
      parameters.flatMap((parameter, n) => {
        const place = this.#places.get(parameter) ?? [];
        return Array.from(whole.optimizer_states(claim.number(this.#op, "the optimizer"), n), (handle, k) => [[...place, k].join("."), Tensor.adopt(handle)] as const);
      });
    return Object.fromEntries(this.#groups.flatMap(kept));
  }

  /** Assigns what `stateDict` gave, or `data.safetensors` read of it, by name. Throws `ValueError`
   * where something is missing, `ShapeError` where it does not fit; then nothing has been
   * assigned. */
  loadStateDict<T extends Named<T, Operand | ArrayFile>>(state: T): void {
    noMore("loadStateDict", arguments, 1);
    const op = "loadStateDict";
    inScope(
      () => {
        const assigned = fitting(op, state, Object.entries(this.stateDict()), true);
        for (const [held, value] of assigned) core().parameter_set(held.handle, value.handle);
      },
      () => [],
    );
  }

  /** Frees the optimizer's state; the parameters stay. */
  dispose(): void {
    noMore("dispose", arguments, 0);
    forgotten.unregister(this);
    this.#claims.forEach(drop);
  }

  get #first(): Group {
    return this.#groups[0] as Group;
  }

  /** Adds a group, and gives the form of its gradients. */
  #add(op: string, tree: Parameters, place: readonly string[], own: GroupEntry["options"]): unknown {
    const form = formOf(op, tree);
    const places = new Map<Parameter, readonly string[]>();
    const walk = (value: unknown, path: readonly string[]): void => {
      if (isLearned(value) && !places.has(value)) places.set(value, path);
      else if (isNode(value)) for (const [key, child] of entriesOf(value)) walk(child, [...path, key]);
    };
    walk(form, place);
    const parameters = [...places.keys()];
    if (parameters.length === 0) throw new ValueError(op, `there are no parameters${tensorsOf(form).length > 0 ? ": none of those given is to be learned" : ""}`);
    if (parameters.some((parameter) => this.#parameters.includes(parameter))) throw new ValueError(op, "a parameter is in two groups");
    const held = this.#rule < FIRST_RARE ? core() : wholeCore(this.#op);
    const claim = new Claim(held.optimizer_new(this.#rule, handlesOf(parameters), this.#numbers(own)));
    this.#claims.push(claim);
    this.#groups.push(new Group(this.#op, parameters, claim, own.lr !== undefined));
    this.#parameters.push(...parameters);
    for (const [parameter, path] of places) if (!this.#places.has(parameter)) this.#places.set(parameter, path);
    return form;
  }
}

/** A node of a form, its key in what holds it, the place of that, and how many entries it has. */
type FormNode = readonly [node: unknown, key: string, holder: number, size: number];

/** The nodes of a form, each after what holds it. */
function nodesOf(form: unknown): readonly FormNode[] {
  const nodes: FormNode[] = [];
  const walk = (node: unknown, key: string, holder: number): void => {
    const entries = isNode(node) ? entriesOf(node) : [];
    const place = nodes.push([node, key, holder, entries.length]);
    for (const [key, child] of entries) walk(child, key, place);
  };
  walk(form, "0", 0);
  return nodes;
}

function checkRate(op: string, rate: unknown): number {
  const number = finiteOf(op, "the learning rate", rate);
  if (number < 0) throw new ValueError(op, `the learning rate must be 0 or more, got ${number}`);
  return number;
}

/** The parameters of a tree, nested as the gradients of it are. Throws `ValueError` for what is no
 * tree of parameters. */
function formOf(op: string, tree: Parameters): unknown {
  if (!(tree instanceof Tensor) && !isNode(tree)) throw new ValueError(op, `takes a module, or parameters in arrays and objects, got ${shown(tree)}`);
  const leaf = (value: unknown) => {
    if (!(value instanceof Tensor) || value instanceof Parameter) return value;
    throw new ValueError(op, `can only assign parameters, but got ${value.form.text}: wrap it in nn.Parameter`);
  };
  return mapTree(tree, leaf, (module) => prune(module, (value) => (value instanceof Parameter && !(value instanceof Buffer) ? value : undefined)));
}
