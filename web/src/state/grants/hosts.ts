// Hosts that a notebook may fetch from. The reader allows each, for this visit or for the notebook
// as it was opened: another notebook of the same name asks anew. What came with a link, or from
// elsewhere, is allowed for this visit only.

import { Emitter } from "../emitter";
import type { OpenNotebook } from "../device/raw-gpu";
import type { Origin } from "../notebook/workspace";
import { HOSTS } from "../notebook/storage";
import type { KeyValueStore } from "../notebook/storage";

/** Hosts of one notebook. */
const MOST = 20;
/** Characters of an address. */
export const LONGEST_ADDRESS = 4_000;

const LOOPBACK = /^(?:localhost|127\.0\.0\.1)$/;
const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
/** Names that stand for something in the reader's own network. */
const LOCAL = /\.(?:local|localhost|localdomain|internal|intranet|lan|home|corp|private|test|invalid|onion|arpa)$/;

/** Whether a host's name, as the browser spells it, is one of the public internet: no number, no
 * single word, nothing of the reader's own network. */
export const isPublic = (hostname: string): boolean => NAME.test(hostname) && !LOCAL.test(hostname);

export type Parsed<T> = { ok: true } & T | { ok: false; message: string };
export type HostAddress = Parsed<{ host: string; origin: string }>;

/**
 * A host as a notebook names it, in the form that the browser asks for: "HuggingFace.co" is
 * huggingface.co, and letters that only look alike show as xn--…. Hosts are reached by https, under
 * a public name. A page that is itself served from this computer, as by a developer, may reach
 * others there by http. `page` is the address of the page.
 */
export function parseHost(given: string, page: string): HostAddress {
  const refuse = (why: string): HostAddress => ({ ok: false, message: `allow(${JSON.stringify(given.slice(0, 200))}): ${why}` });
  if (given === "" || given.length > 260 || !/^[^\s/\\?#@%]+$/.test(given)) return refuse('give the name of a host, such as "huggingface.co", without an address');
  let url: URL;
  try {
    url = new URL(`https://${given}/`);
  } catch {
    return refuse("this is no name of a host");
  }
  const { hostname, host } = url;
  if (LOOPBACK.test(hostname)) {
    if (!LOOPBACK.test(new URL(page).hostname)) return refuse("a notebook cannot reach this computer");
    return { ok: true, host, origin: `http://${host}` };
  }
  if (!isPublic(hostname)) return refuse("only hosts with a public name can be reached");
  return { ok: true, host, origin: `https://${host}` };
}

/** An address that a cell reads, with its host. */
export function parseAddress(given: string, page: string): Parsed<{ host: string; href: string }> {
  const refuse = (why: string): Parsed<{ host: string; href: string }> => ({ ok: false, message: `file(${JSON.stringify(given.slice(0, 200))}): ${why}` });
  if (given.length > LONGEST_ADDRESS) return refuse(`an address has at most ${LONGEST_ADDRESS} characters`);
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    return refuse("this is no address");
  }
  if (url.username !== "" || url.password !== "") return refuse("an address cannot have a name or a password");
  const host = parseHost(url.host, page);
  if (!host.ok) return refuse(host.message.replace(/^allow\(.*?\): /s, ""));
  if (host.origin !== url.origin) return refuse(`use ${host.origin.replace(/:.*/s, "")}: instead of ${url.protocol}`);
  url.hash = "";
  return { ok: true, host: host.host, href: url.href };
}

/** The site's own notebooks and the reader's. */
const FAMILIAR: ReadonlySet<string> = new Set(["gallery", "own"]);

/** Whether somebody else may have written a notebook. */
export const isForeign = ({ kind }: Origin): boolean => !FAMILIAR.has(kind);

export type Duration = "visit" | "notebook";

export class Hosts {
  /** What is allowed has changed; `true` where it is less than before. */
  readonly events = new Emitter<boolean>();
  private visit = new Set<string>();
  /** The notebook that `visit` is of. */
  private of = "";

  constructor(
    private readonly notebook: OpenNotebook,
    private readonly store: KeyValueStore | null,
  ) {}

  get list(): readonly string[] {
    return [...new Set([...this.now, ...this.kept])].sort();
  }

  has(host: string): boolean {
    return this.now.has(host) || this.kept.includes(host);
  }

  /** Whether it is allowed beyond this visit. */
  isKept(host: string): boolean {
    return this.kept.includes(host);
  }

  /** Whether the reader can allow something beyond this visit. */
  get canKeep(): boolean {
    return !isForeign(this.notebook.origin) && this.store !== null;
  }

  /** False where the notebook has as many as it may. */
  allow(host: string, duration: Duration): boolean {
    if (this.list.length >= MOST) return false;
    this.now.add(host);
    if (duration === "notebook" && this.canKeep) this.write([...new Set([...this.kept, host])]);
    this.events.emit(false);
    return true;
  }

  revoke(host: string): void {
    this.now.delete(host);
    this.write(this.kept.filter((each) => each !== host));
    this.events.emit(true);
  }

  private get now(): Set<string> {
    const { key, source } = this.notebook;
    const of = `${key} ${source}`;
    if (this.of !== of) [this.of, this.visit] = [of, new Set()];
    return this.visit;
  }

  private get kept(): string[] {
    if (!this.canKeep) return [];
    try {
      const { source, hosts } = JSON.parse(this.store?.getItem(HOSTS + this.notebook.key) ?? "{}") as { source?: unknown; hosts?: unknown };
      return source === this.notebook.source && Array.isArray(hosts) ? hosts.filter((host) => typeof host === "string").slice(0, MOST) : [];
    } catch {
      return [];
    }
  }

  private write(hosts: readonly string[]): void {
    try {
      if (hosts.length === 0) this.store?.removeItem(HOSTS + this.notebook.key);
      else this.store?.setItem(HOSTS + this.notebook.key, JSON.stringify({ source: this.notebook.source, hosts }));
    } catch {
      // Not remembered, but done.
    }
  }
}
