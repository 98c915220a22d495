// Lifetimes of tensors that nobody disposes. The innermost scope in which a tensor was made
// (`tidy`, and every transform) frees it at its end, unless the tensor is returned or kept.
// Otherwise the garbage collector finds it, and the core frees it only between flushes. The core
// flushes a loop that never reads when its pending work grows; the next tensor that is made then
// frees those that the collector found.
//
// The collector is the last net, not the plan: it cannot see GPU bytes (`collect.ts` makes it
// look), and runs no finalizer inside a synchronous loop.

import { coreOf, currentSession } from "../wasm/core.js";
import { ensureScope, hasStack } from "../wasm/stack.js";

/** What owns a handle of the core. `handle` is 0 once it was given back; it means nothing in
 * another session. */
export interface Owner {
  handle: number;
  readonly session: number;
  /** Whether the garbage collector reports it. */
  watched: boolean;
  /** Whether the caller said so. */
  registered: boolean;
}

/** Something a scope can free. */
export interface Scoped {
  dispose(): void;
  /** Whether the end of a scope leaves it alone. */
  readonly kept: boolean;
  /** Leaves it to the collector: no scope frees it any more. @internal */
  leave(): void;
}

let innermost: Scoped[] | null = null;

/** Puts a new tensor into the innermost scope; leaves it to the collector where none is open. */
export function enterScope(tensor: Scoped): void {
  if (innermost) innermost.push(tensor);
  else tensor.leave();
}

/**
 * Runs `body` in a scope of its own: on return, what was made inside and is not among
 * `escaping(result)` is freed; on an exception, everything is. What escapes belongs to the scope
 * around.
 */
export function inScope<R>(body: () => R, escaping: (result: R) => readonly Scoped[]): R {
  ensureScope();
  const outer = innermost;
  const made: Scoped[] = [];
  innermost = made;
  /** One tensor alone is what most scopes return. */
  let saved: Scoped | ReadonlySet<Scoped> | null = null;
  let result: R;
  try {
    result = body();
    const escaped = escaping(result);
    saved = escaped.length === 1 ? (escaped[0] as Scoped) : new Set(escaped);
  } finally {
    innermost = outer;
    together(() => {
      for (let n = 0; n < made.length; n++) {
        const tensor = made[n] as Scoped;
        const kept = tensor.kept;
        if (!kept && tensor !== saved && !(saved instanceof Set && saved.has(tensor))) tensor.dispose();
        else if (outer && !kept) outer.push(tensor);
        else tensor.leave();
      }
    });
  }
  return result;
}

/** Owners whose handles wait for the next moment between flushes: the garbage collector found
 * them. */
let abandoned: Owner[] = [];
/** What the number that the core changes with every flush of its own was when something was last
 * given back. */
let seen = 0;
/** Whether tensors were made since the last flush. */
let appended = false;

const registry = new FinalizationRegistry<Owner>((owner) => {
  if (owner.handle === 0) return;
  abandoned.push(owner);
  // Which tensors are alive decides what a flush computes, and the collector must not have a say in
  // that.
  if (!appended) releaseAbandoned();
});

/** Gives a handle back: at once, or, where too little stack is left for that, with what the
 * collector finds. Never fails. */
export function giveBack(owner: Owner): void {
  if (owner.handle === 0) return;
  if (owner.registered) registry.unregister(owner);
  // Who gives several back together has seen to it that there is.
  if (ending || hasStack()) return release(owner);
  abandoned.push({ ...owner });
  owner.handle = 0;
}

function release(owner: Owner): void {
  const { handle } = owner;
  owner.handle = 0;
  if (handle === 0) return;
  if (ending?.session === owner.session) ending.handles.push(handle);
  else coreOf(owner.session)?.dispose(handle);
}

/** Handles of one session that go back together. */
let ending: { readonly session: number; readonly handles: number[] } | null = null;

/** Gives back in one call of the core what `body` gives back: many calls cost more than what they
 * do. */
export function together(body: () => void): void {
  if (ending) return body();
  const { session, handles } = (ending = { session: currentSession(), handles: [] });
  try {
    body();
  } finally {
    ending = null;
    if (handles.length > 0) coreOf(session)?.dispose_all(handles);
  }
}

/** What else the collector found, waiting likewise. */
let actions: (() => void)[] = [];

/** Gives something back at the next moment between flushes. */
export function releaseLater(action: () => void): void {
  actions.push(action);
  if (!appended) releaseAbandoned();
}

/** Notes that a tensor is made: what the collector found is given back if a flush came by. */
export function noteMade(): void {
  if ((abandoned.length > 0 || actions.length > 0) && ticks() !== seen) releaseAbandoned();
  appended = true;
}

/** What is to be watched, as tensor and owner in turns. Most of it is given back before JavaScript
 * lets go, when no collector has had its turn; to tell one of it and take that back would be a
 * twentieth of a small step. */
let young: object[] = [];

/** Entries of `young` after which it is looked through in any case. */
const MANY = 512;

/** Watches a tensor, so that its handle is given back when it is collected. Watching is expensive,
 * and what a scope holds does not need it. */
export function watch(tensor: object, owner: Owner): void {
  if (owner.watched) return;
  owner.watched = true;
  if (young.length === 0) queueMicrotask(registerYoung);
  else if (young.length >= MANY) registerYoung();
  young.push(tensor, owner);
}

/** Registers with the garbage collector what was made since the last time and was not disposed. */
function registerYoung(): void {
  for (let n = 0; n < young.length; n += 2) {
    const owner = young[n + 1] as Owner;
    if (owner.handle === 0) continue;
    owner.registered = true;
    registry.register(young[n] as object, owner, owner);
  }
  young = [];
}

function ticks(): number {
  return coreOf(currentSession())?.ticks() ?? 0;
}

/** Gives back what was collected. Called after each flush. */
export function releaseAbandoned(): void {
  appended = false;
  seen = ticks();
  if (abandoned.length > 0) {
    const owners = abandoned;
    abandoned = [];
    for (const owner of owners) release(owner);
  }
  if (actions.length > 0) {
    const waiting = actions;
    actions = [];
    for (const action of waiting) action();
  }
}
