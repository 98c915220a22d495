// The words of a piece of HTML or SVG, as plain text. It is a scanner, not a parser: it only has to
// leave out tags, scripts and styles, and its result is shown as text alone. Each character is read
// once.

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
/** What has no words for people. */
const SILENT = /^(script|style|template|title|noscript)$/;
const BREAKS = /^\/?(p|div|tr|table|ul|ol|li|br|hr|h[1-6]|pre|thead|tbody|section|article|dl|dt|dd)$/;

export function htmlText(html: string): string {
  const parts: string[] = [];
  const lower = html.toLowerCase();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    parts.push(decoded(html.slice(at, open < 0 ? undefined : open)));
    if (open < 0) break;
    if (html.startsWith("<!--", open)) {
      const end = html.indexOf("-->", open + 4);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    const close = html.indexOf(">", open);
    if (close < 0) break;
    const name = /^\/?[a-z][a-z0-9]*/i.exec(html.slice(open + 1, open + 20))?.[0].toLowerCase() ?? "";
    at = close + 1;
    if (BREAKS.test(name)) parts.push("\n");
    else if (name === "td" || name === "th") parts.push("\t");
    if (SILENT.test(name)) {
      const end = lower.indexOf(`</${name}`, at);
      if (end < 0) break;
      at = end;
    }
  }
  return parts.join("").replace(/[ \t]*\n\s*/g, "\n").trim();
}

const decoded = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{1,8}));/g, (whole, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "�" : String.fromCodePoint(code);
  });
