// Messages between the tabs of this browser that show this site. They tell each other which
// notebook they have open, so that the later one of two hears of the earlier, and which they have
// changed.

import { site } from "./fetch";

interface Notice {
  readonly type: "open" | "here" | "gone" | "wrote";
  readonly key: string;
  readonly tab: string;
}

export interface TabEvents {
  /** Whether another tab had the notebook first and still has it. */
  elsewhere(open: boolean): void;
  /** Another tab has changed a notebook in the store. */
  wrote(key: string): void;
}

export class Tabs {
  private readonly channel = new BroadcastChannel(`weft ${site}`);
  private readonly tab = crypto.randomUUID?.() ?? String(Math.random());
  private readonly others = new Set<string>();
  private key = "";

  constructor(private readonly events: TabEvents) {
    this.channel.onmessage = ({ data }: MessageEvent<Notice>) => this.receive(data);
    addEventListener("pagehide", () => this.say("gone"));
  }

  open(key: string): void {
    this.say("gone");
    this.key = key;
    this.others.clear();
    this.events.elsewhere(false);
    this.say("open");
  }

  /** This tab has changed a notebook in the store. */
  wrote(key: string): void {
    this.say("wrote", key);
  }

  private say(type: Notice["type"], key = this.key): void {
    this.channel.postMessage({ type, key, tab: this.tab } satisfies Notice);
  }

  private receive({ type, key, tab }: Notice): void {
    if (tab === this.tab) return;
    if (type === "wrote") return this.events.wrote(key);
    if (key !== this.key) return;
    if (type === "open") return this.say("here");
    if (type === "here") this.others.add(tab);
    else this.others.delete(tab);
    this.events.elsewhere(this.others.size > 0);
  }
}
