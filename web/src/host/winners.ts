// Store of the winners of kernel races. It is the page's own database, which all of its tabs share:
// the worker's origin is opaque and has none, so the worker asks the page. The page does not trust
// it: the worker may store tables under their own names, and nothing else.

import { allKept, ambientStore, forgetKept } from "../../../js/src/tune/store";
import type { PageMessage, WorkerMessage } from "../protocol/messages";
import { Emitter } from "../state/emitter";
import { tablesIn, winnersIn } from "../state/device/tuning";
import type { TuningPreference } from "../state/device/tuning";

type Send = (message: PageMessage) => void;

export class Winners {
  /** How many are known for the device that is open. */
  readonly events = new Emitter<number>();
  private readonly store = ambientStore();
  private send: Send = () => {};
  private sealed = false;

  constructor(private readonly preference: TuningPreference) {}

  get allowed(): boolean | null {
    return this.preference.value;
  }

  /** From now on there is another worker. */
  attach(send: Send): void {
    this.send = send;
    this.sealed = false;
    this.events.emit(0);
  }

  /** Answers a worker that asks for a table, or wants one kept. */
  async answer({ request, name, text }: Extract<WorkerMessage, { type: "winners" }>): Promise<void> {
    const { send } = this;
    let found: string | null = null;
    try {
      if (text === null) found = (await this.store?.get(name)) ?? null;
      else if (!this.sealed && tablesIn(text)[0]?.name === name) await this.store?.set(name, text);
    } catch {
      // A browser that keeps nothing: races are held again on the next visit.
    }
    if (send !== this.send) return;
    send({ type: "winners", request, text: found });
    // Where kernels may not race, their compile times are kept beside winners that are left alone.
    this.events.emit(this.allowed === false ? 0 : winnersIn(text ?? found ?? ""));
  }

  /** Nothing of this worker is kept from now on: it has seen or heard what must not leave it. */
  seal(): void {
    this.sealed = true;
  }

  allow(allowed: boolean): void {
    this.preference.choose(allowed);
    this.send({ type: "tune", allowed, winners: [] });
  }

  /** Everything that is kept, as text. */
  async export(): Promise<string> {
    return (this.store ? await allKept() : []).join("");
  }

  /** Keeps what was exported, here or elsewhere; how many tables that were. */
  async import(text: string): Promise<number> {
    const tables = tablesIn(text);
    for (const table of tables) await this.store?.set(table.name, table.text);
    this.send({ type: "tune", allowed: this.allowed, winners: tables.map((table) => table.text) });
    return tables.length;
  }

  async forget(): Promise<void> {
    if (this.store) await forgetKept();
    this.events.emit(0);
  }
}
