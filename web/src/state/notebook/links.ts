// Destinations of links in a notebook's text: another notebook of the gallery, a place in the page,
// or an outside address. Other paths of the host count as outside, since a request there carries
// the reader's credentials.

export type Destination =
  | { kind: "inside"; href: string }
  /** `place` names it for the reader: the host, or the address of a mail. */
  | { kind: "outside"; href: string; place: string };

/** Null where the address is none that a link may have. `site` is the address of the folder that
 * holds the page. */
export function destination(address: string, site: string): Destination | null {
  if (address.length > 4_000) return null;
  const notebook = /^(?:\.\/)?([\w.-]+)\.md$/.exec(address);
  if (notebook) return { kind: "inside", href: `?notebook=${notebook[1]!}` };
  if (address.startsWith("#") || /^\?notebook=[\w.-]+$/.test(address)) return { kind: "inside", href: address };
  let url: URL;
  try {
    url = new URL(address, site);
  } catch {
    return null;
  }
  if (url.protocol === "mailto:") return { kind: "outside", href: url.href, place: url.pathname };
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  return { kind: "outside", href: url.href, place: url.host };
}
