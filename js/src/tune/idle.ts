// Idle-time tuning. Kernels race when a program has asked nothing of the device for a while and the
// page is idle; after a few milliseconds the tuner asks again. It stores the winners, and uses
// stored winners without a race. How long kernels take to compile is kept beside them: it decides
// which have a shorter text that serves first.

import { coreOf, currentSession, fetchRest, type Core } from "../core/wasm/core.js";
import { compiles } from "../core/device/compiler.js";
import { ambientStore, type Store } from "./store.js";

/** When kernels may race. */
export type Tuning = false | "idle" | "now";

/** Milliseconds without a flush after which a device counts as idle. */
const QUIET = 100;
/** Milliseconds after which the times of kernels that were compiled meanwhile are stored. */
const LATER = 1000;
/** Milliseconds in which a store should answer. */
const PATIENCE = 2000;
/** Of what a slice tells: there is more to race for; a race has ended. */
const MORE = 1;
const ENDED = 2;

/** The races of the open device. */
let races: Races | null = null;

/** Begins to tune the device that was just opened; what is stored comes later. @internal */
export function beginTuning(tuning: Tuning, store: Store | null = ambientStore()): void {
  const core = coreOf(currentSession());
  if (core) races = new Races(core, tuning, store);
}

/** Tunes the open device so from now on, and keeps winners there, if that is given. @internal */
export function changeTuning(tuning: Tuning | undefined, store?: Store | null): void {
  races?.change(tuning, store);
}

/** All races that wait, one after the other, and all kernels that are being compiled. @internal */
export async function raceAll(): Promise<void> {
  await races?.all();
  while (compiles.optimising > 0) await awake(pause(1));
}

class Races {
  readonly #session = currentSession();
  /** The line that says for which device winners are: the name they are stored under. */
  readonly #name: string;
  #tuning: Tuning = false;
  #store: Store | null;
  #known: Promise<unknown> = Promise.resolve();
  #current: Promise<number> | null = null;
  #isAwake = false;
  #isStoring = false;
  #stored = "";

  constructor(core: Core, tuning: Tuning, store: Store | null) {
    this.#store = store;
    this.#name = core.tune_export().split("\n", 1)[0] ?? "";
    core.tune_begin(() => this.#wake());
    compiles.ended = () => this.#storeLater();
    this.#tuning = tuning;
    core.tune_switch(tuning !== false);
    this.#known = this.#load();
  }

  change(tuning = this.#tuning, store = this.#store): void {
    const isNew = (tuning !== false && this.#tuning === false) || store !== this.#store;
    this.#tuning = tuning;
    this.#store = store;
    this.#core?.tune_switch(tuning !== false);
    if (isNew && tuning !== false) this.#known = this.#load();
  }

  /** The core, while the device is open. */
  get #core(): Core | null {
    return coreOf(this.#session);
  }

  /** Called from within the core, which must not be called back. */
  #wake(): void {
    if (this.#isAwake) return;
    this.#isAwake = true;
    void this.#run()
      // A device that is lost races no more; other calls throw.
      .catch(() => {})
      .finally(() => {
        this.#isAwake = false;
      });
  }

  async #run(): Promise<void> {
    await pause(0);
    await this.#known;
    let [ticks, ready] = [-1, false];
    for (let state = MORE; state & MORE; ) {
      const core = this.#core;
      if (!core) return;
      if (this.#tuning !== "now" && core.ticks() !== ticks) {
        // Somebody works: not now.
        ticks = core.ticks();
        await pause(QUIET);
      } else if (!ready) {
        // Races are in the deferred part of the core.
        await fetchRest("tune");
        ready = true;
      } else {
        state = await this.#slice(core);
      }
      await this.#idle();
    }
  }

  async all(): Promise<void> {
    await awake(this.#known);
    await awake(fetchRest("tune.race"));
    for (let state = MORE; state & MORE; ) {
      const core = this.#core;
      if (!core) return;
      state = await awake(this.#slice(core));
    }
  }

  /** One slice; calls that come meanwhile wait for the same. */
  #slice(core: Core): Promise<number> {
    this.#current ??= (core.tune_slice() as Promise<number>)
      .then(async (state) => {
        if (state & ENDED) await this.#save(true);
        return state;
      })
      .finally(() => {
        this.#current = null;
      });
    return this.#current;
  }

  #idle(): Promise<void> {
    if (this.#tuning === "now" || typeof requestIdleCallback !== "function") return pause(0);
    return new Promise((resolve) => requestIdleCallback(() => resolve()));
  }

  /** Takes what is stored for this device, and gives it: null for nothing, undefined where that is
   * not known. Not for long is it waited for. */
  async #load(): Promise<string | null | undefined> {
    return Promise.race([this.#read(), pause(PATIENCE)]) as Promise<string | null | undefined>;
  }

  async #read(): Promise<string | null | undefined> {
    try {
      const text = (await this.#store?.get(this.#name)) ?? null;
      if (!text) return null;
      this.#core?.learn_compile_times(timesIn(text));
      if (this.#tuning !== false) this.#core?.tune_import(text);
      return text;
    } catch (error) {
      warn("could not be read", error);
      return undefined;
    }
  }

  /** Stores what kernels took to compile, once nobody waits for them. */
  #storeLater(): void {
    if (this.#isStoring) return;
    this.#isStoring = true;
    void pause(LATER)
      .then(() => this.#save(false))
      .catch(() => {})
      .finally(() => {
        this.#isStoring = false;
      });
  }

  /** Stores compile times, and winners where a race has ended: others stay as they are stored. What
   * another tab has stored meanwhile stays, too. */
  async #save(hasEnded: boolean): Promise<void> {
    if (!this.#store) return;
    const before = await this.#load();
    const core = this.#core;
    if (before === undefined && !hasEnded) return;
    const known = core?.tune_export() ?? "";
    const lines = before?.startsWith(`${this.#name}\n`) ? before.split("\n") : [this.#name];
    // Where kernels race, what is stored and no winner goes.
    const own = new Set(this.#tuning === false ? lines : known.split("\n"));
    const winners = hasEnded ? known : lines.filter((line) => line !== "" && !line.startsWith("compiled ") && own.has(line)).join("\n") + "\n";
    const text = core && winners && winners + timesText(core.compile_times());
    if (!text || text === this.#stored) return;
    this.#stored = text;
    const writing = this.#store.set(this.#name, text);
    // Races go on meanwhile.
    void Promise.resolve(writing).catch((error: unknown) => warn("could not be stored", error));
  }
}

/** Times of compilation among the lines of a table: the nanoseconds of an expression, then a name
 * and nanoseconds for each text. */
function timesIn(text: string): Float64Array {
  let pace = 0;
  const times: number[] = [];
  for (const [, name = "", time] of text.matchAll(/^compiled (\w+)\t\w+\t(\d+)$/gm)) {
    if (name === "pace") pace = Number(time);
    else times.push(parseInt(name, 16), Number(time));
  }
  return Float64Array.of(pace, ...times);
}

/** The same as lines. */
function timesText([pace = 0, ...times]: Float64Array): string {
  let text = `compiled pace\texpression\t${Math.round(pace)}\n`;
  for (let n = 0; n < times.length; n += 2) text += `compiled ${(times[n] as number).toString(16)}\ttext\t${Math.round(times[n + 1] as number)}\n`;
  return text;
}

function warn(what: string, error: unknown): void {
  console.warn(`weft-gpu: the winners of races between kernels ${what}: ${String(error)}`);
}

/** Waits, without keeping Node alive. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, milliseconds);
    if (typeof timer === "object") (timer as { unref(): void }).unref();
  });
}

/** What a promise gives, whatever else is done meanwhile: Node, which does not see whom JavaScript
 * waits for, stays alive. */
async function awake<T>(promise: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 1000);
  try {
    const value = await promise;
    // Others have their turn, timers included.
    await new Promise((resolve) => setTimeout(resolve));
    return value;
  } finally {
    clearInterval(timer);
  }
}
