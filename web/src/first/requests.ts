// Requests that the script in the page's head begins for the page's own script, which is still on
// its way then: over a slow link, each would otherwise cost a round trip more.

interface Early {
  weftEarly?: Map<string, Promise<Response | null>>;
}

/** Begins to fetch these paths. Where one does not come, the page asks again. */
export function fetchEarly(paths: readonly string[], priority: RequestPriority = "auto"): void {
  const early = ((globalThis as Early).weftEarly ??= new Map());
  for (const path of paths) early.set(path, fetch(path, { credentials: "omit", priority }).catch(() => null));
}

/** What was asked for early, once. */
export function takeEarly(path: string): Promise<Response | null> | undefined {
  const { weftEarly } = globalThis as Early;
  const early = weftEarly?.get(path);
  weftEarly?.delete(path);
  return early;
}
