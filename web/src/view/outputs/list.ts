// View of a cell's outputs, in the order in which the cell made them. Outputs of the last run stay
// until this run shows something in their place, so that nothing flickers; a control that the cell
// makes again keeps its element.

import type { Output, Outputs } from "../../state/outputs/outputs";
import { h } from "../ui/dom";
import { padKey } from "./pad";
import { soon } from "../ui/slices";
import { outputView } from "./output";
import type { OutputActions, OutputView } from "./view";

/** Elements of an output, and outputs of a cell, that are more than can be made along with
 * others. */
const LARGE = 400;
const MANY = 40;
/** Milliseconds for which what the last run showed stays while this one shows nothing, and for
 * which the page keeps its height. */
const LINGER = 700;
const SETTLE = 2_000;

export class OutputList {
  readonly element = h("div", { class: "outputs", role: "log", "aria-live": "polite", "aria-relevant": "additions" });
  private readonly views = new Map<number, OutputView>();
  /** What the last run showed and this one has not shown anew. */
  private before: OutputView[] = [];
  private settle: ReturnType<typeof setTimeout> | undefined;
  private linger: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly outputs: () => Outputs,
    private readonly actions: OutputActions,
  ) {}

  /** The cell runs again. */
  clear(): void {
    // Keeps the page from jumping while the same outputs are on their way again.
    this.element.style.minHeight = `${this.element.offsetHeight}px`;
    clearTimeout(this.settle);
    this.settle = setTimeout(() => this.rest(), SETTLE);
    this.dropBefore();
    this.before = [...this.views.values()];
    this.views.clear();
    this.linger = setTimeout(() => this.dropBefore(false), LINGER);
  }

  /** The cell has ended: what it has not shown anew goes. */
  rest(): void {
    clearTimeout(this.settle);
    this.dropBefore();
    this.element.style.minHeight = "";
  }

  /** Brings what stands on the page in line with what is to be shown. */
  arrange(): void {
    const { list } = this.outputs();
    const shown = new Set(list.flatMap((output) => (output.shown ? [output.id] : [])));
    for (const [id, view] of this.views) {
      if (shown.has(id)) continue;
      view.element.remove();
      this.views.delete(id);
    }
    for (const output of list) if (output.shown && !this.views.has(output.id)) this.show(output);
  }

  show(output: Output): void {
    if (!output.shown) return;
    const known = this.views.get(output.id);
    if (known) return known.update();
    if (output.cost.nodes <= LARGE && this.views.size < MANY) return this.make(output);
    // One large output after another, and the page paints between them.
    soon(() => {
      if (output.shown && !this.views.has(output.id) && this.outputs().list.includes(output)) this.make(output);
    });
  }

  destroy(): void {
    clearTimeout(this.settle);
    clearTimeout(this.linger);
  }

  private make(output: Output): void {
    const kept = this.adopt(output);
    if (kept) {
      // It stays where it is, for it may have the focus or be under a finger; what was made before
      // it goes before it.
      this.views.set(output.id, kept);
      for (const [id, { element }] of this.views) {
        if (id < output.id && kept.element.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) kept.element.before(element);
      }
      return;
    }
    const view = outputView(output, this.actions);
    this.views.set(output.id, view);
    // Outputs stand in the order in which the cell made them, whichever is ready first.
    let later: number | null = null;
    for (const id of this.views.keys()) if (id > output.id && (later === null || id < later)) later = id;
    // In the place of the output that was there before, where that is known.
    const place = this.before.findIndex(({ key }) => key === undefined);
    const [old] = place < 0 ? [] : this.before.splice(place, 1);
    if (old?.opened) view.reopen?.(old.opened());
    if (later !== null) this.views.get(later)!.element.before(view.element);
    else if (old) old.element.before(view.element);
    else this.element.append(view.element);
    old?.element.remove();
  }

  private adopt(output: Output): OutputView | null {
    if (output.kind !== "content") return null;
    const { content } = output;
    const key = content.kind === "control" ? content.key : content.kind === "pad" ? padKey(content) : null;
    const at = key === null ? -1 : this.before.findIndex((view) => view.key === key);
    if (at < 0) return null;
    const [view] = this.before.splice(at, 1);
    view!.adopt?.(output);
    return view!;
  }

  /** Takes away what is left of the last run; controls may wait for the end of this one. */
  private dropBefore(controls = true): void {
    clearTimeout(this.linger);
    const kept = controls ? [] : this.before.filter(({ key }) => key !== undefined);
    for (const view of this.before) if (!kept.includes(view)) view.element.remove();
    this.before = kept;
  }
}
