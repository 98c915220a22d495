// The reader's settings of a cell's controls: the values that differ from the cell's text, by key,
// and when a name last took another value.

import type { Content, ControlValue, RunId } from "../../protocol/messages";
import type { ContentOutput, Output } from "./outputs";

export interface Change {
  readonly after: RunId;
  /** Whether the cell itself, where it uses the value, has to run again for it; one that has a
   * handle listens. */
  readonly own: boolean;
}

/** Whether two settings are the same, pairs of numbers by their numbers. */
export const sameValue = (a: ControlValue | undefined, b: ControlValue | undefined): boolean => Object.is(a, b) || (Array.isArray(a) && Array.isArray(b) && a.every((each, i) => Object.is(each, b[i])));

export const withValue = (content: Content<"control">, value: ControlValue) => ({ ...content, choice: { ...content.choice, value } }) as Content<"control">;

/** The name of a button or a pad. */
export const nameOf = ({ content }: ContentOutput): string | null => (content.kind === "button" || content.kind === "pad" ? content.name : null);

/** Keeps the value of a control, unless it is what its text says. */
export function rememberChoice(output: Output | null, chosen: Map<string, ControlValue>): void {
  if (output?.kind !== "content" || output.content.kind !== "control") return;
  const { key, choice } = output.content;
  if (sameValue(choice.value, choice.initial)) chosen.delete(key);
  else chosen.set(key, choice.value);
}
