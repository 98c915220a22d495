// Races between kernels that were held on this device: who took part, and what each took.

import type { InspectedRaces } from "../../protocol/inspection";
import { matches } from "../../state/inspect/program";
import { h } from "../ui/dom";
import { listing, note, table } from "./parts";

export function racesView(races: InspectedRaces, search: string): HTMLElement {
  if (races.length === 0) return note("No kernels have raced since the device was opened. They race while the GPU is idle; the device menu has the switch.");
  const shown = races.filter(({ key, winner }) => matches(search, key, winner));
  const text = races.map(({ key, candidates, winner, spread }) => [key, ...candidates.map(({ choice, milliseconds }) => `${choice} => ${milliseconds === null ? "left" : `${milliseconds}ms`}`), `Fastest: ${winner} ±${spread}%`].join("\n")).join("\n\n");
  return h(
    "div",
    {},
    note(`${races.length} ${races.length === 1 ? "race" : "races"}; the first in each is the kernel that ran before.`),
    ...shown.slice(-100).reverse().map(({ key, candidates, winner, spread }) =>
      h("section", { class: "inspector-race" }, h("h3", {}, key), table(`Race of ${key}`, ["Kernel", "Median", "Result"], candidates.map(({ choice, milliseconds }) => [h("code", {}, choice), milliseconds === null ? "fell behind" : `${milliseconds} ms`, choice === winner ? `fastest, ±${spread} %` : ""]), [1])),
    ),
    listing("Log", text, search),
  );
}
