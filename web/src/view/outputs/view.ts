// The interface of an output's view, and the requests that views make of the session.

import type { AnimationRequest, ControlValue, OutputId } from "../../protocol/messages";
import type { ContentOutput } from "../../state/outputs/outputs";

/** What a view may ask of the session. */
export interface OutputActions {
  choose(output: ContentOutput, value: ControlValue): void;
  /** Makes a file one of the notebook's; resolves with its name. */
  bring(given: File): Promise<string>;
  click(output: ContentOutput): void;
  draw(output: ContentOutput, pixels: Float32Array<ArrayBuffer>): void;
  shown(output: OutputId): void;
  animate(output: OutputId, does: AnimationRequest): void;
  /** Where the pointer is on a picture, from 0 to 1, and whether it is pressed. */
  point(output: OutputId, x: number, y: number, down: boolean): void;
  /** Runs the cell again. */
  again(): void;
}

export interface OutputView {
  readonly element: HTMLElement;
  update(): void;
  /** Which parts the reader has opened, and which are to be opened because they were in what stood
   * in its place. */
  opened?(): ReadonlyMap<string, boolean>;
  reopen?(opened: ReadonlyMap<string, boolean>): void;
  /** Identifies an output that the cell's next run may make again while the reader uses it; `adopt`
   * has it show the new output. */
  readonly key?: string;
  adopt?(output: ContentOutput): void;
}
