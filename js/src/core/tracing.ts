// Is `jit` tracing a function right now, and what has that function done? The state that `jit` shares with the rest.

interface Trace {
  /** Whether an optimizer stepped: the function is a training step. */
  stepped: boolean;
}

let current: Trace | null = null;

/** Whether a function is being traced: its tensors have no values. */
export function isTracing(): boolean {
  return current !== null;
}

/** Notes that an optimizer stepped. */
export function noteStep(): void {
  if (current) current.stepped = true;
}

/** Runs `body`, which is told what the function it traces has done. Functions are not traced inside one another. */
export function whileTracing<R>(body: (trace: Readonly<Trace>) => R): R {
  current = { stepped: false };
  try {
    return body(current);
  } finally {
    current = null;
  }
}
