// The files of `tests/conformance`, as text.

import { readFileSync } from "node:fs";

/** The text of `tests/conformance/NAME.json`. */
export const textOf = (name: string): string => readFileSync(new URL(`../../../tests/conformance/${name}.json`, import.meta.url), "utf8");
