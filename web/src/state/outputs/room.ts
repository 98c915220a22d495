// Budgets of outputs. Each run has a limit of outputs on the page and of their memory, and all runs
// together have larger ones, since the cells of a notebook share one page.

import { linesAtFirst } from "./branches";
import { plotBytes } from "../../protocol/plots";
import { sizeOf } from "./kept";
import type { ShownContent } from "./kept";
import { LIMITS } from "../limits";

export interface Cost {
  readonly outputs: number;
  /** Elements of the page. */
  readonly nodes: number;
  readonly pixels: number;
  readonly bytes: number;
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER;
/** What one run may show, show that goes on (charts, buttons), and hold. */
export const SHOWN: Cost = { outputs: 300, nodes: 10_000, pixels: 48_000_000, bytes: NO_LIMIT };
export const LIVE: Cost = { outputs: 100, nodes: 20_000, pixels: NO_LIMIT, bytes: NO_LIMIT };
export const HELD: Cost = { outputs: 1_000, nodes: NO_LIMIT, pixels: 68_000_000, bytes: 48_000_000 };
const PAGE_SHOWN: Cost = { outputs: 10_000, nodes: 150_000, pixels: 128_000_000, bytes: NO_LIMIT };
const PAGE_HELD: Cost = { outputs: 50_000, nodes: NO_LIMIT, pixels: 192_000_000, bytes: 256_000_000 };

const KINDS = ["outputs", "nodes", "pixels", "bytes"] as const;

export class Room {
  private readonly used = { outputs: 0, nodes: 0, pixels: 0, bytes: 0 };

  constructor(
    private readonly limit: Cost,
    private readonly around: Room | null = null,
  ) {}

  /** Takes what something costs; false, and nothing is taken, where it does not fit. */
  take(cost: Cost): boolean {
    if (!this.fits(cost)) return false;
    this.takeAnyway(cost);
    return true;
  }

  takeAnyway(cost: Cost): void {
    for (const kind of KINDS) this.used[kind] += cost[kind];
    this.around?.takeAnyway(cost);
  }

  give(cost: Cost): void {
    for (const kind of KINDS) this.used[kind] -= cost[kind];
    this.around?.give(cost);
  }

  /** Gives back everything. */
  end(): void {
    this.around?.give({ ...this.used });
    for (const kind of KINDS) this.used[kind] = 0;
  }

  /** Whether there is room for it. */
  fits(cost: Cost): boolean {
    return KINDS.every((kind) => this.used[kind] + cost[kind] <= this.limit[kind]) && (this.around?.fits(cost) ?? true);
  }
}

/** The room of all runs together. */
export class PageRooms {
  readonly shown = new Room(PAGE_SHOWN);
  readonly held = new Room(PAGE_HELD);
}

/** Rows of a table that are shown: of a wide one, fewer. */
export const tableRows = (columns: number): number => Math.max(1, Math.floor(LIMITS.tableCells / Math.max(1, columns)));

const characters = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0);

/** What an output costs; `points` are those of a chart. */
export function costOf(content: ShownContent, points = 0): Cost {
  const cost = (nodes: number, bytes: number, pixels = 0): Cost => ({ outputs: 1, nodes, bytes: bytes + 200, pixels });
  switch (content.kind) {
    case "value":
      return cost(2 + content.text.length / 1_000 + 4 * linesAtFirst(content.tree ?? []), 2 * content.text.length + (content.tree ?? []).reduce((sum, { key, text }) => sum + 100 + 2 * (key.length + text.length), 0));
    case "markdown":
      return cost(2 + Math.min(LIMITS.proseElements, content.source.length / 8), 2 * content.source.length);
    case "table": {
      const columns = Math.max(content.columns.length, ...content.rows.slice(0, 10).map((row) => row.length));
      const rows = Math.min(content.rows.length, tableRows(columns));
      return cost(6 + (rows + 1) * (columns + 1), 2 * content.rows.reduce((sum, row) => sum + characters(row) + 16 * row.length, characters(content.columns)));
    }
    case "tensor":
      return cost(40 + content.summary.corner.reduce((sum, row) => sum + row.length + 2, 0), 4_000);
    case "image":
      return cost(4 + content.count * (content.labels.length > 0 ? 3 : 1), 2 * characters(content.labels), content.bitmap.width * content.bitmap.height);
    case "kept": {
      const { width, height } = sizeOf(content);
      return cost(4 + content.count * (content.labels.length > 0 ? 3 : 1), 2 * characters(content.labels) + 2 * content.data.length, width * height);
    }
    case "chart":
      return cost(20 + content.panels.reduce((sum, { series }) => sum + 60 + 30 * series.length, 0), 1_000 + 100 * points);
    case "plot":
      // A cloud of few dots is drawn as elements, any other mark as a few.
      return cost(80 + content.panels.reduce((sum, { marks }) => sum + 60 + 40 * marks.length, 0) + Math.min(1_000, plotBytes(content) / 16), 2_000 + plotBytes(content));
    case "control":
      return cost(12 + (content.choice.type === "select" ? content.choice.options.length : 0), 1_000 + (content.choice.type === "select" ? 2 * characters(content.choice.options) : 0));
    case "pad":
      return cost(20 + 4 * (content.reading?.labels.length ?? 0), 4_000);
    case "download":
      return cost(4, 2 * content.data.length);
    case "sound":
      return cost(8, content.samples.byteLength);
    case "animation":
    case "progress":
    case "button":
      return cost(12, 1_000);
  }
}

/** Outputs that go on after they were made: they are shown whatever else there is. */
export const isLive = ({ kind }: ShownContent): boolean => kind === "chart" || kind === "control" || kind === "animation" || kind === "button" || kind === "pad" || kind === "progress";
