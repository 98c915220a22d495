// The graph of a program as it is drawn: a box for each cluster, or for several where there are
// many, and, where the reader opens one, a box for each of its nodes. Edges are the values that are
// stored between them.

import type { InspectedPart } from "../../protocol/inspection";

export interface Box {
  readonly id: string;
  readonly kind: "group" | "cluster" | "node" | "given";
  readonly title: string;
  readonly detail: string;
  /** The clusters that it stands for. */
  readonly clusters: readonly number[];
  /** Of a node its number. */
  readonly node: number | null;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** Why the value is stored, where nobody asked for it. */
  readonly reason: string | null;
}

export interface ProgramGraph {
  readonly boxes: readonly Box[];
  readonly edges: readonly Edge[];
}

/** Boxes that are drawn before anything is opened. */
const MOST_BOXES = 120;
/** Nodes of one cluster that are drawn. */
const MOST_NODES = 400;

const form = (part: InspectedPart, id: number) => `${part.nodes[id]?.dtype ?? ""}[${part.nodes[id]?.shape.join(",") ?? ""}]`;

/** How many clusters share a box. */
export const groupSize = (part: InspectedPart): number => Math.max(1, Math.ceil(part.clusters.length / MOST_BOXES));

/** What a cluster computes, in a few words: its operations, the most frequent first. */
export function titleOf(part: InspectedPart, cluster: number): string {
  const counts = new Map<string, number>();
  for (const id of part.clusters[cluster]?.computes ?? []) {
    const op = part.nodes[id]?.op ?? "";
    if (!TRIVIAL.has(op)) counts.set(op, (counts.get(op) ?? 0) + 1);
  }
  const names = [...counts].sort((a, b) => b[1] - a[1]).map(([op, count]) => (count > 1 ? `${op} ×${count}` : op));
  return names.length === 0 ? "copy" : names.slice(0, 4).join(", ") + (names.length > 4 ? ", …" : "");
}
const TRIVIAL: ReadonlySet<string> = new Set(["constant", "reshape", "expand", "permute", "part", "cut"]);

const VIEWS: ReadonlySet<string> = new Set(["reshape", "expand", "permute"]);

/** The graph of a part; `open` has the boxes that are shown from within. */
export function graphOf(part: InspectedPart, open: ReadonlySet<string>): ProgramGraph {
  const size = groupSize(part);
  const homes = new Map<number, number>();
  part.clusters.forEach(({ stores }, cluster) => stores.forEach((id) => homes.set(id, cluster)));
  const reasons = new Map(part.cuts.map(({ node, reason }) => [node, reason]));
  const boxes = new Map<string, Box>();
  const edges = new Map<string, Edge>();

  // Numbers that are written in the program, repeated to some form, would only clutter.
  const fixed: boolean[] = [];
  part.nodes.forEach(({ op, inputs }, id) => (fixed[id] = op === "constant" || op === "scalar" || (VIEWS.has(op) && inputs.length > 0 && inputs.every((input) => fixed[input]))));

  const isOpen = (cluster: number) => open.has(`c${cluster}`);
  const clusterBox = (cluster: number): string => {
    const group = Math.floor(cluster / size);
    if (size === 1 || open.has(`g${group}`)) {
      const { stores = [] } = part.clusters[cluster] ?? {};
      const id = `c${cluster}`;
      if (!boxes.has(id)) boxes.set(id, { id, kind: "cluster", title: titleOf(part, cluster), detail: stores.map((store) => form(part, store)).join(", ").slice(0, 60), clusters: [cluster], node: null });
      return id;
    }
    const [first, last] = [group * size, Math.min(part.clusters.length, (group + 1) * size) - 1];
    const id = `g${group}`;
    if (!boxes.has(id)) boxes.set(id, { id, kind: "group", title: `clusters ${first} to ${last}`, detail: titleOf(part, first), clusters: Array.from({ length: last - first + 1 }, (_, n) => first + n), node: null });
    return id;
  };
  const nodeBox = (cluster: number, node: number): string => {
    const id = `c${cluster}n${node}`;
    const { op = "", detail = "" } = part.nodes[node] ?? {};
    if (!boxes.has(id)) boxes.set(id, { id, kind: "node", title: op, detail: `${form(part, node)} ${detail}`.trim().slice(0, 60), clusters: [cluster], node });
    return id;
  };
  const givenBox = (node: number): string => {
    const id = `l${node}`;
    if (!boxes.has(id)) boxes.set(id, { id, kind: "given", title: part.nodes[node]?.op ?? "", detail: form(part, node), clusters: [], node });
    return id;
  };
  const isWithin = (cluster: number) => (size === 1 || open.has(`g${Math.floor(cluster / size)}`)) && isOpen(cluster) && (part.clusters[cluster]?.computes.length ?? 0) <= MOST_NODES;
  const link = (from: string, to: string, reason: string | null) => from !== to && edges.set(`${from}>${to}`, { from, to, reason: reason ?? edges.get(`${from}>${to}`)?.reason ?? null });

  part.clusters.forEach(({ computes }, cluster) => {
    const within = isWithin(cluster);
    const own = new Set(computes);
    if (!within) clusterBox(cluster);
    for (const id of computes) {
      if (within && fixed[id]) continue;
      const box = within ? nodeBox(cluster, id) : clusterBox(cluster);
      for (const input of part.nodes[id]?.inputs ?? []) {
        if (own.has(input)) {
          if (within && !fixed[input]) link(nodeBox(cluster, input), box, null);
          continue;
        }
        const home = homes.get(input);
        const { op } = part.nodes[input] ?? {};
        if (home === undefined) {
          if (op === "buffer") link(givenBox(input), box, null);
        } else link(isWithin(home) ? nodeBox(home, input) : clusterBox(home), box, reasons.get(input) ?? null);
      }
    }
  });
  return { boxes: [...boxes.values()], edges: [...edges.values()] };
}
