// View of a progress bar, with the cell's note and the time left.

import { asName } from "../../state/prose/bidi";
import type { ContentOutput } from "../../state/outputs/outputs";
import { duration, TimeLeft } from "../../state/outputs/progress";
import { explained } from "../ui/about";
import { h, setAttribute } from "../ui/dom";
import type { OutputView } from "./view";

export function progressView(output: ContentOutput): OutputView {
  const timeLeft = new TimeLeft();
  const label = h("span", { class: "progress-label" });
  const count = h("span", { class: "progress-count" });
  const text = h("span", { class: "progress-text" });
  const time = h("span", { class: "progress-time" });
  const fill = h("div", { class: "progress-fill" });
  const bar = h("div", { class: "progress-bar", role: "progressbar", "aria-valuemin": 0 }, fill);
  const element = h("div", { class: "output progress" }, h("div", { class: "progress-line" }, label, count, time), bar, text);
  element.append(...explained(element, output.content.kind === "progress" && output.content.label !== "" ? output.content.label : "Progress", "progress"));

  const update = () => {
    const { content } = output;
    if (content.kind !== "progress") return;
    const { done, total, elapsed, ended } = content;
    const share = total > 0 ? Math.max(0, Math.min(1, done / total)) : 1;
    const left = timeLeft.update({ done, elapsed }, total);
    label.textContent = asName(content.label) || "Progress";
    count.textContent = `${done.toLocaleString("en")} / ${total.toLocaleString("en")}`;
    text.textContent = asName(content.text);
    if (ended) time.textContent = share < 1 ? `ended after ${duration(elapsed)}` : duration(elapsed);
    else time.textContent = left === null ? "" : `${duration(Math.max(left, 1_000))} left`;
    fill.style.transform = `scaleX(${share})`;
    element.classList.toggle("ended", ended);
    setAttribute(bar, "aria-valuemax", String(total));
    setAttribute(bar, "aria-valuenow", String(done));
    setAttribute(bar, "aria-label", content.label || "Progress");
  };
  update();
  return { element, update };
}
