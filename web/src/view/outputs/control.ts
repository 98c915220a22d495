// View of a control, by the browser's own inputs, labelled and usable from the keyboard: a range, a
// number, a list, a switch, a colour; `fields.ts` has the others. It reports a change at most once
// a frame. A control that its cell makes again stays where it is, under the hand.

import type { Choice, Content, ControlValue } from "../../protocol/messages";
import type { ContentOutput } from "../../state/outputs/outputs";
import { helpWith } from "../ui/about";
import { h, onceAFrame, setAttribute } from "../ui/dom";
import { playControl, pointControl, rangeControl, shareOf, textControl, written } from "./fields";
import type { MadeControl } from "./fields";
import { uploadParts } from "./upload";
import type { OutputActions, OutputView } from "./view";

let lastId = 0;

/** What may change while the control stays the one it is. */
const formOf = ({ label, choice }: Content<"control">) => JSON.stringify([label, { ...choice, initial: 0, value: 0 }]);

export function controlView(output: ContentOutput, actions: OutputActions): OutputView {
  let shown = output;
  const element = h("div", { class: "output control" });
  const content = () => shown.content as Content<"control">;
  let chosen: ControlValue | null = null;
  const tell = () => {
    if (chosen !== null) actions.choose(shown, chosen);
    chosen = null;
  };
  const tellSoon = onceAFrame(tell);
  // At the end of a drag nothing is waited for: what the reader does next builds on it.
  element.addEventListener("change", tell);
  const choose = (value: ControlValue) => {
    chosen = value;
    tellSoon();
  };
  let form = "";
  let show: (choice: Choice) => void = () => undefined;
  const update = () => {
    const next = formOf(content());
    if (next !== form) {
      form = next;
      const made = make(content(), choose, actions);
      const { type } = content().choice;
      // `text` is what cells print.
      element.className = `output control ${type === "text" ? "words" : type}`;
      // Of each kind in a cell, the first one shows it (controls.css).
      const help = helpWith(content().label, type);
      element.replaceChildren(...made.parts, help.button, help.text);
      show = made.show;
    }
    // What the reader is choosing just now is newer than what the cell knows.
    if (chosen === null) show(content().choice);
  };
  update();
  return {
    element,
    update,
    key: content().key,
    adopt: (next) => {
      shown = next;
      update();
    },
  };
}

function make({ label, choice }: Content<"control">, choose: (value: ControlValue) => void, actions: OutputActions): MadeControl {
  const id = `control-${++lastId}`;
  const name = h("label", { for: id, dir: "auto" }, label);
  switch (choice.type) {
    case "slider": {
      const { min, max, step } = choice;
      const figure = h("output", { for: id, class: "control-value" });
      const write = (value: number) => {
        const text = written(value, step);
        figure.textContent = text;
        setAttribute(input, "aria-valuetext", text);
        input.style.setProperty("--share", String(shareOf(value, min, max)));
      };
      const input = h("input", { type: "range", id, min, max, step, oninput: () => (write(input.valueAsNumber), choose(input.valueAsNumber)) });
      figure.style.minWidth = `${Math.max(written(min, step).length, written(max, step).length)}ch`;
      return {
        parts: [name, input, figure],
        show: (now) => {
          if (now.type !== "slider") return;
          if (input.valueAsNumber !== now.value) input.value = String(now.value);
          write(now.value);
        },
      };
    }
    case "number": {
      const take = () => {
        const value = input.valueAsNumber;
        if (Number.isFinite(value) && !input.validity.rangeUnderflow && !input.validity.rangeOverflow) choose(value);
      };
      const input = h("input", { type: "number", id, min: choice.min, max: choice.max, step: choice.step ?? "any", oninput: take });
      return { parts: [name, input], show: (now) => now.type === "number" && input.valueAsNumber !== now.value && (input.value = String(now.value)) };
    }
    case "select": {
      const input = h("select", { id, onchange: () => choose(input.value) }, ...choice.options.map((option) => h("option", { value: option, dir: "auto" }, option)));
      return { parts: [name, input], show: (now) => now.type === "select" && (input.value = now.value) };
    }
    case "checkbox": {
      const input = h("input", { type: "checkbox", id, onchange: () => choose(input.checked) });
      return { parts: [input, name], show: (now) => now.type === "checkbox" && (input.checked = now.value) };
    }
    case "upload":
      return uploadParts(label, choice, actions.bring, choose);
    case "color": {
      const input = h("input", { type: "color", id, oninput: () => choose(input.value) });
      return { parts: [name, input], show: (now) => now.type === "color" && (input.value = now.value) };
    }
    case "text":
      return textControl(id, name, choice, choose);
    case "range":
      return rangeControl(id, label, choice, choose);
    case "point":
      return pointControl(label, choice, choose);
    case "play":
      return playControl(id, name, label, choice, choose);
  }
}
