// Pinch gestures: how the distance and the middle of two fingers on an element change.

export interface Pinch {
  /** The middle of the fingers, in the window. */
  readonly clientX: number;
  readonly clientY: number;
  /** The distance before, in terms of the distance now: below 1 where the fingers part. */
  readonly factor: number;
  /** How far the middle has moved. */
  readonly right: number;
  readonly down: number;
}

/** Calls `begun` when there is a second finger, and `pinched` for each move. Whatever the element
 * redraws meanwhile, the fingers stay its own. */
export function listenToPinch(element: HTMLElement | SVGElement, begun: () => void, pinched: (pinch: Pinch) => void): void {
  const fingers = new Map<number, { x: number; y: number }>();
  const between = () => {
    const [a, b] = [...fingers.values()];
    return a && b && { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
  };
  // The page scrolls by one finger, and is not zoomed by two.
  element.addEventListener("touchstart", (event) => (event as TouchEvent).touches.length > 1 && event.preventDefault(), { passive: false });
  element.addEventListener("pointerdown", (event) => {
    const { pointerType, pointerId, clientX, clientY } = event as PointerEvent;
    if (pointerType !== "touch" || fingers.size > 1) return;
    fingers.set(pointerId, { x: clientX, y: clientY });
    if (fingers.size < 2) return;
    for (const id of fingers.keys()) element.setPointerCapture(id);
    begun();
  });
  element.addEventListener("pointermove", (event) => {
    const { pointerId, clientX, clientY } = event as PointerEvent;
    const before = between();
    if (!fingers.has(pointerId)) return;
    fingers.set(pointerId, { x: clientX, y: clientY });
    const now = between();
    if (before && now) pinched({ clientX: now.x, clientY: now.y, factor: before.apart / now.apart, right: now.x - before.x, down: now.y - before.y });
  });
  for (const type of ["pointerup", "pointercancel"]) element.addEventListener(type, (event) => fingers.delete((event as PointerEvent).pointerId));
}
