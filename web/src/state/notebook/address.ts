// Options of the page's address besides a notebook: to be shown for reading, or within another
// page. A page that is framed is always shown as one within another, whatever its address says: a
// frame may lie under something that the reader means to press, so nothing is asked in it. No
// address runs a notebook: a browser does not tell a frame whether its reader pressed anything
// outside it.

export interface PageAddress {
  /** Shown within another page: no header, no sidebar, nothing kept. */
  readonly embed: boolean;
  /** Code is folded. */
  readonly reader: boolean;
}

export function readPageAddress(query: string, framed: boolean): PageAddress {
  const asked = new URLSearchParams(query);
  const embed = framed || asked.has("embed");
  return { embed, reader: asked.get("view") === "reader" || (embed && asked.get("view") !== "code") };
}

/** An iframe's text for other pages, with the script that gives it its height. */
export function embedSnippet(address: string, title: string): string {
  const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
  return `<iframe class="weft" src="${escaped(address)}" title="${escaped(title)}" style="width: 100%; height: 480px; border: 0" loading="lazy"></iframe>
<script>
  addEventListener("message", ({ source, data }) => {
    if (data?.type !== "weft-height") return;
    for (const frame of document.querySelectorAll("iframe.weft"))
      if (frame.contentWindow === source) frame.style.height = Math.min(Number(data.height) || 480, 20000) + "px";
  });
</script>`;
}
