// Addresses of notebooks on the web, as `?from=` names them. Pages of GitHub stand for the raw text
// behind them. Hosts of raw text that serve what anybody wrote, and nothing that is private, are
// known; every other host is one that the reader is asked about.

import { isPublic } from "../grants/hosts";

export class BadSource extends Error {
  override readonly name = "BadSource";
}

export interface Source {
  readonly url: string;
  readonly host: string;
  /** Fetched without asking: a host of public raw text, or the page's own site. */
  readonly known: boolean;
}

const RAW_HOSTS: ReadonlySet<string> = new Set(["gist.githubusercontent.com", "raw.githubusercontent.com"]);
const LONGEST = 2_000;
/** A host and a path: the host has a dot, which no folder of this site has. */
const HOST_FIRST = /^[a-z\d-]+(\.[a-z\d-]+)+\//i;

/** `site` is the address of the folder that holds the page. Throws `BadSource`. */
export function sourceOf(address: string, site: string): Source {
  if (address.length > LONGEST) throw new BadSource(`The address has ${address.length.toLocaleString("en")} characters; it can have ${LONGEST.toLocaleString("en")}.`);
  const written = address.trim();
  if (written === "") throw new BadSource("Enter the address of a notebook first.");
  let url: URL;
  try {
    // Addresses are often written, or copied from a browser, without https://.
    url = new URL(HOST_FIRST.test(written) ? `https://${written}` : written, site);
  } catch {
    throw new BadSource(`“${address.slice(0, 200)}” is not an address.`);
  }
  const base = new URL(site);
  url.hash = "";
  if (url.origin === base.origin) {
    const inside = ["data/", "notebooks/"].some((folder) => url.pathname.startsWith(base.pathname + folder)) && !/%(2e|2f|5c)/i.test(url.pathname);
    // Anything else of the site may know its reader.
    if (!inside) throw new BadSource("Of this site, only files under data/ and notebooks/ can be opened.");
    return { url: url.href, host: url.host, known: true };
  }
  if (url.protocol !== "https:") throw new BadSource("A notebook's address begins with https://.");
  if (url.username !== "" || url.password !== "") throw new BadSource("The address holds a name or a password. A notebook is fetched without either.");
  if (!isPublic(url.hostname)) throw new BadSource(`${url.host} is not a public host.`);
  const raw = rawOf(url);
  return { url: raw.href, host: raw.host, known: RAW_HOSTS.has(raw.host) };
}

/** The raw text behind a page of GitHub. */
function rawOf(url: URL): URL {
  const parts = url.pathname.split("/").filter((part) => part !== "");
  if (url.host === "gist.github.com" && parts.length >= 2) {
    const [user, gist, ...rest] = parts;
    const file = rest[0] === "raw" ? rest.join("/") : "raw";
    return new URL(`https://gist.githubusercontent.com/${user}/${gist}/${file}`);
  }
  if (url.host === "github.com" && (parts[2] === "blob" || parts[2] === "raw") && parts.length > 4) return new URL(`https://raw.githubusercontent.com/${[parts[0], parts[1], ...parts.slice(3)].join("/")}`);
  return url;
}

/** Whether a response's type is one that a text may have; what it is, the text itself says. */
export function isTextType(contentType: string | null): boolean {
  const type = (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase();
  return type === "" || type.startsWith("text/") || /^application\/(octet-stream|json|javascript|ecmascript|x-ipynb\+json|[\w.+-]+\+json)$/.test(type);
}
