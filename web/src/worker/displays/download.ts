// `download`: files that a cell made, offered to the reader as a zip. The page saves it when the
// reader asks for it.

import { zipped } from "../../../../js/src/data/zip";
import { DOWNLOAD } from "../../protocol/messages";
import { track } from "../channel/pending";
import { isTensor } from "../library/library";
import { fill, openSlot } from "./displays";

/** Offers files, bytes or texts by their names, as one zip. Shows a button; `name` is what the zip
 * is called. */
export function download(files: Readonly<Record<string, Uint8Array | string>>, name = "files"): Promise<void> {
  if (typeof files !== "object" || files === null || isTensor(files) || Array.isArray(files) || ArrayBuffer.isView(files)) throw new TypeError('download: takes files by their names, as in download({ "notes.txt": "a text" })');
  const entries = Object.entries(files).map(([path, file]): [string, Uint8Array] => {
    if (typeof file === "string") return [path, new TextEncoder().encode(file)];
    if (file instanceof Uint8Array) return [path, file];
    throw new TypeError(`download: ${path} must be bytes or a text`);
  });
  const slot = openSlot();
  return track(offer(entries).then((data) => fill(slot, { kind: "download", name: `${String(name).replace(/[^\w.-]+/g, "-").slice(0, 80) || "files"}.zip`, data })));
}

async function offer(entries: readonly [string, Uint8Array][]): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of zipped(entries)) parts.push(part);
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const most = (DOWNLOAD / 4) * 3;
  if (size > most) throw new RangeError(`download: the files have ${(size / 1e6).toFixed(1)} MB together; a cell can offer ${(most / 1e6).toFixed(1)} MB`);
  let binary = "";
  for (const part of parts) for (let at = 0; at < part.length; at += 0x8000) binary += String.fromCharCode(...part.subarray(at, at + 0x8000));
  return btoa(binary);
}
