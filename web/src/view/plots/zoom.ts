// Zooming of a plot by pointer, wheel, fingers and keys. A drag draws the box to zoom to, with
// Shift it moves what is shown; Ctrl or ⌘ with the wheel zooms at the pointer, two fingers between
// them; a double click shows all.

import type { Drawing, Frame } from "../../state/plots/draw";
import { isWhole, pan, WHOLE, zoomAt, zoomTo } from "../../state/plots/zoom";
import type { View } from "../../state/plots/zoom";
import { svg } from "../ui/dom";
import { listenToPinch } from "../ui/pinch";

/** Pixels that are a drag rather than a press. */
const DRAG = 6;
const STEP = 0.7;
const MOVE = 0.2;

export interface Zoom {
  readonly view: View;
  /** Whether a drag is under way: nothing is read out meanwhile. */
  readonly dragging: boolean;
  /** Whether the key was one of zooming. */
  key(event: KeyboardEvent): boolean;
  /** In by one step, out by one, or all. */
  step(by: "in" | "out" | "all"): void;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

export function zoomOf(picture: HTMLElement, overlay: SVGElement, drawingNow: () => Drawing | null, changed: () => void): Zoom {
  let view = WHOLE;
  let drag: { frame: Frame; from: Place; view: View; pans: boolean; moved: boolean } | null = null;
  const show = (next: View) => {
    view = isWhole(next) ? WHOLE : next;
    changed();
  };
  const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Place => {
    const { left, top } = picture.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const frameAt = ({ x, y }: Place) => drawingNow()?.frames.find(({ left, top, width, height }) => x >= left && x <= left + width && y >= top && y <= top + height) ?? null;
  const within = (share: number) => Math.min(1, Math.max(0, share));
  const shareOf = ({ left, top, width, height }: Frame, { x, y }: Place): Place => ({ x: within((x - left) / width), y: within(1 - (y - top) / height) });

  picture.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    const place = placeOf(event);
    const frame = frameAt(place);
    if (!frame) return;
    event.preventDefault();
    // Lines and pages, where a wheel counts in them.
    const pixels = event.deltaY * ([1, 16, 400][event.deltaMode] ?? 1);
    show(zoomAt(view, shareOf(frame, place), Math.exp(Math.max(-1, Math.min(1, pixels * 0.004)))));
  }, { passive: false });

  listenToPinch(picture, () => undefined, (pinch) => {
    const place = placeOf(pinch);
    const frame = frameAt(place);
    if (frame) show(pan(zoomAt(view, shareOf(frame, place), pinch.factor), -pinch.right / frame.width, pinch.down / frame.height));
  });

  picture.addEventListener("pointerdown", (event) => {
    // A finger scrolls the page.
    if (event.pointerType === "touch" || event.button !== 0) return;
    const from = placeOf(event);
    const frame = frameAt(from);
    if (frame) drag = { frame, from, view, pans: event.shiftKey, moved: false };
  });
  picture.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const to = placeOf(event);
    const { frame, from } = drag;
    if (!drag.moved && Math.hypot(to.x - from.x, to.y - from.y) < DRAG) return;
    if (!drag.moved) picture.setPointerCapture(event.pointerId);
    drag.moved = true;
    if (drag.pans) return show(pan(drag.view, -(to.x - from.x) / frame.width, (to.y - from.y) / frame.height));
    const inside = { x: Math.min(frame.left + frame.width, Math.max(frame.left, to.x)), y: Math.min(frame.top + frame.height, Math.max(frame.top, to.y)) };
    const inks = drawingNow()!.inks;
    overlay.replaceChildren(svg("rect", { x: Math.min(from.x, inside.x), y: Math.min(from.y, inside.y), width: Math.abs(inside.x - from.x), height: Math.abs(inside.y - from.y), fill: inks.ink, "fill-opacity": 0.08, stroke: inks.ink }));
  });
  const end = (event: PointerEvent, takes: boolean) => {
    const done = drag;
    drag = null;
    if (!done?.moved || done.pans) return;
    overlay.replaceChildren();
    if (!takes) return;
    const [a, b] = [shareOf(done.frame, done.from), shareOf(done.frame, placeOf(event))];
    const part: View = { x: [Math.min(a.x, b.x), Math.max(a.x, b.x)], y: [Math.min(a.y, b.y), Math.max(a.y, b.y)] };
    show(zoomTo(done.view, part, drawingNow()?.plot.equal ?? false));
  };
  picture.addEventListener("pointerup", (event) => end(event, true));
  picture.addEventListener("pointercancel", (event) => end(event, false));
  picture.addEventListener("dblclick", () => show(WHOLE));

  const step = (by: "in" | "out" | "all") => show(by === "all" ? WHOLE : zoomAt(view, { x: 0.5, y: 0.5 }, by === "in" ? STEP : 1 / STEP));
  const keys: Readonly<Record<string, () => void>> = { "+": () => step("in"), "=": () => step("in"), "-": () => step("out"), "0": () => step("all") };
  const moves: Readonly<Record<string, readonly [number, number]>> = { ArrowLeft: [-MOVE, 0], ArrowRight: [MOVE, 0], ArrowUp: [0, MOVE], ArrowDown: [0, -MOVE] };
  return {
    get view() {
      return view;
    },
    get dragging() {
      return drag?.moved ?? false;
    },
    step,
    key: ({ key, shiftKey }) => {
      const move = shiftKey && Object.hasOwn(moves, key) ? moves[key] : undefined;
      if (move) show(pan(view, ...move));
      else if (Object.hasOwn(keys, key)) keys[key]!();
      else return false;
      return true;
    },
  };
}
