// Memory meter. A bar beside the device's badge shows the memory of live tensors, the memory that
// waits for reuse, and the peak. The figures are in its tooltip and in the badge's sheet.

import type { MemoryReport } from "../../protocol/messages";
import { h, setAttribute, svg } from "../ui/dom";

const WIDTH = 36;
/** Milliseconds for which a figure stands before a smaller one takes its place: what an animation
 * makes and frees at each frame is no news. */
const REST = 3_000;

export function bytesText(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < units.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toPrecision(2)} ${units[unit]!}`;
}

export const memoryText = ({ live, peak, pooled }: MemoryReport): string => `Tensors use ${bytesText(live)} (peak ${bytesText(peak)}); ${bytesText(pooled)} are free for reuse.`;

export class Meter {
  private readonly live = svg("rect", { class: "meter-live", height: 6, rx: 1 });
  private readonly pooled = svg("rect", { class: "meter-pooled", height: 6 });
  private readonly label = h("span", { class: "meter-label", "aria-hidden": "true" });
  readonly element = h(
    "div",
    { class: "meter", role: "img", hidden: true },
    svg("svg", { viewBox: `0 0 ${WIDTH} 6`, "aria-hidden": "true", focusable: "false" }, svg("rect", { class: "meter-ground", width: WIDTH, height: 6, rx: 3 }), this.pooled, this.live),
    this.label,
  );

  private recent: { readonly memory: MemoryReport; readonly at: number }[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Null where nothing is known, as before the worker is there. Shows the most of the last
   * seconds. */
  show(memory: MemoryReport | null): void {
    this.element.hidden = memory === null || memory.peak === 0;
    clearTimeout(this.timer);
    const now = performance.now();
    this.recent = memory === null ? [] : [...this.recent.filter(({ at }) => now - at < REST), { memory, at: now }];
    if (memory === null) return;
    this.draw(this.recent.reduce((most, { memory: each }) => (each.live > most.live ? each : most), memory));
    if (this.recent.length > 1) this.timer = setTimeout(() => this.show(memory), REST);
  }

  private draw(memory: MemoryReport): void {
    const whole = Math.max(memory.peak, memory.live + memory.pooled, 1);
    const [live, pooled] = [memory.live, memory.pooled].map((part) => (part / whole) * WIDTH);
    this.live.setAttribute("width", String(live));
    this.pooled.setAttribute("x", String(live));
    this.pooled.setAttribute("width", String(pooled));
    this.label.textContent = bytesText(memory.live);
    const text = memoryText(memory);
    setAttribute(this.element, "aria-label", text);
    this.element.title = text;
  }
}
