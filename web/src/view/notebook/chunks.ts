// Chunked layout, which keeps typing fast in notebooks of thousands of cells. A browser lays out
// again all children of a changed element, so cells are grouped in elements of forty; the browser
// lays out chunks out of view only roughly.

import { forgetNear, whenNear } from "../ui/near";

/** As so many lines of such a height. */
export function roughHeight(source: string, lineHeight: number): number {
  let lines = 1;
  for (let at = source.indexOf("\n"); at >= 0 && lines < 1_000; at = source.indexOf("\n", at + 1)) lines++;
  return lines * lineHeight + 40;
}

/** A cell that is out of view is laid out only roughly. */
export function layOutLater({ element, roughHeight }: { readonly element: HTMLElement; readonly roughHeight: number }): void {
  element.classList.add("far");
  element.style.setProperty("contain-intrinsic-height", `auto ${roughHeight}px`);
}

/** Cells in a chunk, where nothing was inserted since. */
const CELLS = 40;

/** A cell with what stands below it, in order, and about how many pixels high they are while they
 * are out of view. */
export interface Row {
  readonly id: string;
  readonly elements: readonly HTMLElement[];
  readonly height: number;
  /** Whether the cell is itself laid out only roughly. */
  readonly far: boolean;
}

interface Chunk {
  readonly element: HTMLElement;
  readonly children: HTMLElement[];
  cells: number;
  height: number;
  far: boolean;
}

export class Chunks {
  /** Where each cell stands: it stays there while others come and go, since an element that is put
   * in elsewhere loses its focus and scroll. */
  private homes = new Map<string, HTMLElement>();

  /** In view from the start, also while there is no cell. */
  private readonly beginning = makeChunk();

  constructor(private readonly element: HTMLElement) {}

  clear(): void {
    for (const element of this.element.children) forgetNear(element);
    this.element.replaceChildren();
    this.homes.clear();
  }

  /** Puts `first`, the rows and `last` in order. */
  arrange(first: HTMLElement, rows: Iterable<Row>, last: HTMLElement | null): void {
    const chunks = this.deal(first, rows);
    for (const { element, children, far, height } of chunks) {
      place(element, children);
      if (far) element.style.setProperty("contain-intrinsic-height", `auto ${height}px`);
      if (!far || element.isConnected) continue;
      element.classList.add("far");
      whenNear(element, () => element.classList.remove("far"));
    }
    const elements = chunks.map(({ element }) => element);
    const kept = new Set<Element>(elements);
    for (const gone of this.element.children) if (!kept.has(gone)) forgetNear(gone);
    place(this.element, last ? [...elements, last] : elements);
  }

  private deal(first: HTMLElement, rows: Iterable<Row>): Chunk[] {
    const homes = new Map<string, HTMLElement>();
    const begin = (element: HTMLElement): Chunk => ({ element, children: [], cells: 0, height: 0, far: true });
    let chunk = begin(this.beginning);
    chunk.far = false;
    chunk.children.push(first);
    const chunks = [chunk];
    const begun = new Set([chunk.element]);
    for (const { id, elements, height, far } of rows) {
      const home = this.homes.get(id);
      const own = home !== undefined && !begun.has(home);
      if (own || (home !== chunk.element && chunk.cells >= CELLS)) {
        chunk = begin(own ? home : makeChunk());
        chunks.push(chunk);
        begun.add(chunk.element);
      }
      chunk.children.push(...elements);
      chunk.cells++;
      chunk.height += height;
      chunk.far &&= far;
      homes.set(id, chunk.element);
    }
    this.homes = homes;
    return chunks;
  }
}

function makeChunk(): HTMLElement {
  const element = document.createElement("div");
  element.className = "chunk";
  return element;
}

/** Gives `parent` these children, and moves only what is out of place. */
function place(parent: HTMLElement, children: readonly HTMLElement[]): void {
  let at = parent.firstChild;
  for (const child of children) {
    if (at === child) at = at.nextSibling;
    else parent.insertBefore(child, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}
