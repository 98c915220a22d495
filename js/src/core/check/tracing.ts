// The state of tracing, which `jit` and other transforms share with the rest: whether a function
// runs on placeholders, whose tensors have no values, what it has done, and on which switches of
// modules and parameters it depends.

/** The symbol under which a module or parameter has its switch: whether it is in training, whether
 * it is frozen. */
export const switchOf = Symbol("weft.switch");

/** What has a switch, of which a captured function is part. */
export interface Switched {
  readonly [switchOf]: boolean;
}

/** The switches that a function read while it was traced, as they were. */
export type Switches = ReadonlyMap<Switched, boolean>;

/** Tensors that a function makes besides what it returns, which no scope frees, and who takes them
 * over at each call. */
export interface Extra {
  readonly tensors: readonly { dispose(): void }[];
  take(tensors: readonly never[]): void;
}

/** What a function did while it was traced. */
interface Trace {
  /** The transform. */
  readonly op: string;
  readonly extras: Extra[];
  /** Whether an optimizer stepped: the function is a training step. */
  stepped: boolean;
  /** Switches as they were before the function ran. */
  readonly switches: Map<Switched, boolean>;
  /** Those that the function set before it read them: what they were does not matter. */
  readonly set: Set<Switched>;
}

let current: Trace | null = null;
/** The innermost transform that runs a function on stand-ins. */
let innermost: string | null = null;

/** Whether a function is being traced: its tensors have no values. */
export function isTracing(): boolean {
  return innermost !== null;
}

/** The transform that runs a function on stand-ins: `jit`, `vmap`. */
export function tracedBy(): string {
  return innermost ?? "jit";
}

/**
 * Hands `extra` over: now, or at each call of the function that is being captured. Gives the
 * transform that has no way to do so, for its function is run on stand-ins of parts of a tensor, or
 * becomes part of a loop; null where it was possible.
 */
export function noteExtra(extra: Extra): string | null {
  if (innermost === null) extra.take(extra.tensors as never[]);
  else if (current?.op !== innermost) return innermost;
  else current.extras.push(extra);
  return null;
}

/** Runs `body` as what `op` runs on stand-ins. */
export function inside<R>(op: string, body: () => R): R {
  const outer = innermost;
  innermost = op;
  try {
    return body();
  } finally {
    innermost = outer;
  }
}

/** Notes that an optimizer stepped. */
export function noteStep(): void {
  if (current) current.stepped = true;
}

/** How often a switch was set: captured functions need not look at theirs while none was. */
let version = 0;

/** How often a switch was set so far. */
export function switchVersion(): number {
  return version;
}

/** Notes that a switch is read. */
export function noteRead(owner: Switched): void {
  if (current && !current.set.has(owner) && !current.switches.has(owner)) current.switches.set(owner, owner[switchOf]);
}

/** Notes that a switch is about to be set. */
export function noteSet(owner: Switched): void {
  version++;
  if (current && !current.switches.has(owner)) current.set.add(owner);
}

/** Whether switches are as they were when they were read. */
export function areUnchanged(switches: Switches): boolean {
  for (const [owner, value] of switches) if (owner[switchOf] !== value) return false;
  return true;
}

/** Runs `body` in the name of `op`; it gets what the function that it traces has done. Functions
 * are not traced inside one another. */
export function whileTracing<R>(op: string, body: (trace: Readonly<Trace>) => R): R {
  const trace: Trace = { op, extras: [], stepped: false, switches: new Map(), set: new Set() };
  current = trace;
  try {
    return inside(op, () => body(trace));
  } finally {
    current = null;
  }
}

/** The arguments of captured functions that are numbers: each call gives others, so that inside
 * they are tensors, which take the dtype of what they meet, as plain numbers do, and cannot stand
 * where the number itself must be known. By the tensor, the position. */
const givenNumbers = new WeakMap<object, number>();

/** Notes that a tensor stands for a number in the argument at `position` of a captured function. */
export function noteGiven<T extends object>(tensor: T, position: number): T {
  givenNumbers.set(tensor, position);
  return tensor;
}

/** Whether a value is a tensor that stands for a number. */
export function isGiven(value: unknown): boolean {
  return typeof value === "object" && value !== null && givenNumbers.has(value);
}

/** What errors call such a tensor where a number that is known is asked for; `undefined` for all
 * else. */
export function givenText(value: object): string | undefined {
  const position = givenNumbers.get(value);
  if (position === undefined) return undefined;
  return `a number that each call gives anew: jit(fn, { static: ${position} }) makes argument ${position} a number inside`;
}
