// Scrolling to the cell that runs. After Run all the page follows the run: a cell that takes a
// while comes into view, and of a training its chart and its bar, until the reader scrolls or works
// elsewhere. A pill at the foot names the cell that runs, and leads there.

import type { Session } from "../../state/run/session";
import { whereaboutsOf, whereaboutsText } from "../../state/run/whereabouts";
import { h } from "../ui/dom";

/** Milliseconds that a cell runs before the page moves to it or speaks of it: what flits by is not
 * followed. */
const CALM = 400;
/** Milliseconds between looks at whether it is still in view, and those that the page is given to
 * scroll. */
const LOOK = 250;
const SCROLL = 900;
/** Pixels kept free below the header and above the pill. */
const AIR = 12;

/** What of a cell tells how far it is. */
const LIVE = ".outputs > .chart, .outputs > .progress:not(.ended)";

export class Follower {
  /** Stands in the header, for the keyboard; its looks put it at the foot. */
  readonly pill = h("button", { class: "pill", type: "button", hidden: true, title: "Go to the running cell", onclick: () => this.goThere() });
  private following = false;
  private cell: string | null = null;
  private since = 0;
  private scrolled = -Infinity;
  private clock: ReturnType<typeof setInterval> | undefined;
  private written = "";

  constructor(
    private readonly session: Session,
    private readonly numberOf: (cell: string) => number,
  ) {
    session.events.subscribe(({ type }) => (type === "status" || type === "idle") && this.notice());
    // Before whatever these do: a key that runs all cells begins anew.
    const stay = () => (this.following = false);
    for (const kind of ["wheel", "touchmove"] as const) document.addEventListener(kind, stay, { capture: true, passive: true });
    document.addEventListener("keydown", ({ key }) => !["Shift", "Control", "Alt", "Meta"].includes(key) && stay(), { capture: true });
    // Who works in the notebook, or drags the page's own scroll bar.
    document.addEventListener("pointerdown", ({ target }) => (target === document.documentElement || (target instanceof Element && target.closest("main"))) && stay(), { capture: true });
  }

  /** Follows what is about to run, to its end. */
  begin(): void {
    this.following = true;
  }

  /** Leads to the cell that runs, and follows it; false where none does. */
  goThere(): boolean {
    const { running } = this.session;
    const place = running === null ? null : cellElement(running);
    if (!place) return false;
    this.begin();
    this.bring(place);
    this.scrolled = performance.now();
    place.querySelector<HTMLElement>(".run")?.focus({ preventScroll: true });
    return true;
  }

  private notice(): void {
    const { running } = this.session;
    if (!this.session.busy) this.following = false;
    if (running === this.cell) return;
    this.cell = running;
    this.since = performance.now();
    if (running === null) {
      clearInterval(this.clock);
      this.clock = undefined;
      this.pill.hidden = true;
    } else {
      this.clock ??= setInterval(() => this.look(), LOOK);
    }
  }

  private look(): void {
    const place = this.cell === null ? null : cellElement(this.cell);
    const now = performance.now();
    if (!place || (this.pill.hidden && now - this.since < CALM)) return;
    this.write();
    if (this.following && now - this.since >= CALM && now - this.scrolled > SCROLL && this.bring(place)) this.scrolled = now;
  }

  private write(): void {
    const at = whereaboutsOf(this.session);
    if (!at) return;
    const text = whereaboutsText(this.numberOf(at.cell), at.share);
    if (text !== this.written) {
      this.written = text;
      this.pill.replaceChildren(h("span", { class: "visually-hidden" }, "Go to "), text);
      this.pill.style.setProperty("--share", String(at.share ?? 0));
    }
    this.pill.hidden = false;
  }

  /** Scrolls as little as it takes to have a cell's live parts in view, or what it shows last; true
   * if anything moves. */
  private bring(cell: HTMLElement): boolean {
    const live = [...cell.querySelectorAll(LIVE)];
    const outputs = cell.querySelector(".outputs:not(:empty)");
    const parts = live.length > 0 ? live : [outputs ?? cell.querySelector(".editor-frame") ?? cell];
    const boxes = parts.map((part) => part.getBoundingClientRect());
    const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
    const head = this.pill.closest("header")!.getBoundingClientRect().bottom + AIR;
    const foot = this.pill.getBoundingClientRect().top - AIR;
    let by = 0;
    if (bottom - top > foot - head) by = live.length > 0 ? top - head : bottom - foot;
    else if (top < head) by = top - head;
    else if (bottom > foot) by = bottom - foot;
    const most = document.documentElement.scrollHeight - innerHeight - scrollY;
    by = Math.max(-scrollY, Math.min(most, by));
    if (Math.abs(by) < 2) return false;
    scrollBy({ top: by, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
    return true;
  }
}

const cellElement = (id: string) => document.getElementById(`cell-${id}`);
