// Names of classes, and constructors that say what to write when they are called without `new`.
// JavaScript refuses such a call of a class before any code of the class runs, by the name that a
// minifier left it; so builds export these functions in place of classes
// (`js/build/constructors.js`).

import { ValueError } from "../errors.js";
import { isClass } from "../tensor/functions.js";

/** A function that constructs what `made` does, and stands for it: in `extends`, `instanceof`, and
 * as the `constructor` of instances. `namespace` is where it is exported, as `nn.`. */
export function constructor<C extends new (...args: never[]) => object>(namespace: string, made: C): C {
  function constructs(...args: never[]): object {
    if (!new.target) throw new ValueError(constructs.name, `is a class: write new ${namespace}${constructs.name}(…)`);
    // V8 gives instances one hidden class only where a class is made by classes alone: a subclass
    // extends `made` itself from its first instance on.
    for (let other: object = new.target; other !== constructs; ) {
      const above = Object.getPrototypeOf(other) as object | null;
      if (above === constructs) Reflect.setPrototypeOf(other, made);
      if (above === null) break;
      other = above;
    }
    return Reflect.construct(made, args, new.target === constructs ? made : new.target) as object;
  }
  Object.setPrototypeOf(constructs, made);
  Object.defineProperty(constructs, "name", { value: made.name, configurable: true });
  Object.defineProperty(constructs, "prototype", { value: made.prototype, writable: false });
  Object.defineProperty(made.prototype, "constructor", { value: constructs, writable: true, configurable: true });
  return constructs as unknown as C;
}

/** Gives each class of a namespace the name that it is exported by, which summaries, errors and
 * consoles show: a bundler may shorten the names of classes. */
export function nameClasses(namespace: object): void {
  for (const [name, value] of Object.entries(namespace) as [string, object][]) {
    if (isClass(value)) Object.defineProperty(value, "name", { value: name, configurable: true });
  }
}
