// Which device computes? A badge that says it in a word, and in full when opened: the adapter, or why there is none.

import type { DeviceReport } from "../protocol/messages";
import type { WorkerState } from "../state/session";
import { h } from "./dom";

interface Wording {
  readonly tone: "good" | "plain" | "warn" | "bad";
  readonly short: string;
  readonly title: string;
  readonly lines: readonly string[];
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function adapterName({ adapter }: DeviceReport): string {
  if (!adapter) return "WebGPU";
  const { vendor, architecture, description } = adapter;
  if (description !== "") return description;
  const named = [vendor === "" ? "" : vendor.length <= 3 ? vendor.toUpperCase() : capital(vendor), architecture].filter((part) => part !== "");
  return named.length > 0 ? named.join(" ") : "WebGPU";
}

export function describeWorker(state: WorkerState): Wording {
  if (state.kind === "starting") return { tone: "plain", short: "Starting", title: "Starting", lines: ["The library is being loaded and the device opened."] };
  if (state.kind === "failed") return { tone: "bad", short: "Not running", title: "The notebook cannot run", lines: [state.message] };
  const { device } = state;
  const why = device.reason ? [device.reason] : device.kind === "cpu" ? ["Chosen by the page's address or by a cell."] : [];
  if (device.kind === "cpu") {
    return {
      tone: "warn",
      short: "CPU",
      title: "Computing on the CPU",
      lines: [...why, "Everything works, only slower. A current Chrome, Edge, Firefox or Safari with WebGPU computes on the GPU."],
    };
  }
  const name = adapterName(device);
  const facts = device.adapter ? [`Vendor: ${device.adapter.vendor || "not told"}`, `Architecture: ${device.adapter.architecture || "not told"}`] : [];
  if (device.adapter?.isFallback) {
    return { tone: "warn", short: "Software GPU", title: name, lines: [...facts, "This is a fallback adapter: WebGPU computed by software. Everything works, only slower.", ...why] };
  }
  return { tone: "good", short: name, title: name, lines: [...facts, "Cells compute on this GPU through WebGPU.", ...why] };
}

export class Badge {
  private readonly label = h("span", { class: "badge-label" });
  private readonly details = h("div", { class: "badge-details", role: "group", "aria-label": "Device" });
  readonly element = h(
    "details",
    { class: "badge", "data-tone": "plain" },
    h("summary", {}, h("span", { class: "badge-dot", "aria-hidden": "true" }), h("span", { class: "visually-hidden" }, "Device: "), this.label),
    this.details,
  );

  show(state: WorkerState): void {
    const { tone, short, title, lines } = describeWorker(state);
    this.element.dataset["tone"] = tone;
    this.label.textContent = short;
    this.label.title = title;
    this.details.replaceChildren(h("b", {}, title), ...lines.map((line) => h("p", {}, line)));
  }
}
