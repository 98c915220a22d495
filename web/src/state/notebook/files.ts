// Paths of files that a notebook may read: those of its own site under `data/` and `notebooks/`. A
// cell names a path, and this file decides what URL, if any, the page fetches for it.

const FOLDERS = ["data/", "notebooks/"];

/** `missing`: the path is one that the notebook's own files may have. */
export type FileRequest = { ok: true; url: string } | { ok: false; missing?: true; message: string };

/** `site` is the address of the folder that holds the page, with its trailing slash. */
export function resolveFile(path: string, site: string, folders: readonly string[] = FOLDERS): FileRequest {
  const refuse = (why: string): FileRequest => ({ ok: false, message: `file(${JSON.stringify(path)}): ${why}` });
  if (path === "" || path.endsWith("/")) return refuse("does not name a file");
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith("/") || path.includes("\\"))
    return refuse('a notebook reads files of its own site, by a relative path such as "data/mnist/train-images.gz"');
  if (!path.includes("/")) return { ok: false, missing: true, message: `file(${JSON.stringify(path)}): the notebook has no such file. Drop it on the page to add it` };
  if (/[?#]/.test(path)) return refuse("a path cannot have a query or a fragment");
  // An encoded dot or slash would be a second spelling of a path that the check below has already
  // judged.
  if (/%(2e|2f|5c)/i.test(path) || path.split("/").includes("..")) return refuse("a path cannot leave its folder");
  const base = new URL(site);
  const url = new URL(path, base);
  const inside = folders.some((folder) => url.pathname.startsWith(base.pathname + folder));
  if (url.origin !== base.origin || !inside) return refuse(`only files under ${folders.join(" and ")} can be read`);
  return { ok: true, url: url.href };
}
