// Which view shows which output? One function chooses; each view draws itself and takes updates in place.

import type { AnimationRequest, ControlValue, OutputId, WorkerMessage } from "../../protocol/messages";
import type { ContentOutput, Output, TextOutput } from "../../state/outputs";
import { h, onceAFrame } from "../dom";
import { showProse } from "../prose";
import { animationView } from "./animation";
import { chartView } from "./chart";
import { controlView } from "./control";
import { imageView, keptView } from "./image";
import { padView } from "./pad";
import { progressView } from "./progress";
import { tableView, tensorView } from "./table";

/** What a view may ask of the session. */
export interface OutputActions {
  choose(output: ContentOutput, value: ControlValue): void;
  click(output: ContentOutput): void;
  draw(output: ContentOutput, pixels: Float32Array<ArrayBuffer>): void;
  shown(output: OutputId): void;
  animate(output: OutputId, does: AnimationRequest): void;
  /** Where the pointer is on a picture, from 0 to 1, and whether it is pressed. */
  point(output: OutputId, x: number, y: number, down: boolean): void;
  /** Runs the cell again. */
  again(): void;
}

export interface OutputView {
  readonly element: HTMLElement;
  update(): void;
  /** What the cell's next run may make again, and the reader goes on using: by what it is told, and how it goes over to the new output. */
  readonly key?: string;
  adopt?(output: ContentOutput): void;
}

export type OutputMessage = Extract<WorkerMessage, { type: "output" | "text" | "points" }>;

export function outputView(output: Output, actions: OutputActions): OutputView {
  return output.kind === "text" ? textView(output) : contentView(output, actions);
}

function contentView(output: ContentOutput, actions: OutputActions): OutputView {
  const { content } = output;
  switch (content.kind) {
    case "value":
      return replacing(output, () => h("pre", { class: "text value" }, output.content.kind === "value" ? output.content.text : ""));
    case "markdown":
      return replacing(output, () => {
        const element = h("div", { class: "prose" });
        if (output.content.kind === "markdown") showProse(element, output.content.source);
        return element;
      });
    case "table":
      return replacing(output, () => tableView(output), "output large");
    case "tensor":
      return replacing(output, () => tensorView(output));
    case "image":
      return imageView(output, actions);
    case "kept":
      return keptView(output);
    case "chart":
      return chartView(output);
    case "progress":
      return progressView(output);
    case "animation":
      return animationView(output, actions);
    case "control":
      return controlView(output, actions);
    case "button":
      return replacing(output, () =>
        h("button", { class: "plain-button", type: "button", dir: "auto", onclick: () => actions.click(output) }, content.label),
      );
    case "pad":
      return padView(output, actions);
  }
}

/** A view that is drawn anew whenever its content changes. */
function replacing(_output: ContentOutput, draw: () => HTMLElement, name = "output"): OutputView {
  const element = h("div", { class: name }, draw());
  return { element, update: () => element.replaceChildren(draw()) };
}

/** Lines of a text that fit into the height it has (`max-height` in outputs.css), and characters of a line on the narrowest screens. */
const LINES = 20;
const LINE = 40;

/** Whether a text may scroll within its own height: the keyboard is to reach it then. */
function mayScroll(text: string): boolean {
  let lines = 0;
  for (let at = 0; at < text.length && lines <= LINES; lines++) {
    const end = text.indexOf("\n", at);
    at = Math.min(at + LINE, end < 0 ? Infinity : end + 1);
  }
  return lines > LINES;
}

function textView(output: TextOutput): OutputView {
  const element = h("pre", { class: `output text stream-${output.stream}` });
  const draw = () => {
    const gap = output.omitted > 0 ? `… ${output.omitted} lines left out …\n` : "";
    const text = (output.head + gap + output.tail).replace(/\n$/, "");
    element.textContent = text;
    if (element.tabIndex < 0 && mayScroll(text)) Object.entries({ tabindex: "0", role: "group", "aria-label": "Printed text" }).forEach(([name, value]) => element.setAttribute(name, value));
  };
  draw();
  return { element, update: onceAFrame(draw) };
}
