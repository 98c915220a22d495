// The files of `tests/conformance`, as text.

import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../../tests/conformance/", import.meta.url);

/** The groups of cases, by name: where their files lie within `tests/conformance`, without the
 * extension. */
export const PLACES: ReadonlyMap<string, string> = new Map(
  readdirSync(new URL("cases/", folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".json"))
    .map((path) => [path.slice(path.search(/[^\\/]+$/), -5), `cases/${path.slice(0, -5).replaceAll("\\", "/")}`]),
);

/** The text of a group of cases, or of `NAME.json` in `tests/conformance` itself. */
export const textOf = (name: string): string => readFileSync(new URL(`${PLACES.get(name) ?? name}.json`, folder), "utf8");
