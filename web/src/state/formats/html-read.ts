// Reading of pages that the page exported: the notebook's text is in an element of its own. Nothing
// else of the page is looked at.

import { BadNotebook } from "./bad-notebook";

/** The element that carries the notebook, as the exporter writes it. */
export const CARRIER = '<script type="application/json" id="weft-notebook">';

export function readHtml(html: string): string {
  const start = html.lastIndexOf(CARRIER);
  const end = start < 0 ? -1 : html.indexOf("</script>", start);
  if (end < 0) throw new BadNotebook("This web page holds no notebook. A page that Weft exported does, unless another program has changed it.");
  let markdown: unknown;
  try {
    markdown = JSON.parse(html.slice(start + CARRIER.length, end));
  } catch {
    markdown = null;
  }
  if (typeof markdown !== "string") throw new BadNotebook("The notebook in this web page cannot be read. The page seems to be cut off or changed.");
  return markdown;
}
