// Pictures of the gallery's cards. For each notebook this opens the built site in headless
// Chromium, runs the notebook, and keeps a square of one of its outputs, small, under
// notebooks/pictures/. Run it again when a notebook's looks change, and look at the pictures that
// it wrote. Smaller ones, for the first paint, lie in notebooks/pictures/posters/.
//
//   cargo xtask build && node playwright/pictures.mjs [NAME…]

import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Playground, ready } from "./lib/playground.mjs";

/** Pixels a side: twice what the card shows, for dense screens. */
const SIDE = 112;
/** The same as a poster, and the whole of the first notebook's animation. */
const POSTER = 16;
/** @type {[number, number]} */
const HERO = [260, 100];
const folder = fileURLToPath(new URL("../notebooks/pictures/", import.meta.url));

/**
 * The code cell, counted from 1, and which element of its outputs; after how many frames, where it
 * moves; where the middle of the square is in it, how many pixels of the page a side has where that
 * is not the whole height, and on which device: at its full size, a large simulation takes a
 * software adapter minutes. Cells run up to `last` where another than the cell itself draws into
 * it.
 * @type {Record<string, { cell: number, last?: number, element?: string, frames?: number, at?: [number, number], size?: number, device?: string }>}
 */
const PICTURES = {
  welcome: { cell: 1, frames: 160, at: [0.42, 0.5] },
  tensors: { cell: 2, frames: 30, device: "cpu" },
  gradients: { cell: 10, frames: 45 },
  walks: { cell: 3, element: ".plot-picture", at: [0.2, 0.5], device: "cpu" },
  filters: { cell: 1, at: [0.46, 0.5] },
  mandelbrot: { cell: 4, at: [0.44, 0.5] },
  mnist: { cell: 2, element: "canvas >> nth=6" },
  waves: { cell: 5, frames: 120, at: [0.45, 0.5] },
  kernels: { cell: 6, frames: 120 },
  fluid: { cell: 4, frames: 360 },
  frequencies: { cell: 4, at: [0.25, 0.5] },
  embedder: { cell: 4, frames: 200, at: [0.75, 0.5] },
  splats: { cell: 5, frames: 60, at: [0.75, 0.5] },
  electrons: { cell: 9, frames: 300, device: "cpu" },
  growing: { cell: 5, frames: 2, at: [0.25, 0.5], device: "cpu" },
  nbody: { cell: 6, frames: 110, device: "cpu" },
  water: { cell: 10, frames: 45 },
  pathtracer: { cell: 9, frames: 24 },
  poisson: { cell: 6, frames: 60, at: [0.72, 0.5] },
  buddhabrot: { cell: 3, frames: 60 },
  table: { cell: 4, element: ".plot-picture", device: "cpu" },
  clusters: { cell: 7, frames: 60, device: "cpu" },
  cnn: { cell: 2, frames: 8, at: [0.1, 0.5], device: "cpu" },
  autoencoder: { cell: 8, device: "cpu" },
  diffusion: { cell: 6, frames: 782, device: "cpu" },
  letters: { cell: 8, element: "pre", size: 84, at: [0, 0], device: "cpu" },
  plots: { cell: 10, element: ".plot-figure >> nth=1" },
  sound: { cell: 4, frames: 200, at: [0.74, 0.5], device: "cpu" },
  camera: { cell: 6, frames: 8 },
  ode: { cell: 6, element: ".plot-picture", at: [0.35, 0.5], device: "cpu" },
  kalman: { cell: 5, element: ".plot-picture", at: [0.4, 0.5], device: "cpu" },
  fusion: { cell: 3, frames: 8 },
  sorting: { cell: 3, frames: 60 },
  races: { cell: 2, last: 3, element: ".plot-picture", at: [0.88, 0.5], device: "cpu" },
};

/** A picture at another size, as WebP.
 * @param {import("playwright-core").Page} page
 * @param {Buffer} picture
 * @param {[number, number]} size
 * @param {number} quality */
async function scaled(page, picture, [width, height], quality) {
  const bytes = await page.evaluate(async ({ base64, width, height, quality }) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const canvas = new OffscreenCanvas(width, height);
    const drawing = canvas.getContext("2d");
    if (!drawing) throw new Error("no canvas");
    drawing.imageSmoothingQuality = "high";
    drawing.drawImage(await createImageBitmap(new Blob([bytes])), 0, 0, width, height);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality });
    return Array.from(new Uint8Array(await blob.arrayBuffer()));
  }, { base64: picture.toString("base64"), width, height, quality });
  return withoutProfile(Buffer.from(bytes));
}

/** A WebP file without the colour profile, half a kilobyte, that says no more than the default.
 * @param {Buffer} file */
function withoutProfile(file) {
  for (let at = 12; at < file.length; at += 8 + 2 * Math.ceil(file.readUInt32LE(at + 4) / 2)) {
    if (file.toString("latin1", at, at + 4) !== "VP8 ") continue;
    const image = file.subarray(at, at + 8 + 2 * Math.ceil(file.readUInt32LE(at + 4) / 2));
    const head = Buffer.from("RIFF....WEBP");
    head.writeUInt32LE(4 + image.length, 4);
    return Buffer.concat([head, image]);
  }
  throw new Error("a WebP file without an image");
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in PICTURES));
if (unknown.length > 0) throw new Error(`${unknown.join(", ")}: name the cell in PICTURES of playwright/pictures.mjs`);
const playground = await Playground.start({ ownData: true });
await mkdir(`${folder}posters`, { recursive: true });
try {
  for (const [name, { cell, last = cell, element = "canvas", frames = 0, at: [x, y] = [0.5, 0.5], size: side, device = "webgpu" }] of Object.entries(PICTURES)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const context = await playground.browser.newContext({ viewport: { width: 1280, height: 1000 }, deviceScaleFactor: 1 });
    const page = await context.newPage();
    await page.goto(`${playground.url}?notebook=${name}&device=${device}`);
    await ready(page);
    for (let number = 1; number <= last; number++) await page.evaluate((number) => window.weft.runCell(number), number);
    const output = page.locator(".code-cell").nth(cell - 1).locator(`.outputs ${element}`).first();
    // What is far from the view is not drawn yet, and what comes near above it moves it away.
    for (const end = Date.now() + 30_000; (await output.count()) === 0 && Date.now() < end; await page.waitForTimeout(200)) await page.locator(".code-cell").nth(cell - 1).evaluate((element) => element.scrollIntoView({ block: "end", behavior: "instant" }));
    const show = () => output.evaluate((element) => element.scrollIntoView({ block: "end", behavior: "instant" }));
    await show();
    if (frames > 0) {
      const made = page.locator(".code-cell").nth(cell - 1);
      const drawn = (/** @type {{ at: number, least: number }} */ { at, least }) => Number(/frame ([\d,]+)/.exec(document.querySelectorAll(".code-cell")[at]?.querySelector(".animation-figures")?.textContent ?? "")?.[1]?.replace(",", "")) >= least;
      // Cells above are laid out in full only when they come near, which moves it out of view.
      // Nothing here waits until the page stands still: large pictures take a software adapter a
      // second each.
      for (const end = Date.now() + 120_000; !(await page.evaluate(drawn, { at: cell - 1, least: frames })); await page.waitForTimeout(500)) {
        if (Date.now() > end) throw new Error(`${name}: cell ${cell} has not drawn ${frames} frames`);
        await show();
      }
      await made.getByRole("button", { name: "Pause" }).first().evaluate((button) => button instanceof HTMLElement && button.click());
    }
    await page.waitForTimeout(500);
    await show();
    // At the size of a card, a plot is its marks: bold, and without words.
    await output.evaluate((element) => {
      for (const mark of element.querySelectorAll(".plot-picture svg :is(text, path, circle, line)")) {
        if (mark.tagName === "text" || (mark.tagName === "circle" && !mark.closest("svg svg")) || (mark.tagName === "line" && !mark.closest("svg svg"))) mark.setAttribute("visibility", "hidden");
        for (const name of ["stroke-width", "r"]) if (mark.hasAttribute(name)) mark.setAttribute(name, String(Number(mark.getAttribute(name)) * 2.6));
      }
    });
    const box = await output.boundingBox();
    if (!box) throw new Error(`${name}: cell ${cell} shows nothing`);
    const size = side ?? Math.min(box.width, box.height);
    // Within the output: a square at its very corner begins there.
    const from = (/** @type {number} */ start, /** @type {number} */ length, /** @type {number} */ at) => start + Math.min(Math.max(at * length - size / 2, 0), Math.max(length - size, 0));
    const clip = { x: from(box.x, box.width, x), y: from(box.y, box.height, y), width: size, height: size };
    const shot = await page.screenshot({ clip });
    const small = await scaled(page, shot, [SIDE, SIDE], 0.85);
    await writeFile(`${folder}${name}.webp`, small);
    const poster = await scaled(page, shot, [POSTER, POSTER], 0.3);
    await writeFile(`${folder}posters/${name}.webp`, poster);
    if (name === "welcome") await writeFile(`${folder}posters/hero.webp`, await scaled(page, await page.screenshot({ clip: box }), HERO, 0.5));
    console.log(`${name}.webp: ${small.length} bytes, poster ${poster.length}`);
    await context.close();
  }
} finally {
  await playground.stop();
}
