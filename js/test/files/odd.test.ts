// Odd and hostile files. A reader reads each, or refuses it in words that name the place, within
// two seconds of processor time and a gigabyte.

import { resourceUsage } from "node:process";
import { afterAll, describe, expect, it } from "vitest";
import { data, FormatError } from "../../src/index.js";
import { onCpu } from "../support/cpu.js";
import { deflated, deflatedZeros, entry, gzipOf, gzipped, idx, joined, npy, npyOf, number, processorTime, safetensors, SOON, text, zip } from "./forge.js";

onCpu();

const MIB = 2 ** 20;
const ones = npyOf("<f4", "(2,)", new Uint8Array(Float32Array.of(1, 1).buffer));
const zeros = (mebibytes: number) => npyOf("|u1", `(${mebibytes * MIB},)`, new Uint8Array());
const bytes = (...values: number[]) => Uint8Array.from(values);
const threeIdx = idx(8, [3], bytes(1, 2, 3));
const f32 = (count: number) => new Uint8Array(4 * count);

/** What a file gives: its elements by their names, or the error of each. */
function elementsOf(files: Readonly<Record<string, data.ArrayFile>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, said(() => [...file.data].map(Number))]));
}
function said(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return error.message;
  }
}
const npz = async (file: Uint8Array, options?: data.UnpackOptions) => elementsOf(await data.npz(file, options));
const st = (file: Uint8Array) => elementsOf(data.safetensors(file).tensors);
const one = (file: Uint8Array) => [...data.npy(file).data];
const rows = (table: string, options?: data.CsvOptions) => data.csv(table, options).rows;

/** What it is; how it is read; what comes of it: a part of the error's message, or what is read. */
type Odd = readonly [what: string, read: () => unknown, answer: RegExp | unknown];

// Making it takes longer than reading it, which is what is timed.
const many = zip(Array.from({ length: 70_000 }, (_, n) => ({ name: `${n}.npy`, file: bytes(n & 255) })), { count: 70_000 & 0xffff });

const zips: Odd[] = [
  ["3.2 GB of zeros in 3 MB", () => npz(zip([{ name: "a.npy", file: ones }, { ...bomb(3200), name: "b.npy" }])), { a: [1, 1], b: expect.stringMatching(/^npz: b\.npy: unpacked it has 3355443\d+ bytes, .* more than 536870912: if you trust it, give { maxBytes: \d+ }$/) }],
  ["3.2 GB of zeros that are said to be 100 bytes", () => npz(zip([{ ...bomb(3200), name: "b.npy", size: 100 }])), { b: "npz: b.npy: it has more bytes, not 100" }],
  ["3 GB that are said to be in 9 bytes", () => npz(zip([{ name: "b.npy", file: ones, packed: bytes(1, 2, 3, 4, 5, 6, 7, 8, 9), method: 8, size: 3e9 }]), { maxBytes: 4e9 }), { b: "npz: b.npy: 9 bytes cannot hold the 3000000000 announced" }],
  ["a thousand files that are one and the same 256 MiB", async () => Object.values(await npz(zip([{ ...bomb(256), name: "0.npy" }, ...Array.from({ length: 999 }, (_, n) => ({ ...bomb(256), name: `${n + 1}.npy`, at: 0 }))]))).filter((read) => /its checksum is/.test(String(read))).length, 1],
  ["what is allowed", async () => (await data.npz(zip([deflated("a.npy", ones)]), { maxBytes: ones.length }))["a"]?.shape, [2]],
  ["one byte more than is allowed", () => npz(zip([deflated("a.npy", ones)]), { maxBytes: ones.length - 1 }), { a: expect.stringContaining(`{ maxBytes: ${ones.length} }`) }],
  ["a changed byte", () => npz(zip([{ name: "a.npy", file: ones, packed: ones.with(ones.length - 1, 7) }, { name: "b.npy", file: ones }])), { a: expect.stringMatching(/a\.npy: its checksum is [0-9a-f]+, not [0-9a-f]+: it is corrupt/), b: [1, 1] }],
  ["a changed byte, deflated", () => npz(zip([{ ...deflated("a.npy", ones), sum: 1 }])), { a: expect.stringContaining("its checksum is") }],
  ["files that are packed otherwise", () => npz(zip([12, 14, 93, 99].map((method) => ({ name: `${method}.npy`, file: ones, method })))), Object.fromEntries([12, 14, 93, 99].map((method) => [method, `npz: ${method}.npy: it is packed by method ${method}; stored and deflated files are read`]))],
  ["an encrypted file", () => npz(zip([{ name: "a.npy", file: ones, flags: 1 }])), { a: "npz: a.npy: it is encrypted" }],
  ["a file whose size comes behind it, as streams write it", () => npz(zip([{ ...deflated("a.npy", ones), flags: 8 }])), { a: [1, 1] }],
  ["arrays that tensors have not, beside one", () => npz(zip([["<U3", 12], ["|S2", 2], ["|O", 0], ["<c8", 8], ["<M8[ns]", 8], ["|V1", 1], ["<f16", 16], ["<f4", 4]].map(([descr, length], n) => ({ name: `${n}.npy`, file: npyOf(descr as string, "(1,)", new Uint8Array(length as number)) })))),
    { ...Object.fromEntries(["texts", "texts", "Python objects", "complex numbers", "dates", "records, or of a type that NumPy does not know", "long doubles"].map((what, n) => [n, expect.stringMatching(new RegExp(`${n}\\.npy: tensors have no elements of type .*: these are ${what}`))])), 7: [0] }],
  ["two files of one name, of which the last counts", () => npz(zip([{ name: "a.npy", file: ones }, { name: "a.npy", file: npyOf("|u1", "(1,)", bytes(9)) }])), { a: [9] }],
  ["names of JavaScript's own", async () => Object.keys(await npz(zip(["__proto__.npy", "constructor.npy", ".npy", "../x.npy"].map((name) => ({ name, file: ones }))))).sort(), ["", "../x", "__proto__", "constructor"]],
  ["70,000 files", async () => Object.keys(await data.npz(many)).length, 70_000],
  ["a list of files that is longer than is said", () => npz(zip([{ name: "a.npy", file: ones }], { count: 5 })), /the list has 1 files, and 5 are announced/],
  ["a program before the zip", () => npz(zip([{ name: "a.npy", file: ones }], { before: text("#!/bin/sh\nexit\n") })), { a: [1, 1] }],
  ["a comment", () => npz(zip([{ name: "a.npy", file: ones }], { comment: "made by hand" })), { a: [1, 1] }],
  ["a file that is not where it should be", () => npz(zip([{ name: "b.npy", file: ones }, { name: "a.npy", file: ones, at: 3 }])), { a: "npz: a.npy: it is not at its place in the zip", b: [1, 1] }],
  ["numbers of 64 bits that are missing", () => npz(zip([{ name: "a.npy", file: ones, size: 0xffffffff, extra: joined(number(2, 1), number(2, 0)) }])), { a: expect.stringContaining("cannot hold the 4294967295 announced") }],
  ["numbers of 64 bits that are absurd", () => npz(zip([{ name: "a.npy", file: ones, size: 0xffffffff, extra: joined(number(2, 1), number(2, 8), number(8, 2n ** 63n)) }])), { a: expect.stringContaining("cannot hold the 9223372036854776000 announced") }],
  ["a zip of zips", () => npz(zip([{ name: "a.zip", file: zip([deflated("a.npy", ones)]) }])), {}],
  ["no zip", () => npz(new Uint8Array(MIB)), /this is not a zip file/],
  ["half a zip", () => npz(zip([{ name: "a.npy", file: ones }]).slice(100)), /the list of files is cut short/],
];

function bomb(mebibytes: number) {
  const start = zeros(mebibytes);
  const packed = (bombs[mebibytes] ??= deflatedZeros(mebibytes, start));
  return { name: "", file: new Uint8Array(), packed, method: 8, sum: 0, size: start.length + mebibytes * MIB };
}
const bombs: Record<number, Uint8Array> = {};

const arrays: Odd[] = [
  ["Python 2's shape", () => data.npy(npyOf("<f4", "(3L, 4L)", f32(12))).shape, [3, 4]],
  ["a shape of one, as Python 2 writes it", () => data.npy(npyOf("<f4", "(3L,)", f32(3))).shape, [3]],
  ["double quotes", () => one(npy('{"descr": "<i2", "fortran_order": False, "shape": (2,)}', bytes(1, 0, 2, 0))), [1, 2]],
  ["another order of its keys", () => one(npy("{'shape': (1,), 'fortran_order': False, 'descr': '<i2'}", bytes(5, 0))), [5]],
  ["version 2", () => one(npy("{'descr': '<i2', 'fortran_order': False, 'shape': (1,)}", bytes(5, 0), 2)), [5]],
  ["version 3", () => one(npy("{'descr': '<i2', 'fortran_order': False, 'shape': (1,)}", bytes(5, 0), 3)), [5]],
  ["version 9", () => one(npy("{}", bytes(), 9)), /there is no version 9 of the format/],
  ["u64 that fits", () => one(npyOf("<u8", "(2,)", joined(number(8, 2 ** 32 - 1), number(8, 7)))), [2 ** 32 - 1, 7]],
  ["u64 that does not", () => one(npyOf("<u8", "(2,)", joined(number(8, 1), number(8, 2 ** 32)))), /npy: element 1 is 4294967296, which does not fit into 32 bits; `bits` has all 64/],
  ["i64 that does not", () => one(npyOf(">i8", "(1,)", number(8, -(2n ** 31n) - 1n).reverse())), /element 0 is -2147483649/],
  ["i64 as bits", () => data.npy(npyOf("<i8", "(1,)", number(8, -1))).bits, BigUint64Array.of(2n ** 64n - 1n)],
  ["Fortran's order, and its bytes the other way round", () => one(npyOf(">i2", "(2, 2)", bytes(0, 1, 0, 2, 0, 3, 0, 4), "True")), [1, 3, 2, 4]],
  ["truth that is 2", () => one(npyOf("|b1", "(2,)", bytes(2, 0))), [1, 0]],
  ["records", () => one(npy("{'descr': [('shape', '<i4'), ('y', '<f4')], 'fortran_order': False, 'shape': (1,)}", f32(2))), /no elements of several fields/],
  ["an object that Python would run", () => one(npyOf("|O", "(1,)", text("\x80\x04cos\nsystem\n"))), /"\|O": these are Python objects/],
  ["more elements than numbers count", () => one(npyOf("|u1", `(${"9".repeat(400)},)`, bytes())), /the file ends before its/],
  ["a shape that overflows", () => one(npyOf("|u1", `(${2 ** 31}, ${2 ** 31}, 0)`, bytes())), []],
  ["a shape without end", () => one(npyOf("|u1", `(${"1, ".repeat(20_000)}`, bytes())), /the header cannot be read/],
  ["a number without end", () => one(npyOf("|u1", `(${"1".repeat(60_000)}`, bytes(), "False")), /the header cannot be read/],
  ["a negative extent", () => one(npyOf("|u1", "(-1,)", bytes())), /the header cannot be read/],
  ["a header of 4 GB", () => one(joined(text("\x93NUMPY"), bytes(2, 0), number(4, 2 ** 32 - 1), bytes(1, 2))), /the header is cut short/],
  ["brackets that never close", () => one(npy(`{'descr': ${"[".repeat(60_000)}`)), /the header is not a dictionary/],
];

const MOST = 100e6;
const tensors: Odd[] = [
  ["no metadata", () => data.safetensors(safetensors(`{"__metadata__":null,"a":${entry("F32", "[1]", 0, 4)}}`, f32(1))).metadata, {}],
  ["a padded header", () => st(safetensors(`{"a":${entry("F32", "[1]", 0, 4)}}      \n`, f32(1))), { a: [0] }],
  ["a hole", () => st(safetensors(`{"a":${entry("F32", "[1]", 0, 4)},"b":${entry("F32", "[1]", 8, 12)}}`, f32(3))), /"b": it begins at byte 8, and the tensors before it end at 4/],
  ["tensors that overlap", () => st(safetensors(`{"a":${entry("F32", "[2]", 0, 8)},"b":${entry("F32", "[1]", 4, 8)}}`, f32(2))), /"b": it begins at byte 4, and the tensors before it end at 8/],
  ["bytes behind the last", () => st(safetensors(`{"a":${entry("F32", "[1]", 0, 4)}}`, f32(2))), /the tensors end at byte 4 of 8/],
  ["two of one name", () => st(safetensors(`{"a":${entry("F32", "[1]", 0, 4)},"\\u0061":${entry("F32", "[1]", 0, 4)}}`, f32(1))), /"a" is in the header twice/],
  ["bits of 8 and 4", () => data.safetensors(safetensors(`{"a":${entry("F8_E4M3", "[4]", 0, 4)},"b":${entry("F8_E5M2", "[3]", 4, 7)},"c":${entry("F4", "[2,2]", 7, 9)},"d":${entry("F8_E8M0", "[3]", 9, 12)}}`, bytes(0x7e, 0xff, 0x01, 0xb8, 0x7b, 0xfc, 0x01, 0x72, 0xf8, 127, 130, 255))).tensors,
    expect.objectContaining({ a: expect.objectContaining({ dtype: "f8_e4m3", data: Float32Array.of(448, NaN, 2 ** -9, -1) }), b: expect.objectContaining({ data: Float32Array.of(57344, -Infinity, 2 ** -16) }), c: expect.objectContaining({ data: Float32Array.of(1, 6, -0, -6), bits: bytes(0x72, 0xf8) }), d: expect.objectContaining({ data: Float32Array.of(1, 8, NaN) }) })],
  ["elements that tensors have not, beside one", () => st(safetensors(`{"a":${entry("C64", "[1]", 0, 8)},"b":${entry("U8", "[1]", 8, 9)}}`, bytes(0, 0, 0, 0, 0, 0, 0, 0, 5))), { a: 'safetensors: "a": tensors have no elements of type C64', b: [5] }],
  ["elements that nobody knows", () => st(safetensors(`{"a":${entry("F3", "[1]", 0, 4)}}`, f32(1))), /"a": there is no type "F3"/],
  ["half a byte", () => st(safetensors(`{"a":${entry("F4", "[3]", 0, 2)}}`, bytes(1, 2))), /3 elements of F4 cannot lie from 0 to 2/],
  ["an end before its beginning", () => st(safetensors(`{"a":${entry("F32", "[0]", 4, 0)}}`, f32(1))), /0 elements of F32 cannot lie from 4 to 0/],
  ["more elements than numbers count", () => st(safetensors(`{"a":${entry("U8", "[4294967296,4294967296,0]", 0, 0)}}`)), /"a": \[4294967296,4294967296,0\] are more elements than can be counted/],
  ["a type twice", () => st(safetensors('{"a":{"dtype":"U8","dtype":"I8","shape":[0],"data_offsets":[0,0]}}')), /"dtype" is in the header twice/],
  ["metadata twice, and notes", () => st(safetensors(`{"__metadata__":{"k":"1","k":"2"},"a":{"note":1,"note":[{}],"dtype":"U8","shape":[0],"data_offsets":[0,0]}}`)), { a: [] }],
  ["a header longer than the file", () => st(safetensors("{}", bytes(), 2n ** 64n - 1n)), /the header claims 18446744073709552000 of the file's/],
  ["brackets that never close", () => st(safetensors(`{"a":${"[".repeat(10 * MIB)}`)), /the header is nested too deep/],
  ["a text that never ends", () => st(safetensors(`{"a${'\\"'.repeat(5 * MIB)}`)), /the header is not JSON/],
  ["a header that is no text", () => st(safetensors(bytes(0x7b, 0xff, 0x7d))), /the header is not JSON/],
  ["a mark of the order of bytes", () => st(safetensors("\ufeff{}")), /the header is not JSON/],
  ["a tensor of a name of JavaScript's own", () => Object.keys(data.safetensors(safetensors(`{"__proto__":${entry("U8", "[1]", 0, 1)}}`, bytes(5))).tensors), ["__proto__"]],
  ["a hundred megabytes of blanks", () => st(safetensors(new Uint8Array(MOST + 8).fill(32))), /the header claims 100000008 of the file's/],
];

const images: Odd[] = [
  ["3.2 GB of zeros in 3 MB", () => data.idx(gzipOf(deflatedZeros(3200, idx(8, [3200, MIB])), 0, 0)), /idx: \[3200,1048576\] has more than 2\^31|unpacked the file has \d+ bytes, more than 536870912: if you trust it, give \d+ as maxBytes/],
  ["1.6 GB of zeros in 2 MB", () => data.idx(gzipOf(deflatedZeros(1600, idx(8, [1600, MIB])), 0, 0)), /idx: unpacked the file has 1677721612 bytes, more than 536870912: if you trust it, give \d+ as maxBytes/],
  ["3.2 GB of zeros that are said to be 3 bytes", () => data.idx(gzipOf(deflatedZeros(3200, threeIdx), 0, 0)), /expected 11 bytes, the gzipped data holds more/],
  ["several members, cut within the header", () => data.idx(joined(gzipped(threeIdx.slice(0, 5)), gzipped(bytes()), gzipped(threeIdx.slice(5)))).data, bytes(1, 2, 3)],
  ["members that are filled up with zeros", () => data.idx(joined(gzipped(threeIdx), new Uint8Array(512))).data, bytes(1, 2, 3)],
  ["bytes behind the last member", () => data.idx(joined(gzipped(threeIdx), bytes(9))), /1 bytes follow the gzipped data/],
  ["a hundred thousand empty members", () => data.idx(joined(...Array.from({ length: 100_000 }, () => gzipOf(bytes(3, 0), 0, 0)))), /ends after 0 bytes, within the header/],
  ["255 axes", () => data.idx(idx(8, Array(255).fill(1), bytes(7))), /idx: .*axes|rank|255/],
  ["more elements than numbers count", () => data.idx(idx(14, [2 ** 32 - 1, 2 ** 32 - 1])), /idx: .*2\^31/],
  ["less than it says", () => data.idx(idx(13, [2 ** 29])), /make a file of 2147483656 bytes, this one has 8/],
];

const tables: Odd[] = [
  ["columns of one name", () => data.csv("a,a,a_1,a,,\n1,2,3,4,5,6").names, ["a", "a_2", "a_1", "a_3", "Unnamed: 4", "Unnamed: 5"]],
  ["a hundred thousand columns of one name", () => new Set(data.csv(`${"a,".repeat(99_999)}a`).names).size, 100_000],
  ["a million columns", () => data.csv(",".repeat(999_999)).names.length, 1_000_000],
  ["a million lines", () => rows("1\n".repeat(1_000_000)).length, 1_000_000],
  ["a million blank lines", () => rows("\n".repeat(1_000_000)), []],
  ["a million quotes", () => rows('"'.repeat(1_000_001)), /a quote in line 1 is not closed/],
  ["a quote that is not closed, in a long file", () => rows(`a\n${"x\n".repeat(500_000)}"y\n${"x\n".repeat(500_000)}`), /a quote in line 500002 is not closed/],
  ["a number of a million digits", () => data.csv(`x\n${"1".repeat(1_000_000)}\n${"1".repeat(1_000_000)}x`).typed("x").dtype, "text"],
  ["a short row among long ones, filled up", () => data.csv(`${",".repeat(200_000)}\n${"1\n".repeat(200_000)}`, { fill: true }), /it would be padded by more than the file has/],
  ["a row that is cut short", () => rows("a,b\n1,2\n\n# x\n3", { comment: "#" }), /line 5 has 1 fields, the first row 2; { fill: true } pads it/],
  ["zeros, and half a letter", () => rows("a\u0000b,\ud800\n1,2"), [["1", "2"]]],
  ["no text but a mark of the order of bytes", () => rows("\ufeff"), []],
];

const before = resourceUsage().maxRSS;

describe.each([[".npz", zips], [".npy", arrays], ["safetensors", tensors], ["IDX", images], ["tables", tables]] as const)("%s", (_, odd) => {
  it.each(odd as Odd[])("%s", async (_, read, answer) => {
    let made: unknown;
    const start = processorTime();
    try {
      made = await read();
    } catch (error) {
      if (!(error instanceof FormatError) || !(answer instanceof RegExp)) throw error;
      made = error.message;
    }
    const took = processorTime() - start;
    if (answer instanceof RegExp) expect(made).toMatch(answer);
    else expect(made).toEqual(answer);
    expect(took).toBeLessThan(SOON);
  });
});

// The files and what makes them take half of it.
afterAll(() => expect(resourceUsage().maxRSS - before).toBeLessThan(1024 * 1024));
