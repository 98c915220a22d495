// Search over notebooks: every word of the query is somewhere in the title or the text, whatever
// its case and accents.

const plain = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Words of what was asked for; none where nothing was. */
export const wordsOf = (query: string): string[] => plain(query.slice(0, 200)).split(/\s+/).filter((word) => word !== "");

/** Null where it is not found; else a line of the text to show, "" where the title has every
 * word. */
export function findIn(words: readonly string[], title: string, text: string): string | null {
  const name = plain(title);
  const missing = words.filter((word) => !name.includes(word));
  if (missing.length === 0) return "";
  const body = plain(text);
  if (missing.some((word) => !body.includes(word))) return null;
  const line = text.split("\n").find((each) => plain(each).includes(missing[0]!)) ?? "";
  const at = Math.max(0, plain(line).indexOf(missing[0]!) - 20);
  const shown = line.slice(at, at + 80).replace(/\*\*|`|^#+ /g, "").trim();
  return `${at > 0 ? "…" : ""}${shown}`;
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [["year", 31_557_600], ["month", 2_629_800], ["week", 604_800], ["day", 86_400], ["hour", 3_600], ["minute", 60]];

/** “5 minutes ago”. */
export function ago(then: number, now: number): string {
  const seconds = Math.max(0, (now - then) / 1_000);
  const [unit, size] = STEPS.find(([, size]) => seconds >= size) ?? ["second", 1];
  if (unit === "second") return "just now";
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-Math.floor(seconds / size), unit);
}
