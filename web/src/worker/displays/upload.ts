// `upload`: a control by which the reader gives a file, which becomes one of the notebook's. The cell
// waits for the first one. Another choice runs the cell again, as with every control.

import type { ControlValue, OutputId } from "../../protocol/messages";
import { currentRun, onStop } from "../channel/context";
import { file } from "../run/files";
import { checkOptions, open } from "./controls";

/** A file that the reader chose. */
export class Upload {
  constructor(
    /** Its name, by which `file` reads it too. */
    readonly name: string,
  ) {}

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return file(this.name);
  }

  text(): Promise<string> {
    return file.text(this.name);
  }

  json(): Promise<unknown> {
    return file.json(this.name);
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
}

/**
 * Asks the reader for a file and waits for it: `const photo = await upload("A photo", { accept: "image/*" })`, then `await photo.bytes()`. The file
 * becomes one of the notebook's, so that the cell finds it again when it runs again.
 */
export async function upload(label = "A file", options: UploadOptions = {}): Promise<Upload> {
  checkOptions("upload", options, ["accept"]);
  const { accept = "" } = options;
  if (typeof accept !== "string" || accept.length > 120) throw new TypeError('upload: accept is a text such as ".csv" or "image/*", of at most 120 characters');
  const chosen = open(null, "upload", label, { type: "upload", accept, initial: "" }, (before) => (typeof before === "string" ? before : null), (name, output) => ({ name: String(name), output }));
  if (chosen.name !== "") return new Upload(chosen.name);
  const name = await new Promise<string>((resolve, reject) => {
    waiting.set(chosen.output, resolve);
    onStop(currentRun(), (stopped) => {
      waiting.delete(chosen.output);
      reject(stopped);
    });
  });
  return new Upload(name);
}
