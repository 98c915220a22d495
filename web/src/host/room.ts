// Room in the browser's storage. The browser is asked not to clear the database by itself; the page
// says so when little room is left, and makes room from what is least missed before it refuses.

import { answer, transact } from "./database";
import type { NotebookStore } from "./notebooks";

/** Bytes that should be left: a notebook has at most 4 million characters, of which a write needs
 * two copies. */
const LITTLE = 20_000_000;

export interface Room {
  /** Bytes that are left; null where the browser does not say. */
  readonly left: number | null;
  readonly used: number | null;
  readonly little: boolean;
  /** Whether the browser clears nothing by itself. */
  readonly persistent: boolean;
}

export async function roomNow(): Promise<Room> {
  const { storage } = navigator;
  const { quota, usage } = (await storage?.estimate?.().catch(() => undefined)) ?? {};
  const persistent = (await storage?.persisted?.().catch(() => undefined)) ?? false;
  const left = quota === undefined || usage === undefined ? null : Math.max(0, quota - usage);
  return { left, used: usage ?? null, little: left !== null && left < LITTLE, persistent };
}

/** Asks the browser to keep what is stored until the reader clears it. Firefox asks the reader;
 * others decide by themselves. */
export async function askToPersist(): Promise<boolean> {
  const { storage } = navigator;
  if (await storage?.persisted?.().catch(() => false)) return true;
  return (await storage?.persist?.().catch(() => false)) ?? false;
}

/** Removes deleted notebooks, then the older half of every history; false where there was nothing
 * to remove. */
export async function makeRoom(store: NotebookStore): Promise<boolean> {
  if ((await store.purge(Infinity)) > 0) return true;
  return transact(["versions"], "readwrite", async (of) => {
    const keys = (await answer(of("versions").getAllKeys())) as [notebook: string, at: number][];
    const byNotebook = new Map<string, [string, number][]>();
    for (const key of keys) byNotebook.set(key[0], [...(byNotebook.get(key[0]) ?? []), key]);
    const older = [...byNotebook.values()].flatMap((all) => all.slice(0, Math.floor(all.length / 2)));
    for (const key of older) of("versions").delete(key);
    return older.length > 0;
  });
}
