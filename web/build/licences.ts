// Licences of the libraries that the page is made of, in one file beside it.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

export const LICENCES = "licences.txt";

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const packageOf = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package;

/** The folder of a package that one in `folder` depends on. */
function find(name: string, folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, "node_modules", name);
    if (existsSync(join(found, "package.json"))) return found;
    if (at === dirname(at)) throw new Error(`${name} is not installed`);
  }
}

/** Texts of the licences of all that the package in `folder` depends on, but for packages of this
 * repository. */
export function licencesOf(folder: string, own: readonly string[]): string {
  const folders = new Map<string, string>();
  const pending = [folder];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const name of Object.keys(packageOf(at).dependencies ?? {})) {
      const found = find(name, at);
      if (folders.get(name) === found) continue;
      if (!own.includes(name)) folders.set(name, found);
      pending.push(found);
    }
  }
  return [...folders].sort().map(([name, at]) => `${name} ${packageOf(at).version}, ${packageOf(at).license ?? "licence below"}\n\n${textOf(name, at)}`).join(`\n\n${"-".repeat(80)}\n\n`);
}

function textOf(name: string, folder: string): string {
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.(md|txt))?$/i.test(each));
  if (!file) throw new Error(`${name} has no file with its licence: find its text before it is built in`);
  return readFileSync(join(folder, file), "utf8").trim();
}

export function licences(folder: string): Plugin {
  return {
    name: "weft-licences",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: LICENCES, source: `${licencesOf(folder, ["weft-gpu"])}\n` });
    },
  };
}
