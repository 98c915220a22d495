// View of a control, by the browser's own inputs, labelled and usable from the keyboard: a range, a
// number, a list, a switch, a colour. It reports a change at most once a frame. A control that its
// cell makes again stays where it is, under the hand.

import type { Choice, Content, ControlValue } from "../../protocol/messages";
import type { ContentOutput } from "../../state/outputs/outputs";
import { h, onceAFrame, setAttribute } from "../ui/dom";
import { uploadParts } from "./upload";
import type { OutputActions, OutputView } from "./view";

let lastId = 0;

/** Digits behind the point that a step has. */
const digitsOf = (step: number) => Math.min(12, (/\.(\d+)$/.exec(step.toFixed(12).replace(/0+$/, ""))?.[1] ?? "").length);

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
      element.className = `output control ${content().choice.type}`;
      element.replaceChildren(...made.parts);
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

function make({ label, choice }: Content<"control">, choose: (value: ControlValue) => void, actions: OutputActions): { parts: HTMLElement[]; show: (choice: Choice) => void } {
  const id = `control-${++lastId}`;
  const name = h("label", { for: id, dir: "auto" }, label);
  switch (choice.type) {
    case "slider": {
      const { min, max, step } = choice;
      const figure = h("output", { for: id, class: "control-value" });
      const digits = digitsOf(step);
      const write = (value: number) => {
        const text = Math.abs(value) < 1e9 && digits < 10 ? value.toFixed(digits) : String(value);
        figure.textContent = text;
        setAttribute(input, "aria-valuetext", text);
        input.style.setProperty("--share", String(Math.max(0, Math.min(1, (value - min) / (max - min)))));
      };
      const input = h("input", { type: "range", id, min, max, step, oninput: () => (write(input.valueAsNumber), choose(input.valueAsNumber)) });
      figure.style.minWidth = `${Math.max(min.toFixed(digits).length, max.toFixed(digits).length)}ch`;
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
  }
}
