// Recording of a notebook's history: a version with every run and every pause of typing, where the
// text has changed, and before another text takes its place.

import { thin } from "../state/notebook/history";
import type { Stamp } from "../state/notebook/history";
import { serializeNotebook } from "../state/notebook/notebook";
import type { Cells } from "../state/notebook/notebook";
import { readVersions } from "../state/notebook/records";
import type { Version } from "../state/notebook/records";
import type { Workspace } from "../state/notebook/workspace";
import type { Session } from "../state/run/session";
import { answer, ofNotebook, transact } from "./database";

/** Milliseconds without a key that are a pause. */
const PAUSE = 2_000;

/** All that are kept of a notebook, oldest first. */
export async function versionsOf(id: string): Promise<Version[]> {
  return readVersions(await transact(["versions"], "readonly", (of) => answer(of("versions").getAll(ofNotebook(id)))));
}

export class Historian {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What was recorded last, or found on opening. */
  private last: Cells = [];
  private found: { cells: Cells; at: number } = { cells: [], at: 0 };
  /** What is kept of the open notebook; asked for with its first version. */
  private stamps: Promise<Stamp[]> | null = null;
  private recording: Promise<void> = Promise.resolve();

  constructor(
    session: Session,
    private readonly workspace: Workspace,
  ) {
    let key = "";
    workspace.events.subscribe(({ type }) => {
      if (type === "opened" && workspace.key !== key) {
        key = workspace.key;
        this.open();
      } else if (type === "replacing") void this.record("replaced");
      else if (type === "typed" || type === "source" || type === "cells") {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.record("pause"), PAUSE);
      }
    });
    session.events.subscribe((event) => {
      if (event.type === "status" && session.cell(event.cell).status === "running") void this.record("run");
    });
  }

  private open(): void {
    clearTimeout(this.timer);
    this.last = this.workspace.cells;
    this.found = { cells: this.last, at: Date.now() };
    this.stamps = null;
  }

  /** Keeps the text as it is, unless it is as it was. Nothing is lost where it cannot be kept but a
   * way back. */
  record(why: Version["why"]): Promise<void> {
    const { workspace, found } = this;
    if (workspace.cells === this.last) return this.recording;
    this.last = workspace.cells;
    const { key: notebook, markdown: text } = workspace;
    const first = this.stamps === null;
    const stamps = (this.stamps ??= versionsOf(notebook).then((all) => all.map(({ at, text }) => ({ at, size: text.length }))));
    return (this.recording = this.recording.then(async () => {
      const before = first ? serializeNotebook(found.cells) : text;
      if (before !== text) await this.add(await stamps, { notebook, at: found.at, why: "opened", text: before });
      await this.add(await stamps, { notebook, at: Date.now(), why, text });
    }).catch(() => undefined));
  }

  private async add(stamps: Stamp[], version: Version): Promise<void> {
    await transact(["versions"], "readwrite", async (of) => {
      const keys = (await answer(of("versions").getAllKeys(ofNotebook(version.notebook)))) as [string, number][];
      const newest = keys.at(-1);
      // What was found on opening is most often what was kept last.
      if (newest && readVersions([await answer(of("versions").get(newest))])[0]?.text === version.text) return;
      of("versions").put(version);
      stamps.push({ at: version.at, size: version.text.length });
      for (const at of thin(stamps, version.at)) {
        of("versions").delete([version.notebook, at]);
        stamps.splice(stamps.findIndex((stamp) => stamp.at === at), 1);
      }
    });
  }
}
