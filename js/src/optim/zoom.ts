// Line search for the strong Wolfe conditions, as `optax.zoom_linesearch`: by doubling until an
// interval holds such a step, then by cubics, parabolas and halving inside (J. Nocedal and S.
// Wright, *Numerical Optimization*, algorithms 3.5 and 3.6).

/** Where a step leads: the value there, and its slope along the step. */
export interface Point {
  readonly step: number;
  readonly value: number;
  readonly slope: number;
}

/** The share of the slope by which a value has to fall, and to which the slope itself has to. */
const DECREASE = 1e-4;
const CURVATURE = 0.9;
/** How much higher, for its size, a value may be where only the slope shows a decrease (W. Hager
 * and H. Zhang 2006): there the values are rounding. */
const ROUNDING = 1e-6;
/** An interval so short is not searched further once there is a step that decreases. */
const SHORTEST = 1e-5;

/** What a number that should be at most 0 exceeds it by; what is NaN by infinity. */
const excess = (error: number): number => (Number.isNaN(error) ? Infinity : Math.max(error, 0));

/** The step that is taken from `start`, of those that `at` computes, at most `most`: `start` itself
 * where no other has a finite value. */
export async function zoom(at: (step: number) => Promise<Point>, start: Point, most: number): Promise<Point> {
  const decreaseOf = ({ step, value, slope }: Point): number => {
    const exact = value - start.value - DECREASE * step * start.slope;
    const byRounding = Math.max(slope - (2 * DECREASE - 1) * start.slope, value - start.value - ROUNDING * Math.abs(start.value));
    return excess(Math.min(byRounding, exact));
  };
  const errorOf = (point: Point): number => Math.max(decreaseOf(point), excess(Math.abs(point.slope) - CURVATURE * Math.abs(start.slope)));
  // The best so far that decreases: for when no step does all that is asked.
  let safe = start;
  const atLast = (point: Point): Point => (safe.step > 0 || decreaseOf(point) === Infinity ? safe : point);

  let count = 0;
  let [low, high] = [start, start];
  for (let previous = start; ; ) {
    const next = await at(count === 0 ? 1 : 2 * previous.step);
    count++;
    if (decreaseOf(next) <= 0) safe = next;
    if (errorOf(next) <= 0) return next;
    if (count >= most) return atLast(next);
    if (decreaseOf(next) > 0 || (next.value >= previous.value && count > 1)) {
      [low, high] = [previous, next];
      break;
    }
    if (next.slope >= 0) {
      [low, high] = [next, previous];
      break;
    }
    previous = next;
  }
  for (let third = low; ; ) {
    const length = Math.abs(high.step - low.step);
    const inside = (step: number, edge: number): boolean =>
      step > Math.min(low.step, high.step) + edge * length && step < Math.max(low.step, high.step) - edge * length;
    const [cubic, parabola] = [leastOfCubic(low, high, third), leastOfParabola(low, high)];
    const step = inside(cubic, 0.2) ? cubic : inside(parabola, 0.1) ? parabola : (low.step + high.step) / 2;
    const next = await at(step);
    count++;
    const decrease = decreaseOf(next);
    if (decrease <= 0 && next.value < safe.value) safe = next;
    if (errorOf(next) <= 0) return next;
    if (count >= most || (length <= SHORTEST && safe.step > 0)) return atLast(next);
    if (decrease > 0 || next.value >= low.value) [third, high] = [high, next];
    else if (next.slope * (high.step - low.step) >= 0) [third, high, low] = [high, low, next];
    else [third, low] = [low, next];
  }
}

/** Where the cubic through three points with the slope of the first is least; NaN where it is
 * nowhere. */
function leastOfCubic(a: Point, b: Point, c: Point): number {
  const [db, dc] = [b.step - a.step, c.step - a.step];
  const [eb, ec] = [b.value - a.value - a.slope * db, c.value - a.value - a.slope * dc];
  const divisor = (db * dc) ** 2 * (db - dc);
  const third = (dc ** 2 * eb - db ** 2 * ec) / divisor;
  const second = (db ** 3 * ec - dc ** 3 * eb) / divisor;
  return a.step + (-second + Math.sqrt(second * second - 3 * third * a.slope)) / (3 * third);
}

/** The same of the parabola through two. */
function leastOfParabola(a: Point, b: Point): number {
  const distance = b.step - a.step;
  const second = (b.value - a.value - a.slope * distance) / distance ** 2;
  return a.step - a.slope / (2 * second);
}
