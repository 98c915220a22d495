// Pictures as PNG files, behind a quiet button.

import { saveBytes } from "../page/files";
import { h } from "../ui/dom";

/** A picture twice as large as it is shown. */
export function enlarged(canvas: HTMLCanvasElement): OffscreenCanvas {
  const times = Math.max(1, (2 * canvas.clientWidth) / canvas.width);
  const large = new OffscreenCanvas(Math.round(canvas.width * times), Math.round(canvas.height * times));
  const context = large.getContext("2d")!;
  context.imageSmoothingEnabled = !canvas.classList.contains("crisp");
  context.drawImage(canvas, 0, 0, large.width, large.height);
  return large;
}

/** A button that saves what `pixels` finds, if anything; the file has the name of its title, else
 * of what it is. */
export function saveButton(what: "heatmap" | "picture", pixels: () => OffscreenCanvas | null, title: string): HTMLButtonElement {
  const name = `${title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || what}.png`;
  const save = async () => {
    const blob = await pixels()?.convertToBlob({ type: "image/png" });
    if (blob) saveBytes(name, new Uint8Array(await blob.arrayBuffer()), "image/png");
  };
  return h("button", { class: "plot-save", type: "button", "aria-label": `Download this ${what} as PNG`, onclick: () => void save() }, "PNG");
}
