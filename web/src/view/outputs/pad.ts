// Drawing pad. The reader draws with a pointer, or with the arrow keys while Space holds the pen
// down. Beside the pad are the image that the network will see, and its prediction.

import type { Content } from "../../protocol/messages";
import type { ContentOutput } from "../../state/outputs/outputs";
import { normalizeInk } from "../../state/outputs/digit";
import { helpWith } from "../ui/about";
import { h } from "../ui/dom";
import type { OutputActions, OutputView } from "./view";
import { readingView } from "./reading";

const SIDE = 240;
const PEN = 19;
const STEP = 8;
const PACE = 60;

/** What a pad must share with another to take its place. */
export const padKey = ({ label, size, margin, fit, ink, reading }: Content<"pad">): string => `pad ${JSON.stringify([label, size, margin, fit, ink, reading?.labels ?? null])}`;

export function padView(output: ContentOutput, actions: OutputActions): OutputView {
  const { content } = output;
  if (content.kind !== "pad") throw new TypeError("a pad's content is a pad");
  const { size, margin, fit, ink, label } = content;
  let shown = output;

  const canvas = h("canvas", {
    class: "pad", width: SIDE, height: SIDE, tabindex: 0, role: "application",
    "aria-label": `${label}. Draw with the pointer, or with the arrow keys: Space lowers and lifts the pen, Escape clears.`,
  });
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  const preview = h("canvas", { class: "pad-preview crisp", width: size, height: size, role: "img", "aria-label": `The drawing as ${size} by ${size} pixels` });
  const previewContext = preview.getContext("2d")!;
  const cursor = h("div", { class: "pad-cursor", hidden: true });
  const hint = h("span", { class: "pad-hint", "aria-hidden": "true", dir: "auto" }, label);

  let timer: ReturnType<typeof setTimeout> | undefined;
  const deliver = () => {
    timer = undefined;
    const { data } = context.getImageData(0, 0, SIDE, SIDE);
    const values = new Float32Array(SIDE * SIDE);
    for (let i = 0; i < values.length; i++) values[i] = data[i * 4 + 3]! / 255;
    const pixels = normalizeInk({ values, width: SIDE, height: SIDE }, { size, margin, fit, ink });
    const picture = previewContext.createImageData(size, size);
    pixels.forEach((value, i) => picture.data.set([value * 255, value * 255, value * 255, 255], i * 4));
    previewContext.putImageData(picture, 0, 0);
    actions.draw(shown, pixels);
  };
  const changed = () => (timer ??= setTimeout(deliver, PACE));

  const stroke = (fromX: number, fromY: number, toX: number, toY: number) => {
    Object.assign(context, { lineWidth: PEN, lineCap: "round", lineJoin: "round", strokeStyle: "#fff" });
    context.beginPath();
    context.moveTo(fromX, fromY);
    // A stroke of no length is a dot.
    context.lineTo(toX + (fromX === toX && fromY === toY ? 0.01 : 0), toY);
    context.stroke();
    hint.hidden = true;
    changed();
  };
  const clear = () => {
    context.clearRect(0, 0, SIDE, SIDE);
    hint.hidden = false;
    changed();
  };

  let last: { x: number; y: number } | null = null;
  const place = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    return { x: ((event.clientX - box.left) / box.width) * SIDE, y: ((event.clientY - box.top) / box.height) * SIDE };
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    last = place(event);
    stroke(last.x, last.y, last.x, last.y);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!last) return;
    for (const each of event.getCoalescedEvents().length > 0 ? event.getCoalescedEvents() : [event]) {
      const next = place(each);
      stroke(last.x, last.y, next.x, next.y);
      last = next;
    }
  });
  for (const end of ["pointerup", "pointercancel"] as const) canvas.addEventListener(end, () => (last = null));

  let pen = { x: SIDE / 2, y: SIDE / 4, down: false };
  const showCursor = (shown: boolean) => {
    cursor.hidden = !shown;
    cursor.classList.toggle("down", pen.down);
    cursor.style.left = `${(pen.x / SIDE) * 100}%`;
    cursor.style.top = `${(pen.y / SIDE) * 100}%`;
  };
  const ARROWS: Record<string, readonly [number, number]> = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
  canvas.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    if (arrow) {
      const bound = (value: number) => Math.max(PEN / 2, Math.min(SIDE - PEN / 2, value));
      const next = { ...pen, x: bound(pen.x + arrow[0]), y: bound(pen.y + arrow[1]) };
      if (pen.down) stroke(pen.x, pen.y, next.x, next.y);
      pen = next;
    } else if (event.key === " ") {
      pen.down = !pen.down;
      if (pen.down) stroke(pen.x, pen.y, pen.x, pen.y);
    } else if (event.key === "Escape") {
      clear();
    } else {
      return;
    }
    event.preventDefault();
    showCursor(true);
  });
  canvas.addEventListener("blur", () => {
    pen.down = false;
    showCursor(false);
  });

  const clearButton = h("button", { class: "plain-button small", type: "button", onclick: clear }, "Clear");
  const help = helpWith(label, "pad");
  const side = h("div", { class: "pad-side" }, preview, h("span", { class: "note" }, `${size} × ${size}`), h("div", { class: "pad-tools" }, clearButton, help.button));
  const reading = content.reading && readingView(content.reading.labels);
  const element = h("div", { class: "output pad-row" }, h("div", { class: "pad-frame" }, canvas, hint, cursor), reading?.element, side, help.text);
  const update = () => shown.content.kind === "pad" && reading?.show(shown.content.reading?.shares ?? null);
  update();
  return {
    element,
    update,
    key: padKey(content),
    // The drawing goes on, and the cell that runs again gets it. What it was taken for stays until
    // it is read again.
    adopt: (next) => {
      shown = next;
      if (hint.hidden) changed();
    },
  };
}
