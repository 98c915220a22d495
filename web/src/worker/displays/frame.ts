// Displays that an animation's frames make: the first plot or picture of a frame takes the place of
// the first of the frame before, and so on, so that `animate((t) => plot(…))` is one plot that
// moves.

/** What the frames of an animation have made, in order. */
export interface Made {
  at: number;
  readonly displays: unknown[];
}

let frame: Made | null = null;

/** Draws a frame; what it shows before its first await takes the places of what earlier frames
 * showed. */
export function inFrame<T>(made: Made, draw: () => T): T {
  const before = frame;
  frame = made;
  made.at = 0;
  try {
    return draw();
  } finally {
    frame = before;
  }
}

/** The display that this one takes the place of, if it is of the same kind; else a new one. */
export function replaced<T>(fits: (known: unknown) => known is T, make: () => T): T {
  if (frame === null) return make();
  const at = frame.at++;
  const known = frame.displays[at];
  if (fits(known)) return known;
  const display = make();
  frame.displays[at] = display;
  return display;
}
