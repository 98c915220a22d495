// Stack checks before calls of the core. JavaScript ends a call that finds no room by an exception,
// wherever it is: thrown in the middle of the core, it would leave the core half-way through a
// change for good. So the package checks for room in advance, where nothing has begun yet, and
// recursion that goes too deep ends outside of the core.
//
// It checks before every call of the core, so a check must cost next to nothing. No engine reports
// how much stack is left, but each checks, where a function begins, whether the whole frame of that
// function fits. So a function of WebAssembly with a large frame, because many values are live on a
// path that is never taken, calls itself as often as it takes to cover the room. It writes nothing:
// a check takes 20 ns, where as many arguments would take microseconds.

/** Words in a frame: more than engines put into one function of two, or check only now and then.
 * @internal */
export const FRAME = 512;

/** Frames that a call of the core may take: operations take half a frame to six, compiling two. */
const CALL = 10;
/** The same for what only gives back. */
const RETURN = 4;
/** The same for a scope, which must still be able to clean up when something in it ran out of
 * stack. */
const SCOPE = 20;

/** How room is asked for; in one place, where tests can take it away. @internal */
export const room = {
  /** Throws the engine's own `RangeError` unless that many frames fit. */
  ask(frames: number): void {
    (nested ??= begun())(frames);
  },
};

/** Throws the engine's own `RangeError` unless the core can be called here. */
export function ensureStack(): void {
  room.ask(CALL);
}

/** Throws the engine's own `RangeError` unless a scope can be opened here, and cleaned up whatever
 * happens in it. */
export function ensureScope(): void {
  room.ask(SCOPE);
}

/** Whether the core can be called here to give something back. */
export function hasStack(): boolean {
  try {
    room.ask(RETURN);
    return true;
  } catch {
    return false;
  }
}

/** Calls itself that many times. */
let nested: ((frames: number) => void) | null = null;

function begun(): (frames: number) => void {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(written()));
  return exports["f"] as (frames: number) => void;
}

/**
 * The module, as bytes:
 *
 *     (module (table 2 funcref) (memory 1) (elem (i32.const 0) $f $last)
 *       (func $f (export "f") (param i32)
 *         ;; First and always, so that the frame is there before: itself with one less, or, at 0, the end.
 *         (call_indirect (i32.sub (local.get 0) (i32.const 1)) (select (i32.const 0) (i32.const 1) (local.get 0)))
 *         (br_if 0 (i32.eqz (i32.load (i32.const 0))))       ;; memory is all zeros, which no compiler knows
 *         i32.const 0
 *         (i64.load offset=0 (i32.const 0)) …                ;; FRAME of them, which all live through the next call
 *         (call_indirect (i32.const 0) (i32.const 1))
 *         i64.add …  i64.store)                              ;; for what nobody needs lies in no frame
 *       (func $last (param i32)))
 */
function written(): Uint8Array<ArrayBuffer> {
  const [i32, zero, one, argument, end] = [0x7f, [0x41, 0], [0x41, 1], [0x20, 0], 0x0b];
  const call = [0x11, 0, 0];
  const first = [...argument, ...one, 0x6b, ...zero, ...one, ...argument, 0x1b, ...call];
  const usual = [...zero, 0x28, 2, 0, 0x45, 0x0d, 0];
  const loads = Array.from({ length: FRAME }, (_, n) => [...zero, 0x29, 3, ...counted(8 * n)]);
  const adds = Array.from({ length: FRAME - 1 }, () => 0x7c);
  const body = [0, ...first, ...usual, ...zero, ...loads.flat(), ...zero, ...one, ...call, ...adds, 0x37, 3, 0, end];
  const section = (number: number, ...bytes: number[]) => [number, ...counted(bytes.length), ...bytes];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 1, i32, 0),
    ...section(3, 2, 0, 0),
    ...section(4, 1, 0x70, 0, 2),
    ...section(5, 1, 0, 1),
    ...section(7, 1, 1, 0x66, 0, 0),
    ...section(9, 1, 0, ...zero, end, 2, 0, 1),
    ...section(10, 2, ...counted(body.length), ...body, 2, 0, end),
  ]);
}

/** A number, seven bits to a byte. */
function counted(number: number): number[] {
  return number < 128 ? [number] : [(number & 127) | 128, ...counted(number >> 7)];
}
