// Outputs whose numbers are at the ends of what a double can be, as a file or a link may bring them
// along: values that do not differ by what can be divided, axes without a length, NaN, infinities.

/** The least that 1 and another double differ by. */
const STEP = 2 ** -52;

/** @typedef {{ content: object, points?: object[] }} Extreme */

/** @param {...number} values */
const up = (...values) => values.map((value, x) => ({ x, values: { a: value } }));
/** @param {...number} places */
const across = (...places) => places.map((x, value) => ({ x, values: { a: value } }));
/** @param {object[]} points @param {object} [more] @returns {Extreme} */
const chart = (points, more = {}) => ({ content: { kind: "chart", title: "", x: "x", panels: [{ title: "", y: "", series: ["a"], log: false, range: null, ...more }] }, points });
/** @param {object} choice @returns {Extreme} */
const control = (choice) => ({ content: { kind: "control", label: "l", key: JSON.stringify(choice).slice(0, 300), name: null, choice } });

/** Numbers of a plot as files hold them, relative to the first. @param {number[]} values */
const floats = ([first = 0, ...rest]) => {
  const offset = Number.isFinite(first) ? first : 0;
  return { $floats: `${offset};${Buffer.from(Float32Array.from([first, ...rest], (value) => value - offset).buffer).toString("base64")}` };
};
const NONE = { $floats: "0;" };
const axis = (more = {}) => ({ label: "", scale: "linear", ends: null, categories: [], ...more });
/** @param {object[]} marks @param {object} [more] @returns {Extreme} */
const plot = (marks, more = {}) => ({ content: { kind: "plot", title: "", x: axis(), y: axis(), scale: null, panels: [{ title: "", marks }], height: null, equal: true, ...more } });
const series = { name: "", colour: 0 };
/** @param {number[]} x @param {number[]} y */
const line = (x, y) => ({ type: "line", ...series, x: floats(x), y: floats(y), dots: true });
const ENDS = [[1, 1 + STEP], [0, 5e-324], [-1e308, 1e308], [1e17, 1e17 + 16], [1, 0], [1e-289, 2e-289]];
const SCALES = ["linear", "log", "time", "categories"];

/** @type {Extreme[]} */
export const EXTREMES = [
  chart(up(1, 1 + STEP)), chart(across(1e17, 1e17 + 16)), chart(up(1e308, -1e308)), chart(up(0, 5e-324)), chart(up(Infinity, NaN, -Infinity)),
  chart(across(Infinity, NaN, 1e308, -1e308)), chart(up(1, 1 + STEP), { log: true }), chart(up(5e-324, 1.7e308), { log: true }),
  ...[[1, 1 + STEP], [-Infinity, Infinity], [NaN, 1], [1]].map((range) => chart(up(1, 2), { range })),
  ...[[0, 1], [1, Infinity], [-5, 1], [1, 1 + STEP]].map((range) => chart(up(1, 2), { range, log: true })),
  control({ type: "point", x: [1, 1], y: [2, 2], initial: [1, 1], value: [1, 1] }),
  control({ type: "point", x: [2, 1], y: [0, 0], initial: [1, 1], value: [1, 1] }),
  control({ type: "point", x: [-1e308, 1e308], y: [0, 5e-324], initial: [1, 1], value: [1e300, 1] }),
  control({ type: "play", min: 0, max: 1, step: 0, rate: 0, loop: true, initial: 0, value: 0 }),
  control({ type: "range", min: 1, max: 0, step: 0, initial: [1e300, -1e300], value: [1e300, -1e300] }),
  control({ type: "slider", min: 1e308, max: -1e308, step: 1e-320, initial: 1e308, value: -1e308 }),
  { content: { kind: "progress", label: "", done: NaN, total: Infinity, text: "", elapsed: -1, ended: false } },
  { content: { kind: "tensor", title: "", summary: { dtype: "", shape: [Number.MAX_SAFE_INTEGER, 0], statistics: { min: NaN, max: Infinity, mean: -1e308, nan: 3, infinite: 4 }, corner: [[], ["a"]], cut: { rows: true, columns: true }, lead: "" } } },
  { content: { kind: "value", text: "x", tree: [{ key: "a", text: "b", depth: 12, open: true }, { key: "__proto__", text: "c", depth: 0, open: true }, { key: "", text: "", depth: 7, open: true }] } },
  ...ENDS.map((ends, i) => plot([line([1, 1 + STEP, NaN, 1e308], [5e-324, 1e17, 1e17 + 16, -Infinity])], { x: axis({ scale: SCALES[i % 4], ends }), y: axis({ scale: SCALES[(i + 1) % 4], ends, categories: ["a"] }) })),
  ...SCALES.map((scale) => plot([line([1, 1 + STEP], [1e17, 1e17 + 16])], { x: axis({ scale }), y: axis({ scale }) })),
  plot([
    { type: "dots", ...series, x: floats([1]), y: NONE, values: floats([NaN]), radius: 1e308 },
    { type: "density", ...series, columns: 512, rows: 512, x: [0, 0], y: [1, 1], counts: NONE, values: floats([1]) },
    { type: "bars", ...series, along: "x", x0: floats([NaN, 1e308]), x1: floats([0, -1e308]), y0: floats([1, 2]), y1: floats([1]), values: floats([1]) },
    { type: "box", ...series, at: 200, along: "y", five: NONE, outliers: floats([NaN, 1e308]), count: 0 },
    { type: "field", ...series, columns: 512, rows: 512, x: [0, 1], y: [0, 1], values: floats(Array.from({ length: 4_096 }, (_, i) => (i % 2 ? 1e308 : -1e308))), levels: floats([0, 0, NaN, Infinity, -1e308]), filled: true },
  ], { scale: { label: "", low: 1, high: 1, colormap: "gray" } }),
];

/** JSON of a Jupyter notebook with one code cell for each. */
export const extremeNotebook = () =>
  JSON.stringify(
    { nbformat: 4, nbformat_minor: 5, metadata: { language_info: { name: "javascript" } }, cells: EXTREMES.map((own, i) => ({ cell_type: "code", id: `c${i}`, metadata: {}, execution_count: 1, source: `${i}`, outputs: [{ output_type: "display_data", metadata: {}, data: { "application/vnd.weft.output.v1+json": own } }] })) },
    (_, value) => (typeof value === "number" && !Number.isFinite(value) ? { $number: String(value) } : value),
  );
