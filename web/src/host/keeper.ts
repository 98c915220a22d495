// Saving of outputs for the next visit. It saves a moment after cells have run or the reader has
// edited them, and when the reader leaves the page. It encodes pictures before that, one after
// another, while nothing runs; a picture that is not encoded when the reader leaves is not saved.

import type { Content } from "../protocol/messages";
import { keep } from "../state/outputs/kept";
import type { KeptPicture } from "../state/outputs/kept";
import { codeCells } from "../state/notebook/notebook";
import type { ContentOutput } from "../state/outputs/outputs";
import { BUDGET, packOutputs } from "../state/run/saved";
import type { Session } from "../state/run/session";
import type { OutputStore } from "../state/notebook/storage";
import type { Workspace } from "../state/notebook/workspace";
import { encodePicture, encodeThumbnail } from "./kept";

const PAUSE = 1_000;

export class OutputKeeper {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What each output showed when it was encoded; null for a picture that is too large. */
  private readonly encoded = new WeakMap<ContentOutput, { of: Content<"image">; kept: KeptPicture | null }>();
  private encoding = false;

  constructor(
    private readonly session: Session,
    private readonly workspace: Workspace,
    private readonly store: OutputStore,
    private readonly pixelsOf: (output: ContentOutput) => OffscreenCanvas | null,
    /** Keeps a small picture of what the notebook shows. */
    private readonly keepThumbnail: (notebook: string, picture: Uint8Array<ArrayBuffer>) => Promise<void>,
  ) {
    session.events.subscribe(({ type }) => type === "idle" && this.soon());
    // Cells are recognised by their texts.
    workspace.events.subscribe(({ type }) => type === "saved" && this.soon());
    addEventListener("pagehide", () => (this.timer !== undefined || this.encoding) && this.write());
  }

  /** There is something new to keep. */
  soon(): void {
    this.timer ??= setTimeout(() => void this.keep(), PAUSE);
  }

  private async keep(): Promise<void> {
    this.timer = undefined;
    // What changes while pictures are encoded has its own turn after them.
    if (this.encoding) return this.soon();
    this.encoding = true;
    await this.encode().finally(() => (this.encoding = false));
    this.write();
    await this.picture().catch(() => undefined);
  }

  private write(): void {
    this.store.write(this.workspace.key, packOutputs(this.cells(), (output) => this.encoded.get(output)?.kept ?? null));
  }

  /** What the thumbnail shows by now. */
  private pictured: Content<"image"> | null = null;

  /** The last picture that there is stands for the notebook. */
  private async picture(): Promise<void> {
    const { key } = this.workspace;
    const last = this.cells().flatMap(({ run }) => run.outputs.list).findLast((output) => output.kind === "content" && output.content.kind === "image");
    if (last?.kind !== "content" || last.content.kind !== "image" || last.content === this.pictured) return;
    const pixels = this.pixelsOf(last);
    if (!pixels) return;
    this.pictured = last.content;
    await this.keepThumbnail(key, await encodeThumbnail(pixels));
  }

  private cells() {
    return codeCells(this.workspace.cells).map((cell) => ({ cell, run: this.session.cell(cell.id) }));
  }

  private async encode(): Promise<void> {
    let taken = 0;
    for (const output of this.cells().flatMap(({ run }) => run.outputs.list)) {
      if (output.kind !== "content" || output.content.kind !== "image") continue;
      const { content } = output;
      // The end of what runs comes here again.
      if (this.session.busy || taken > BUDGET) return;
      if (this.encoded.get(output)?.of !== content) {
        const pixels = this.pixelsOf(output);
        const data = pixels && (await encodePicture(pixels));
        this.encoded.set(output, { of: content, kept: data === null ? null : keep(content, data) });
      }
      taken += this.encoded.get(output)?.kept?.data.length ?? 0;
    }
  }
}
