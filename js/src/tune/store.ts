// Where are winners kept from visit to visit? In whatever keeps text under a name; where there is IndexedDB, in that, which all tabs of a
// site share.

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

/** The store of a page, or null where there is none: in Node, in frames of opaque origin, where the reader forbids it. @internal */
export function ambientStore(): Store | null {
  try {
    return globalThis.indexedDB ? { get, set } : null;
  } catch {
    return null;
  }
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the database gave no answer"));
  });
}

async function withTable<T>(mode: IDBTransactionMode, ask: (table: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(TABLE);
  const database = await answer(opening);
  try {
    return await answer(ask(database.transaction(TABLE, mode).objectStore(TABLE)));
  } finally {
    database.close();
  }
}

async function get(name: string): Promise<string | null> {
  const found: unknown = await withTable("readonly", (table) => table.get(name));
  return typeof found === "string" ? found : null;
}

async function set(name: string, text: string): Promise<void> {
  await withTable("readwrite", (table) => table.put(text, name));
}
