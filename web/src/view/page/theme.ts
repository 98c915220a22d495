// Light and dark themes. The page follows the system until the reader chooses, and remembers the
// choice.

import { browserStore } from "../../state/notebook/storage";

export type Theme = "light" | "dark";
const KEY = "weft:theme";
const system = () => matchMedia("(prefers-color-scheme: dark)");

function chosen(): Theme | null {
  try {
    const value = browserStore()?.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

export const currentTheme = (): Theme => chosen() ?? (system().matches ? "dark" : "light");

const paper = () => matchMedia("print");

/** Paper is light. */
export function applyTheme(): void {
  document.documentElement.dataset["theme"] = paper().matches ? "light" : currentTheme();
}

export function toggleTheme(): Theme {
  const next: Theme = currentTheme() === "dark" ? "light" : "dark";
  try {
    // Back to what the system says is no choice to remember.
    if ((next === "dark") === system().matches) browserStore()?.removeItem(KEY);
    else browserStore()?.setItem(KEY, next);
  } catch {
    // Not remembered, but shown.
  }
  document.documentElement.dataset["theme"] = next;
  return next;
}

export function watchTheme(changed: () => void): void {
  paper().addEventListener("change", applyTheme);
  system().addEventListener("change", () => {
    applyTheme();
    changed();
  });
}
