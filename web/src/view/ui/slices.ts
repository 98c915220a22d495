// Cooperative scheduling of the page's work. Tasks wait in order, and after a few milliseconds of
// them the page has a turn to paint and to take clicks.

const SLICE = 10;
const waiting: (() => void)[] = [];
let scheduled = false;

function work(): void {
  scheduled = false;
  const begin = performance.now();
  for (let task = waiting.shift(); task; task = waiting.shift()) {
    task();
    if (performance.now() - begin > SLICE) break;
  }
  schedule();
}

function schedule(): void {
  if (scheduled || waiting.length === 0) return;
  scheduled = true;
  // Behind the next frame, so that what was made is laid out before more is; a hidden page has no
  // frames.
  let begun = false;
  const begin = () => {
    if (begun) return;
    begun = true;
    work();
  };
  requestAnimationFrame(() => setTimeout(begin));
  setTimeout(begin, 100);
}

/** Does `task` soon, in its turn. */
export function soon(task: () => void): void {
  waiting.push(task);
  schedule();
}
