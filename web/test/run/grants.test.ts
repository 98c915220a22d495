// Hosts that a notebook may reach: names that pass for others, addresses that hide theirs, and
// questions without end.
import { describe, expect, it } from "vitest";
import { fromWorker } from "../../src/protocol/messages";
import { Asks } from "../../src/state/grants/asks";
import { Hosts, parseAddress, parseHost } from "../../src/state/grants/hosts";
import type { Origin } from "../../src/state/notebook/workspace";

const PAGE = "https://weft.example/play/";
const LOCAL_PAGE = "http://127.0.0.1:8000/";

describe("names of hosts", () => {
  it.each([["huggingface.co", "huggingface.co"], ["HuggingFace.CO", "huggingface.co"], ["example.com:8443", "example.com:8443"], ["example.com:443", "example.com"], ["bücher.de", "xn--bcher-kva.de"]])("%s is %s", (given, host) => expect(parseHost(given, PAGE)).toEqual({ ok: true, host, origin: `https://${host}` }));

  it("that only look like another show that they do", () => {
    const parsed = parseHost("huɡɡingface.co", PAGE);
    expect(parsed.ok && parsed.host).toMatch(/^xn--/);
  });

  it.each([
    "", "localhost", "127.0.0.1", "127.0.0.1:8080", "2130706433", "0x7f000001", "127.1", "[::1]", "10.0.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "router", "nas.local", "x.internal", "a.home", "x.localhost", "hidden.onion",
    "https://example.com", "example.com/path", "user@example.com", "example.com?x", "example.com#x", "a b.com", "*.example.com", "*", "example.com\\@evil.com", "%65xample.com", "example.com.", ".com", "exa\u202emple.com evil", "x".repeat(300) + ".com",
  ])("%j is refused", (given) => expect(parseHost(given, PAGE).ok).toBe(false));

  it("of this computer are for a page that is served from it", () => {
    expect(parseHost("localhost:9000", LOCAL_PAGE)).toEqual({ ok: true, host: "localhost:9000", origin: "http://localhost:9000" });
    expect(parseHost("192.168.1.1", LOCAL_PAGE).ok).toBe(false);
  });
});

describe("addresses", () => {
  it("have the host that the browser will ask", () => {
    expect(parseAddress("https://huggingface.co/a/b?c=d#e", PAGE)).toEqual({ ok: true, host: "huggingface.co", href: "https://huggingface.co/a/b?c=d" });
    expect(parseAddress("https:\\\\evil.com\\@huggingface.co/x", PAGE)).toMatchObject({ ok: true, host: "evil.com" });
    expect(parseAddress("HTTPS://HUGGINGFACE.CO:443/x", PAGE)).toMatchObject({ ok: true, host: "huggingface.co" });
  });
  it.each(["http://huggingface.co/x", "https://huggingface.co@evil.com/", "https://user:pass@huggingface.co/", "https://", "https://127.0.0.1/x", "https://localhost/x", "https://[::1]/x", `https://a.com/${"x".repeat(4_000)}`])("%j is refused", (given) => expect(parseAddress(given, PAGE).ok).toBe(false));
});

class Store {
  readonly held = new Map<string, string>();
  getItem = (key: string) => this.held.get(key) ?? null;
  setItem = (key: string, value: string) => void this.held.set(key, value);
  removeItem = (key: string) => void this.held.delete(key);
}
const notebook = (kind: Origin["kind"], key: string, source: string) => ({ origin: { kind, file: key } as Origin, key, source });

describe("what is allowed", () => {
  it("for a notebook is for that text of it", () => {
    const store = new Store();
    new Hosts(notebook("gallery", "g", "text 1"), store).allow("a.com", "notebook");
    expect(new Hosts(notebook("gallery", "g", "text 1"), store).list).toEqual(["a.com"]);
    expect(new Hosts(notebook("gallery", "g", "text 2"), store).list).toEqual([]);
    expect(new Hosts(notebook("gallery", "h", "text 1"), store).list).toEqual([]);
  });

  it("for this time ends with the visit and with the notebook", () => {
    const store = new Store();
    const open = { ...notebook("gallery", "g", "1") };
    const hosts = new Hosts(open, store);
    hosts.allow("a.com", "visit");
    expect([hosts.has("a.com"), new Hosts(open, store).has("a.com")]).toEqual([true, false]);
    open.key = "other";
    expect(hosts.list).toEqual([]);
  });

  it("is not kept for what came with a link", () => {
    const store = new Store();
    const hosts = new Hosts(notebook("link", "link:1", "1"), store);
    hosts.allow("a.com", "notebook");
    expect([hosts.has("a.com"), hosts.canKeep, store.held.size]).toEqual([true, false, 0]);
  });

  it("can be taken back", () => {
    const store = new Store();
    const hosts = new Hosts(notebook("gallery", "g", "1"), store);
    const less: boolean[] = [];
    hosts.events.subscribe((now) => less.push(now));
    hosts.allow("a.com", "notebook");
    hosts.allow("b.com", "visit");
    hosts.revoke("a.com");
    hosts.revoke("b.com");
    expect([hosts.list, store.held.size, less]).toEqual([[], 0, [false, false, true, true]]);
  });

  it("is bounded, and nothing where the store is another's", () => {
    const store = new Store();
    for (const junk of ["", "null", "[]", '{"source":"1","hosts":5}', '{"source":"1","hosts":[5]}', "{"]) {
      store.setItem("weft:hosts:g", junk);
      expect(new Hosts(notebook("gallery", "g", "1"), store).list).toEqual([]);
    }
    const hosts = new Hosts(notebook("gallery", "g", "1"), new Store());
    const allowed = Array.from({ length: 30 }, (_, n) => hosts.allow(`h${n}.com`, "notebook"));
    expect(allowed.filter((each) => each)).toHaveLength(20);
  });
});

describe("questions", () => {
  it("that were refused are not asked again, and after three nothing is", async () => {
    const asks = new Asks();
    let asked = 0;
    const refuse = async () => (asked++, null);
    for (let n = 0; n < 50; n++) expect(await asks.ask("a", () => null, refuse)).toHaveProperty("refused");
    expect(asked).toBe(1);
    for (let n = 0; n < 50; n++) await asks.ask(`host ${n}`, () => null, refuse);
    expect(asked).toBe(3);
    asks.restart();
    await asks.ask("a", () => null, refuse);
    expect(asked).toBe(4);
  });

  it("are asked one at a time, and few wait", async () => {
    const asks = new Asks();
    let open = 0;
    let most = 0;
    let asked = 0;
    const slow = async () => {
      asked++;
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 1));
      open--;
      return true;
    };
    const all = await Promise.all(Array.from({ length: 40 }, (_, n) => asks.ask(`h${n}`, () => null, slow)));
    expect([most, asked, all.filter((each) => "given" in each).length]).toEqual([1, 4, 4]);
  });

  it("of a notebook that was restarted are not asked", async () => {
    const asks = new Asks();
    let answer: (value: null) => void = () => undefined;
    const first = asks.ask("a", () => null, () => new Promise<null>((resolve) => (answer = resolve)));
    let asked = false;
    const second = asks.ask("b", () => null, async () => (asked = true));
    await Promise.resolve();
    asks.restart();
    answer(null);
    expect([await first, await second, asked]).toEqual([{ refused: "the reader refused it" }, { refused: "the notebook was restarted" }, false]);
  });
});

describe("what a worker asks", () => {
  const ask = { type: "ask", request: 1, run: 1, why: "", want: { kind: "camera", width: 320, height: 240, facing: "user" } };
  it("has the form that it must have", () => {
    expect(fromWorker(ask)).toBe(true);
    for (const want of [{ kind: "screen" }, { kind: "camera", width: 1e9, height: 240, facing: "user" }, { kind: "camera", width: 320.5, height: 240, facing: "user" }, { kind: "host", host: "x".repeat(301) }, { kind: "host" }, null]) expect(fromWorker({ ...ask, want })).toBe(false);
    expect(fromWorker({ ...ask, why: "x".repeat(301) })).toBe(false);
    expect(fromWorker({ type: "sample", request: 1, source: 1, seconds: Infinity, fromNow: true })).toBe(false);
  });
});
