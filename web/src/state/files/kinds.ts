// Kinds of files, recognised by their first bytes and by their names, and the cell that reads each
// with the right function.

import { extensionOf } from "./names";

export type FileKind = "csv" | "npy" | "npz" | "safetensors" | "idx" | "image" | "audio" | "json" | "zip" | "notebook" | "text" | "bytes";

/** Bytes of a file that tell its kind. */
export const HEAD = 512;

/** Its name, as the reader sees it. */
export const KIND_NAMES: Readonly<Record<FileKind, string>> = {
  csv: "table", npy: "NumPy array", npz: "NumPy arrays", safetensors: "safetensors", idx: "IDX array", image: "picture", audio: "sound", json: "JSON", zip: "zip", notebook: "notebook", text: "text", bytes: "bytes",
};

const BY_EXTENSION: Readonly<Record<string, FileKind>> = Object.fromEntries(
  (
    [
      ["csv", "csv tsv"], ["npy", "npy"], ["npz", "npz"], ["safetensors", "safetensors"], ["idx", "idx idx1-ubyte idx2-ubyte idx3-ubyte idx4-ubyte"], ["image", "png jpg jpeg gif webp avif bmp"],
      ["audio", "wav mp3 ogg oga opus flac m4a aac webm weba"], ["json", "json"], ["zip", "zip"], ["notebook", "md markdown ipynb"], ["text", "txt text log js ts py html xml yaml yml toml css"],
    ] as const
  ).flatMap(([kind, extensions]) => extensions.split(" ").map((extension) => [extension, kind])),
);

/** What the name says; null where it says nothing. */
export function kindByName(name: string): FileKind | null {
  const extension = extensionOf(name);
  if (Object.hasOwn(BY_EXTENSION, extension)) return BY_EXTENSION[extension]!;
  return /idx\d-ubyte/i.test(name) ? "idx" : null;
}

/** What the first bytes say, which decide where they are clear; null where they are not. */
function kindByHead(head: Uint8Array, name: string): FileKind | null {
  const has = (text: string, at = 0) => [...text].every((character, i) => head[at + i] === character.charCodeAt(0));
  if (has("\x93NUMPY")) return "npy";
  if (has("PK\x03\x04") || has("PK\x05\x06")) return kindByName(name) === "npz" ? "npz" : "zip";
  if (has("\x89PNG") || has("GIF8") || has("\xff\xd8\xff") || (has("RIFF") && has("WEBP", 8)) || (has("ftypavif", 4)) || (has("BM") && kindByName(name) === "image")) return "image";
  if ((has("RIFF") && has("WAVE", 8)) || has("OggS") || has("fLaC") || has("ID3")) return "audio";
  if (head[0] === 0 && head[1] === 0 && [8, 9, 11, 12, 13, 14].includes(head[2] ?? 0) && (head[3] ?? 0) > 0 && head[3]! < 32) return "idx";
  if (has("{", 8) && head.subarray(4, 8).every((byte) => byte === 0)) return "safetensors";
  return null;
}

/** Whether bytes are text: valid UTF-8, as far as they go, without zeros. */
function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** `head` are the first `HEAD` bytes. */
export function kindOf(name: string, head: Uint8Array): FileKind {
  const kind = kindByHead(head, name);
  if (kind !== null) return kind;
  const named = kindByName(name);
  // What only the name claims is read as such if it may be: text has no zeros, and an array begins
  // as it must.
  if (named === "idx" || named === "audio" || named === "image") return named;
  if (named !== null && named !== "npy" && named !== "npz" && named !== "zip" && named !== "safetensors") return isText(head) ? named : "bytes";
  return isText(head) ? "text" : "bytes";
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Whether a cell's text names a file as one to read: what `download` offers, by a key or as its
 * first argument, is written. */
export function readsFile(source: string, name: string): boolean {
  return new RegExp(`(?<!\\bdownload\\(\\s*)(["'\`])${escaped(name)}\\1(?!\\s*:)`).test(source);
}

/** The text of a cell that reads a file into `variable` and shows it. */
export function readingCell(name: string, kind: FileKind, variable: string): string {
  const path = JSON.stringify(name);
  const make = (value: string, shown = variable) => `const ${variable} = ${value};\n${shown}`;
  switch (kind) {
    case "csv":
      return `${make(`data.csv(await file(${path}))`)}\n// A column: ${variable}.typed("name"). Columns as a tensor: ${variable}.tensor(["name", …]).`;
    case "npy":
      return make(`data.npy(await file(${path})).tensor()`);
    case "npz":
      return make(`await data.npz(await file(${path}))`);
    case "safetensors":
      return make(`data.safetensors(await file(${path}))`);
    case "idx":
      return make(`data.idx(await file(${path})).tensor()`);
    case "image":
      // From 0 to 1: arithmetic on bytes wraps around.
      return make(`await data.image(await file(${path}), { dtype: "f32" })`, `image(${variable})`);
    case "audio":
      return make(`await audio(${path})`, `audio(${variable});\n${variable}`);
    case "json":
      return make(`await file.json(${path})`);
    case "zip":
      return make(`await unzip(await file(${path}))`);
    case "notebook":
    case "text":
      return make(`await file.text(${path})`);
    case "bytes":
      return make(`await file(${path})`);
  }
}
