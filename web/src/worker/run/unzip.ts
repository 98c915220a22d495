// Zip archives for cells: the list of their files, and each when it is asked for, within a limit on
// what all of them unpack to.

import { bytesOf, mostBytes } from "../../../../js/src/data/array";
import type { UnpackOptions } from "../../../../js/src/data/array";
import { entriesOf } from "../../../../js/src/data/zip";
import type { Entry } from "../../../../js/src/data/zip";
import { fetchRest, isServing } from "../../../../js/src/core/wasm/core";
import { made } from "../channel/heap";
import { checkOptions } from "../displays/arguments";

export class Zip {
  private readonly entries: ReadonlyMap<string, Entry>;
  /** The files, in the order of the archive. */
  readonly names: readonly string[];

  constructor(entries: readonly Entry[]) {
    this.entries = new Map(entries.filter(({ name }) => !name.endsWith("/")).map((entry) => [entry.name, entry]));
    this.names = [...this.entries.keys()];
    this.sizeOf = (name) => this.find(name).size;
  }

  /** Bytes that a file is said to unpack to. */
  readonly sizeOf: (name: string) => number;

  /** The bytes of a file. Throws `FormatError` where it is corrupt, or more than may be
   * unpacked. */
  bytes(name: string): Uint8Array {
    return made(this.find(name).read());
  }

  /** The text of a file. */
  text(name: string): string {
    return new TextDecoder().decode(this.bytes(name));
  }

  private find(name: string): Entry {
    const entry = this.entries.get(name);
    if (!entry) throw new RangeError(`unzip: there is no file ${JSON.stringify(String(name).slice(0, 200))}; there are ${this.names.slice(0, 20).join(", ")}`);
    return entry;
  }
}

/**
 * Opens a zip: `zip.names` are its files, `zip.bytes(name)` and `zip.text(name)` unpack one. All
 * together may unpack to 512 MiB, or four times the archive, unless `maxBytes` says more. Throws
 * `FormatError` where it is no zip.
 *
 * @example
 * const chosen = await upload("A zip", { accept: ".zip" });
 * const zip = await unzip(await chosen.bytes());
 * zip.names
 */
export async function unzip(bytes: ArrayBuffer | Uint8Array, options: UnpackOptions = {}): Promise<Zip> {
  checkOptions("unzip", options, ["maxBytes"]);
  const archive = bytesOf("unzip", bytes);
  const entries = entriesOf("unzip", archive, mostBytes("unzip", archive, options));
  if (isServing() && entries.some(({ deflated }) => deflated)) await fetchRest("unzip");
  return new Zip(entries);
}
