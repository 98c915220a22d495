// The device badge. It names the device in a word. Opened, it names the adapter, or why there is
// none, and lets the reader choose another device and allow cells to use WebGPU themselves.

import type { DeviceReport } from "../../protocol/messages";
import { DEVICE_CHOICES } from "../../protocol/messages";
import type { DeviceChoice } from "../../protocol/messages";
import type { RawGpu } from "../../state/device/raw-gpu";
import type { KnownWinners } from "../../state/device/tuning";
import type { WorkerState } from "../../state/run/session";
import { about } from "../ui/about";
import { h } from "../ui/dom";

/** What is offered wherever a lost device shows. */
export const RECOVER = "Restart and run again";

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
  if (state.kind === "starting") return { tone: "plain", short: "Starting", title: "Starting", lines: ["Loading the library and opening the device."] };
  if (state.kind === "failed") return { tone: "bad", short: "Not running", title: "The notebook cannot run", lines: [state.message] };
  if (state.kind === "lost") return { tone: "bad", short: state.loss.short, title: state.loss.title, lines: [state.loss.message, "Its tensors are lost. Outputs stay."] };
  const { device } = state;
  if (device.kind === "cpu") return describeCpu(device);
  const why = device.reason ? [device.reason] : [];
  const name = adapterName(device);
  const facts = device.adapter ? [`Vendor: ${device.adapter.vendor || "unknown"}`, `Architecture: ${device.adapter.architecture || "unknown"}`] : [];
  if (device.adapter?.isFallback) {
    return { tone: "warn", short: "Software GPU", title: name, lines: [...facts, "This is a fallback adapter: WebGPU runs on the CPU. Everything works, but slower.", ...why] };
  }
  return { tone: "good", short: name, title: name, lines: [...facts, "Cells compute on this GPU through WebGPU.", ...why] };
}

function describeCpu(device: DeviceReport): Wording {
  const [why, rest] = device.adapter
    ? [
        `WebGPU runs on the CPU here (${adapterName(device)}). Weft's own CPU device is faster for most notebooks.`,
        "Everything works, but slower than on a GPU.",
      ]
    : [
        device.reason ?? "You, the page's address or a cell chose it.",
        "Everything works, but slower. A current Chrome, Edge, Firefox or Safari with WebGPU uses the GPU.",
      ];
  return { tone: "warn", short: "CPU", title: "Computing on the CPU", lines: [why, rest] };
}

const CHOICES: Readonly<Record<DeviceChoice, string>> = { auto: "Fastest device", webgpu: "High-performance GPU", "low-power": "Low-power GPU", cpu: "The CPU" };

export interface BadgeActions {
  /** Restarts on a device of that kind. */
  choose(choice: DeviceChoice): void;
  /** Restarts with raw WebGPU allowed to this notebook's cells, or hidden from them. */
  allowRawGpu(allowed: boolean): void;
  /** Restarts and runs again what had run. */
  recover(): void;
  /** Lets kernels race on the GPU while it is idle, or not. */
  allowTuning(allowed: boolean): void;
  exportWinners(): void;
  importWinners(): void;
  forgetWinners(): void;
}

export class Badge {
  private readonly label = h("span", { class: "badge-label" });
  private readonly said = h("div", { role: "status" });
  private readonly memory = h("p", { hidden: true });
  private readonly choices: HTMLInputElement[];
  private readonly raw: HTMLInputElement;
  private readonly tune: HTMLInputElement;
  private readonly races: HTMLElement;
  private readonly won = h("p", { id: "tuning-note" });
  /** Seen where kernels run that have won a race on this device. */
  private readonly mark = h("span", { class: "badge-mark", hidden: true, title: "Kernels are tuned for this GPU" }, "tuned");
  /** Seen while kernels are compiled and shorter ones serve. */
  private readonly work = h("span", { class: "badge-work", hidden: true, title: "Shorter kernels compute until faster ones are compiled" });
  private readonly optimised = h("p", { hidden: true });
  readonly element: HTMLDetailsElement;

  constructor(
    private readonly actions: BadgeActions,
    choice: DeviceChoice,
    private readonly rawGpu: RawGpu,
    private readonly winners: KnownWinners,
  ) {
    this.choices = DEVICE_CHOICES.map((value) => h("input", { type: "radio", name: "device", value, checked: value === choice, onchange: () => actions.choose(value) }));
    const options = this.choices.map((input) => h("label", {}, input, CHOICES[input.value as DeviceChoice]));
    this.raw = h("input", { type: "checkbox", "aria-describedby": "raw-gpu-note", onchange: () => actions.allowRawGpu(this.raw.checked) });
    const note = h("p", { id: "raw-gpu-note" }, "An endless shader can freeze every tab. Allow only code you trust.");
    const raw = h("fieldset", {}, h("legend", {}, "In this notebook"), h("label", {}, this.raw, "Cells may use raw WebGPU"), note);
    this.tune = h("input", { type: "checkbox", "aria-describedby": "tuning-note", onchange: () => actions.allowTuning(this.tune.checked) });
    const button = (label: string, onclick: () => void) => h("button", { class: "plain-button small", type: "button", onclick }, label);
    const kept = h("div", { class: "badge-buttons" }, button("Export", actions.exportWinners), button("Import", actions.importWinners), button("Forget", actions.forgetWinners));
    const tune = h("fieldset", { hidden: true }, h("legend", {}, "Kernels"), h("label", {}, this.tune, "Tune while the GPU is idle"), this.won, kept);
    this.races = tune;
    winners.events.subscribe((count) => this.showWinners(count));
    this.showWinners(0);
    const help = about("Device", "Where cells compute. A GPU is fastest, the CPU works everywhere; another choice restarts the notebook.");
    const details = h("div", { class: "badge-details", role: "group", "aria-label": "Device" }, h("div", { class: "badge-head" }, this.said, help.button), help.text, this.memory, this.optimised, h("fieldset", {}, h("legend", {}, "Compute on"), ...options), tune, raw);
    this.element = h("details", { class: "badge", "data-tone": "plain" }, h("summary", {}, h("span", { class: "badge-dot", "aria-hidden": "true" }), h("span", { class: "visually-hidden" }, "Device: "), this.label, this.mark, this.work), details);
  }

  /** "" where nothing is known. */
  showMemory(text: string): void {
    this.memory.textContent = text;
    this.memory.hidden = text === "";
  }

  showOptimising(count: number): void {
    this.work.hidden = this.optimised.hidden = count === 0;
    const kernels = `${count} ${count === 1 ? "kernel" : "kernels"}`;
    this.work.textContent = `optimising ${kernels}`;
    this.optimised.textContent = `Faster versions of ${kernels} are being compiled; shorter ones compute until then.`;
  }

  private showWinners(count: number): void {
    this.mark.hidden = count === 0;
    this.won.textContent = count === 0 ? "Weft tries several kernels for the same work and keeps the fastest in this browser." : `${count} ${count === 1 ? "kernel is" : "kernels are"} tuned for this GPU. Results are kept in this browser.`;
  }

  show(state: WorkerState): void {
    const { tone, short, title, lines } = describeWorker(state);
    this.element.dataset["tone"] = tone;
    this.label.textContent = short;
    this.label.title = title;
    const rerun = state.kind === "lost" && h("button", { class: "plain-button small primary", type: "button", onclick: () => this.actions.recover() }, RECOVER);
    // Every notebook that is opened has a worker of its own.
    this.raw.checked = this.rawGpu.allowed;
    const gpu = state.kind === "ready" && state.device.kind === "webgpu" ? state.device : null;
    this.races.hidden = gpu === null;
    if (this.winners.allowed !== null) this.tune.checked = this.winners.allowed;
    else if (gpu) this.tune.checked = !gpu.adapter?.isFallback;
    this.said.replaceChildren(h("b", {}, title), ...lines.map((line) => h("p", {}, line)), ...(rerun ? [rerun] : []));
  }
}
