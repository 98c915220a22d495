// Kernels of a program: each dispatch with what it does, and of the one chosen the lines that it
// comes from, its IR and its WGSL side by side. The WGSL can be changed and run beside the
// original.

import type { InspectedEdit, InspectedProgram, Sites } from "../../protocol/inspection";
import { bytesText, countText, elementText, floatOf, numberText, timeText } from "../../state/inspect/figures";
import { matches, originOf, sitesOfKernel } from "../../state/inspect/program";
import { h } from "../ui/dom";
import { button, listing, note, placeLink, table } from "./parts";
import type { Places } from "./parts";

export interface KernelTab {
  readonly program: InspectedProgram;
  readonly sites: Sites;
  readonly places: Places;
  readonly isCpu: boolean;
  readonly search: string;
  /** Which kernel is chosen. */
  readonly chosen: number;
  choose(kernel: number): void;
  /** The part of the view in which a text is edited stays as it is while it is. */
  readonly editor: { key: string; element: HTMLElement } | null;
  keepEditor(editor: { key: string; element: HTMLElement } | null): void;
  /** Runs a kernel with another text beside the original; null on a device that runs none. */
  edit: ((kernel: number, text: string) => Promise<InspectedEdit>) | null;
}

export function kernelsView(tab: KernelTab): HTMLElement {
  const { program, sites, places, search, chosen } = tab;
  const { stages } = program;
  /** Each line once: a line may hold several calls. */
  const linesOf = (kernel: number) => [...new Map(sitesOfKernel(program, kernel).map((site) => originOf(site, sites)).map((origin) => [`${origin?.run} ${origin?.line} ${origin?.gradient}`, origin])).values()];
  const rows = stages.dispatches.flatMap((dispatch, n) => {
    const kernel = stages.kernels[dispatch.kernel];
    if (!kernel || !matches(search, kernel.name, dispatch.choice, kernel.wgsl, kernel.ir)) return [];
    const pick = h("button", { class: "inspector-link", type: "button", "aria-pressed": String(dispatch.kernel === chosen), onclick: () => tab.choose(dispatch.kernel) }, kernel.name || `kernel ${dispatch.kernel}`);
    const compiled = program.pipelines[n] ?? 0;
    return [[String(n), pick, dispatch.choice, dispatch.workgroups.join(" × "), bytesText(dispatch.bytes), dispatch.times > 1 ? `${dispatch.times} times` : "once", compiled > 0 ? timeText(compiled * 1_000) : "—"]];
  });
  const kernel = stages.kernels[chosen];
  const lines = kernel ? linesOf(chosen) : [];
  const cuts = stages.parts.flatMap((part) => part.cuts.map((cut) => ({ cut, node: part.nodes[cut.node] })));
  return h(
    "div",
    { class: "inspector-kernels" },
    h("div", {}, tab.isCpu && note("The CPU device interprets programs. This is how a GPU with the least that WebGPU guarantees would run them."),
    !program.same && note("A race has replaced a kernel since this ran. You see the kernels that run from now on."),
    note(`${countText(stages.dispatches.length, "dispatch", "dispatches")} of ${countText(stages.kernels.length, "kernel")}; ${bytesText(stages.bytes.inputs)} in, ${bytesText(stages.bytes.outputs)} out, ${bytesText(stages.bytes.temporaries)} between.`),
    table("Dispatches", ["#", "Kernel", "Family", "Workgroups", "Buffers", "Runs", "Compiled in"], rows, [0, 4, 6]),
    rows.length === 0 && search !== "" && note("No kernel matches the search."),
    cuts.length > 0 &&
      h("details", { class: "inspector-cuts" }, h("summary", {}, `Why it is not fewer kernels: ${countText(cuts.length, "cut")}`), h("ul", {}, ...cuts.map(({ cut, node }) => h("li", {}, h("code", {}, `${node?.op ?? ""} ${node?.dtype ?? ""}[${node?.shape.join(",") ?? ""}]`), ` is stored: ${cut.reason}`, ...(node ? [" — ", placeLink(originOf(node.site, sites), places)] : []))))),
    ),
    kernel &&
      h(
        "div",
        { class: "inspector-sides" },
        h("div", { class: "inspector-listing" }, h("div", { class: "inspector-listing-head" }, h("h3", {}, "Lines it comes from")), lines.length > 0 ? h("ul", { class: "inspector-lines" }, ...lines.map((origin) => h("li", {}, placeLink(origin, places)))) : note("Press “Run and record” to see the lines.")),
        listing("Kernel IR", kernel.ir, search),
        wgslSide(tab, kernel.wgsl),
      ),
  );
}

/** The WGSL, to read or, on request, to change. */
function wgslSide(tab: KernelTab, text: string): HTMLElement {
  const { edit, chosen } = tab;
  if (!edit) return listing("WGSL", text, tab.search);
  const key = `${chosen} ${text}`;
  if (tab.editor?.key === key) return tab.editor.element;
  const side = h("div", { class: "inspector-wgsl" });
  const show = () => {
    tab.keepEditor(null);
    side.replaceChildren(listing("WGSL", text, tab.search, button("Edit", change)));
  };
  const change = () => {
    const field = h("textarea", { class: "inspector-source", spellcheck: "false", "aria-label": "WGSL to run beside the original" });
    field.value = text;
    const result = h("div", { class: "inspector-result", role: "status" });
    const run = button("Run beside the original", () => {
      run.disabled = true;
      result.replaceChildren(note("Running both…"));
      edit(chosen, field.value).then(
        (compared) => result.replaceChildren(editResult(compared)),
        (error: unknown) => result.replaceChildren(h("pre", { class: "inspector-failure" }, error instanceof Error ? error.message : String(error))),
      ).finally(() => (run.disabled = false));
    }, true);
    side.replaceChildren(
      h("div", { class: "inspector-listing" }, h("div", { class: "inspector-listing-head" }, h("h3", {}, "WGSL, edited"), run, button("Stop editing", show)), field),
      note("The edited kernel runs once, on the inputs of the original. Its results are not kept. The bindings stay as they are. An endless shader can freeze every tab."),
      result,
    );
    tab.keepEditor({ key, element: side });
    field.focus();
  };
  show();
  return side;
}

const sum = (times: readonly number[]) => times.reduce((a, b) => a + b, 0);

function editResult({ outputs, before, after, quantum }: InspectedEdit): HTMLElement {
  const rows = outputs.map(({ form, dtype, size, differ, largest, before: own, after: other }) => [
    form,
    differ === 0 ? "equal, bit for bit" : `${differ.toLocaleString("en")} of ${size.toLocaleString("en")} differ, by ${numberText(floatOf(largest))} at most`,
    own.map((bits) => elementText(bits, dtype)).join(", ") + (size > own.length ? ", …" : ""),
    other.map((bits) => elementText(bits, dtype)).join(", ") + (size > other.length ? ", …" : ""),
  ]);
  const timed = before.length > 0 && after.length > 0;
  return h(
    "div",
    {},
    table("Results of both kernels", ["Result", "Compared", "Original", "Edited"], rows),
    timed && note(`All dispatches took ${timeText(sum(before))} with the original and ${timeText(sum(after))} with the edited kernel, each run once${quantum > 1_000 ? `; the clock steps by ${timeText(quantum)}` : ""}.`),
  );
}
