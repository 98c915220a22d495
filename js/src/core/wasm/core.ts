// The compiled core: where it is, whether code may call it now, and which of its handles are still
// valid. The handles of tensors and the numbers of optimizers and captures belong to the device
// that was open when the core gave them out, and mean nothing later.

import { DeviceLostError, DisposedError, InternalError, WeftError, weftError } from "../errors.js";
import { Instance, type Core } from "./instance.js";
import { forgetMain, mainPart, type Sources } from "./parts.js";
import { ensureStack } from "./stack.js";

export type { Core };

let instance: Instance | null = null;
/** Which device is open: a number that grows with each. */
let session = 0;
/** Whether that device is open: not before `init`, nor between two cores. */
let open = false;

/** The core. Throws when no device was opened yet, and when the core failed since; and a
 * `RangeError` where too little stack is left. */
export function core(): Core {
  if (instance?.failure) throw stopped(instance.failure);
  if (!open || !instance) throw new WeftError("weft", "there is no device yet: call `await init()` first");
  ensureStack();
  witness?.(instance.core);
  return instance.core;
}

/** Called with the core whenever code is about to call it. */
let witness: ((open: Core) => void) | null = null;

/** From now on `given` is called with the core whenever code is about to call it, to note where in
 * the source that is; null for nothing. */
export function setWitness(given: ((open: Core) => void) | null): void {
  witness = given;
}

/** Whether it is noted where in the source the core is called. */
export const isWitnessed = (): boolean => witness !== null;

/** Which device is open. What was given out in another session is gone. */
export function currentSession(): number {
  return session;
}

/** Whether a device is open and its core works. */
export function isServing(): boolean {
  return open && instance !== null && !instance.failure && !instance.core.is_lost();
}

/** The core, to give something back that it gave out in `given`; null when it is gone with all it
 * had. For places that saw to it before that there is enough stack. */
export function coreOf(given: number): Core | null {
  return given === session && instance && !instance.failure ? instance.core : null;
}

function stopped(failure: WeftError): DeviceLostError {
  const error = new DeviceLostError("weft", `the core stopped and must be started anew: call \`await init()\`. It stopped because ${failure.message.replace(/^weft: /, "")}`);
  error.cause = failure;
  return error;
}

/** The error of `op` for what was given out before the device was lost or exchanged. */
export function gone(op: string, what: string): DisposedError {
  const failure = instance?.failure;
  const why = failure ? `went with the core, which stopped: ${failure.message}` : "was disposed, or went with a device that was lost, closed or replaced";
  return new DisposedError(op, `${what} ${why}`);
}

/** A number that the core gave out, for as long as it means something. */
export class Claim {
  readonly #number: number;
  readonly #session = session;

  constructor(number: number) {
    this.#number = number;
  }

  /** Whether the core still knows it. */
  get stands(): boolean {
    return coreOf(this.#session) !== null;
  }

  /** The number. Throws `DisposedError` in the name of `op` when the core does not know `what` any
   * more. */
  number(op: string, what: string): number {
    if (!this.stands) throw gone(op, what);
    return this.#number;
  }

  /** Gives it back by `free`, if there is anyone to give it back to. */
  release(free: (core: Core, number: number) => void): void {
    const known = coreOf(this.#session);
    if (known) free(known, this.#number);
  }
}

/** An instance of the core that works: the one there is, or a new one. `sources` is asked for the
 * WebAssembly when it is needed for the first time; later sources are ignored. */
export async function startCore(sources: () => Sources): Promise<Instance> {
  if (instance && !instance.failure) return instance;
  const module = await mainPart(sources);
  try {
    const started = await Instance.start(module);
    started.core.install_errors(weftError);
    learnOperations(started.core);
    instance = started;
    // What the one before gave out is nothing to this one.
    session++;
    open = false;
    return started;
  } catch (error) {
    forgetMain();
    throw error;
  }
}

/** Has the deferred part of the core at hand, before something in it is called in the name of `op`.
 * Throws `FormatError` when it cannot be had, and as `core`. */
export function needRest(op: string): void {
  core();
  instance?.needRest(op);
}

/** The core, with that part at hand. Throws as `needRest`. */
export function wholeCore(op: string): Core {
  needRest(op);
  return core();
}

/** Fetches that part without holding the thread. Throws as `needRest`. */
export async function fetchRest(op: string): Promise<void> {
  core();
  await instance?.fetchRest(op);
}

/** Under what label runs are noted, on whichever device. */
let label = 0;

/** From now on runs are noted under that label; 0 notes nothing. */
export function labelWork(given: number): void {
  core().label_runs(given);
  label = given;
}

/** Goes over to the device that the core opened last. */
export function enterSession(started: Instance): void {
  started.core.enter();
  started.core.label_runs(label);
  session++;
  open = true;
}

function learnOperations(core: Core): void {
  const [names, deferred] = [core.op_names(), core.deferred_ops()];
  for (const opcode of registered) {
    opcode.code = names.indexOf(opcode.name);
    opcode.deferred = deferred.includes(opcode.code);
    if (opcode.code < 0) throw new InternalError("init", `the core knows no operation ${opcode.name}`);
  }
}

/** An operation's number in the core, known once that has started. */
export interface OpCode {
  readonly name: string;
  code: number;
  /** Whether it is in the deferred part of the core. */
  deferred: boolean;
}

const registered: OpCode[] = [];

/** Asks for the number of the operation that the core calls `name`. */
export function register(name: string): OpCode {
  const opcode = { name, code: -1, deferred: false };
  registered.push(opcode);
  return opcode;
}
