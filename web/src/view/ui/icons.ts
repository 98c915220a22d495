// Icons of the buttons: a few line drawings on a 20-unit grid, in the colour of the text around
// them.

import { svg } from "./dom";

const PATHS = {
  play: "M6.5 4.2v11.6L15.8 10z",
  playAll: "M3.5 4.5v11L11 10zM11 4.5v11l7-5.5z",
  stop: "M5.5 5.5h9v9h-9z",
  pause: "M6.5 4.5v11M13.5 4.5v11",
  step: "M5.5 4.8v10.4L12 10zM14.5 4.8v10.4",
  restart: "M15.6 7.2A6.4 6.4 0 1 0 16.4 10M16.2 3.6v3.9h-3.9",
  up: "M10 15.5v-11M5.5 9 10 4.5 14.5 9",
  down: "M10 4.5v11M5.5 11l4.5 4.5 4.5-4.5",
  split: "M3.5 10h2M8 10h4M14.5 10h2M10 7.5v-5M7.8 4.6 10 2.4l2.2 2.2M10 12.5v5M7.8 15.4l2.2 2.2 2.2-2.2",
  merge: "M3.5 10h13M10 2.4v5M7.8 5.4 10 7.6l2.2-2.2M10 17.6v-5M7.8 14.6l2.2-2.2 2.2 2.2",
  copy: "M7.5 7.5h8.7v8.7H7.5zM12.5 7.5V3.8H3.8v8.7h3.7",
  trash: "M4.5 6h11M8 6V4.2h4V6M6 6l.7 9.8h6.6L14 6M8.6 8.8v4.4M11.4 8.8v4.4",
  plus: "M10 4.5v11M4.5 10h11",
  pencil: "M4.5 15.5l.8-3.2 8-8 2.4 2.4-8 8zM11.8 5.8l2.4 2.4",
  more: "M3.3 10a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0M8.7 10a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0M14.1 10a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0",
  menu: "M3.5 5.8h13M3.5 10h13M3.5 14.2h13",
  close: "M5 5l10 10M15 5 5 15",
  sun: "M10 6.6a3.4 3.4 0 1 0 0 6.8 3.4 3.4 0 0 0 0-6.8zM10 1.8v1.8M10 16.4v1.8M1.8 10h1.8M16.4 10h1.8M4.2 4.2l1.3 1.3M14.5 14.5l1.3 1.3M15.8 4.2l-1.3 1.3M5.5 14.5l-1.3 1.3",
  moon: "M16.2 11.9A6.7 6.7 0 0 1 8.1 3.8a6.7 6.7 0 1 0 8.1 8.1z",
  download: "M10 3.5v9M6 8.8l4 4 4-4M4 16.2h12",
  open: "M3.5 15.5v-11h4.6l1.6 2h6.8v9z",
  files: "M6.5 3.5h5.2l3.3 3.3v9.7H6.5zM11.5 3.7v3.3h3.3M4 6.5v11h7.5",
  link: "M8.3 11.7a3 3 0 0 0 4.3 0l2.6-2.6a3 3 0 0 0-4.3-4.3l-1 1M11.7 8.3a3 3 0 0 0-4.3 0l-2.6 2.6a3 3 0 0 0 4.3 4.3l1-1",
  share: "M12.8 6.2 7.4 9M7.4 11l5.4 2.8M4.2 10a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0M12.4 5.2a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0M12.4 14.8a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0",
  reader: "M10 5.4C8.2 4.2 5.8 3.9 3.2 4.2v11c2.6-.3 5 0 6.8 1.2 1.8-1.2 4.2-1.5 6.8-1.2v-11c-2.6-.3-5 0-6.8 1.2zM10 5.4v11",
  undo: "M7 4.5 3.8 7.8 7 11M4.2 7.8h7.4a4.1 4.1 0 0 1 0 8.2H8",
  history: "M4.2 7.4A6.4 6.4 0 1 1 3.6 11M3.8 3.8v3.8h3.8M10 6.6v3.7l2.6 1.5",
  explain: "M3.2 8.8a5.6 5.6 0 1 0 11.2 0a5.6 5.6 0 1 0-11.2 0M13 12.8l4 4M6.2 7.4h5.2M6.2 10.2h3.4",
  find: "M3.8 8.6a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0-9.6 0M12.2 12.2l4.2 4.2",
  format: "M3.5 5h13M3.5 8.4h8M6.5 11.8h10M6.5 15.2h6",
  book: "M4.5 4h5.5v12H4.5zM10 4h5.5v12H10M6.3 7h1.9M11.9 7h1.9",
  meter: "M4.2 15a7 7 0 1 1 11.6 0M10 11.5l3-4.2M9 11.7a1 1 0 1 0 2 0a1 1 0 1 0-2 0",
  operators: "M3.5 6.5h6M6.5 3.5v6M11.5 6.5h5M4.4 12.4l4.2 4.2M8.6 12.4l-4.2 4.2M11.5 14.5h5M14 11.8h.01M14 17.2h.01",
  keyboard: "M2.8 5.5h14.4v9H2.8zM5.6 8.4h.01M8.5 8.4h.01M11.5 8.4h.01M14.4 8.4h.01M6.8 11.6h6.4",
} as const;

export type IconName = keyof typeof PATHS;
const FILLED = new Set<IconName>(["play", "playAll", "stop", "more"]);

export function icon(name: IconName): SVGSVGElement {
  const path = svg("path", { d: PATHS[name] });
  return svg("svg", { class: FILLED.has(name) ? "icon filled" : "icon", viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" }, path);
}

/** The mark: three threads over and under three. */
export function logo(): SVGSVGElement {
  const warp = [5, 14, 23].map((x) => svg("rect", { class: "warp", x, y: 1, width: 4.4, height: 30, rx: 2.2 }));
  const weft = [5, 14, 23].map((y) => svg("rect", { class: "weft", x: 1, y, width: 30, height: 4.4, rx: 2.2 }));
  // Where a warp thread passes over, its piece is drawn again, wider by a gap that shows the thread
  // below ending.
  const over = [[5, 5], [23, 5], [14, 14], [5, 23], [23, 23]].flatMap(([x, y]) => [
    svg("rect", { class: "gap", x: x! - 1.3, y: y! - 0.2, width: 7, height: 4.8 }),
    svg("rect", { class: "warp", x: x!, y: y! - 2.4, width: 4.4, height: 9.2 }),
  ]);
  const under = [[14, 5], [5, 14], [23, 14], [14, 23]].flatMap(([x, y]) => [
    svg("rect", { class: "gap", x: x! - 0.2, y: y! - 1.3, width: 4.8, height: 7 }),
    svg("rect", { class: "weft", x: x! - 2.4, y: y!, width: 9.2, height: 4.4 }),
  ]);
  return svg("svg", { class: "logo", viewBox: "0 0 32 32", "aria-hidden": "true", focusable: "false" }, ...warp, ...weft, ...over, ...under);
}
