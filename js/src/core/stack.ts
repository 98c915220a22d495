// Is there enough stack left for what comes? JavaScript ends a call that finds no room by an exception, wherever it is: thrown in the
// middle of the core, it would leave the core half-way through a change for good. So room is asked for before, where nothing
// has begun yet, and recursion that goes too deep ends outside of the core.

/** Words of stack that a call of the core may take: a tenth of it is what an operation takes, two thirds what compiling takes. */
const CALL = filled(2048);
/** The same for a scope, which must still be able to clean up when something in it ran out of stack. */
const SCOPE = filled(6144);

/** Throws the engine's own `RangeError` unless the core can be called here. */
export function ensureStack(): void {
  Reflect.apply(nothing, undefined, CALL);
}

/** Throws the engine's own `RangeError` unless a scope can be opened here, and cleaned up whatever happens in it. */
export function ensureScope(): void {
  Reflect.apply(nothing, undefined, SCOPE);
}

/** Whether the core can be called here. */
export function hasStack(): boolean {
  try {
    ensureStack();
    return true;
  } catch {
    return false;
  }
}

/** Arguments lie on the stack, so a call with many of them succeeds where there is room for as many words. No engine has a way to ask. */
function nothing(): void {}

function filled(words: number): readonly number[] {
  return new Array<number>(words).fill(0);
}
