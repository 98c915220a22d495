// The page's header: the name, the buttons that run, stop and restart the notebook, the device, and
// the menu.

import type { Session } from "../../state/run/session";
import type { DevicePreference } from "../../state/device/device";
import type { RawGpu } from "../../state/device/raw-gpu";
import type { KnownWinners } from "../../state/device/tuning";
import { Badge } from "../device/badge";
import type { BadgeActions } from "../device/badge";
import { h, setAttribute } from "../ui/dom";
import { icon, logo } from "../ui/icons";
import type { IconName } from "../ui/icons";
import { closesItself, menu } from "../ui/menu";
import type { MenuItem } from "../ui/menu";
import { memoryText, Meter } from "../device/meter";
import { showsReading, toggleReading } from "./reader";
import { currentTheme, toggleTheme, watchTheme } from "./theme";

export interface HeaderActions extends BadgeActions {
  runAll(): void;
  restart(): void;
  toggleSidebar(): void;
  share(): void;
}

export function header(session: Session, device: DevicePreference, rawGpu: RawGpu, winners: KnownWinners, pill: HTMLElement, actions: HeaderActions, items: readonly MenuItem[]): HTMLElement {
  const control = (name: IconName, label: string, hint: string, onclick: () => void) =>
    h("button", { class: "command", type: "button", title: hint, onclick }, icon(name), h("span", {}, label));
  const runAll = control("playAll", "Run all", "Run all cells in order", actions.runAll);
  const stop = control("stop", "Stop", "Stop the running cell", () => session.stop());
  const restart = control("restart", "Restart", "Restart: forget all variables", actions.restart);
  runAll.classList.add("primary");

  const themeButton = h("button", { class: "icon-button", type: "button", onclick: () => { toggleTheme(); showTheme(); } });
  const showTheme = () => {
    const dark = currentTheme() === "dark";
    themeButton.replaceChildren(icon(dark ? "sun" : "moon"));
    const label = dark ? "Light colours" : "Dark colours";
    setAttribute(themeButton, "aria-label", label);
    themeButton.title = label;
  };
  showTheme();
  watchTheme(showTheme);

  const iconButton = (name: IconName, label: string, onclick: () => void) => h("button", { class: `icon-button ${name}-button`, type: "button", "aria-label": label, title: label, onclick }, icon(name));
  const reading = iconButton("reader", "Reader's view", toggleReading);
  showsReading(reading);
  const share = iconButton("share", "Share and export", actions.share);

  const badge = new Badge(actions, device.value, rawGpu, winners);
  closesItself(badge.element);
  badge.show(session.worker);
  const meter = new Meter();

  const element = h(
    "header",
    { class: "header" },
    h("div", { class: "header-row" },
      h("button", { class: "icon-button sidebar-button", type: "button", "aria-label": "Notebooks", title: "Notebooks", "aria-expanded": "false", "aria-controls": "sidebar", onclick: actions.toggleSidebar }, icon("menu")),
      h("a", { class: "brand", href: "./", "aria-label": "Weft: open the first notebook" }, logo(), h("span", {}, "Weft")),
      h("div", { class: "controls", role: "toolbar", "aria-label": "Notebook" }, runAll, stop, restart),
      pill,
      h("div", { class: "header-end" }, meter.element, badge.element, reading, share, themeButton, menu("More", items)),
    ),
    h("div", { class: "selvedge", "aria-hidden": "true" }),
  );

  const showBusy = () => {
    stop.disabled = !session.atWork;
    runAll.disabled = session.worker.kind === "failed";
    // An animation shows by itself that it plays: to move the border as well would paint the page
    // at each frame of the screen.
    element.classList.toggle("busy", session.busy || session.goesOn);
  };
  showBusy();
  session.events.subscribe((event) => {
    if (event.type === "worker") badge.show(event.state);
    if (event.type === "memory") {
      meter.show(event.memory);
      badge.showOptimising(event.memory?.optimising ?? 0);
      badge.showMemory(event.memory && event.memory.peak > 0 ? memoryText(event.memory) : "");
    }
    if (event.type === "worker" || event.type === "status" || event.type === "idle") showBusy();
  });
  return element;
}
