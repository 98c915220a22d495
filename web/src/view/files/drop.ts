// Files dropped on the page or pasted into it. The page takes them wherever they fall, so that the
// browser never leaves the page for a file, and an editor never fills with one.

import { FILES, TAKES_FILES } from "../outputs/upload";

/** The cell that something happens in; null beside all cells. */
const cellOf = (target: EventTarget | null): string | null => (target instanceof Element ? (target.closest(".cell")?.id.replace(/^cell-/, "") ?? null) : null);

/** `take` is given files, and the cell that they fell on. */
export function listenForDrops(take: (files: readonly File[], cell: string | null) => void): void {
  const root = document.documentElement;
  let over: Element | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leave = () => {
    delete root.dataset["dropping"];
    over?.classList.remove("drop-here");
    over = null;
  };
  const carries = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;
  const options = { capture: true };
  document.addEventListener("dragover", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    event.stopPropagation();
    event.dataTransfer!.dropEffect = "copy";
    root.dataset["dropping"] = "";
    const cell = event.target instanceof Element ? event.target.closest(".cell") : null;
    if (cell !== over) {
      over?.classList.remove("drop-here");
      cell?.classList.add("drop-here");
      over = cell;
    }
    // Nothing reports a drag that leaves the window, or that Escape ends: it goes silent.
    clearTimeout(timer);
    timer = setTimeout(leave, 400);
  }, options);
  document.addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    event.stopPropagation();
    leave();
    // Of a folder there is an entry without content.
    const files = [...event.dataTransfer!.items].flatMap((item) => {
      const file = item.kind === "file" && !item.webkitGetAsEntry?.()?.isDirectory ? item.getAsFile() : null;
      return file ? [file] : [];
    });
    const taker = event.composedPath().find((node) => node instanceof Element && node.hasAttribute(TAKES_FILES));
    if (taker) taker.dispatchEvent(new CustomEvent(FILES, { detail: files }));
    else take(files, cellOf(event.target));
  }, options);
  document.addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    // What is copied from a page or a spreadsheet is text and a picture of it: the text is meant.
    if (files.length === 0 || event.clipboardData!.types.includes("text/plain")) return;
    event.preventDefault();
    event.stopPropagation();
    take(files, cellOf(event.target));
  }, options);
}
