// The benchmark's page: how fast Weft is on the reader's own GPU. It measures when the reader asks,
// shows results as they come, stops at once, and offers the report as JSON. It fetches the code
// that measures, and the peers, when it needs them.

import type { Report, Size } from "../../../bench/run.mjs";
import { h } from "../view/ui/dom";
import { icon, logo } from "../view/ui/icons";
import { applyTheme, currentTheme, toggleTheme, watchTheme } from "../view/page/theme";
import { Results } from "./results";
import "../styles/page.css";
import "../styles/header.css";
import "../styles/benchmark.css";

applyTheme();

const themeButton = h("button", { class: "icon-button", type: "button", onclick: () => { toggleTheme(); showTheme(); } });
const showTheme = () => {
  const dark = currentTheme() === "dark";
  const label = dark ? "Light colours" : "Dark colours";
  themeButton.replaceChildren(icon(dark ? "sun" : "moon"));
  themeButton.setAttribute("aria-label", label);
  themeButton.title = label;
};
showTheme();
watchTheme(showTheme);

const SIZES: readonly [Size | "", string][] = [
  ["", "Sizes for this device"],
  ["medium", "Sizes for GPUs"],
  ["full", "Large: up to a few gigabytes"],
  ["software", "Small, for the CPU"],
];
const size = h("select", { class: "plain-button", "aria-label": "Sizes" }, ...SIZES.map(([value, label]) => h("option", { value }, label)));
// A part of the workloads, by name: for who looks into one.
const only = new URLSearchParams(location.search).get("only");
const peers = h("input", { type: "checkbox" });
const begin = h("button", { class: "command primary", type: "button", onclick: () => void measure() }, icon("play"), h("span", {}, "Measure"));
const stop = h("button", { class: "command", type: "button", disabled: true, onclick: () => running?.abort() }, icon("stop"), h("span", {}, "Stop"));
const copy = h("button", { class: "plain-button small", type: "button", onclick: () => void copyReport() }, "Copy as JSON");
const download = h("button", { class: "plain-button small", type: "button", onclick: downloadReport }, "Download JSON");
const away = h("div", { class: "benchmark-away", hidden: true }, copy, download);
const status = h("p", { class: "benchmark-status", role: "status" });
const progress = h("progress", { max: 1, value: 0, "aria-label": "Workloads measured", hidden: true });
const results = new Results();
let running: AbortController | undefined;
let report: Report | undefined;

const header = h(
  "header",
  { class: "header" },
  h("div", { class: "header-row" }, h("a", { class: "brand", href: "./", "aria-label": "Weft: open the first notebook" }, logo(), h("span", {}, "Weft")), h("div", { class: "header-end" }, h("a", { class: "plain-button small benchmark-back", href: "./" }, "Back to the notebooks"), themeButton)),
  h("div", { class: "selvedge", "aria-hidden": "true" }),
);
const main = h(
  "main",
  { class: "benchmark", id: "benchmark" },
  h("h1", {}, "Benchmark this device"),
  h("p", {}, "Runs workloads on your own GPU. Each is a chain of dependent steps that ends with one small read. Results are checked first, and times are medians of seven rounds. They are shown as a share of this GPU's limits, which are measured with plain WebGPU."),
  h("p", { class: "note" }, "It takes a few minutes. Close other programs meanwhile. Nothing leaves this page."),
  h("div", { class: "benchmark-controls", role: "group", "aria-label": "Benchmark" }, begin, stop, size),
  h("label", { class: "benchmark-peers" }, peers, h("span", {}, "Also measure jax-js and TensorFlow.js, in turns. This downloads another 0.2 MB from this site (", h("a", { href: "benchmark-licences.txt" }, "their licences"), ")")),
  progress,
  status,
  away,
  results.element,
);
document.body.prepend(h("a", { class: "skip", href: "#benchmark" }, "Skip to the benchmark"), header, main);
if (!navigator.gpu) {
  begin.disabled = true;
  status.textContent = "This browser has no WebGPU, so there is nothing to measure.";
}

async function measure(): Promise<void> {
  const stopped = (running = new AbortController());
  begin.disabled = size.disabled = peers.disabled = true;
  stop.disabled = false;
  progress.hidden = false;
  progress.removeAttribute("value");
  status.textContent = "Loading the benchmark…";
  header.classList.add("busy");
  results.clear();
  report = undefined;
  away.hidden = true;
  try {
    const { start } = await import("./measure");
    status.textContent = "Checking results and measuring this GPU's limits…";
    report = await start({
      size: size.value as Size | "",
      only: only === null ? undefined : new RegExp(only),
      alone: !peers.checked,
      signal: stopped.signal,
      onBegin(name, done, of) {
        progress.max = of;
        progress.value = done;
        status.textContent = `${done + 1} of ${of}: ${name}`;
      },
      onEnd(sofar, name) {
        report = sofar;
        away.hidden = false;
        results.show(sofar, name);
      },
    });
    results.summary(report);
    status.textContent = "Measured.";
  } catch (error) {
    status.textContent = stopped.signal.aborted ? "Stopped." : `The benchmark stopped: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    running = undefined;
    begin.disabled = size.disabled = peers.disabled = false;
    stop.disabled = true;
    progress.hidden = true;
    header.classList.remove("busy");
  }
}

const text = () => JSON.stringify(report, null, 1);

async function copyReport(): Promise<void> {
  try {
    await navigator.clipboard.writeText(text());
    status.textContent = "Copied.";
  } catch {
    status.textContent = "This browser does not allow copying here. Download the file.";
  }
}

function downloadReport(): void {
  const url = URL.createObjectURL(new Blob([text()], { type: "application/json" }));
  h("a", { href: url, download: "weft-benchmark.json" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
