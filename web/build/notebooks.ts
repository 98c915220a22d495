// Notebooks in the built site. The build copies the folder as it is. `notebooks/index.json` lists
// its Markdown files in the order of `sections.ts`, each with the title and summary from its text
// and the picture for its card (`playwright/pictures.mjs` makes the pictures).

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { describeNotebook } from "../src/state/notebook/notebook.ts";
import type { GalleryEntry } from "../src/state/notebook/gallery.ts";
import { SECTIONS } from "./sections.ts";

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1).replaceAll("\\", "/"));

/** The pictures of cards lie among what is named by its content, so that a cache may keep them. */
const PICTURES = "pictures/";

function pictureOf(folder: string, file: string): { path: string; bytes: Buffer } | null {
  const from = join(folder, PICTURES, file.replace(/\.md$/, ".webp"));
  if (!existsSync(from)) return null;
  const bytes = readFileSync(from);
  return { path: `assets/${file.replace(/\.md$/, "")}-${createHash("sha256").update(bytes).digest("hex").slice(0, 10)}.webp`, bytes };
}

/** The notebooks of a folder, section by section. */
export function galleryOf(folder: string, sections = SECTIONS): GalleryEntry[] {
  const placed = Object.entries(sections).flatMap(([section, names]) => names.map((name) => ({ section, file: `${name}.md` })));
  for (const file of filesIn(folder)) {
    if (file.endsWith(".md") && !file.includes("/") && !placed.some((each) => each.file === file)) throw new Error(`${file} is in no section of the gallery: name it in web/build/sections.ts`);
  }
  return placed.map(({ section, file }): GalleryEntry => ({ file, section, ...describeNotebook(readFileSync(join(folder, file), "utf8")), picture: pictureOf(folder, file)?.path }));
}

export function notebooks(folder: string, entries: () => readonly GalleryEntry[]): Plugin {
  const index = () => JSON.stringify(entries(), null, 2);
  return {
    name: "weft-notebooks",
    generateBundle() {
      for (const file of filesIn(folder)) {
        if (!file.startsWith(PICTURES)) this.emitFile({ type: "asset", fileName: `notebooks/${file}`, source: readFileSync(join(folder, file)) });
        const picture = pictureOf(folder, file);
        if (picture) this.emitFile({ type: "asset", fileName: picture.path, source: picture.bytes });
      }
      this.emitFile({ type: "asset", fileName: "notebooks/index.json", source: index() });
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const wanted = entries().find(({ picture }) => request.url === `/${picture}`);
        if (wanted) {
          response.setHeader("Content-Type", "image/webp");
          return void response.end(pictureOf(folder, wanted.file)?.bytes);
        }
        if (request.url !== "/notebooks/index.json") return next();
        response.setHeader("Content-Type", "application/json");
        response.end(index());
      });
    },
  };
}
