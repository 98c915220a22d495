// The reader's input to outputs: settings of controls, clicks, strokes and pointers. Each goes to
// the worker that made the output; a setting is also kept for later runs of its cell.

import type { AnimationRequest, ControlValue, OutputId, PageMessage, RunId } from "../../protocol/messages";
import { nameOf, rememberChoice, sameValue, withValue } from "../outputs/chosen";
import type { ContentOutput } from "../outputs/outputs";
import type { CellRun } from "./cell-run";
import type { WorkerLife } from "./worker-life";

/** What inputs need of their session. */
export interface InputTarget {
  cell(id: string): CellRun;
  worker(): WorkerLife;
  /** The number of the run that began last. */
  latestRun(): RunId;
  /** The reader used an output of that cell. */
  used(cell: string): void;
  /** The reader changed what a name of that cell stands for. */
  changed(cell: string): void;
}

export class Inputs {
  constructor(private readonly session: InputTarget) {}

  /** The reader chose a value: kept for later runs, and sent to the worker. */
  choose(cell: string, output: ContentOutput, value: ControlValue): void {
    const { content } = output;
    if (content.kind !== "control") return;
    // A cell that waits for its first file goes on with it: it need not run again.
    const awaited = content.choice.type === "upload" && !content.choice.otherwise && content.choice.value === "" && this.session.cell(cell).status === "running";
    output.content = withValue(content, value);
    rememberChoice(output, this.session.cell(cell).chosen);
    if (awaited) this.session.worker().send({ type: "control", output: output.id, value, bound: false });
    else this.sendSetting(cell, output, content.name, value);
  }

  click(cell: string, output: ContentOutput): void {
    this.use(cell, nameOf(output), false, { type: "click", output: output.id });
  }

  draw(cell: string, output: ContentOutput, pixels: Float32Array<ArrayBuffer>): void {
    this.use(cell, nameOf(output), false, { type: "drawing", output: output.id, pixels });
  }

  animate(cell: string, output: OutputId, does: AnimationRequest): void {
    this.send(cell, { type: "animation", output, does });
  }

  point(cell: string, output: OutputId, x: number, y: number, down: boolean): void {
    this.send(cell, { type: "pointer", output, x, y, down });
  }

  /** Brings a control that is made anew, while the reader moves it, up to what was chosen since its
   * cell began to run. */
  catchUp(cell: string, output: ContentOutput): void {
    const { content } = output;
    if (content.kind !== "control") return;
    const { chosen, run } = this.session.cell(cell);
    const [wanted, known] = [chosen, run?.settings].map((values) => values?.get(content.key) ?? content.choice.initial);
    if (wanted === undefined || sameValue(wanted, known)) return;
    output.content = withValue(content, wanted);
    this.sendSetting(cell, output, content.name, wanted);
  }

  private sendSetting(cell: string, output: ContentOutput, name: string | null, value: ControlValue): void {
    this.use(cell, name, true, { type: "control", output: output.id, value, bound: this.session.worker().declares(cell, name) });
  }

  private use(cell: string, name: string | null, own: boolean, message: PageMessage): void {
    const run = this.session.cell(cell).live;
    // Outputs of an earlier visit or worker move, and nothing listens.
    if (!run) return;
    this.session.used(cell);
    this.session.worker().send(message);
    if (name === null && !own) return;
    run.changes.set(name ?? "", { after: this.session.latestRun(), own });
    this.session.changed(cell);
  }

  private send(cell: string, message: PageMessage): void {
    if (!this.session.cell(cell).stale) this.session.worker().send(message);
  }
}
