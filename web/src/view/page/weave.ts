// Picture of a notebook that has shown none: a small cloth, woven by the notebook's id.

import { svg } from "../ui/dom";

const DYES = ["indigo", "madder", "weld", "verdigris", "cochineal", "walnut"] as const;
const THREADS = 7;

/** A sequence of numbers below 2³², the same for the same text (xorshift, seeded by FNV-1a). */
function numbersOf(text: string): () => number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

export function weave(id: string): SVGSVGElement {
  const next = numbersOf(id);
  const first = next() % DYES.length;
  const dyes = [DYES[first]!, DYES[(first + 1 + (next() % (DYES.length - 1))) % DYES.length]!];
  // A twill: each row is the one above, moved by a step.
  const [pattern, step] = [next(), 1 + (next() % 3)];
  const paths = dyes.map((dye, under) => {
    let d = "";
    for (let y = 0; y < THREADS; y++)
      for (let x = 0; x < THREADS; x++) if (((pattern >>> ((x + y * step) % THREADS)) & 1) === under) d += `M${x * 8 + 0.6} ${y * 8 + 0.6}h6.8v6.8h-6.8z`;
    return svg("path", { class: dye, d });
  });
  return svg("svg", { class: "weave", viewBox: "0 0 56 56", "aria-hidden": "true", focusable: "false" }, ...paths);
}
