// What a notebook's page offers its cells, for an exported module: what a cell displays is logged,
// and a control has the value that its cell gives it. The exporter takes what a notebook uses of
// this file (`module-write.ts`), statement by statement, with the comments above them.

/** Lines are logged in order, also where a tensor's numbers arrive later. */
let logged = Promise.resolve();
const log = (make, write = console.log) => (logged = logged.then(make).then((text) => write(text)));

const isTensor = (value) => value instanceof Tensor;

const brief = (value) => (typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value);

async function described(value) {
  if (isTensor(value)) {
    const [head, size] = [`${value.dtype}[${value.shape.join(",")}]`, value.size];
    if (size === 0) return head;
    const flat = value.reshape([size]);
    const numbers = Array.from(await (size > 12 ? flat.slice([0, 12]) : flat).data());
    return `${head} ${numbers.map(brief).join(" ")}${size > 12 ? " …" : ""}`;
  }
  if (typeof value === "string") return value;
  if (typeof value === "function") return `function ${value.name}`;
  if (typeof value === "object" && value !== null && Object.hasOwn(value, "toJSON") === false && Object.values(value).some(isTensor)) {
    const parts = await Promise.all(Object.entries(value).map(async ([name, each]) => `${name}: ${await described(each)}`));
    return Array.isArray(value) ? `[${parts.map((part) => part.replace(/^\d+: /, "")).join(", ")}]` : `{ ${parts.join(", ")} }`;
  }
  try {
    return typeof value === "object" ? (JSON.stringify(value) ?? String(value)) : String(value);
  } catch {
    return String(value);
  }
}

/** Objects that are logged already. */
const handles = new WeakSet();
function handle(object) {
  handles.add(object);
  return object;
}

/** The last value of a cell. */
async function show(...values) {
  const value = await values.at(-1);
  if (value !== undefined && !(typeof value === "object" && value !== null && handles.has(value))) await display(value);
}

const print = (...values) => {
  const shown = values.map((value) => (isTensor(value) ? `${value.dtype}[${value.shape.join(",")}]` : value));
  if (shown.every((value) => typeof value !== "object" || value === null)) log(() => shown.join(" "));
  else log(async () => (await Promise.all(shown.map(described))).join(" "));
};

const display = (value, { title } = {}) => log(async () => `${title === undefined ? "" : `${title}: `}${await described(value)}`);

const markdown = (source) => {
  log(() => source);
  return handle({ update: (next) => void log(() => next) });
};

function table(rows, { columns } = {}) {
  const listed = [...rows];
  const named = columns && listed.every(Array.isArray) ? listed.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))) : listed;
  log(() => named, (all) => console.table(all, columns));
}

const picture = (what) => (given, { title } = {}) => {
  const line = (of) => `${of.dtype}[${of.shape.join(",")}]`;
  log(() => `${title ?? what}: ${[given].flat().map(line).join(", ")}`);
  return handle({ update: () => undefined });
};
const image = picture("image");
const heatmap = picture("heatmap");

/** What a plot draws, in a few words. */
async function summary(given) {
  const value = await given;
  if (isTensor(value)) return `${value.dtype}[${value.shape.join(",")}]`;
  if (typeof value === "function") return value.name || "a function";
  if (typeof value?.length === "number") return `${value.length} values`;
  if (typeof value !== "object" || value === null) return String(value);
  return (await Promise.all(Object.entries(value).map(async ([name, each]) => `${name} ${await summary(each)}`))).join(", ");
}

const drawn = (what) => (...values) => {
  log(async () => `${values.at(-1)?.title ?? what}: ${await summary(values[0])}`);
  return Object.assign(handle(Promise.resolve()), { update: async () => undefined });
};
const scatter = drawn("scatter");
const hist = drawn("hist");
const bars = drawn("bars");
const box = drawn("box");
const contour = drawn("contour");
const lines = drawn("plot");

function plot(...values) {
  const [options] = values;
  return values.length === 1 && Array.isArray(options?.series) && options.series.every((each) => typeof each !== "number") ? chart(options) : lines(...values);
}

function chart({ title = "chart", x = "" } = {}) {
  let count = 0;
  const read = async ([name, value]) => `${name} ${brief(isTensor(value) ? await value.item() : value)}`;
  return handle({
    add(point) {
      const at = count++;
      log(async () => `${x === "" ? `${title} ${at}` : title}: ${(await Promise.all(Object.entries(point).map(read))).join(", ")}`);
    },
  });
}

const progress = Object.assign(
  (total, { label = "progress" } = {}) => {
    let done = 0;
    return handle({
      total,
      update(now, text = "") {
        if (Math.floor((now / total) * 10) > Math.floor((done / total) * 10)) log(() => `${label} ${now}/${total} ${text}`.trim());
        done = now;
      },
      end: (text = "") => void log(() => `${label} ended ${text}`.trim()),
      async *[Symbol.asyncIterator]() {
        for (let i = 0; i < total; i++) {
          await breathe();
          yield i;
          this.update(i + 1);
        }
      },
    });
  },
  { range: (total, options) => progress(total, options) },
);

/** One frame is computed and logged. */
function animate(draw, { title = "animation", start } = {}) {
  log(async () => {
    await start?.();
    const frame = await draw(0, 0, { x: 0.5, y: 0.5, down: false });
    return `${title}: ${isTensor(frame) ? `${frame.dtype}[${frame.shape.join(",")}]` : "one frame"}`;
  });
  return handle({});
}

const slider = (label, { min = 0, max = 1, value = (min + max) / 2 } = {}) => value;
const number = (label, { min = -Infinity, max = Infinity, value = Math.max(min, Math.min(max, 0)) } = {}) => value;
const select = (label, among, { value } = {}) => {
  const entries = Array.isArray(among) ? among.map((each) => [String(each), each]) : Object.entries(among);
  return (entries.find(([text, each]) => Object.is(each, value) || text === value) ?? entries[0])[1];
};
const checkbox = (label, { value = false } = {}) => value;
const text = (label, { value = "" } = {}) => value;
const range = (label, { min = 0, max = 1, value = [min, max] } = {}) => [...value];
const point = (label, { x = [0, 1], y = [0, 1], value = [(x[0] + x[1]) / 2, (y[0] + y[1]) / 2] } = {}) => [...value];
const play = (label, { min = 0, max = 100, value = min } = {}) => value;
const color = (label, { value = "#3b4a8f" } = {}) => [1, 3, 5].map((at) => parseInt(value.slice(at, at + 2), 16) / 255);

/** A sound is only mentioned. */
const audio = async (sound, given) => {
  if (typeof sound === "string" || sound instanceof Uint8Array || sound instanceof ArrayBuffer) throw new Error("audio: files of sounds are read on the page alone");
  const { samples, rate } = { samples: sound, ...(isTensor(sound?.samples) ? sound : {}), ...(typeof given === "number" ? { rate: given } : given) };
  await log(async () => `sound: ${await summary(samples)}, ${rate} samples a second`);
};

/** Nobody presses it. */
const button = (label) => handle({ label, clicks: 0 });

/** Nobody draws on it. */
const draw = ({ size = 28 } = {}) => {
  const pad = { size, read: async () => new Float32Array(size * size), guess: async () => undefined, onChange: () => pad };
  return handle(pad);
};
const input = { draw };

class FileError extends Error {
  name = "FileError";
  constructor(message, path, failure) {
    super(message);
    Object.assign(this, { path, failure });
  }
}
class FileNotFound extends FileError {
  name = "FileNotFound";
}

/** Files of the site that the notebook came from. */
async function bytesOf(path) {
  const response = await fetch(new URL(path, SITE));
  if (response.status === 404) throw new FileNotFound(`file(${JSON.stringify(path)}): ${SITE} has no such file`, path, "not-found");
  if (!response.ok) throw new FileError(`file(${JSON.stringify(path)}): the server answered ${response.status}`, path, "failed");
  return new Uint8Array(await response.arrayBuffer());
}
const textOf = async (path) => new TextDecoder().decode(await bytesOf(path));
const exists = (path) => bytesOf(path).then(() => true, (error) => (error instanceof FileNotFound ? false : Promise.reject(error)));
const file = Object.assign(bytesOf, { text: textOf, json: async (path) => JSON.parse(await textOf(path)), exists });

/** Writes the files into the folder where Node.js runs; in a page, logs their names. Pictures,
 * which only a page can make, are logged. */
async function download(first, second) {
  const [files, name] = typeof first === "string" ? [{ [first]: second }, "files"] : [first, second ?? "files"];
  const node = globalThis.process?.getBuiltinModule?.("node:fs");
  node?.mkdirSync(name, { recursive: true });
  for (const [path, content] of Object.entries(files)) if (!isTensor(content)) node?.writeFileSync(`${name}/${path.replace(/[^\w.-]+/g, "-")}`, content);
  log(() => `${node ? "wrote" : "files"} ${Object.entries(files).map(([path, content]) => `${name}/${path}${isTensor(content) ? ` (a picture ${content.dtype}[${content.shape.join(",")}])` : ""}`).join(", ")}`);
}

const tick = () => new Promise((resolve) => setTimeout(resolve));
const breathe = tick;
const nextFrame = async () => {
  await (globalThis.requestAnimationFrame ? new Promise((resolve) => requestAnimationFrame(resolve)) : tick());
  return performance.now();
};
