// Addresses of notebooks on the web: which are fetched, and which without asking.
import { describe, expect, it } from "vitest";
import { embedSnippet, readPageAddress } from "../../src/state/notebook/address";
import { isTextType, sourceOf } from "../../src/state/notebook/source";

const site = "https://example.org/weft/";

describe("sources", () => {
  it.each([
    ["https://gist.github.com/a/b", "https://gist.githubusercontent.com/a/b/raw", true],
    ["https://gist.github.com/a/b#file-x-md", "https://gist.githubusercontent.com/a/b/raw", true],
    ["https://gist.github.com/a/b/raw/0f/x.md", "https://gist.githubusercontent.com/a/b/raw/0f/x.md", true],
    ["https://github.com/a/b/blob/main/n/x.ipynb", "https://raw.githubusercontent.com/a/b/main/n/x.ipynb", true],
    ["https://github.com/a/b", "https://github.com/a/b", false],
    ["https://raw.githubusercontent.com/a/b/main/x.md", "https://raw.githubusercontent.com/a/b/main/x.md", true],
    ["https://raw.githubusercontent.com.evil.org/x", "https://raw.githubusercontent.com.evil.org/x", false],
    ["https://host.org:8443/x", "https://host.org:8443/x", false],
    // As they are often typed.
    [" gist.github.com/a/b ", "https://gist.githubusercontent.com/a/b/raw", true],
    ["host.org/x.md", "https://host.org/x.md", false],
    ["notebooks/waves.md", "https://example.org/weft/notebooks/waves.md", true],
    ["https://example.org/weft/data/x.ipynb", "https://example.org/weft/data/x.ipynb", true],
  ])("%s", (address, url, known) => expect(sourceOf(address, site)).toMatchObject({ url, known }));
  it.each([
    "http://example.com/x", "https://localhost/x", "https://printer.local/x", "https://127.0.0.1/x", "https://2130706433/x", "https://0x7f.0.0.1/x", "https://[::1]/x", "https://intranet/x", "https://a:b@c.org/x",
    "https://localhost./x", "https://printer.local./x", "https://router.lan/x", "https://nas.home/x", "https://files.corp/x", "https://a.localdomain/x", "https://hidden.onion/x",
    "127.0.0.1/x", "printer.local/x", "a@c.org/x",
    "/account", "data/../account", "notebooks/%2e%2e/account", "javascript:alert(1)", "data:text/plain,x", "file:///etc/passwd", "blob:https://example.org/x", "https://", `https://a.org/${"x".repeat(2_000)}`,
  ])("%s is refused", (address) => expect(() => sourceOf(address, site)).toThrow());
  it("are asked for where nothing is written", () => expect(() => sourceOf("  ", site)).toThrow("Enter the address of a notebook first."));
  it("come as text", () => {
    for (const type of [null, "text/plain; charset=utf-8", "application/json", "application/x-ipynb+json", "application/octet-stream", "text/html"]) expect(isTextType(type), String(type)).toBe(true);
    for (const type of ["image/png", "application/zip", "video/mp4", "application/pdf"]) expect(isTextType(type), type).toBe(false);
  });
});

describe("the page's address", () => {
  it("is embedded in every frame, and runs by itself in none", () => {
    expect(readPageAddress("", false)).toEqual({ embed: false, reader: false });
    expect(readPageAddress("?embed&run", false)).toEqual({ embed: true, reader: true });
    expect(readPageAddress("", true)).toEqual({ embed: true, reader: true });
    expect(readPageAddress("?run&view=code", true)).toEqual({ embed: true, reader: false });
    expect(readPageAddress("?view=reader", false)).toEqual({ embed: false, reader: true });
  });
  it("stands in HTML as an address and nothing else", () => {
    const snippet = embedSnippet('https://a/"><script>', '"><img onerror=x>');
    expect(snippet).toContain('src="https://a/&quot;>&lt;script>" title="&quot;>&lt;img onerror=x>"');
  });
});
