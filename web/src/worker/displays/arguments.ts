// Arguments of the notebook's functions: how many each takes, which options it has, and what to
// write where others are given.

import { isTensor } from "../library/library";

/** How many arguments a function takes, and what shows several values. */
const TAKES: Readonly<Record<string, readonly [most: number, instead: string]>> = {
  display: [2, "print(a, b) shows several values"],
  markdown: [1, "write one text, as in markdown(`${a} and ${b}`)"],
  table: [2, "write one list of rows, as in table([a, b])"],
  image: [2, 'two pictures are image([a, b]), with captions image([a, b], { columns: 2, labels: ["before", "after"] })'],
  heatmap: [2, "several of one shape are heatmap(stack([a, b]))"],
  plot: [3, "several lines are plot(x, { sine: a, cosine: b })"],
  scatter: [3, "what colours points is an option, as in scatter(x, y, { color: c })"],
  hist: [2, "several histograms are hist({ before: a, after: b })"],
  bars: [3, "several series are bars(names, { before: a, after: b })"],
  box: [2, "several boxes are box({ before: a, after: b })"],
  contour: [4, "write contour(f, [-2, 2], [-1, 1]), or contour(values, { domain: [-2, 2], range: [-1, 1] }) for a matrix"],
  progress: [2, 'write progress(100, { label: "training" })'],
  animate: [2, "write one function that draws a frame, as in animate((t) => image(f(t)))"],
  slider: [2, 'write slider("speed", { min: 0, max: 10 })'],
  number: [2, 'write number("count", { min: 0, max: 10 })'],
  select: [3, 'write a list, as in select("which", ["a", "b"])'],
  checkbox: [2, 'write checkbox("whether", { value: true })'],
  color: [2, 'write color("hue", { value: "#ff0000" })'],
  text: [2, 'write text("name", { value: "Ada" })'],
  range: [2, 'write range("between", { min: 0, max: 10 })'],
  point: [2, 'write point("place", { x: [0, 1], y: [0, 1] })'],
  play: [2, 'write play("time", { min: 0, max: 10 })'],
  button: [2, 'write button("Go", () => print("pressed"))'],
  draw: [1, "write draw({ size: 28 })"],
  download: [2, 'several files are download({ "a.txt": a, "b.txt": b })'],
  audio: [2, "several channels are one tensor [channels, n]"],
  upload: [2, 'write upload("A photo", { accept: "image/*" })'],
};

/** What to write where a value stands in the place of options. */
const insteadOf = (what: string): string => (isCounted(what) ? `; ${TAKES[what]![1]}` : "");

/** Whether a function's arguments are counted. */
export const isCounted = (what: string): boolean => Object.hasOwn(TAKES, what);

/** Refuses surplus arguments of a function that shows something. */
export function checkCount(what: string, count: number): void {
  const [most, instead] = TAKES[what]!;
  if (count > most) throw new TypeError(`${what}: takes at most ${most} ${most === 1 ? "argument" : "arguments"}, not ${count}; ${instead}`);
}

/** Options as other libraries call them, by what they are called here. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  x: ["xlabel", "xLabel"],
  y: ["ylabel", "yLabel"],
  log: ["xscale", "yscale", "logx", "logy", "logX", "logY", "scale"],
  domain: ["xlim", "xRange"],
  range: ["ylim", "yRange", "clim", "vmin", "vmax"],
  color: ["c", "colors", "colour", "hue"],
  size: ["s", "sizes", "radius"],
  colormap: ["cmap"],
  equal: ["aspect"],
  height: ["figsize"],
  density: ["normed"],
  columns: ["ncols", "cols", "nrow"],
  smooth: ["interpolation"],
  levels: ["level"],
  dots: ["marker", "markers", "o"],
  value: ["initial", "default"],
};
const hereCalled = (key: string, allowed: readonly string[]) => Object.keys(CALLED).find((name) => CALLED[name]!.includes(key) && allowed.includes(name));

/** Whether a value is an object as it is written in braces. */
export const isPlain = (value: unknown): value is object => typeof value === "object" && value !== null && (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null);

/** What a value is that is no object of options; null where it is one. */
function otherThanOptions(value: unknown): string | null {
  if (typeof value !== "object") return typeof value;
  if (value === null) return "null";
  if (isTensor(value)) return `a tensor [${value.shape.join(",")}]`;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return "a list";
  if (value instanceof Promise) return "a promise";
  return isPlain(value) ? null : "an object of a class";
}

/** Refuses what is no option, by its name. */
export function checkOptions(what: string, options: unknown, allowed: readonly string[]): void {
  const other = otherThanOptions(options);
  if (other !== null) throw new TypeError(`${what}: options must be an object such as { ${allowed.slice(0, 3).map((name) => `${name}: …`).join(", ")} }, not ${other}${insteadOf(what)}`);
  for (const key of Object.keys(options as object)) if (!allowed.includes(key)) {
    const here = hereCalled(key, allowed);
    throw new TypeError(`${what}: no option “${key}”${here === undefined ? "" : `, which is “${here}” here`}; the options are ${allowed.join(", ")}`);
  }
}
