// Detection of a notebook that is open in two tabs of this browser. Tabs of this site tell each
// other which notebook they have open; a tab that opens a notebook later gets an answer from the
// one that has it.

import { site } from "./fetch";

interface Notice {
  readonly type: "open" | "here" | "gone";
  readonly key: string;
  readonly tab: string;
}

export class Tabs {
  private readonly channel = new BroadcastChannel(`weft ${site}`);
  private readonly tab = crypto.randomUUID?.() ?? String(Math.random());
  private readonly others = new Set<string>();
  private key = "";

  /** `changed` hears whether another tab had the notebook first and still has it. */
  constructor(private readonly changed: (elsewhere: boolean) => void) {
    this.channel.onmessage = ({ data }: MessageEvent<Notice>) => this.receive(data);
    addEventListener("pagehide", () => this.say("gone"));
  }

  open(key: string): void {
    this.say("gone");
    this.key = key;
    this.others.clear();
    this.changed(false);
    this.say("open");
  }

  private say(type: Notice["type"]): void {
    this.channel.postMessage({ type, key: this.key, tab: this.tab } satisfies Notice);
  }

  private receive({ type, key, tab }: Notice): void {
    if (key !== this.key || tab === this.tab) return;
    if (type === "open") return this.say("here");
    if (type === "here") this.others.add(tab);
    else this.others.delete(tab);
    this.changed(this.others.size > 0);
  }
}
