// Runs the page's tests, one file after the other. A file in which something failed runs once more when the others are done: what is timed may meet
// a machine that is busy with something else, and what is broken fails again. Arguments are the files to run.

import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { run } from "node:test";
import { tap } from "node:test/reporters";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("tests", import.meta.url));
/** A file may hang as a whole too, where a browser does not close. */
const FILE_TIMEOUT = 1_200_000;

/** Runs files, and says in which of them something failed. @param {string[]} files @returns {Promise<string[]>} */
async function failing(files) {
  const failed = [];
  for (const file of files) {
    console.log(`\n# ${file}`);
    let fails = 0;
    const events = run({ files: [join(folder, file)], timeout: FILE_TIMEOUT });
    events.on("test:fail", () => fails++);
    for await (const text of events.compose(tap)) process.stdout.write(text);
    if (fails > 0) failed.push(file);
  }
  return failed;
}

const given = process.argv.slice(2).map((path) => basename(path));
const files = given.length > 0 ? given : readdirSync(folder).filter((name) => name.endsWith(".test.mjs"));
const first = await failing(files.sort());
if (first.length > 0) console.log(`\n# failed: ${first.join(", ")}; once more`);
const again = await failing(first);
if (again.length > 0) console.log(`\n# failed twice: ${again.join(", ")}`);
process.exit(again.length > 0 ? 1 : 0);
