// Row of tools of the cell that has the focus, where there is no room beside the code or no pointer
// that hovers. The row comes and goes when a press has ended: what moved under a finger would not
// be pressed.

let shown: Element | null = null;

function settle(): void {
  const active = document.activeElement;
  const cell = active?.closest(".cell") ?? null;
  // A press in an output is no edit of the cell.
  const wanted = cell !== shown && active?.closest(".editor-frame ~ *") ? null : cell;
  if (wanted === shown) return;
  shown?.classList.remove("with-tools");
  shown = wanted;
  shown?.classList.add("with-tools");
}

/** Follows the focus from the first press or focus within an element on: where the page is rendered
 * ahead there is no window to listen to. */
export function followTools(element: HTMLElement): void {
  let [begun, pressed] = [false, false];
  const soon = () => setTimeout(() => !pressed && settle());
  const begin = ({ type }: Event) => {
    if (begun) return;
    begun = true;
    pressed = type === "pointerdown";
    addEventListener("pointerdown", () => (pressed = true), true);
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => ((pressed = false), soon()), true);
    for (const change of ["focusin", "focusout"]) document.addEventListener(change, soon);
    soon();
  };
  for (const type of ["pointerdown", "focusin"]) element.addEventListener(type, begin, { once: true });
}
