// Static server for the built site: files of a folder under a path, optionally another folder as
// its `data/`, and 404 for everything else. A test may see each request first.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

/** @type {Record<string, string>} */
export const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".md": "text/markdown; charset=utf-8",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

/**
 * @param {string} folder
 * @param {{ path?: string, data?: string, intercept?: (request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => boolean }} [options]
 * `path` begins and ends with a slash; a request that `intercept` returns true for is answered by
 * it.
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function serve(folder, { path = "/", data, intercept } = {}) {
  const server = createServer(async (request, response) => {
    if (intercept?.(request, response)) return;
    const missing = () => response.writeHead(404, { "Content-Type": "text/plain" }).end("not found");
    try {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      if (!pathname.startsWith(path)) return missing();
      const relative = normalize(decodeURIComponent(pathname.slice(path.length))) || "index.html";
      if (relative.startsWith("..")) return missing();
      const inData = data !== undefined && relative.startsWith(`data${sep}`);
      let file = inData ? join(data, relative.slice(5)) : join(folder, relative);
      let found = await stat(file).catch(() => null);
      if (found?.isDirectory()) {
        file = join(file, "index.html");
        found = await stat(file).catch(() => null);
      }
      if (!found?.isFile()) return missing();
      response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", "Content-Length": found.size });
      createReadStream(file).pipe(response);
    } catch {
      missing();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}
