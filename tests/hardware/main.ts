// Check of Weft on this machine's GPU. `pack.mjs` packs this file with everything it needs into one
// script. The first process gives items to others, each with a device of its own, so that one
// compiles while another computes, and a driver that crashes takes one process with it.

import { fork, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse, USAGE, type Options } from "./options.js";
import { check, failed, itemsOf, type Outcome, type Part, type Side } from "./parts.js";
import { Report } from "./report.js";
import * as side from "./side.js";

/** Items that a process is given at a time, and milliseconds in which each has to end. */
const CHUNK = 8;
const PATIENCE = 180_000;
/** What the query of this file's address says where it is loaded as a second copy of the
 * library. */
const SECOND = "?cpu";

/** What a process is asked, and what it says. */
type Job = { readonly part: Part; readonly items: readonly number[] };
type Word = { readonly adapter: string } | { readonly outcome: Outcome } | "ready";

/** The GPU of Dawn's Node.js module: `DAWN` names it, or it lies beside this file, or npm's
 * `webgpu` has it. */
function dawn(): GPU {
  const beside = join(dirname(fileURLToPath(import.meta.url)), "dawn.node");
  const address = process.env["DAWN"] ? resolve(process.env["DAWN"]) : existsSync(beside) ? beside : "webgpu";
  const { create, globals } = createRequire(import.meta.url)(address) as { create(options: string[]): GPU; globals: object };
  Object.assign(globalThis, globals);
  return create([]);
}

/** Does what the first process asks. */
async function work(): Promise<void> {
  const say = (word: Word) => process.send?.(word);
  // Dawn's work ends in turns of this process's loop, which must therefore have some.
  setInterval(() => {}, 5);
  const { adapter } = await side.open(dawn());
  const cpu = ((await import(/* @vite-ignore */ `${import.meta.url}${SECOND}`)) as { side: Side }).side;
  await cpu.open(null);
  say({ adapter: [adapter?.vendor, adapter?.architecture, adapter?.description].filter(Boolean).join(" ") });
  say("ready");
  process.on("message", async ({ part, items }: Job) => {
    for (const item of items) say({ outcome: await check(part, item, side, cpu) });
    say("ready");
  });
}

/** Hands out all items, and resolves when there is an outcome for each. */
async function distribute(options: Options, report: Report): Promise<void> {
  const jobs = options.parts.flatMap((part) => {
    const items = itemsOf(part, side, options);
    report.expect(part, items.length);
    return Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, n): Job => ({ part, items: items.slice(n * CHUNK, (n + 1) * CHUNK) }));
  });
  await Promise.all(Array.from({ length: Math.min(options.jobs, jobs.length) }, () => employ(jobs, report)));
}

/** Keeps a process busy until there are no jobs left; another takes its place if it ends early. */
async function employ(jobs: Job[], report: Report): Promise<void> {
  while (jobs.length > 0) {
    const left = await new Promise<Job | null>((resolve, reject) => {
      const child = fork(fileURLToPath(import.meta.url), { env: { ...process.env, WEFT_HARDWARE_WORKER: "1" } });
      let job: Job | null = null;
      let timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
      let isOpen = false;
      child.on("message", (word: Word) => {
        clearTimeout(timer);
        if (word === "ready") job = hand(child, jobs);
        else if ("adapter" in word) {
          isOpen = true;
          report.adapter = word.adapter;
        } else {
          report.add(word.outcome);
          job = { part: word.outcome.part, items: (job as Job).items.slice(1) };
        }
        timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
      });
      child.on("exit", (code, signal) => {
        clearTimeout(timer);
        if (!isOpen) reject(new Error(`no device was opened: the process ended with ${signal ?? code}`));
        else if (!job) resolve(null);
        else {
          report.add(failed(job.part, job.items[0] as number, `the process ended with ${signal ?? code}`));
          resolve({ part: job.part, items: job.items.slice(1) });
        }
      });
    });
    if (left && left.items.length > 0) jobs.unshift(left);
  }
}

/** Gives a process its next job, or lets it go. */
function hand(child: ChildProcess, jobs: Job[]): Job | null {
  const job = jobs.shift() ?? null;
  if (job) child.send(job);
  else child.kill();
  return job;
}

async function main(): Promise<void> {
  let options;
  try {
    options = parse(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
  if (options === "help") {
    console.log(USAGE);
    return;
  }
  const report = new Report(options);
  await distribute(options, report);
  console.log(report.summary());
  report.save();
  process.exit(report.failures.length > 0 ? 1 : 0);
}

export { side };

if (!import.meta.url.endsWith(SECOND)) await (process.env["WEFT_HARDWARE_WORKER"] ? work() : main());
