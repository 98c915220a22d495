// Questions of the inspector, and their answers, which come in parts. An answer is checked before
// it is used, and none is waited for after the worker's end.

import type { InspectorQuestion, PageMessage, WorkerMessage } from "../../protocol/messages";
import { readAnswer } from "../../protocol/inspection";
import type { Answers, Sites } from "../../protocol/inspection";

type Part = Extract<WorkerMessage, { type: "inspected" }>;

/** The session's side: messages out, and what comes of them. */
export interface InspectorChannel {
  send(message: PageMessage): void;
  /** Calls `onPart` with every part of an answer, and `ended` when the worker ends. Yields what
   * stops that. */
  listen(onPart: (part: Part) => void, ended: () => void): () => void;
}

interface Waiting {
  readonly parts: string[];
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
}

export class InspectorClient {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  /** Whether this worker has the module. */
  private loaded = false;
  /** The call sites that the latest answer named. */
  sites: Sites = [];
  private readonly stop: () => void;

  constructor(
    private readonly channel: InspectorChannel,
    private readonly fetchModule: () => Promise<string>,
  ) {
    this.stop = channel.listen((part) => this.receive(part), () => this.fail("The notebook was restarted."));
  }

  async ask<Q extends InspectorQuestion>(question: Q): Promise<Answers[Q["ask"]]> {
    const source = this.loaded ? null : await this.fetchModule();
    const request = ++this.last;
    const text = await new Promise<string>((resolve, reject) => {
      this.waiting.set(request, { parts: [], resolve, reject });
      this.channel.send({ type: "inspect", request, question, source });
    });
    this.loaded = true;
    const { answer, sites } = readAnswer(question.ask, text);
    this.sites = sites;
    return answer as Answers[Q["ask"]];
  }

  close(): void {
    this.stop();
    this.fail("The inspector was closed.");
  }

  private receive({ request, part, parts, text, failed }: Part): void {
    const waiting = this.waiting.get(request);
    if (!waiting || part !== waiting.parts.length || part >= parts) return;
    waiting.parts.push(text);
    if (!failed && part + 1 < parts) return;
    this.waiting.delete(request);
    if (failed) waiting.reject(new Error(text));
    else waiting.resolve(waiting.parts.join(""));
  }

  private fail(message: string): void {
    this.loaded = false;
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of all) reject(new Error(message));
  }
}
