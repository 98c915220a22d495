// The page's database: the reader's notebooks with their texts, versions and files. It is
// IndexedDB, one for the site's origin, which all tabs share.

const NAME = "weft";
const VERSION = 1;

/**
 * Tables and their keys. A notebook's id is `Workspace.key`, also of notebooks of the gallery and
 * of links. What belongs to a notebook is keyed by its id first, so that `ofNotebook` is the range
 * of it.
 */
const TABLES = {
  /** What lists show of a notebook: `NotebookEntry`. */
  notebooks: "id",
  /** Its text: `NotebookText`. */
  texts: "id",
  /** Its history: `Version`. `at` is the time in milliseconds. */
  versions: ["notebook", "at"],
  /** Its files: rows with at least `notebook`, its id, and `name`. */
  files: ["notebook", "name"],
} satisfies Record<string, string | string[]>;
export type Table = keyof typeof TABLES;

/** The keys of all rows of a notebook in `versions` or `files`: an array is greater than any text,
 * number or date. */
export const ofNotebook = (id: string): IDBKeyRange => IDBKeyRange.bound([id], [id, []]);

let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  return (opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    // Reading the property itself throws where storage is forbidden.
    const opening = indexedDB.open(NAME, VERSION);
    opening.onupgradeneeded = () => {
      for (const [table, keyPath] of Object.entries(TABLES)) opening.result.createObjectStore(table, { keyPath });
    };
    opening.onsuccess = () => {
      const database = opening.result;
      const close = () => (opened = null);
      // A later version of the page, in another tab, waits for this.
      database.onversionchange = () => (database.close(), close());
      database.onclose = close;
      resolve(database);
    };
    opening.onerror = () => reject(opening.error ?? new Error("The browser's database cannot be opened."));
  }).catch((error: unknown) => {
    opened = null;
    throw error;
  }));
}

/** The answer to a request. */
export function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("The browser's database gave no answer."));
  });
}

/**
 * Does `work` in one transaction: all of it is kept, or nothing where any of it fails. It may await
 * answers of these tables, and nothing else: a transaction ends by itself when it has nothing to
 * do.
 */
export async function transact<T>(tables: readonly Table[], mode: IDBTransactionMode, work: (of: (table: Table) => IDBObjectStore) => Promise<T>): Promise<T> {
  const transaction = (await open()).transaction(tables as Table[], mode);
  const ended = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("The browser's database stored nothing."));
  });
  try {
    const result = await work((table) => transaction.objectStore(table));
    await ended;
    return result;
  } catch (error) {
    ended.catch(() => undefined);
    try {
      transaction.abort();
    } catch {
      // It has ended by itself.
    }
    throw error;
  }
}

/** Whether the browser refused because there is no more room. */
export const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === "QuotaExceededError";
