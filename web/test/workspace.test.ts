// Edits of a notebook. The page loses none of them silently: deletions, edits in two tabs, and
// edits of a notebook that has changed since.
import { describe, expect, it } from "vitest";
import { olderFingerprint } from "../src/state/notebook/fingerprint";
import { EditStore } from "../src/state/notebook/storage";
import { Workspace } from "../src/state/notebook/workspace";
import type { WorkspaceEvent } from "../src/state/notebook/workspace";

const memory = () => {
  const map = new Map<string, string>();
  return { map, getItem: (key: string) => map.get(key) ?? null, setItem: (key: string, value: string) => void map.set(key, value), removeItem: (key: string) => void map.delete(key) };
};
const code = (...sources: string[]) => sources.map((source) => "```js\n" + source + "\n```\n").join("\n");
const sources = (workspace: Workspace) => workspace.cells.map(({ source }) => source);
const open = (store: ReturnType<typeof memory>, text = code("1", "2", "3"), file = "a.md") => {
  const workspace = new Workspace(new EditStore(store));
  workspace.open({ kind: "file", file }, text);
  return workspace;
};
const edit = (workspace: Workspace, at: number, text: string) => {
  workspace.edit(workspace.cells[at]!.id, text, true);
  workspace.save();
};

describe("opening", () => {
  it("changes nothing where what was kept is more than a page can show", () => {
    const store = memory();
    edit(open(store, code("1"), "b.md"), 0, "kept");
    const key = [...store.map.keys()].find((name) => store.map.get(name)?.includes("kept"))!;
    store.map.set(key, store.map.get(key)!.replace("kept", `1\n${"```\n```js\n".repeat(20_001)}`));
    const workspace = open(store);
    edit(workspace, 0, "mine");
    expect(() => workspace.open({ kind: "file", file: "b.md" }, code("1"))).toThrow("more than 20,000 cells");
    expect(sources(workspace)).toEqual(["mine", "2", "3"]);
    expect([workspace.fileName, workspace.edited]).toEqual(["a.md", true]);
    edit(workspace, 1, "still");
    expect(sources(open(store))).toEqual(["mine", "still", "3"]);
  });
});

describe("links", () => {
  // Both texts have the same FNV-1a of 32 bits, under which edits were kept once.
  const [mine, theirs] = [code("print(616428)"), code("print(1243906)")];
  const follow = (store: ReturnType<typeof memory>, text: string) => {
    const workspace = new Workspace(new EditStore(store));
    const events: WorkspaceEvent[] = [];
    workspace.events.subscribe((event) => void events.push(event));
    workspace.open({ kind: "link" }, text);
    return { workspace, asked: events.some(({ type }) => type === "older") };
  };

  it("never share edits, whatever their texts", () => {
    expect(olderFingerprint(mine)).toBe(olderFingerprint(theirs));
    const store = memory();
    const { workspace } = follow(store, mine);
    edit(workspace, 0, "edited");
    expect(sources(follow(store, theirs).workspace)).toEqual(["print(1243906)"]);
    expect(sources(follow(store, mine).workspace)).toEqual(["edited"]);
    expect(follow(store, theirs).asked).toBe(false);
  });

  it("show edits of earlier versions only when they are asked for", () => {
    const store = memory();
    store.map.set(`weft:notebook:link:${olderFingerprint(mine)}`, code("old edit"));
    store.map.set(`weft:base:link:${olderFingerprint(mine)}`, olderFingerprint(mine));
    const { workspace, asked } = follow(store, theirs);
    expect([asked, sources(workspace), workspace.edited]).toEqual([true, ["print(1243906)"], false]);
    const again = follow(store, mine);
    expect(again.asked).toBe(true);
    again.workspace.showOlder();
    expect(sources(again.workspace)).toEqual(["old edit"]);
    expect([follow(store, mine).asked, sources(follow(store, mine).workspace), sources(follow(store, theirs).workspace)]).toEqual([false, ["old edit"], ["print(1243906)"]]);
    again.workspace.undo();
    expect(sources(again.workspace)).toEqual(["print(616428)"]);
  });

  it("keep edits of an unchanged gallery's notebook from before without asking", () => {
    const store = memory();
    const key = "gallery:a.md";
    store.map.set(`weft:notebook:${key}`, code("mine"));
    store.map.set(`weft:base:${key}`, olderFingerprint(code("1")));
    const workspace = new Workspace(new EditStore(store));
    workspace.open({ kind: "gallery", file: "a.md" }, code("1"));
    expect([sources(workspace), workspace.rival]).toEqual([["mine"], null]);
  });
});

describe("deletions", () => {
  it("are taken back in order, latest first, each to its place", () => {
    const workspace = open(memory());
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
  it("include a reset", () => {
    const store = memory();
    const workspace = open(store);
    edit(workspace, 0, "mine");
    workspace.reset();
    expect(store.map.size).toBe(0);
    workspace.undo();
    workspace.save();
    expect([sources(workspace), sources(open(store))]).toEqual([["mine", "2", "3"], ["mine", "2", "3"]]);
  });
  it("of another notebook are not this one's", () => {
    const workspace = open(memory());
    workspace.remove(workspace.cells[0]!.id);
    workspace.open({ kind: "file", file: "b.md" }, code("b"));
    workspace.undo();
    expect(sources(workspace)).toEqual(["b"]);
  });
});

describe("two tabs", () => {
  it("never overwrite each other's text, and each may be kept", () => {
    for (const [which, kept] of [["shown", ["1", "second", "3"]], ["rival", ["first", "2", "3"]]] as const) {
      const store = memory();
      const [first, second] = [open(store), open(store)];
      const told: WorkspaceEvent[] = [];
      second.events.subscribe((event) => told.push(event));
      edit(first, 0, "first");
      edit(second, 1, "second");
      expect([second.rival, second.unsaved, sources(open(store))]).toEqual(["tab", true, ["first", "2", "3"]]);
      expect(told.some(({ type }) => type === "saved")).toBe(false);
      second.choose(which);
      expect([second.rival, second.unsaved, sources(second), sources(open(store))]).toEqual([null, false, kept, kept]);
      // What was not kept is one undo away, and the first tab is told in its turn.
      if (which === "rival") {
        second.undo();
        expect(sources(second)).toEqual(["1", "second", "3"]);
      } else {
        edit(first, 2, "more");
        expect([first.rival, sources(open(store))]).toEqual(["tab", kept]);
      }
    }
  });
  it("are told of each other's text before they write", () => {
    const store = memory();
    const [first, second] = [open(store), open(store)];
    edit(first, 0, "first");
    second.look();
    expect(second.rival).toBe("tab");
    second.choose("rival");
    expect([sources(second), second.edited]).toEqual([["first", "2", "3"], true]);
  });
  it("do not quarrel over one text", () => {
    const store = memory();
    const [first, second] = [open(store), open(store)];
    edit(first, 0, "same");
    edit(second, 0, "same");
    expect(second.rival).toBe(null);
  });
  it("notice a reset in the other", () => {
    const store = memory();
    edit(open(store), 0, "kept");
    const [first, second] = [open(store), open(store)];
    first.reset();
    edit(second, 1, "second");
    expect([second.rival, store.map.size]).toEqual(["tab", 0]);
    second.choose("rival");
    expect(sources(second)).toEqual(["1", "2", "3"]);
  });
});

describe("a file that has changed since it was edited", () => {
  const newer = code("1", "2", "3", "4");
  it("is offered beside the edits until the reader chooses", () => {
    const store = memory();
    edit(open(store), 0, "mine");
    for (let i = 0; i < 2; i++) {
      const workspace = open(store, newer);
      expect([workspace.rival, sources(workspace)]).toEqual(["source", ["mine", "2", "3"]]);
      edit(workspace, 1, `more ${i}`);
      expect(workspace.rival).toBe("source");
      workspace.edit(workspace.cells[1]!.id, "2", true);
      workspace.save();
    }
    const workspace = open(store, newer);
    workspace.choose("rival");
    expect([sources(workspace), workspace.edited]).toEqual([["1", "2", "3", "4"], false]);
    workspace.undo();
    expect(sources(workspace)).toEqual(["mine", "2", "3"]);
  });
  it("is not offered again when the edits were chosen", () => {
    const store = memory();
    edit(open(store), 0, "mine");
    open(store, newer).choose("shown");
    const again = open(store, newer);
    expect([again.rival, sources(again)]).toEqual([null, ["mine", "2", "3"]]);
  });
  it("is no rival where nothing was edited", () => {
    const store = memory();
    edit(open(store), 0, "1");
    expect(open(store, newer).rival).toBe(null);
  });
});

it("a store that refuses leaves the text unsaved, and says so", () => {
  const refuse = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  const workspace = new Workspace(new EditStore({ getItem: () => null, setItem: refuse, removeItem: refuse }));
  const told: WorkspaceEvent[] = [];
  workspace.events.subscribe((event) => told.push(event));
  workspace.open({ kind: "file", file: "a.md" }, code("1"));
  edit(workspace, 0, "2");
  expect([workspace.unsaved, told.at(-1)]).toEqual([true, { type: "saved", kept: false }]);
});

describe("what is done to cells", () => {
  const opened = () => {
    const workspace = new Workspace(new EditStore(null));
    workspace.open({ kind: "link" }, "# One\n\n```js\na\nb\nc\n```\n\n```js\nd\n```\n\nText\n");
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
