// The command line of the kit.

import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { PARTS, type Amount, type Part } from "./parts.js";

export const USAGE = `Usage: [DAWN=PATH/dawn.node] node hardware.mjs [OPTIONS]

Checks Weft on the GPU of this machine against committed cases, its own CPU device and IEEE arithmetic.

  --only PART[,PART]  these parts alone: ${PARTS.join(", ")}
  --seed N            the first random program (default 1)
  --count N           random programs of each kind (default 500)
  --quick             a tenth of everything
  --jobs N            processes, each with a device of its own (default: half of the processors, at most 8)
  --json FILE         write the report there too
`;

export interface Options extends Amount {
  readonly parts: readonly Part[];
  readonly jobs: number;
  readonly json: string | null;
}

/** Understands the options; throws an error that names the one that is wrong. */
export function parse(args: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string" },
      seed: { type: "string", default: "1" },
      count: { type: "string" },
      quick: { type: "boolean", default: false },
      jobs: { type: "string", default: String(Math.max(1, Math.min(8, availableParallelism() >> 1))) },
      json: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  const whole = (name: string, text: string, least: number) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < least) throw new Error(`--${name} needs a whole number of at least ${least}, not ${text}`);
    return value;
  };
  const asked = values.only?.split(",") ?? PARTS;
  const unknown = asked.find((part) => !PARTS.includes(part as Part));
  if (unknown !== undefined) throw new Error(`there is no part ${unknown}; there are ${PARTS.join(", ")}`);
  return {
    parts: PARTS.filter((part) => asked.includes(part)),
    seed: whole("seed", values.seed, 0),
    count: whole("count", values.count ?? (values.quick ? "50" : "500"), 0),
    stride: values.quick ? 10 : 1,
    jobs: whole("jobs", values.jobs, 1),
    json: values.json ?? null,
  };
}
