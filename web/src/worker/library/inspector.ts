// The inspector in the worker. Its module comes with the page's first question, since most readers
// never open it.

import * as weft from "weft-gpu";
import type { inspector } from "../inspect/inspector";
import type { InspectorQuestion } from "../../protocol/messages";
import { reportError, send } from "../channel/port";
import { library } from "./library";

type Answer = ReturnType<typeof inspector>;
type Module = { readonly default: () => { readonly inspector: typeof inspector } };

/** Characters of an answer that one message carries: a message has a limit. */
const PART = 1_500_000;
const MOST_PARTS = 10;

let loading: Promise<Answer> | null = null;

async function load(source: string | null): Promise<Answer> {
  if (source === null) throw new Error("The inspector's code could not be fetched from this site.");
  const module = (await import(/* @vite-ignore */ `data:text/javascript;charset=utf-8,${encodeURIComponent(source)}`)) as Module;
  return module.default().inspector(weft, library);
}

/** Answers a question of the page's inspector; `source` is its module, the first time. */
export async function answerInspector(request: number, question: InspectorQuestion, source: string | null): Promise<void> {
  try {
    loading ??= load(source).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    const text = await (await loading)(question);
    const parts = Math.ceil(text.length / PART);
    if (parts > MOST_PARTS) throw new Error("This program is too large to be shown here. Call explain(fn, …args) in a cell to see it as text.");
    for (let part = 0; part < parts; part++) send({ type: "inspected", request, part, parts, text: text.slice(part * PART, (part + 1) * PART), failed: false });
  } catch (error) {
    send({ type: "inspected", request, part: 0, parts: 1, text: reportError(error).message.slice(0, 20_000), failed: true });
  }
}
