// Throttling of a run that shows more outputs than anyone looks at. The worker sends the latest
// output a few times a second and when the run ends, and the number of the others: the page would
// choke on all of them.

import type { RunId } from "../../protocol/messages";
import { callFrom } from "./context";
import type { Slot } from "./context";
import { Pace } from "./pace";
import { send } from "./port";

const PACE = 500;

interface Latest {
  readonly slot: Slot;
  readonly show: () => void;
  readonly forget: () => void;
}

class LateOutputs {
  private latest: Latest | null = null;
  private omitted = 0;
  private readonly pace = new Pace(() => this.flush(), PACE);

  constructor(private readonly run: RunId) {}

  keep(latest: Latest): void {
    const before = this.latest;
    if (before && before.slot.output !== latest.slot.output) this.omitted++;
    before?.forget();
    this.latest = latest;
    this.pace.changed();
  }

  private flush(): void {
    const { latest, omitted } = this;
    this.latest = null;
    this.omitted = 0;
    if (omitted > 0) send({ type: "omitted", run: this.run, count: omitted });
    if (latest) callFrom(this.run, latest.show);
  }
}

const runs = new Map<RunId, LateOutputs>();

/** `show` is called if this is still the latest output when the time has come, else `forget`. */
export function showLate(slot: Slot, show: () => void, forget: () => void = () => undefined): void {
  if (slot.run === null) return;
  let late = runs.get(slot.run);
  if (!late) runs.set(slot.run, (late = new LateOutputs(slot.run)));
  late.keep({ slot, show, forget });
}
