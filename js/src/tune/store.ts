// Storage of winners from visit to visit: any store that keeps text under a name. Where there is
// IndexedDB it is that, which all tabs of a site share.

/**
 * Keeps texts under names, for later visits: `init({ store })`.
 *
 * @example
 * const kept = new Map<string, string>();
 * const store = {
 *   get: async (name: string) => kept.get(name) ?? null,
 *   set: async (name: string, text: string) => void kept.set(name, text),
 * };
 * await init({ store });
 */
export interface Store {
  /** What is kept under a name, or null. */
  get(name: string): Promise<string | null>;
  /** Keeps a text under a name, in place of what was. */
  set(name: string, text: string): Promise<void>;
}

const DATABASE = "weft-gpu";
const TABLE = "tune";
/** Bounds of what is stored: devices, and characters for each. The library itself never needs
 * more. */
const MOST_NAMES = 32;
const MOST_CHARACTERS = 1 << 20;

/** The store of a page, or null where there is none: in Node, in frames of opaque origin. Tabs may
 * store at once: what each adds is kept.
 * @internal */
export function ambientStore(): Store | null {
  return globalThis.indexedDB && globalThis.origin !== "null" ? { get, set } : null;
}

/** Everything that is kept in it, of all devices. @internal */
export async function allKept(): Promise<string[]> {
  return texts(await withTable("readonly", (table) => table.getAll()));
}

/** Forgets everything that is kept in it. @internal */
export async function forgetKept(): Promise<void> {
  await withTable("readwrite", (table) => table.clear());
}

function texts(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === "string");
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the database gave no answer"));
  });
}

async function withTable<T>(mode: IDBTransactionMode, ask: (table: IDBObjectStore) => IDBRequest<T> | Promise<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(TABLE);
  const database = await answer(opening);
  try {
    const asked = ask(database.transaction(TABLE, mode).objectStore(TABLE));
    return await (asked instanceof IDBRequest ? answer(asked) : asked);
  } finally {
    database.close();
  }
}

async function get(name: string): Promise<string | null> {
  return texts([await withTable("readonly", (table) => table.get(name))])[0] ?? null;
}

async function set(name: string, text: string): Promise<void> {
  await withTable("readwrite", async (table) => {
    const [before] = texts([await answer(table.get(name))]);
    if (before === undefined && (await answer(table.count())) >= MOST_NAMES) await answer(table.clear());
    const merged = merge(before ?? "", text);
    return answer(table.put(merged.length > MOST_CHARACTERS ? text : merged, name));
  });
}

/** The entries of two tables, those of the second in place of such as have the same key; what is
 * none is left out. */
function merge(before: string, text: string): string {
  const [name, ...entries] = text.split("\n");
  const [other, ...earlier] = before.split("\n");
  const all = [...(other === name ? earlier : []), ...entries].filter((line) => /^[^\t]+\t[^\t]+\t\d+$/.test(line));
  return [name, ...new Map(all.map((line) => [line.split("\t")[0], line])).values(), ""].join("\n");
}
