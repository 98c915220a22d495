// View of an animation and its controls: play, pause, one frame, back to the start, the frame's
// number and the frame rate. It also tells the worker when it is in view: the worker computes no
// frame that nobody sees.

import type { ContentOutput } from "../../state/outputs/outputs";
import { helpWith } from "../ui/about";
import { h, onceAFrame, setAttribute } from "../ui/dom";
import { icon } from "../ui/icons";
import type { IconName } from "../ui/icons";
import type { OutputActions, OutputView } from "./view";

/** The picture stands above the bar, and is taller. */
const MARGIN = "320px 0px";

export function animationView(output: ContentOutput, actions: OutputActions): OutputView {
  const act = (does: "play" | "pause" | "step" | "reset") => actions.animate(output.id, does);
  const button = (name: IconName, label: string, onclick: () => void) => h("button", { class: "tool", type: "button", "aria-label": label, title: label, onclick }, icon(name));
  const state = () => (output.content.kind === "animation" ? output.content : null);
  const toggle = h("button", { class: "tool", type: "button", onclick: () => act(state()?.state === "playing" ? "pause" : "play") });
  const step = button("step", "One frame", () => act("step"));
  const reset = button("restart", "From the start", () => (state()?.resets && state()?.state !== "ended" ? act("reset") : actions.again()));
  const figures = h("span", { class: "animation-figures" });
  const help = helpWith("Animation", "animation");
  const bar = h("div", { class: "animation-bar", role: "group" }, toggle, step, reset, help.button, figures);
  const element = h("div", { class: "output animation" }, bar, help.text);

  let seen = false;
  const tell = (now: boolean) => {
    if (now === seen) return;
    seen = now;
    actions.animate(output.id, now ? "seen" : "unseen");
  };
  let inView = false;
  const look = () => tell(inView && !document.hidden);
  const observer = new IntersectionObserver(([entry]) => {
    inView = entry!.isIntersecting;
    update();
    if (!element.isConnected) {
      observer.disconnect();
      document.removeEventListener("visibilitychange", look);
    }
    look();
  }, { rootMargin: MARGIN });
  observer.observe(element);
  document.addEventListener("visibilitychange", look);

  let shown = "";
  // A cell may animate many things: figures that nobody sees are not written.
  const update = () => {
    const now = state();
    if (!now || (shown !== "" && !inView)) return;
    const { frame, rate, title } = now;
    if (now.state !== shown) {
      shown = now.state;
      const playing = now.state === "playing";
      toggle.replaceChildren(icon(playing ? "pause" : "play"));
      for (const each of [toggle, step]) each.disabled = now.state === "ended";
      setAttribute(toggle, "aria-label", playing ? "Pause" : "Play");
      toggle.title = playing ? "Pause" : "Play";
    }
    setAttribute(bar, "aria-label", title === "" ? "Animation" : title);
    const pace = now.state === "playing" && rate > 0 ? ` · ${rate < 10 ? rate.toFixed(1) : Math.round(rate)} frames/s` : now.state === "playing" ? "" : ` · ${now.state}`;
    figures.textContent = `frame ${frame.toLocaleString("en")}${pace}`;
  };
  update();
  return { element, update: onceAFrame(update) };
}
