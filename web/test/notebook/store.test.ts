// The store of notebooks: what it removes for good, and what it does where the browser has no more
// room.
import "fake-indexeddb/auto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { answer, transact } from "../../src/host/database";
import type { Table } from "../../src/host/database";
import { NotebookStore, copyOf } from "../../src/host/notebooks";
import { askToPersist, makeRoom, roomNow } from "../../src/host/room";
import { DELETED_FOR } from "../../src/state/notebook/records";

const DAY = 24 * 3_600_000;
const TABLES = ["notebooks", "texts", "versions", "files"] as const;
let store: NotebookStore;

beforeEach(async () => {
  vi.restoreAllMocks();
  await transact(TABLES, "readwrite", async (of) => TABLES.forEach((table) => of(table).clear()));
  store = new NotebookStore(() => makeRoom(store));
});

/** A notebook with a file and some versions. */
async function keep(id: string, versions = 1): Promise<void> {
  await store.create(copyOf(id, `# ${id}\n`, id));
  await transact(["versions", "files"], "readwrite", async (of) => {
    for (let at = 1; at <= versions; at++) of("versions").put({ notebook: id, at, why: "run", text: `${at}` });
    of("files").put({ notebook: id, name: "a.csv" });
  });
}

/** Ids in each table. */
const held = () =>
  transact(TABLES, "readonly", async (of) => {
    const found: Partial<Record<Table, string[]>> = {};
    for (const table of TABLES) {
      const keys = (await answer(of(table).getAllKeys())) as (string | [string, unknown])[];
      found[table] = [...new Set(keys.map((key) => (typeof key === "string" ? key : key[0])))];
    }
    return found;
  });
const all = (...ids: string[]) => Object.fromEntries(TABLES.map((table) => [table, ids]));

describe("a notebook that was deleted", () => {
  it("is there for thirty days, whole, and can be restored", async () => {
    await keep("a");
    await store.remove("a");
    expect(await store.purge()).toBe(0);
    expect(await store.purge(Date.now() - DELETED_FOR + DAY)).toBe(0);
    await store.restore("a");
    expect(await store.purge(Infinity)).toBe(0);
    expect(await held()).toEqual(all("a"));
  });

  it("goes after that with all that belongs to it, and nothing else goes", async () => {
    for (const id of ["a", "ab", "b"]) await keep(id);
    await store.remove("a");
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + DELETED_FOR + DAY);
    await store.remove("ab");
    expect(await store.purge()).toBe(1);
    expect(await held()).toEqual(all("ab", "b"));
  });

  it("stays where another tab restores it just before it would go", async () => {
    await keep("a");
    await store.remove("a");
    const other = new NotebookStore(() => Promise.resolve(false));
    const list = store.list.bind(store);
    vi.spyOn(store, "list").mockImplementation(async () => {
      const found = await list();
      await other.restore("a");
      return found;
    });
    expect(await store.purge(Infinity)).toBe(0);
    expect(await held()).toEqual(all("a"));
  });
});

describe("a store that is full", () => {
  /** It refuses until something is removed. */
  function fill(): void {
    const proto = IDBObjectStore.prototype;
    const remove = proto.delete;
    const puts = vi.spyOn(proto, "put").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    vi.spyOn(proto, "delete").mockImplementation(function (this: IDBObjectStore, key) {
      puts.mockRestore();
      return remove.call(this, key);
    });
  }

  it("takes an edit in the place of what was deleted, and keeps every other notebook whole", async () => {
    for (const id of ["a", "b"]) await keep(id, 4);
    await store.remove("b");
    fill();
    await store.replaceText("a", "# New\n");
    expect((await store.read("a"))?.text).toBe("# New\n");
    expect(await held()).toEqual(all("a"));
    expect(await transact(["versions"], "readonly", (of) => answer(of("versions").count()))).toBe(4);
  });

  it("gives up the older half of each history where nothing was deleted", async () => {
    for (const id of ["a", "b"]) await keep(id, 4);
    fill();
    await store.replaceText("a", "# New\n");
    expect((await store.read("a"))?.text).toBe("# New\n");
    expect(await held()).toEqual(all("a", "b"));
    expect(await transact(["versions"], "readonly", (of) => answer(of("versions").getAllKeys()))).toEqual([["a", 3], ["a", 4], ["b", 3], ["b", 4]]);
  });

  it("says so where there is nothing to give up, and holds what it held", async () => {
    await keep("a");
    fill();
    await expect(store.replaceText("a", "# New\n")).rejects.toThrow("full");
    expect((await store.read("a"))?.text).toMatch(/^# a/);
  });
});

describe("room", () => {
  const storage = (of: Partial<StorageManager>) => vi.stubGlobal("navigator", { storage: of });

  it("is little below 20 MB", async () => {
    storage({ estimate: () => Promise.resolve({ quota: 1e8, usage: 1e8 - 3e7 }), persisted: () => Promise.resolve(true) });
    expect(await roomNow()).toEqual({ left: 3e7, used: 7e7, little: false, persistent: true });
    storage({ estimate: () => Promise.resolve({ quota: 1e8, usage: 1e8 - 1e7 }) });
    expect(await roomNow()).toEqual({ left: 1e7, used: 9e7, little: true, persistent: false });
    storage({ estimate: () => Promise.reject(new Error("private")) });
    expect(await roomNow()).toEqual({ left: null, used: null, little: false, persistent: false });
  });

  it("is asked for once, and a browser that refuses or cannot is no error", async () => {
    const persist = vi.fn(() => Promise.resolve(false));
    storage({ persisted: () => Promise.resolve(true), persist });
    expect(await askToPersist()).toBe(true);
    expect(persist).not.toHaveBeenCalled();
    storage({ persisted: () => Promise.resolve(false), persist });
    expect(await askToPersist()).toBe(false);
    expect(persist).toHaveBeenCalledOnce();
    vi.stubGlobal("navigator", {});
    expect(await askToPersist()).toBe(false);
  });
});
