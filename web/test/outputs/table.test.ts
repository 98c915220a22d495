// Tables of outputs, as a screen reader reads them.
import { parseHTML } from "linkedom";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

beforeAll(() => {
  const { document, HTMLElement, Node } = parseHTML("<!doctype html><html><body></body></html>");
  vi.stubGlobal("document", document);
  vi.stubGlobal("HTMLElement", HTMLElement);
  vi.stubGlobal("Node", Node);
});
afterAll(() => vi.unstubAllGlobals());

it("a column without a name has no heading, unless its type says something", async () => {
  const { tableView } = await import("../../src/view/outputs/table");
  const heads = (columns: string[], types?: string[]) => {
    const table = tableView({ content: { kind: "table", title: undefined, columns, types, rows: [["by hand", "1"]], omitted: 0 } } as never);
    return [...table.querySelectorAll("thead tr > *")].map(({ tagName, textContent }) => `${tagName} ${textContent}`);
  };
  expect(heads(["", "a"])).toEqual(["TD ", "TH a"]);
  expect(heads(["", "a"], ["string", "number"])).toEqual(["TH string", "TH anumber"]);
});
