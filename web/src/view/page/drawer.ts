// The sidebar as a drawer, where there is no room for it beside the notebook. It opens over the
// notebook from the header's button. It closes on Escape, on a click beside it and when the focus
// leaves it, so that nobody types below it, and returns the focus.

const button = () => document.querySelector<HTMLElement>(".sidebar-button");
const isOpen = () => document.body.classList.contains("sidebar-open");

function set(open: boolean): void {
  document.body.classList.toggle("sidebar-open", open);
  button()?.setAttribute("aria-expanded", String(open));
}

export function toggleDrawer(): void {
  if (isOpen()) return closeDrawer();
  set(true);
  document.querySelector<HTMLElement>("#sidebar a, #sidebar button")?.focus();
}

/** Opens it where it is a drawer: beside the notebook it is always open. */
export function openDrawer(): void {
  if (button()?.offsetParent) set(true);
}

/** Closes it; the focus goes back to the button that opened it. */
export function closeDrawer(): void {
  if (!isOpen()) return;
  button()?.focus({ preventScroll: true });
  set(false);
}

export function listenToDrawer(sidebar: HTMLElement): void {
  document.addEventListener("keydown", ({ key }) => key === "Escape" && closeDrawer());
  document.addEventListener("focusin", ({ target }) => {
    if (isOpen() && target instanceof Node && !sidebar.contains(target)) set(false);
  });
}
