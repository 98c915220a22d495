// `upload`: a control by which the reader gives a file, which becomes one of the notebook's. The
// cell waits for the first one, unless it says what to read until then. Another choice runs the
// cell again, as with every control.

import type { ControlValue, OutputId } from "../../protocol/messages";
import { currentRun, onStop } from "../channel/context";
import { file } from "../run/files";
import { checkOptions } from "./arguments";
import { open } from "./controls";

/** A file that the reader chose, or the text that is read until then. */
export class Upload {
  constructor(
    /** Its name, by which `file` reads it too; "" where none is chosen. */
    readonly name: string,
    private readonly otherwise = "",
  ) {}

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.name === "" ? new TextEncoder().encode(this.otherwise) : file(this.name);
  }

  async text(): Promise<string> {
    return this.name === "" ? this.otherwise : file.text(this.name);
  }

  async json(): Promise<unknown> {
    return this.name === "" ? JSON.parse(this.otherwise) : file.json(this.name);
  }
}

const waiting = new Map<OutputId, (name: string) => void>();

/** The reader has chosen a file in the control of that output. */
export function uploaded(output: OutputId, value: ControlValue): void {
  if (typeof value !== "string" || value === "") return;
  waiting.get(output)?.(value);
  waiting.delete(output);
}

export interface UploadOptions {
  /** Which files the browser offers first, as in `<input accept>`: ".csv", "image/*". */
  accept?: string;
  /** A text to read until the reader chooses a file: the cell does not wait for one. */
  otherwise?: string;
}

/**
 * Asks the reader for a file and waits for it:
 * `const photo = await upload("A photo", { accept: "image/*" })`, then `await photo.bytes()`. The
 * file becomes one of the notebook's, so that the cell finds it again when it runs again. With
 * `{ otherwise: text }` the cell reads that text until a file is chosen.
 *
 * @example
 * const photo = await upload("A photo", { accept: "image/*" });
 * image(await data.image(await photo.bytes()));
 */
export async function upload(label = "A file", options: UploadOptions = {}): Promise<Upload> {
  checkOptions("upload", options, ["accept", "otherwise"]);
  const { accept = "", otherwise } = options;
  if (typeof accept !== "string" || accept.length > 120) throw new TypeError('upload: accept is a text such as ".csv" or "image/*", of at most 120 characters');
  if (otherwise !== undefined && typeof otherwise !== "string") throw new TypeError(`upload: otherwise is a text, not ${otherwise === null ? "null" : typeof otherwise}`);
  const chosen = open(null, "upload", label, { type: "upload", accept, otherwise: otherwise !== undefined, initial: "" }, (before) => (typeof before === "string" ? before : null), (name, output) => ({ name: String(name), output }));
  if (chosen.name !== "" || otherwise !== undefined) return new Upload(chosen.name, otherwise);
  const name = await new Promise<string>((resolve, reject) => {
    waiting.set(chosen.output, resolve);
    onStop(currentRun(), (stopped) => {
      waiting.delete(chosen.output);
      reject(stopped);
    });
  });
  return new Upload(name);
}
