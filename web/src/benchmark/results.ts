// Table of results. A row for each workload has Weft's time, its share of the GPU's limit, and how
// many times as long a peer took.

import type { Report, Row } from "../../../bench/run.mjs";
import { OURS } from "../../../bench/run.mjs";
import { against, oursOf, short } from "../../../bench/table.mjs";
import { h } from "../view/ui/dom";

const time = (ms: number) => (ms >= 100 ? `${ms.toFixed(0)} ms` : ms >= 1 ? `${ms.toFixed(2)} ms` : `${(ms * 1_000).toFixed(1)} µs`);

/** In words of the table's head. */
const COLUMNS = ["Workload", "Weft", "first", "rate", "of the limit"] as const;

export class Results {
  private readonly limits = h("p", { class: "benchmark-limits" });
  private readonly head = h("tr", {});
  private readonly body = h("tbody", {});
  private readonly total = h("ul", { class: "benchmark-total" });
  private readonly scroller = h("div", { class: "benchmark-scroll", tabindex: 0, role: "region", "aria-label": "Results", hidden: true }, h("table", { class: "benchmark-table" }, h("thead", {}, this.head), this.body));
  readonly element = h("section", { "aria-label": "Figures" }, this.limits, this.total, this.scroller);

  clear(): void {
    this.limits.replaceChildren();
    this.body.replaceChildren();
    this.total.replaceChildren();
    this.scroller.hidden = true;
  }

  show(report: Report, name: string): void {
    const peers = report.libraries.map((library) => library.name).filter((library) => library !== OURS);
    if (this.scroller.hidden) {
      const { adapter, limits } = report;
      this.limits.textContent = `${adapter || "Unnamed GPU"}: a copy moves ${short(limits.copy)}B/s, multiply-adds reach ${short(limits.fma)}op/s, a dispatch takes ${time(limits.dispatch)}, a submit ${time(limits.submit)}, reading a number ${time(limits.read)}.`;
      this.head.replaceChildren(...[...COLUMNS, ...peers].map((text) => h("th", { scope: "col" }, text)));
      this.scroller.hidden = false;
    }
    const ours = oursOf(report, name);
    const cells = ours ? this.figures(report, ours) : [h("td", { colspan: 4, class: "benchmark-why" }, whyNot(report, name, OURS))];
    this.body.append(h("tr", {}, h("th", { scope: "row" }, name), ...cells, ...peers.map((library) => this.peer(report, name, library, ours))));
  }

  /** What all of it comes to beside each peer. */
  summary(report: Report): void {
    const peers = [...new Set(report.rows.map(({ library }) => library))].filter((library) => library !== OURS);
    this.total.replaceChildren(
      ...peers.map((library) => {
        const { mean, behind, of } = against(report, library);
        return h("li", {}, h("b", {}, `${mean.toFixed(1)}×`), ` as fast as ${library} over ${of} workloads (geometric mean)${behind.length > 0 ? `; behind at ${behind.map(({ name }) => name).join(", ")}` : ""}`);
      }),
    );
  }

  private figures(report: Report, ours: Row): HTMLElement[] {
    const eager = report.rows.find((row) => row.library === OURS && row.name === ours.name && row.mode === "eager");
    const spread = `${ours.mode}, ${time(ours.least)} to ${time(ours.most)}${eager && eager !== ours ? `; eager ${time(eager.ms)}` : ""}; ${ours.dispatches.toFixed(0)} dispatches a step`;
    const share = ours.ofLimit === null ? [] : [bar(ours.ofLimit), h("span", {}, `${(100 * ours.ofLimit).toFixed(0)} %`)];
    return [h("td", { title: spread }, time(ours.ms)), h("td", {}, time(ours.cold)), h("td", {}, short(ours.rate) + ours.unit), h("td", { class: "benchmark-share" }, ...share)];
  }

  private peer(report: Report, name: string, library: string, ours: Row | undefined): HTMLElement {
    const theirs = report.rows.filter((row) => row.name === name && row.library === library).sort((a, b) => a.ms - b.ms)[0];
    if (!theirs) return h("td", { class: "benchmark-why", title: whyNot(report, name, library) }, whyNot(report, name, library) ? "cannot" : "–");
    const spread = `${theirs.mode}, ${time(theirs.least)} to ${time(theirs.most)}, ${theirs.rounds} rounds, the first ${time(theirs.cold)}`;
    return h("td", { title: spread }, time(theirs.ms), ours ? h("span", { class: "benchmark-times" }, ` ${(theirs.ms / ours.ms).toFixed(1)}×`) : null);
  }
}

const whyNot = (report: Report, name: string, library: string) => report.failures.filter((failure) => failure.name === name && failure.library === library).map(({ mode, error }) => `${mode}: ${error}`).join("; ");

/** Filled as far as the limit is reached; what software measures may go past it. */
function bar(share: number): HTMLElement {
  const filled = h("span", {});
  filled.style.inlineSize = `${Math.min(100, 100 * share)}%`;
  return h("span", { class: "benchmark-bar", "aria-hidden": "true" }, filled);
}
