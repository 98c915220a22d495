// Views of controls of text, of two numbers and of a number that plays, all usable from the
// keyboard: a field, a range with two ends, a plane with a point, a player.

import type { Choice, ControlValue } from "../../protocol/messages";
import { icon } from "../ui/icons";
import { h, setAttribute, svg } from "../ui/dom";

export interface MadeControl {
  readonly parts: HTMLElement[];
  readonly show: (choice: Choice) => void;
}
type Choose = (value: ControlValue) => void;
export type ChoiceOf<T extends Choice["type"]> = Extract<Choice, { type: T }>;

/** Digits behind the point that a step has. */
export const digitsOf = (step: number): number => Math.min(12, (/\.(\d+)$/.exec(step.toFixed(12).replace(/0+$/, ""))?.[1] ?? "").length);

export const written = (value: number, step: number): string => (Math.abs(value) < 1e9 && digitsOf(step) < 10 ? value.toFixed(digitsOf(step)) : String(value));

/** How far along a track a value is, from 0 to 1; in the middle of one without a length. */
export function shareOf(value: number, min: number, max: number): number {
  const share = (value - min) / (max - min);
  return Number.isNaN(share) ? 0.5 : Math.max(0, Math.min(1, share));
}

export function textControl(id: string, name: HTMLElement, { lines, hint }: ChoiceOf<"text">, choose: Choose): MadeControl {
  const common = { id, placeholder: hint, maxlength: 10_000, dir: "auto", spellcheck: "false", autocomplete: "off" };
  const input: HTMLInputElement | HTMLTextAreaElement = lines > 1 ? h("textarea", { ...common, rows: lines }) : h("input", { ...common, type: "text" });
  input.addEventListener("input", () => choose(input.value));
  return { parts: [name, input], show: (now) => now.type === "text" && input.value !== now.value && (input.value = now.value) };
}

/** Width of a slider's thumb in pixels, as `controls.css` has it. */
const THUMB = 18;

/** Two sliders on one track: neither passes the other. They have the keyboard; the pointer is the
 * track's, which takes the end that is nearer. */
export function rangeControl(id: string, label: string, { min, max, step }: ChoiceOf<"range">, choose: Choose): MadeControl {
  const title = h("span", { class: "control-name", id: `${id}-name`, dir: "auto" }, label);
  const figure = h("output", { class: "control-value" });
  const ends = ["low", "high"].map((end) => h("input", { type: "range", min, max, step, "aria-label": `${label}, ${end}` })) as [HTMLInputElement, HTMLInputElement];
  const pair = h("div", { class: "range-pair", role: "group", "aria-labelledby": `${id}-name` }, ...ends);
  const values = () => ends.map((each) => each.valueAsNumber) as [number, number];
  const write = (low: number, high: number) => {
    figure.textContent = `${written(low, step)} to ${written(high, step)}`;
    ends.forEach((input, i) => setAttribute(input, "aria-valuetext", written([low, high][i]!, step)));
    pair.style.setProperty("--from", String(shareOf(low, min, max)));
    pair.style.setProperty("--to", String(shareOf(high, min, max)));
  };
  /** Moves an end as far as the other one, at most. */
  const move = (end: 0 | 1, value: number) => {
    const [low, high] = values();
    ends[end].valueAsNumber = end === 0 ? Math.min(value, high) : Math.max(value, low);
    write(...values());
    choose(values());
  };
  // Its own value has changed already: where it went too far it goes back to the other one.
  ends.forEach((input, i) => input.addEventListener("input", () => (i === 0 ? move(0, Math.min(...values())) : move(1, Math.max(...values())))));
  letPointerMove(pair, ends, { min, max, move });
  figure.style.minWidth = `${Math.max(written(min, step).length, written(max, step).length) * 2 + 4}ch`;
  return {
    parts: [title, pair, figure],
    show: (now) => {
      if (now.type !== "range") return;
      now.value.forEach((value, i) => ends[i]!.valueAsNumber !== value && (ends[i]!.value = String(value)));
      write(...now.value);
    },
  };
}

/** A press on a thumb takes it where it is, one beside both brings the nearer. Of two thumbs at one
 * place the first move says which: the lower goes down, the higher up. */
function letPointerMove(track: HTMLElement, ends: readonly [HTMLInputElement, HTMLInputElement], { min, max, move }: { min: number; max: number; move: (end: 0 | 1, value: number) => void }): void {
  let held: { end: 0 | 1 | null; from: number; offset: number } | null = null;
  const valueAt = ({ clientX }: PointerEvent) => {
    const { left, width } = track.getBoundingClientRect();
    return min + Math.max(0, Math.min(1, (clientX - left - THUMB / 2) / (width - THUMB))) * (max - min);
  };
  track.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    track.setPointerCapture(event.pointerId);
    const value = valueAt(event);
    const [low, high] = ends.map((each) => each.valueAsNumber) as [number, number];
    const nearer = value - low < high - value ? 0 : 1;
    const end = low === high ? null : nearer;
    const near = ends[nearer].valueAsNumber;
    const isOnThumb = Math.abs(value - near) <= ((THUMB / 2) * (max - min)) / (track.clientWidth - THUMB);
    held = { end, from: event.clientX, offset: isOnThumb ? near - value : 0 };
    if (!isOnThumb) move((held.end ??= value < low ? 0 : 1), value);
    ends[held.end ?? nearer].focus();
  });
  track.addEventListener("pointermove", (event) => {
    if (!held || event.clientX === held.from) return;
    held.end ??= event.clientX < held.from ? 0 : 1;
    ends[held.end].focus();
    move(held.end, valueAt(event) + held.offset);
  });
  track.addEventListener("pointercancel", () => (held = null));
  track.addEventListener("pointerup", () => {
    if (held?.end != null) ends[held.end].dispatchEvent(new Event("change", { bubbles: true }));
    held = null;
  });
}

const SIDE = 132;
/** Steps of the arrow keys across a plane; with Shift, ten at a time. */
const KEYS = 100;

export function pointControl(label: string, { x, y }: ChoiceOf<"point">, choose: Choose): MadeControl {
  const title = h("span", { class: "control-name", dir: "auto" }, label);
  const figure = h("output", { class: "control-value" });
  const [across, up] = [svg("line", { class: "point-line", y1: 0, y2: SIDE }), svg("line", { class: "point-line", x1: 0, x2: SIDE })];
  const dot = svg("circle", { class: "point-dot", r: 7 });
  const plane = h("div", { class: "point-plane", tabindex: 0, role: "application", "aria-label": `${label}. Drag the point, or move it by the arrow keys.` }, svg("svg", { width: SIDE, height: SIDE, viewBox: `0 0 ${SIDE} ${SIDE}`, "aria-hidden": "true" }, across, up, dot));
  let at: [number, number] = [x[0], y[0]];
  const digits = ([low, high]: readonly [number, number]) => 3 + Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high)) / (high - low)));
  // Of a side without a length there are as many digits as a number has.
  const round = (value: number, side: readonly [number, number]) => Number(Math.max(side[0], Math.min(side[1], value)).toPrecision(Math.max(3, Math.min(17, digits(side) || 17))));
  const write = (value: [number, number]) => {
    at = value;
    const [left, top] = [shareOf(at[0], ...x) * SIDE, (1 - shareOf(at[1], ...y)) * SIDE];
    for (const [element, name, place] of [[dot, "cx", left], [dot, "cy", top], [across, "x1", left], [across, "x2", left], [up, "y1", top], [up, "y2", top]] as const) setAttribute(element, name, place.toFixed(1));
    figure.textContent = at.map((each, i) => String(round(each, [x, y][i]!))).join(", ");
  };
  const take = (value: readonly [number, number]) => {
    write([round(value[0], x), round(value[1], y)]);
    choose([...at]);
  };
  const place = (event: PointerEvent) => {
    const box = plane.getBoundingClientRect();
    take([x[0] + ((event.clientX - box.left) / box.width) * (x[1] - x[0]), y[1] - ((event.clientY - box.top) / box.height) * (y[1] - y[0])]);
  };
  let held = false;
  plane.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    plane.setPointerCapture(event.pointerId);
    held = true;
    place(event);
  });
  plane.addEventListener("pointermove", (event) => held && place(event));
  for (const end of ["pointerup", "pointercancel"] as const) plane.addEventListener(end, () => (held = false));
  const ARROWS: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  plane.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    if (!arrow || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const by = (event.shiftKey ? 10 : 1) / KEYS;
    take([at[0] + arrow[0] * by * (x[1] - x[0]), at[1] + arrow[1] * by * (y[1] - y[0])]);
  });
  return { parts: [title, plane, figure], show: (now) => now.type === "point" && write([...now.value]) };
}

/** A slider with buttons: it plays by itself, at its rate, until the end or until it is paused. */
export function playControl(id: string, name: HTMLElement, label: string, { min, max, step, rate, loop }: ChoiceOf<"play">, choose: Choose): MadeControl {
  const figure = h("output", { for: id, class: "control-value" });
  const input = h("input", { type: "range", id, min, max, step });
  const toggle = h("button", { class: "tool", type: "button" });
  const forward = h("button", { class: "tool", type: "button", "aria-label": `${label}: one step`, title: "One step" }, icon("step"));
  let timer: ReturnType<typeof setInterval> | undefined;
  const write = (value: number) => {
    figure.textContent = written(value, step);
    setAttribute(input, "aria-valuetext", written(value, step));
    input.style.setProperty("--share", String(shareOf(value, min, max)));
  };
  const take = (value: number) => {
    input.value = String(value);
    write(input.valueAsNumber);
    choose(input.valueAsNumber);
  };
  const last = min + Math.floor((max - min) / step + 1e-9) * step;
  const next = () => {
    const value = input.valueAsNumber + step;
    if (value <= last + step * 1e-6) return take(value);
    if (loop) return take(min);
    playing(false);
  };
  const playing = (wanted: boolean) => {
    clearInterval(timer);
    timer = undefined;
    if (wanted) {
      // At the end there is nothing left to play.
      if (!loop && input.valueAsNumber + step > last + step * 1e-6) take(min);
      timer = setInterval(() => {
        if (!toggle.isConnected) playing(false);
        else if (!document.hidden) next();
      }, 1_000 / rate);
    }
    toggle.replaceChildren(icon(wanted ? "pause" : "play"));
    setAttribute(toggle, "aria-label", `${label}: ${wanted ? "pause" : "play"}`);
    setAttribute(toggle, "title", wanted ? "Pause" : "Play");
  };
  toggle.addEventListener("click", () => playing(timer === undefined));
  forward.addEventListener("click", () => {
    playing(false);
    next();
  });
  input.addEventListener("input", () => take(input.valueAsNumber));
  figure.style.minWidth = `${Math.max(written(min, step).length, written(max, step).length)}ch`;
  playing(false);
  return {
    parts: [name, h("span", { class: "play-tools" }, toggle, forward), input, figure],
    show: (now) => {
      if (now.type !== "play") return;
      if (input.valueAsNumber !== now.value) input.value = String(now.value);
      write(now.value);
    },
  };
}
