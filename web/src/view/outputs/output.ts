// Dispatch from outputs to views. One function chooses the view; each view draws itself and updates
// in place.

import type { ContentOutput, Output, TextOutput } from "../../state/outputs/outputs";
import { asName } from "../../state/prose/bidi";
import { explained, helpWith } from "../ui/about";
import { h, onceAFrame } from "../ui/dom";
import { showProse } from "../prose/prose";
import { animationView } from "./animation";
import { chartView } from "./chart";
import { controlView } from "./control";
import { downloadView } from "./download";
import { imageView, keptView } from "./image";
import { padView } from "./pad";
import { plotView } from "./plot";
import { progressView } from "./progress";
import { tableView, tensorView } from "./table";
import { treeView } from "./tree";
import type { OutputActions, OutputView } from "./view";

/** A view that cannot be made is reported, and costs its output alone: outputs come along with
 * links and files, and their notebook opens whatever they hold. */
export function outputView(output: Output, actions: OutputActions): OutputView {
  try {
    return output.kind === "text" ? textView(output) : contentView(output, actions);
  } catch (error) {
    reportError(error);
    return { element: h("p", { class: "output note" }, "This output cannot be shown."), update: () => undefined };
  }
}

function contentView(output: ContentOutput, actions: OutputActions): OutputView {
  const { content } = output;
  switch (content.kind) {
    case "value":
      return content.tree ? treeView(output) : replacing(output, () => h("pre", { class: "text value" }, output.content.kind === "value" ? output.content.text : ""));
    case "markdown":
      return replacing(output, () => {
        const element = h("div", { class: "prose" });
        if (output.content.kind === "markdown") showProse(element, output.content.source);
        return element;
      });
    case "table":
      return replacing(output, () => tableView(output), "output large", [content.title || "Table", "table"]);
    case "tensor":
      return replacing(output, () => tensorView(output), "output", [content.title || "Tensor", "tensor"]);
    case "image":
      return imageView(output, actions);
    case "kept":
      return keptView(output);
    case "chart":
      return chartView(output);
    case "plot":
      return plotView(output);
    case "progress":
      return progressView(output);
    case "animation":
      return animationView(output, actions);
    case "control":
      return controlView(output, actions);
    case "button":
      return buttonView(output, actions);
    case "download":
      return replacing(output, () => (output.content.kind === "download" ? downloadView(output.content) : h("div")));
    case "sound":
      return soundPlace(output);
    case "pad":
      return padView(output, actions);
  }
}

/** The player comes with the first sound. */
function soundPlace(output: ContentOutput): OutputView {
  const element = h("div", { class: "output sound-place" });
  const help = explained(element, (output.content.kind === "sound" && output.content.title) || "Sound", "sound");
  const update = () => void import("./sound").then(({ soundView }) => output.content.kind === "sound" && element.replaceChildren(soundView(output.content), ...help), () => element.replaceChildren(h("p", { class: "note" }, "The player could not be fetched.")));
  update();
  return { element, update };
}

/** A button that runs a function of its cell. */
function buttonView(output: ContentOutput, actions: OutputActions): OutputView {
  const help = helpWith("Button", "button");
  const button = h("button", { class: "plain-button", type: "button", dir: "auto", onclick: () => actions.click(output) });
  const update = () => output.content.kind === "button" && (button.textContent = asName(output.content.label));
  update();
  return { element: h("div", { class: "output control press" }, button, help.button, help.text), update };
}

/** A view that is drawn anew whenever its content changes; its help, if it has any, stays. */
function replacing(_output: ContentOutput, draw: () => HTMLElement, name = "output", about?: Parameters<typeof explained> extends [unknown, ...infer Rest] ? Rest : never): OutputView {
  const element = h("div", { class: name });
  const help = about ? explained(element, ...about) : [];
  const update = () => element.replaceChildren(draw(), ...help);
  update();
  return { element, update };
}

/** Lines of a text that fit into the height it has (`max-height` in outputs.css), and characters of
 * a line on the narrowest screens. */
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
    const gap = output.omitted > 0 ? `… ${output.omitted} lines omitted …\n` : "";
    const text = (output.head + gap + output.tail).replace(/\n$/, "");
    element.textContent = text;
    if (element.tabIndex < 0 && mayScroll(text)) Object.entries({ tabindex: "0", role: "group", "aria-label": "Printed text" }).forEach(([name, value]) => element.setAttribute(name, value));
  };
  draw();
  return { element, update: onceAFrame(draw) };
}
