// Styles inside index.html. The first paint waits for no second request, and the policy names the
// styles by their hash. With them come the posters: small pictures of the gallery's cards and of
// the first notebook's animation, which are there before any script.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** The picture that stands where the first notebook's animation will be. */
const HERO = "hero.webp";

const address = (file: string) => `url(data:image/webp;base64,${readFileSync(file).toString("base64")})`;

/** Rules that paint the posters of a folder, and the hero in the notebook `first`. */
function posters(folder: string, first: string): string {
  if (!existsSync(folder)) return "";
  const files = readdirSync(folder).filter((file) => file.endsWith(".webp")).sort();
  return files
    .map((file) => `${file === HERO ? `[data-notebook="${first}"] .draws .outputs:empty` : `[data-picture="${file.replace(/\.webp$/, "")}"]`}{background-image:${address(join(folder, file))}}`)
    .join("");
}

export function inlineStyles(folder: string, first: () => string): Plugin {
  let taken = "";
  return {
    name: "weft-inline-styles",
    apply: "build",
    // Modules that are fetched later would ask for the file: their lists of what they need name the
    // page's script instead, which is there.
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const chunks = Object.values(bundle).flatMap((each) => (each.type === "chunk" ? [each] : []));
        const name = (path: string) => path.slice(path.lastIndexOf("/") + 1);
        const entry = chunks.find(({ isEntry, code }) => isEntry && code.includes("__vite__mapDeps"));
        if (!entry || taken === "") throw new Error("the page has no script that fetches others");
        for (const chunk of chunks) chunk.code = chunk.code.replaceAll(name(taken), name(entry.fileName));
      },
    },
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const link = /<link rel="stylesheet"[^>]*href="\.\/(assets\/[^"]+\.css)"[^>]*>/.exec(html);
        const asset = link && bundle[link[1]!];
        if (!link || asset?.type !== "asset") throw new Error("index.html has no styles to take in");
        // Seen from the page, not from the file beside it.
        const styles = String(asset.source).trim().replace(/url\((["']?)\.\.\//g, "url($1./") + posters(folder, first());
        taken = link[1]!;
        delete bundle[taken];
        const hash = createHash("sha256").update(styles).digest("base64");
        return html
          .replace("style-src 'self'", () => `style-src 'self' 'sha256-${hash}'`)
          .replace(link[0], () => `<style>${styles}</style>`);
      },
    },
  };
}
