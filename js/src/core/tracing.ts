// Is a function being run on stand-ins right now, whose tensors have no values, and what has it done? The state that `jit` and other
// transforms share with the rest.

interface Trace {
  /** Whether an optimizer stepped: the function is a training step. */
  stepped: boolean;
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

/** Runs `body` in the name of `op`; it is told what the function it traces has done. Functions are not traced inside one another. */
export function whileTracing<R>(op: string, body: (trace: Readonly<Trace>) => R): R {
  const trace = { stepped: false };
  current = trace;
  try {
    return inside(op, () => body(trace));
  } finally {
    current = null;
  }
}
