// `window.weft`, the interface by which tools and tests drive the page: run, stop and listen, with
// plain values that can be serialised. `playwright/headless.mjs` uses it.

import { outputText } from "./state/outputs/outputs";
import { cellNumber, codeCells } from "./state/notebook/notebook";
import type { CellStatus } from "./state/run/cell-run";
import type { Session, SessionEvent, WorkerState } from "./state/run/session";
import type { Workspace } from "./state/notebook/workspace";

export type HookEvent =
  | { type: "start"; cell: number }
  /** Text as a terminal shows it. While it is `live`, the same output will say it anew. */
  | { type: "output"; cell: number; output: number; stream: string; text: string; live: boolean }
  | { type: "error"; cell: number; line: number | null; column: number | null; name: string; message: string }
  | { type: "end"; cell: number; status: CellStatus; milliseconds: number }
  | { type: "worker"; state: WorkerState }
  | { type: "device-lost"; message: string };

export interface CellReport {
  readonly cell: number;
  readonly status: CellStatus;
  readonly milliseconds: number;
  readonly error: { name: string; message: string; cell: number; line: number | null; column: number | null } | null;
  readonly text: string;
}

export interface Hook {
  /** Resolves when the worker is ready or has failed. */
  readonly ready: Promise<WorkerState>;
  /** Runs every code cell in order; resolves when the last has ended or one has failed. */
  runAll(): Promise<{ ok: boolean; cells: CellReport[] }>;
  stop(): void;
  restart(): void;
  cells(): CellReport[];
  /** Replaces the text of a code cell, by its number. */
  setCell(cell: number, source: string): void;
  runCell(cell: number): Promise<CellReport>;
  subscribe(listener: (event: HookEvent) => void): () => void;
}

export function makeHook(workspace: Workspace, session: Session): Hook {
  const number = (id: string) => cellNumber(workspace.cells, id);
  const idle = () =>
    new Promise<void>((resolve) => {
      if (!session.busy) return resolve();
      const end = session.events.subscribe(({ type }) => {
        if (type === "idle") resolve(end());
      });
    });
  const settledWorker = () =>
    new Promise<WorkerState>((resolve) => {
      if (session.worker.kind !== "starting") return resolve(session.worker);
      const end = session.events.subscribe((event) => {
        if (event.type === "worker" && event.state.kind !== "starting") resolve((end(), event.state));
      });
    });
  const report = (id: string): CellReport => {
    const { status, milliseconds, error, outputs } = session.cell(id);
    const text = outputs.list.map((output) => (output.kind === "text" ? (output.head + output.tail).trimEnd() : outputText(output.content)));
    const at = error?.location;
    const found = error && { name: error.name, message: error.message, cell: number(at?.cell ?? id), line: at?.line ?? null, column: at?.column ?? null };
    return { cell: number(id), status, milliseconds, error: found, text: text.filter((each) => each !== "").join("\n") };
  };
  const find = (cell: number) => {
    const found = codeCells(workspace.cells)[cell - 1];
    if (!found) throw new RangeError(`there is no code cell ${cell}`);
    return found;
  };
  const run = async (ids: readonly string[]) => {
    await settledWorker();
    // An error from a promise that nothing awaited arrives just after its cell has ended.
    const settled = async () => (await idle(), await new Promise((resolve) => setTimeout(resolve, 50)));
    session.run(ids.map((id) => ({ cell: id, source: workspace.find(id)?.source ?? "" })));
    await settled();
    return ids.map(report);
  };

  return {
    get ready() {
      return settledWorker();
    },
    async runAll() {
      const cells = await run(codeCells(workspace.cells).map(({ id }) => id));
      return { ok: cells.every(({ status }) => status === "done"), cells };
    },
    stop: () => session.stop(),
    restart: () => session.restart(),
    cells: () => codeCells(workspace.cells).map(({ id }) => report(id)),
    setCell: (cell, source) => workspace.edit(find(cell).id, source, false),
    runCell: async (cell) => (await run([find(cell).id]))[0]!,
    subscribe: (listener) =>
      session.events.subscribe((event) => {
        const translated = translate(event, session, number);
        if (translated) listener(translated);
      }),
  };
}

function translate(event: SessionEvent, session: Session, number: (id: string) => number): HookEvent | null {
  switch (event.type) {
    case "worker":
      return { type: "worker", state: event.state };
    case "device-lost":
      return { type: "device-lost", message: `${event.loss.title} ${event.loss.message}` };
    case "status": {
      const { status, milliseconds } = session.cell(event.cell);
      if (status === "running") return { type: "start", cell: number(event.cell) };
      if (status === "done" || status === "failed" || status === "stopped") return { type: "end", cell: number(event.cell), status, milliseconds };
      return null;
    }
    case "error": {
      const { error, cell } = event;
      const at = error.location;
      return { type: "error", cell: number(at?.cell ?? cell), line: at?.line ?? null, column: at?.column ?? null, name: error.name, message: error.message };
    }
    case "output": {
      const { message, output, cell } = event;
      if (message.type === "text") {
        const gap = message.omitted > 0 ? `… ${message.omitted} lines omitted …\n` : "";
        return { type: "output", cell: number(cell), output: output.id, stream: message.stream, text: gap + message.text, live: false };
      }
      if (message.type === "points") return null;
      const { content } = message;
      const text = outputText(content);
      if (text === "") return null;
      const live = (content.kind === "progress" && !content.ended) || content.kind === "image";
      return { type: "output", cell: number(cell), output: output.id, stream: content.kind, text: `${text}\n`, live };
    }
    default:
      return null;
  }
}
