// Tensors from the kinds of pictures that only a browser has: in a cell, whose worker has no page,
// and on a page of one's own.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { after, before, test } from "../../lib/test.mjs";
import { Playground, runAll } from "../../lib/playground.mjs";
import { serve } from "../../lib/server.mjs";

/** @type {Playground} */
let playground;
/** The package, and the same at another address: another site.
 * @type {{ url: string, close(): Promise<void> }[]} */
let servers;

const PAGE = "/own-page.html";
/** A red and a blue pixel. */
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="1"><rect width="1" height="1" fill="#f00"/><rect x="1" width="1" height="1" fill="#00f"/></svg>';

before(async () => {
  playground = await Playground.start();
  const pages = fileURLToPath(new URL("../../../dist/npm", import.meta.url));
  servers = await Promise.all(
    [1, 2].map(() =>
      serve(pages, {
        intercept: (request, response) => {
          if (request.url === PAGE) response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>own</title>");
          else if (request.url === "/picture.svg") response.writeHead(200, { "Content-Type": "image/svg+xml" }).end(SVG);
          else return false;
          return true;
        },
      }),
    ),
  );
});
after(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await playground.stop();
});

/** Red and blue beside each other, on a canvas. */
const PAINTED = `const surface = new OffscreenCanvas(2, 1);
const context = surface.getContext('2d');
context.fillStyle = '#ff0000';
context.fillRect(0, 0, 1, 1);
context.fillStyle = '#0000ff';
context.fillRect(1, 0, 1, 1);
const refused = async (source) => { try { return await data.image(source) } catch (error) { return error.name + ': ' + error.message } };
`;

test("a cell takes pictures of canvases, bitmaps, files and frames, and errors name what is none", async () => {
  const page = await playground.open([
    `${PAINTED}const seen = [surface, context.getImageData(0, 0, 2, 1), await createImageBitmap(surface), await surface.convertToBlob(), new VideoFrame(surface, { timestamp: 0 })];
for (const source of seen) print(JSON.stringify(await (await data.image(source)).array()));
const half = await data.image(surface, { channels: 4, dtype: 'f32' });
print(half.dtype, half.shape, await half.sum().item());
print(await data.image(surface).then((x) => canvas.draw(x.cast('f32').div(255), new OffscreenCanvas(4, 4))));`,
    `${PAINTED}const [bitmap, frame] = [await createImageBitmap(surface), new VideoFrame(surface, { timestamp: 0 })];
bitmap.close();
frame.close();
for (const source of [bitmap, frame, new OffscreenCanvas(0, 5), new Blob(['nothing']), {}, null]) print(await refused(source));`,
  ]);
  const [taken, refused] = (await runAll(page)).cells.map(({ text }) => text.trim().split("\n"));
  const both = "[[[255,0,0],[0,0,255]]]";
  assert.deepEqual(taken, [both, both, both, both, both, "f32 [1, 2, 4] 4", "undefined"]);
  const starts = ["ValueError: image: an ImageBitmap has no pixels", "ValueError: image: a VideoFrame has no pixels", "ValueError: image: an OffscreenCanvas has no pixels", "FormatError: image: no picture", "ValueError: image: takes a picture, got an object", "ValueError: image: takes a picture, got null"];
  assert.deepEqual(refused?.map((line, n) => line.slice(0, starts[n]?.length)), starts);
  await page.context().close();
});

test("a page takes pictures of elements, and errors name those of another site", async () => {
  const [own = "", other = ""] = servers.map(({ url }) => url);
  const page = await playground.browser.newPage();
  await page.goto(own.replace(/\/$/, PAGE));
  const seen = await page.evaluate(
    async ([own, other]) => {
      const { data, init } = await import(`${own}index.js`);
      await init({ device: "cpu" });
      const taken = async (/** @type {unknown} */ source) => {
        try {
          return JSON.stringify(await (await data.image(source)).array());
        } catch (error) {
          return String(error);
        }
      };
      const image = new Image();
      const early = await taken(image);
      image.src = `${own}picture.svg`;
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: 2, height: 1 });
      const flat = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      flat.drawImage(image, 0, 0);
      const video = document.createElement("video");
      const unready = await taken(video);
      video.muted = true;
      video.srcObject = canvas.captureStream();
      await video.play();
      flat.fillRect(0, 0, 0, 0);
      const playing = await taken(video);
      const foreign = new Image();
      foreign.src = `${other}picture.svg`;
      await foreign.decode();
      const [drawn, fromElement, fromOther] = [await taken(canvas), await taken(image), await taken(foreign)];
      flat.drawImage(foreign, 0, 0);
      return { early, unready, playing, drawn, fromElement, fromOther, tainted: await taken(canvas) };
    },
    /** @type {const} */ ([own, other]),
  );
  const both = "[[[255,0,0],[0,0,255]]]";
  assert.deepEqual([seen.fromElement, seen.drawn, seen.playing], [both, both, both]);
  assert.match(seen.early, /^ValueError: image: a HTMLImageElement has no pixels: it is not loaded/);
  assert.match(seen.unready, /^ValueError: image: a HTMLVideoElement has no pixels: it is not loaded/);
  assert.match(seen.fromOther, /^ValueError: image: the pixels of a HTMLImageElement cannot be read: SecurityError: .*cross-origin/);
  assert.match(seen.tainted, /^ValueError: image: the pixels of a HTMLCanvasElement cannot be read: SecurityError: .*cross-origin/);
  await page.close();
});
