// `download`: files that a cell made, offered to the reader, several as a zip. The page saves them
// when the reader asks for it.

import { zipped } from "../../../../js/src/data/zip";
import { DOWNLOAD, SAVED_AS } from "../../protocol/messages";
import { callFrom, currentRun } from "../channel/context";
import { track } from "../channel/pending";
import { isTensor } from "../library/library";
import type { Tensor } from "../library/library";
import { layoutOf, Renderer } from "../library/render";
import { fill, openSlot } from "./displays";

/** What a file holds: bytes, a text, or, where its name ends in .png, a tensor of a picture. */
export type FileContent = Uint8Array | string | Tensor;

/**
 * Offers a file, `download("notes.txt", "a text")`, or files by their names, several as one zip,
 * `download({ "a.txt": a, "b.png": picture }, "results")`. A tensor whose name ends in .png is
 * saved as a picture. Shows a button.
 *
 * @example
 * const model = new nn.Linear(2, 1);
 * await download("model.safetensors", await data.toSafetensors(model.stateDict()));
 */
export function download(name: string, content: FileContent): Promise<void>;
export function download(files: Readonly<Record<string, FileContent>>, name?: string): Promise<void>;
export function download(first: unknown, second?: unknown): Promise<void> {
  if (typeof first === "string") {
    if (second === undefined) throw new TypeError(`download: says what is in the file, as in download(${JSON.stringify(first.slice(0, 60))}, "a text")`);
    return offer([[first, contentOf(first, second)]], null);
  }
  if (typeof first !== "object" || first === null || isTensor(first) || Array.isArray(first) || ArrayBuffer.isView(first)) throw new TypeError('download: takes files by their names, as in download({ "notes.txt": "a text" }) or download("picture.png", tensor)');
  return offer(Object.entries(first).map(([path, content]) => [path, contentOf(path, content)]), second === undefined ? null : String(second));
}

/** Begins to read at once: what a tensor holds now is what is saved. */
function contentOf(path: string, content: unknown): Uint8Array | Promise<Uint8Array> {
  if (typeof content === "string") return new TextEncoder().encode(content);
  if (content instanceof Uint8Array) return content;
  if (isTensor(content)) {
    if (!/\.png$/i.test(path)) throw new TypeError(`download: ${path} is a tensor, which is saved as a picture where its name ends in .png; bytes of its numbers are await data.toNpy(t)`);
    return pictureOf(path, content);
  }
  if (content instanceof Promise) throw new TypeError(`download: ${path} is a promise: write await before it`);
  throw new TypeError(`download: ${path} must be bytes, a text or a tensor of a picture`);
}

/** The bytes of a PNG, one pixel for each element, over the range that `image` gives it. */
function pictureOf(path: string, tensor: Tensor): Promise<Uint8Array> {
  const what = `download: ${path}`;
  layoutOf(tensor.shape, what, false);
  const run = currentRun();
  const picture = new Renderer(what, (work) => callFrom(run, work)).render(tensor, { colormap: "gray", tiles: false });
  return picture.then(async ({ bitmap }) => {
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext("bitmaprenderer")!.transferFromImageBitmap(bitmap);
    return new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
  });
}

const plain = (name: string) => name.replace(/[^\w.-]+/g, "-").slice(-64);

/** A file of a kind that only holds data is offered as it is, others in a zip, as is what has a
 * name of its own. */
function offer(files: readonly (readonly [string, Uint8Array | Promise<Uint8Array>])[], name: string | null): Promise<void> {
  const slot = openSlot();
  const made = async () => {
    const entries = await Promise.all(files.map(async ([path, content]): Promise<[string, Uint8Array]> => [path, await content]));
    const [single] = entries;
    const own = single && entries.length === 1 && name === null ? plain(single[0].split("/").at(-1) ?? "") : "";
    if (single && SAVED_AS.test(own)) return fill(slot, { kind: "download", name: own, data: base64(single[1]) });
    const parts: Uint8Array[] = [];
    for await (const part of zipped(entries)) parts.push(part);
    fill(slot, { kind: "download", name: `${(name ?? "files").replace(/[^\w.-]+/g, "-").slice(0, 60) || "files"}.zip`, data: base64(...parts) });
  };
  return track(made());
}

function base64(...parts: Uint8Array[]): string {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const most = (DOWNLOAD / 4) * 3;
  if (size > most) throw new RangeError(`download: the files have ${(size / 1e6).toFixed(1)} MB together; a cell can offer ${(most / 1e6).toFixed(1)} MB`);
  let binary = "";
  for (const part of parts) for (let at = 0; at < part.length; at += 0x8000) binary += String.fromCharCode(...part.subarray(at, at + 0x8000));
  return btoa(binary);
}
