// Runner of the page's tests. Files run beside each other, one more than there are cores. Those
// that measure come first, one at a time, beside one file fewer than there are cores: each has a
// core to itself, and none idles. Some need the machine for themselves, at the end. Arguments are
// files to run; `WEFT_TIER=quick` runs a few that look at most of the page.
//
// A file with a failure runs once more, alone, only to find which kind of failure it was: a test
// that passes then is flaky, and that is a failure too.

import { appendFileSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { run } from "node:test";
import { tap } from "node:test/reporters";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("tests", import.meta.url));
/** A file may hang as a whole too, where a browser does not close. */
const FILE_TIMEOUT = 1_200_000;
/** Browsers at a time, of some hundred MiB each: one waits for something while others compute. */
const BESIDE = Math.min(4, availableParallelism() + 1);
/** Files beside one that measures. */
const BESIDE_MEASURED = Math.min(BESIDE, availableParallelism()) - 1;

/** What measures how long something takes finds other figures where it waits for a core. */
const MEASURED = new Set(["first-minute", "heap", "hostile", "stop"]);
/** What bounds a second of several processes at once, or what moves while fonts load, finds others
 * beside anything. */
const ALONE = new Set(["first", "hostile-links"]);
/** Started first, as they take longest. */
const LONGEST = ["notebooks", "computed", "simulations", "views", "keep", "gone", "mine", "page", "follow", "animate", "tune", "benchmark", "bench", "raw-gpu", "soak", "apart", "keyboard", "grants", "run", "rerun"];
/** What a change breaks most often, in a few files of some seconds each. */
const QUICK = new Set(["cells", "controls", "inspector", "isolation", "looks", "run", "touch", "typing"]);

/** @typedef {{ file: string, failed: boolean, seconds: number }} Outcome */
/** @param {string} file */
const nameOf = (file) => basename(file, ".test.mjs");

/** @param {string} file @returns {Promise<Outcome>} */
async function once(file) {
  const start = performance.now();
  let failed = false;
  let text = `\n# ${file}\n`;
  const events = run({ files: [join(folder, file)], timeout: FILE_TIMEOUT });
  events.on("test:fail", () => (failed = true));
  for await (const part of events.compose(tap)) text += part;
  process.stdout.write(text);
  return { file, failed, seconds: (performance.now() - start) / 1_000 };
}

/** Runs files one after another, until none is left in the list.
 * @param {string[]} waiting
 * @param {Outcome[]} outcomes */
async function lane(waiting, outcomes) {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) outcomes.push(await once(file));
}

/** Runs files: those that measure first, and others beside them.
 * @param {string[]} measured
 * @param {string[]} others
 * @returns {Promise<Outcome[]>} */
async function each(measured, others) {
  /** @type {Outcome[]} */
  const outcomes = [];
  const lanes = (/** @type {number} */ count) => Array.from({ length: count }, () => lane(others, outcomes));
  const then = lane(measured, outcomes).then(() => Promise.all(lanes(BESIDE - BESIDE_MEASURED)));
  await Promise.all([then, ...lanes(BESIDE_MEASURED)]);
  return outcomes;
}

const given = process.argv.slice(2).map((path) => basename(path));
const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".test.mjs")).sort();
const chosen = given.length > 0 ? all.filter((file) => given.includes(basename(file))) : all.filter((file) => process.env["WEFT_TIER"] !== "quick" || QUICK.has(nameOf(file)));
const rank = (/** @type {string} */ file) => (LONGEST.includes(nameOf(file)) ? LONGEST.indexOf(nameOf(file)) : LONGEST.length);
const of = (/** @type {Set<string>} */ names) => chosen.filter((file) => names.has(nameOf(file)));
const others = chosen.filter((file) => !MEASURED.has(nameOf(file)) && !ALONE.has(nameOf(file))).sort((a, b) => rank(a) - rank(b));
const outcomes = await each(of(MEASURED), others);
await lane(of(ALONE), outcomes);

const times = process.env["WEFT_TIMES"];
if (times) for (const { file, seconds } of outcomes) appendFileSync(times, `${seconds.toFixed(3)}\t${file}\n`);
const failed = outcomes.filter((outcome) => outcome.failed).map(({ file }) => file);
if (failed.length > 0) {
  console.log(`\n# failed: ${failed.join(", ")}; once more, alone`);
  /** @type {Outcome[]} */
  const repeated = [];
  await lane([...failed], repeated);
  const again = repeated.filter((outcome) => outcome.failed).map(({ file }) => file);
  const flaky = failed.filter((file) => !again.includes(file));
  if (again.length > 0) console.log(`\n# failed twice: ${again.join(", ")}`);
  if (flaky.length > 0) console.log(`\n# flaky, which is a failure: ${flaky.join(", ")}`);
}
process.exit(failed.length > 0 ? 1 : 0);
