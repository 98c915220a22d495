// Transforms, loops and branches, nested in each other, compared with JAX: the committed cases of
// `tests/conformance`, called from JavaScript on the CPU device. None may leave a tensor behind.

import { expect, it } from "vitest";
import { cases } from "../support/cases.js";
import { onCpu } from "../support/cpu.js";
import { left, type Program } from "../support/program.js";
import { IDENTITIES, PROGRAMS, trials } from "../support/trials.js";

onCpu();

/** Every second one at a landing, which rotates: all of them run natively then. */
const turn = Number(process.env["WEFT_SEED"] ?? 0) % 2;
const isFull = process.env["WEFT_TIER"] === "full";

it.each([...PROGRAMS, ...IDENTITIES])("%s", async (group) => {
  const programs = cases<Program>(group);
  for (const [n, { name, run }] of trials(group).entries()) {
    if (!isFull && n % 2 !== turn) continue;
    await run();
    expect([name, left(programs[n] as Program)]).toEqual([name, 0]);
  }
}, 120_000);
