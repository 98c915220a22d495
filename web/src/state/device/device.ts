// Choice of the device. The page takes WebGPU on a GPU, and Weft's own CPU device where there is no
// GPU or only one imitated by software, unless the reader or the page's address asks for another.

import { DEVICE_CHOICES } from "../../protocol/messages";
import type { DeviceChoice } from "../../protocol/messages";
import type { KeyValueStore } from "../notebook/storage";

const KEY = "weft:device";
const isChoice = (value: unknown): value is DeviceChoice => DEVICE_CHOICES.includes(value as DeviceChoice);

/** What the reader wants: for this visit what the address says (`?device=cpu`), else what was
 * chosen before. */
export class DevicePreference {
  private chosen: DeviceChoice;

  constructor(
    query: string,
    private readonly store: KeyValueStore | null,
  ) {
    const asked = new URLSearchParams(query).get("device");
    this.chosen = isChoice(asked) ? asked : this.stored();
  }

  get value(): DeviceChoice {
    return this.chosen;
  }

  choose(choice: DeviceChoice): void {
    this.chosen = choice;
    try {
      if (choice === "auto") this.store?.removeItem(KEY);
      else this.store?.setItem(KEY, choice);
    } catch {
      // Not remembered, but done.
    }
  }

  private stored(): DeviceChoice {
    try {
      const value = this.store?.getItem(KEY);
      return isChoice(value) ? value : "auto";
    } catch {
      return "auto";
    }
  }
}
