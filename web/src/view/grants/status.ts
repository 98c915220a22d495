// Marks of a notebook's permissions, where they cannot be missed: one in the device badge for
// hosts, with a list that takes each back, and one beside it for a device that is on.

import type { Hosts } from "../../state/grants/hosts";
import { h } from "../ui/dom";

export class HostStatus {
  private readonly mark = h("span", { class: "badge-mark host-mark", hidden: true });
  private readonly list = h("ul", { class: "host-list" });
  private readonly part = h("fieldset", { hidden: true }, h("legend", {}, "Hosts this notebook may reach"), this.list);

  constructor(private readonly hosts: Hosts) {
    document.querySelector(".badge > summary")?.append(this.mark);
    document.querySelector(".badge-details")?.append(this.part);
    hosts.events.subscribe(() => this.show());
    this.show();
  }

  show(): void {
    const { list } = this.hosts;
    this.part.hidden = this.mark.hidden = list.length === 0;
    this.mark.textContent = list.length === 1 ? "1 host" : `${list.length} hosts`;
    this.mark.title = `This notebook may fetch from ${list.join(", ")}`;
    this.list.replaceChildren(
      ...list.map((host) => {
        const revoke = () => {
          this.hosts.revoke(host);
          // The list is another now: who works by keys goes on from the top of the menu.
          document.querySelector<HTMLElement>(".badge > summary")?.focus();
        };
        const note = this.hosts.isKept(host) ? "whenever you open it" : "until you leave this page";
        return h("li", {}, h("span", {}, h("code", { class: "host-name" }, host), h("span", { class: "note" }, ` ${note}`)), h("button", { class: "plain-button small", type: "button", "aria-label": `Revoke ${host}`, onclick: revoke }, "Revoke"));
      }),
    );
  }
}

/** Says that devices are on, for as long as one is. */
export class DeviceStatus {
  private readonly element = h("div", { class: "device-on", role: "status", hidden: true });

  constructor(private readonly stop: () => void) {
    document.querySelector(".header-end")?.prepend(this.element);
  }

  show(kinds: readonly ("camera" | "microphone")[]): void {
    this.element.hidden = kinds.length === 0;
    const what = [...new Set(kinds)].sort().join(" and ");
    const label = `Stop the ${what}`;
    this.element.replaceChildren(
      ...(kinds.length === 0 ? [] : [h("span", { class: "device-dot", "aria-hidden": "true" }), h("span", { class: "device-name" }, `${what.charAt(0).toUpperCase()}${what.slice(1)} on`), h("button", { class: "plain-button small", type: "button", "aria-label": label, title: label, onclick: this.stop }, "Stop")]),
    );
  }
}
