// Edits of a notebook. The page loses none of them silently: deletions, edits in two tabs, and
// edits of a notebook that has changed since.
import { describe, expect, it, vi } from "vitest";
import { olderFingerprint } from "../../src/state/notebook/fingerprint";
import { parseNotebook, retitle, titleOf } from "../../src/state/notebook/notebook";
import { nowhere } from "../../src/state/notebook/records";
import { Workspace } from "../../src/state/notebook/workspace";
import type { WorkspaceEvent } from "../../src/state/notebook/workspace";
import { MemoryStore } from "../support/memory";

const code = (...sources: string[]) => sources.map((source) => "```js\n" + source + "\n```\n").join("\n");
const sources = (workspace: Workspace) => workspace.cells.map(({ source }) => source);
const open = async (store: MemoryStore, text = code("1", "2", "3"), id = "a") => {
  const workspace = new Workspace(store);
  workspace.open({ kind: "own", id, file: `${id}.md` }, text, await store.read(id));
  await workspace.save();
  return workspace;
};
const edit = async (workspace: Workspace, at: number, text: string) => {
  workspace.edit(workspace.cells[at]!.id, text, true);
  await workspace.save();
};
/** What was read of the store is taken in. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

describe("opening", () => {
  it("changes nothing where what was kept is more than a page can show", async () => {
    const store = new MemoryStore();
    await edit(await open(store, code("1"), "b"), 0, "kept");
    const held = { ...store.texts.get("b")! };
    store.texts.set("b", { ...held, text: held.text.replace("kept", `1\n${"```\n```js\n".repeat(20_001)}`) });
    const workspace = await open(store);
    await edit(workspace, 0, "mine");
    await expect(async () => workspace.open({ kind: "own", id: "b", file: null }, code("1"), await store.read("b"))).rejects.toThrow("more than 20,000 cells");
    expect(sources(workspace)).toEqual(["mine", "2", "3"]);
    expect([workspace.fileName, workspace.edited]).toEqual(["a.md", true]);
    await edit(workspace, 1, "still");
    expect(sources(await open(store))).toEqual(["mine", "still", "3"]);
  });
  it("of another notebook still writes what was typed into the one before", async () => {
    const store = new MemoryStore();
    const workspace = await open(store);
    workspace.edit(workspace.cells[0]!.id, "typed", true);
    workspace.open({ kind: "own", id: "b", file: null }, code("b"), null);
    workspace.edit(workspace.cells[0]!.id, "other", true);
    await workspace.save();
    await settled();
    expect([sources(await open(store)), sources(await open(store, code("b"), "b"))]).toEqual([["typed", "2", "3"], ["other"]]);
  });
});

describe("links", () => {
  // Both texts have the same FNV-1a of 32 bits, under which edits were kept once.
  const [mine, theirs] = [code("print(616428)"), code("print(1243906)")];
  const follow = async (store: MemoryStore, text: string) => {
    const workspace = new Workspace(store);
    workspace.open({ kind: "link" }, text, null);
    workspace.open({ kind: "link" }, text, await store.read(workspace.key));
    return workspace;
  };

  it("never share edits, whatever their texts", async () => {
    expect(olderFingerprint(mine)).toBe(olderFingerprint(theirs));
    const store = new MemoryStore();
    await edit(await follow(store, mine), 0, "edited");
    expect(sources(await follow(store, theirs))).toEqual(["print(1243906)"]);
    expect(sources(await follow(store, mine))).toEqual(["edited"]);
  });

  it("keep edits of an unchanged gallery's notebook from before without asking", () => {
    const workspace = new Workspace(nowhere);
    workspace.open({ kind: "gallery", file: "a.md" }, code("1"), { id: "gallery:a.md", text: code("mine"), original: null, base: olderFingerprint(code("1")), revision: "r" });
    expect([sources(workspace), workspace.rival]).toEqual([["mine"], null]);
  });
});

describe("a title", () => {
  it.each([
    ["# One\n\ntext", "# New\n\ntext"],
    ["text\n\n## One *two*\n\n# Three", "text\n\n## New\n\n# Three"],
    ["~~~\n# no heading\n~~~\n\n# One #", "~~~\n# no heading\n~~~\n\n# New"],
  ])("takes the place of the first heading of %j", (before, after) => {
    expect(retitle(parseNotebook(before), "New").map(({ source }) => source)).toEqual([after]);
  });
  it("stands above a notebook that has none", () => {
    const cells = retitle(parseNotebook(code("1")), "my_data of  two\nlines");
    expect([cells.map(({ source }) => source), titleOf(cells)]).toEqual([["# my_data of two lines", "1"], "my_data of two lines"]);
  });
  it("can be taken back", async () => {
    const workspace = await open(new MemoryStore());
    expect([workspace.rename("Named"), workspace.title, workspace.rename("Named")]).toEqual([true, "Named", false]);
    workspace.undo();
    expect([workspace.title, sources(workspace)]).toEqual(["Untitled", ["1", "2", "3"]]);
  });
});

describe("saving", () => {
  it("does not wait for a pause of typing", async () => {
    const store = new MemoryStore();
    const workspace = await open(store);
    let held = "";
    for (let i = 0; i < 100 && held === ""; i++) {
      workspace.edit(workspace.cells[0]!.id, `typed ${i}`, true);
      await new Promise((resolve) => setTimeout(resolve, 10));
      held = store.texts.get("a")?.text ?? "";
    }
    expect(held).toMatch(/typed \d/);
  });
  it("loses at most the last fifth of a second of typing", async () => {
    vi.useFakeTimers();
    try {
      const store = new MemoryStore();
      const workspace = await open(store);
      const typed = new Map<string, number>();
      for (let key = 0; key < 200; key++) {
        typed.set(`typed ${key}`, Date.now());
        workspace.edit(workspace.cells[0]!.id, `typed ${key}`, true);
        await vi.advanceTimersByTimeAsync(10);
        const held = /typed \d+/.exec(store.texts.get("a")?.text ?? "")?.[0];
        const since = held ? typed.get(held)! : typed.get("typed 0")!;
        expect(Date.now() - since).toBeLessThanOrEqual(200);
      }
      expect(store.writes).toBeLessThan(25);
    } finally {
      vi.useRealTimers();
    }
  });
  it("writes one text at a time, the latest last, and tells what is under way", async () => {
    const store = new MemoryStore();
    const workspace = await open(store);
    const saves = ["x", "y", "z"].map((text) => edit(workspace, 0, text));
    expect([workspace.unwritten, workspace.leaving.draft?.text, workspace.leaving.known.length]).toEqual([true, code("z", "2", "3"), 2]);
    await Promise.all(saves);
    expect([workspace.unwritten, workspace.leaving.known, store.texts.get("a")!.text]).toEqual([false, [store.texts.get("a")!.revision], code("z", "2", "3")]);
    expect(store.writes).toBeLessThan(4);
  });
  it("leaves the text unsaved where the store refuses, says why, and tries again", async () => {
    const store = new MemoryStore();
    const workspace = await open(store);
    const events: WorkspaceEvent[] = [];
    workspace.events.subscribe((event) => events.push(event));
    store.refuses = new DOMException("full", "QuotaExceededError");
    await edit(workspace, 0, "2");
    expect([workspace.unsaved, events.at(-1)]).toEqual([true, { type: "saved", kept: false, error: store.refuses }]);
    store.refuses = null;
    await workspace.save();
    expect([workspace.unsaved, events.at(-1), store.texts.get("a")?.text]).toEqual([false, { type: "saved", kept: true }, code("2", "2", "3")]);
  });
});

describe("deletions", () => {
  it("are taken back in order, latest first, each to its place", async () => {
    const workspace = await open(new MemoryStore());
    const remove = (at: number) => workspace.remove(workspace.cells[at]!.id);
    remove(0);
    remove(1);
    remove(0);
    expect([sources(workspace), workspace.undoable]).toEqual([[], 3]);
    workspace.undo();
    expect(sources(workspace)).toEqual(["2"]);
    workspace.undo();
    expect(sources(workspace)).toEqual(["2", "3"]);
    workspace.undo();
    workspace.undo();
    expect([sources(workspace), workspace.undoable, workspace.edited]).toEqual([["1", "2", "3"], 0, false]);
  });
  it("include a reset", async () => {
    const store = new MemoryStore();
    const workspace = await open(store);
    await edit(workspace, 0, "mine");
    workspace.reset();
    await workspace.save();
    expect(sources(await open(store))).toEqual(["1", "2", "3"]);
    workspace.undo();
    await workspace.save();
    expect([sources(workspace), sources(await open(store))]).toEqual([["mine", "2", "3"], ["mine", "2", "3"]]);
  });
  it("of another notebook are not this one's", async () => {
    const workspace = await open(new MemoryStore());
    workspace.remove(workspace.cells[0]!.id);
    workspace.open({ kind: "link" }, code("b"), null);
    workspace.undo();
    expect(sources(workspace)).toEqual(["b"]);
  });
});

describe("two tabs", () => {
  /** Two tabs on one notebook that is kept. */
  const both = async (store: MemoryStore) => {
    await edit(await open(store), 2, "kept");
    return [await open(store), await open(store)] as const;
  };
  it("take in what the other wrote, and keep what both wrote", async () => {
    const store = new MemoryStore();
    const [first, second] = await both(store);
    const events: string[] = [];
    second.events.subscribe(({ type }) => events.push(type));
    await edit(first, 0, "first");
    await second.look();
    expect([sources(second), second.rival, events]).toEqual([["first", "2", "kept"], null, ["source", "merged"]]);
    // Both write before either has heard of the other.
    await Promise.all([edit(first, 0, "first again"), edit(second, 1, "second")]);
    await settled();
    await second.save();
    await first.look();
    for (const tab of [first, second, await open(store)]) expect([sources(tab), tab.rival]).toEqual([["first again", "second", "kept"], null]);
  });
  it("keep their cells as they are merged, and add those of the other", async () => {
    const store = new MemoryStore();
    const [first, second] = await both(store);
    const ids = second.cells.map(({ id }) => id);
    first.insert(1, "code");
    await first.save();
    await second.look();
    expect([sources(second), second.cells.filter(({ id }) => ids.includes(id)).length]).toEqual([["1", "", "2", "kept"], 3]);
  });
  it("never overwrite each other's text in one cell, and each may be kept", async () => {
    for (const [which, kept] of [["shown", "second"], ["rival", "first"]] as const) {
      const store = new MemoryStore();
      const [first, second] = await both(store);
      await edit(first, 0, "first");
      await edit(second, 0, "second");
      await settled();
      expect([second.rival, second.unsaved, sources(await open(store))[0]]).toEqual(["tab", true, "first"]);
      second.choose(which);
      await second.save();
      expect([second.rival, second.unsaved, sources(second)[0], sources(await open(store))[0]]).toEqual([null, false, kept, kept]);
      // What was not kept is one undo away, and the first tab is asked in its turn.
      if (which === "rival") {
        second.undo();
        expect(sources(second)[0]).toBe("second");
      } else {
        await edit(first, 0, "more");
        await settled();
        expect([first.rival, sources(await open(store))[0]]).toEqual(["tab", kept]);
      }
    }
  });
  it("end their quarrel when the other takes its text back", async () => {
    const store = new MemoryStore();
    const [first, second] = await both(store);
    await edit(first, 0, "first");
    await edit(second, 0, "second");
    await settled();
    await edit(first, 0, "1");
    await second.look();
    await second.save();
    expect([second.rival, sources(await open(store))]).toEqual([null, ["second", "2", "kept"]]);
  });
  it("do not quarrel over one text", async () => {
    const store = new MemoryStore();
    const [first, second] = await both(store);
    await edit(first, 0, "same");
    await edit(second, 0, "same");
    await settled();
    expect([second.rival, sources(second)[0]]).toEqual([null, "same"]);
  });
  it("notice a reset in the other", async () => {
    const store = new MemoryStore();
    const gallery = async () => {
      const workspace = new Workspace(store);
      workspace.open({ kind: "gallery", file: "g.md" }, code("1", "2"), await store.read("gallery:g.md"));
      return workspace;
    };
    await edit(await gallery(), 0, "kept");
    const [first, second] = [await gallery(), await gallery()];
    first.reset();
    await first.save();
    await second.look();
    expect([second.rival, sources(second), second.edited, store.texts.size]).toEqual([null, ["1", "2"], false, 0]);
  });
});

describe("a file that has changed since it was edited", () => {
  const newer = code("1", "2", "3", "4");
  it("is offered beside the edits until the reader chooses", async () => {
    const store = new MemoryStore();
    await edit(await open(store), 0, "mine");
    for (let i = 0; i < 2; i++) {
      const workspace = await open(store, newer);
      expect([workspace.rival, sources(workspace)]).toEqual(["source", ["mine", "2", "3"]]);
      await edit(workspace, 1, `more ${i}`);
      expect(workspace.rival).toBe("source");
      await edit(workspace, 1, "2");
    }
    const workspace = await open(store, newer);
    workspace.choose("rival");
    expect([sources(workspace), workspace.edited]).toEqual([["1", "2", "3", "4"], false]);
    workspace.undo();
    expect(sources(workspace)).toEqual(["mine", "2", "3"]);
  });
  it("is not offered again when the edits were chosen", async () => {
    const store = new MemoryStore();
    await edit(await open(store), 0, "mine");
    const chosen = await open(store, newer);
    chosen.choose("shown");
    await chosen.save();
    const again = await open(store, newer);
    expect([again.rival, sources(again)]).toEqual([null, ["mine", "2", "3"]]);
  });
  it("takes the place of one that was never edited", async () => {
    const store = new MemoryStore();
    await edit(await open(store), 0, "x");
    await edit(await open(store), 0, "1");
    const again = await open(store, newer);
    expect([again.rival, sources(again), sources(await open(store, newer))]).toEqual([null, ["1", "2", "3", "4"], ["1", "2", "3", "4"]]);
  });
});

describe("what is done to cells", () => {
  const opened = () => {
    const workspace = new Workspace(nowhere);
    workspace.open({ kind: "link" }, "# One\n\n```js\na\nb\nc\n```\n\n```js\nd\n```\n\nText\n", null);
    return workspace;
  };
  const texts = (workspace: Workspace) => workspace.cells.map(({ source }) => source);
  const BEGIN = ["# One", "a\nb\nc", "d", "Text"];

  it("a cell is split at a place, merged with the one below, moved and duplicated; undo takes back the latest first", () => {
    const workspace = opened();
    const [, first, second] = workspace.cells;
    const third = workspace.split(first!.id, 2);
    expect(texts(workspace)).toEqual(["# One", "a", "b\nc", "d", "Text"]);
    workspace.move(third!.id, 1);
    expect(texts(workspace)).toEqual(["# One", "a", "d", "b\nc", "Text"]);
    expect(workspace.merge(second!.id)).toBe(true);
    expect(texts(workspace)).toEqual(["# One", "a", "d\nb\nc", "Text"]);
    workspace.duplicate(first!.id);
    expect(texts(workspace)).toEqual(["# One", "a", "a", "d\nb\nc", "Text"]);
    workspace.undo();
    workspace.undo();
    expect(texts(workspace)).toEqual(["# One", "a", "d", "b\nc", "Text"]);
    workspace.undo();
    expect(texts(workspace)).toEqual(["# One", "a", "b\nc", "d", "Text"]);
    workspace.undo();
    expect(texts(workspace)).toEqual(BEGIN);
    expect(workspace.undoable).toBe(0);
  });

  it("what was written since is not lost", () => {
    const workspace = opened();
    const [, first] = workspace.cells;
    workspace.merge(first!.id);
    workspace.edit(first!.id, "a\nb\nc\nd\nnew", true);
    workspace.undo();
    expect(texts(workspace)).toEqual(["# One", "a\nb\nc\nd\nnew", "d", "Text"]);
    const part = workspace.split(first!.id, 2);
    workspace.edit(part!.id, "changed", true);
    workspace.undo();
    expect(texts(workspace)[1]).toBe("a\nchanged");
    const copy = workspace.duplicate(first!.id);
    workspace.remove(copy!.id);
    workspace.undo();
    workspace.undo();
    expect(texts(workspace)).toEqual(["# One", "a\nchanged", "d", "Text"]);
  });

  it("what cannot be done changes nothing", () => {
    const workspace = opened();
    const [text, first, second] = workspace.cells;
    expect(workspace.split(first!.id, 0)).toBeNull();
    expect(workspace.split(first!.id, 100)).toBeNull();
    expect(workspace.merge(second!.id)).toBe(false);
    expect(workspace.merge(text!.id)).toBe(false);
    workspace.move(text!.id, -1);
    expect(texts(workspace)).toEqual(BEGIN);
    expect(workspace.undoable).toBe(0);
  });
});
