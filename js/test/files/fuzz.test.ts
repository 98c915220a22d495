// Damaged files of every format. Whatever is in them, a reader soon gives a result or throws a
// `FormatError`. A run prints its seed; `WEFT_SEED=N` repeats it.

import { beforeAll, describe, expect, it } from "vitest";
import { data, FormatError, tensor } from "../../src/index.js";
import { onCpu } from "../support/cpu.js";
import { deflated, entry, gzipped, idx, joined, npy, npyOf, number, processorTime, safetensors, SOON, zip } from "./forge.js";

onCpu();

const seed = Number(process.env["WEFT_SEED"] ?? 29) >>> 0;
const count = process.env["WEFT_TIER"] === "full" ? 20_000 : 2000;

/** Mulberry32: numbers below `limit`. */
function randomOf(start: number): (limit: number) => number {
  let state = start | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/** A file with bits flipped, bytes replaced, pieces cut out, doubled or put in from another, or its
 * end cut off; or noise behind its first bytes. */
function damaged(file: Uint8Array, others: readonly Uint8Array[], random: (limit: number) => number): Uint8Array {
  let made = file.slice();
  for (let n = random(3); n >= 0; n--) {
    const [at, length] = [random(made.length + 1), random(1 + random(40))];
    const [before, behind] = [made.slice(0, at), made.slice(at)];
    const other = others[random(others.length)] as Uint8Array;
    const noise = Uint8Array.from({ length }, () => random(256));
    switch (random(8)) {
      case 0:
        if (at < made.length) made[at] = (made[at] as number) ^ (1 << random(8));
        break;
      case 1:
        if (at < made.length) made[at] = [0, 1, 0x7f, 0x80, 0xff, 0x22, 0x5c, 0x2c][random(8)] as number;
        break;
      case 2:
        made = joined(before, behind.slice(length));
        break;
      case 3:
        made = joined(before, behind.slice(0, length), behind);
        break;
      case 4:
        made = joined(before, other.slice(random(other.length)).slice(0, length), behind);
        break;
      case 5:
        made = before;
        break;
      case 6:
        made = joined(before.slice(0, 16), noise, noise);
        break;
      default:
        made.set(noise.slice(0, made.length - at), at);
    }
  }
  return made;
}

const all = (files: Iterable<data.ArrayFile>) => {
  for (const file of files) {
    for (const read of [() => file.shape, () => file.data, () => file.bits]) {
      try {
        read();
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
      }
    }
  }
};

const body = Uint8Array.from({ length: 48 }, (_, n) => n * 37);
const plain = npyOf("<f4", "(3, 4)", body);
const formats: readonly (readonly [name: string, files: readonly Uint8Array[], read: (file: Uint8Array) => unknown])[] = [
  ["npy", [plain, npyOf(">i8", "(3L, 2L)", body, "True"), npy('{"descr": "|b1", "fortran_order": False, "shape": ()}', body, 3)], (file) => all([data.npy(file)])],
  ["npz", [zip([{ name: "a.npy", file: plain }, deflated("b.npy", plain)]), zip([{ ...deflated("c.npy", plain), size: 0xffffffff, extra: joined(number(2, 1), number(2, 8), number(8, plain.length)) }], { comment: "c" })], async (file) => all(Object.values(await data.npz(file)))],
  ["safetensors", [safetensors(`{"__metadata__":{"k":"v"},"a":${entry("F32", "[2,2]", 0, 16)},"b":${entry("F4", "[4]", 16, 18)},"c\\"":${entry("I64", "[]", 18, 26)}}`, body.slice(0, 26))], (file) => all(Object.values(data.safetensors(file).tensors))],
  ["idx", [idx(13, [3, 4], body), gzipped(idx(8, [48], body)), joined(gzipped(idx(11, [24], body).slice(0, 9)), gzipped(idx(11, [24], body).slice(9)))], (file) => all([data.idx(file)])],
  [
    "csv",
    ['a,"b ""c""\n",a\r\n1,NA,"x"\n\n# y\n2,3.5e1,\ufffd\n', "x;y\n1;True\n2;False", "a b\n r  1 2\n"].map((text) => new TextEncoder().encode(text)),
    (file) => {
      for (const options of [{}, { separator: "whitespace", comment: "#", fill: true }, { lines: [2, 3], header: true }] as const) {
        try {
          const table = data.csv(new TextDecoder("latin1").decode(file), options);
          for (const name of table.names) expect(table.typed(name).data.length).toBe(table.rows.length);
        } catch (error) {
          if (!(error instanceof FormatError)) throw error;
        }
      }
    },
  ],
];

beforeAll(() => console.info(`seed ${seed}`));

describe.each(formats)("%s", (_, files, read) => {
  it("is read or refused, whatever becomes of it", async () => {
    for (const file of files) await read(file);
    const random = randomOf(seed);
    for (let n = 0; n < count; n++) {
      const file = damaged(files[random(files.length)] as Uint8Array, files, random);
      const start = processorTime();
      try {
        await read(file);
      } catch (error) {
        if (!(error instanceof FormatError)) throw new Error(`${n}: ${Buffer.from(file).toString("base64")}`, { cause: error });
      }
      expect(processorTime() - start).toBeLessThan(SOON);
    }
    // The core is as it was.
    expect(await tensor([1, 2]).sum().item()).toBe(3);
  }, 600_000);
});
