// Files of arrays, read as the programs that write them mean them, and written so that those
// programs can read them. NumPy 2.4 and safetensors 0.8 wrote the fixtures; the tests also read
// every file damaged in each byte and truncated at each length. `files/` has odd and hostile ones,
// and those of other packages.

import { describe, expect, it } from "vitest";
import { arange, data, DTypeError, FormatError, nn, ones, tensor, ValueError, zeros, type Tensor } from "../../src/index.js";
import { heldBytes } from "../support/collector.js";
import { errorOf, onCpu, values } from "../support/cpu.js";
import { npyOf } from "./forge.js";

onCpu();

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "base64"));
const numpy = {
  f32: "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsIDIpLCB9ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAMA/AAAAwAAAgH8AAMB/",
  bigEndian: "k05VTVBZAQB2AHsnZGVzY3InOiAnPmY4JywgJ2ZvcnRyYW5fb3JkZXInOiBUcnVlLCAnc2hhcGUnOiAoMSwgMiwgMyksIH0gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAAAAAAAAAEAIAAAAAAAAP/AAAAAAAABAEAAAAAAAAEAAAAAAAAAAQBQAAAAAAAA=",
  i64: "k05VTVBZAQB2AHsnZGVzY3InOiAnPGk4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAr//////////////38AAAAA",
  bool: "k05VTVBZAQB2AHsnZGVzY3InOiAnfGIxJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoBAA==",
  f16: "k05VTVBZAQB2AHsnZGVzY3InOiAnPGYyJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDQsKSwgfSAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIApmLv97AQAA/A==",
  single: "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKCksIH0gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAOBA",
  deflated:
    "UEsDBC0AAAAIAAAAIQB+g4TD//////////8FABQAeC5ucHkBABAAsAAAAAAAAABMAAAAAAAAAJvsF+obEMnIUMZQrZ6SWpxcpG6loG6TaaKuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GsY6CiaaOgq1CmQDLlYGBgZSMABQSwMELQAAAAgAAAAhACQh4Sv//////////wUAFAB5Lm5weQEAEACYAAAAAAAAAEwAAAAAAAAAm+wX6hsQychQxlCtnpJanFykbqWgbpNmoa6joJ6WX1RSlJgXn1+UkgoSd0vMKU4FihdnJBakAvkaxjqaOgq1ChQALgYU8MEeynAAAFBLAQItAy0AAAAIAAAAIQB+g4TDTAAAALAAAAAFAAAAAAAAAAAAAACAAQAAAAB4Lm5weVBLAQItAy0AAAAIAAAAIQAkIeErTAAAAJgAAAAFAAAAAAAAAAAAAACAAYMAAAB5Lm5weVBLBQYAAAAAAgACAGYAAAAGAQAAAAA=",
  safetensors:
    "yAAAAAAAAAB7Il9fbWV0YWRhdGFfXyI6eyJrIjoidiJ9LCJuIjp7ImR0eXBlIjoiSTY0Iiwic2hhcGUiOltdLCJkYXRhX29mZnNldHMiOlswLDhdfSwiYS53ZWlnaHQiOnsiZHR5cGUiOiJGMzIiLCJzaGFwZSI6WzIsMl0sImRhdGFfb2Zmc2V0cyI6WzgsMjRdfSwiaCI6eyJkdHlwZSI6IkYxNiIsInNoYXBlIjpbMl0sImRhdGFfb2Zmc2V0cyI6WzI0LDI4XX19ICAgIAMAAAAAAAAAAACAPwAAAEAAAEBAAACAQAA4ALw=",
};

/** Reading a file that was damaged gives another array, or a `FormatError`; nothing else. */
async function survives(file: Uint8Array, read: (bytes: Uint8Array) => unknown): Promise<void> {
  const tryOut = async (damaged: Uint8Array) => {
    try {
      await read(damaged);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
    }
  };
  for (let n = 0; n < file.length; n++) {
    await tryOut(file.slice(0, n));
    for (const byte of [0, 255, (file[n] as number) ^ 1]) await tryOut(file.with(n, byte));
  }
}

describe(".npy", () => {
  it("is read in each type, order and shape", async () => {
    const f32 = data.npy(bytes(numpy.f32));
    expect([f32.shape, f32.dtype]).toEqual([[2, 2], "f32"]);
    expect(await values(f32.tensor())).toEqual([1.5, -2, Infinity, NaN]);
    // Big-endian, the first axis fastest, and a view of an odd offset.
    const shifted = new Uint8Array(1 + bytes(numpy.bigEndian).length);
    shifted.set(bytes(numpy.bigEndian), 1);
    const big = data.npy(shifted.subarray(1));
    expect([big.shape, [...big.data]]).toEqual([[1, 2, 3], [0, 1, 2, 3, 4, 5]]);
    expect([...data.npy(bytes(numpy.i64)).data]).toEqual([-1, 2 ** 31 - 1]);
    expect(data.npy(bytes(numpy.bool)).tensor().dtype).toBe("bool");
    expect([...data.npy(bytes(numpy.f16)).data]).toEqual([0.0999755859375, 65504, 2 ** -24, -Infinity]);
    expect(await data.npy(bytes(numpy.single)).tensor().array()).toBe(7);
  });

  it("is written and read again", async () => {
    for (const x of [tensor([[1, 2.5], [NaN, -0]]), arange(5), tensor([true, false]), tensor(7), ones([0, 3]), tensor([1], { dtype: "u32" })] as Tensor[]) {
      const file = data.npy(await data.toNpy(x)).tensor();
      expect([file.shape, file.dtype, await values(file)]).toEqual([x.shape, x.dtype, await values(x)]);
    }
  });

  it("survives damage", async () => {
    for (const name of ["f32", "bigEndian", "i64", "f16"] as const) await survives(bytes(numpy[name]), (file) => data.npy(file));
  });

  it("says what is wrong", () => {
    const edited = (from: string, to: string) => Uint8Array.from(Buffer.from(Buffer.from(bytes(numpy.f32)).toString("latin1").replace(from, to), "latin1"));
    expect(errorOf(() => data.npy(edited("<f4", "<c8"))).message).toContain('no elements of type "<c8": these are complex numbers');
    expect(errorOf(() => data.npy(edited("(2, 2)", "(9, 9)"))).message).toContain("the file ends before its 81 elements");
    expect(errorOf(() => data.npy(Uint8Array.of(1, 2, 3))).message).toContain("this is not a .npy file");
  });
});

describe(".npz", () => {
  it("is read, deflated and stored", async () => {
    const { x, y } = await data.npz(bytes(numpy.deflated));
    expect([x?.shape, [...(x?.data ?? [])]]).toEqual([[3, 4], Array(12).fill(5)]);
    expect([...(y?.data ?? [])]).toEqual([0, 1, 2]);
    const again = await data.npz(await data.toNpz({ a: tensor([1, 2]), "b c": tensor(3) }));
    expect(Object.keys(again)).toEqual(["a", "b c"]);
    expect([...(again["b c"]?.data ?? [])]).toEqual([3]);
  });

  it("is written as a stream, each tensor when it is its turn", async () => {
    const named = { a: tensor([1, 2]), "b c": tensor(3), i: arange(3) };
    const stream = data.npzStream(named);
    expect(new Uint8Array(await new Response(stream).arrayBuffer())).toEqual(await data.toNpz(named));
    const reader = data.npzStream(named).getReader();
    await reader.read();
    await reader.cancel();
    const gone = tensor([1]);
    gone.dispose();
    await expect(new Response(data.npzStream({ gone })).arrayBuffer()).rejects.toThrow();
    expect(errorOf(() => data.npzStream({ a: 1 as never }))).toBeInstanceOf(ValueError);
  });

  it("is written and read of more files than 16 bits count", async () => {
    const x = tensor([1, 2]);
    const named = Object.fromEntries(Array.from({ length: 66_000 }, (_, n) => [String(n), x]));
    const read = await data.npz(await data.toNpz(named));
    expect([Object.keys(read).length, [...(read["65999"]?.data ?? [])]]).toEqual([66_000, [1, 2]]);
  });

  it("gives the bits of each array", async () => {
    const { x, y } = await data.npz(bytes(numpy.deflated));
    expect(Object.keys(x as object)).toEqual(["shape", "dtype", "data", "bits", "tensor"]);
    expect([x?.dtype, x?.bits]).toEqual(["i32", new Uint32Array(12).fill(5)]);
    expect([y?.shape, y?.bits.length]).toEqual([[3], 3]);
  });

  it("survives damage", async () => {
    await survives(await data.toNpz({ a: tensor([1, 2]) }), (file) => data.npz(file));
    await survives(bytes(numpy.deflated), (file) => data.npz(file));
  }, 60_000);
});

describe("safetensors", () => {
  it("are read in each type, with their metadata", () => {
    const { tensors, metadata } = data.safetensors(bytes(numpy.safetensors));
    expect(metadata).toEqual({ k: "v" });
    expect(Object.entries(tensors).map(([name, { shape, dtype, data }]) => [name, shape, dtype, [...data]])).toEqual([
      ["n", [], "i64", [3]],
      ["a.weight", [2, 2], "f32", [1, 2, 3, 4]],
      ["h", [2], "f16", [0.5, -1]],
    ]);
  });

  it("carry a model elsewhere", async () => {
    const make = () => new nn.Sequential(new nn.Linear(3, 4), new nn.BatchNorm(4));
    const [from, to] = [make(), make()];
    from.forward(ones([5, 3]));
    const file = await data.toSafetensors({ ...from.stateDict(), flags: tensor([true, false, true]) }, { metadata: { epoch: "2" } });
    const { tensors, metadata } = data.safetensors(file);
    const { flags, ...state } = tensors;
    to.loadStateDict(state);
    expect([...(flags?.data ?? [])]).toEqual([1, 0, 1]);
    expect(metadata["epoch"]).toBe("2");
    for (const [name, parameter] of Object.entries(to.stateDict())) expect(await values(parameter)).toEqual(await values(from.stateDict()[name] as Tensor));
  });

  it("survive damage", async () => {
    const read = (file: Uint8Array) => Object.values(data.safetensors(file).tensors).forEach(({ data }) => data.length);
    await survives(bytes(numpy.safetensors), read);
    const huge = '{"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}';
    const file = Uint8Array.from([huge.length, 0, 0, 0, 0, 0, 0, 0, ...Buffer.from(huge)]);
    expect(errorOf(() => data.safetensors(file)).message).toContain('"x": ');
  });

  it("refuse what is no tensor", async () => {
    await expect(data.toSafetensors({ a: 1 as never })).rejects.toThrow(ValueError);
    await expect(data.toSafetensors([ones([1])] as never)).rejects.toThrow("takes an object of tensors");
  });
});

describe("tables", () => {
  it("are read from bytes, in UTF-8 and in UTF-16 that says so", () => {
    const text = "größe,n\n1.5,2\n";
    const utf16 = new Uint8Array(Uint16Array.from([0xfeff, ...Array.from(text, (letter) => letter.charCodeAt(0))]).buffer);
    const swapped = utf16.map((_, at) => utf16[at ^ 1] as number);
    for (const bytes of [new TextEncoder().encode(text), new TextEncoder().encode("\ufeff" + text), new TextEncoder().encode(text).buffer, utf16, swapped]) {
      const table = data.csv(bytes);
      expect([table.names, table.rows, table.length]).toEqual([["größe", "n"], [["1.5", "2"]], 1]);
    }
    expect(errorOf(() => data.csv(new Uint8Array(0))).name).toBe("FormatError");
  });

  it("show their first rows", () => {
    const table = data.csv("x\n1\n2\n3\n4\n5\n6");
    expect([table.length, table.head().length, table.head(2), table.head(100).length]).toEqual([6, 5, [["1"], ["2"]], 6]);
    expect(errorOf(() => table.head(-1)).message).toMatch(/the number of rows must be a whole number/);
  });

  it("are read with quotes, empty fields and either end of lines", async () => {
    const table = data.csv('x,"na""me, it",y\r\n1,"a\nb",\n-2e3,,inf\n');
    expect(table.names).toEqual(["x", 'na"me, it', "y"]);
    expect(table.column('na"me, it')).toEqual(["a\nb", ""]);
    expect(await table.tensor(["y", "x"]).array()).toEqual([[NaN, 1], [Infinity, -2000]]);
    expect(data.csv("1\t2\n3\t", { separator: "\t", header: false }).rows).toEqual([["1", "2"], ["3", ""]]);
    expect(data.csv("a,b").tensor().shape).toEqual([0, 2]);
    expect(data.csv("").rows).toEqual([]);
  });

  it("say what is wrong", () => {
    expect(errorOf(() => data.csv("a,b\n1")).message).toContain("line 2 has 1 fields, the first row 2");
    expect(errorOf(() => data.csv('a\n"1')).message).toContain("a quote in line 2 is not closed");
    expect(errorOf(() => data.csv("a\nx").tensor()).message).toContain('line 2 of column "a" is no number: "x"');
    expect(errorOf(() => data.csv("a\n1").column("b")).message).toContain('there is no column "b"; there are a');
    expect(errorOf(() => data.csv("a\n1").tensor("a" as never)).message).toContain('tensor takes a list of columns: tensor(["a"])');
    expect(errorOf(() => data.csv("a", { separator: '"' }))).toBeInstanceOf(ValueError);
    for (const options of [{ comment: "" }, { lines: [0] }, { lines: 3 }, { missing: [1] }, { dtypes: { b: "text" } }, { dtypes: { a: "u8" } }]) {
      expect(errorOf(() => data.csv("a", options as never))).toBeInstanceOf(ValueError);
    }
  });

  it("have names, and say whether they were there", () => {
    expect(data.csv("a,b,a,a_1,a,\n1,2,3,4,5,6").names).toEqual(["a", "b", "a_2", "a_1", "a_3", "Unnamed: 5"]);
    expect(data.csv("a,a\n1,2").names).toEqual(["a", "a_1"]);
    const { header, names, rows } = data.csv("1,2.5\n3,4");
    expect([header, names, rows.length]).toEqual([false, ["0", "1"], 2]);
    const years = data.csv("1990,1991\n3,4", { header: true });
    expect([years.header, years.names, years.rows.length]).toEqual([true, ["1990", "1991"], 1]);
    // As R writes them.
    expect(data.csv("x,y\nfirst,1,2\nsecond,3,4").names).toEqual(["Unnamed: 0", "x", "y"]);
    expect(errorOf(() => data.csv("x,y\n1,2,\n3,4,")).message).toContain("line 2 has 3 fields, the first row 2");
  });

  it("find their separator, and pass over what is no row", () => {
    for (const separator of [",", "\t", ";", "|"]) {
      expect(data.csv(["a,b", "1,2"].join("\n").replaceAll(",", separator)).rows).toEqual([["1", "2"]]);
    }
    expect(data.csv('"a,b";c\n1;2').names).toEqual(["a,b", "c"]);
    expect(data.csv("a b\n\n  1   2  \r\n \t\n3\t4", { separator: "whitespace" }).rows).toEqual([["1", "2"], ["3", "4"]]);
    // As NumPy's savetxt writes numbers: blanks stand between them, as no number has any.
    const saved = data.csv("1.500000000000000000e+00 -2.000000000000000000e-01\n nan  3e2\n");
    expect([saved.header, saved.names, saved.rows]).toEqual([false, ["0", "1"], [["1.500000000000000000e+00", "-2.000000000000000000e-01"], ["nan", "3e2"]]]);
    expect(data.csv("1 2\n3 4", { separator: "," }).rows).toEqual([["3 4"]]);
    expect(data.csv("x y\n1 2").names).toEqual(["x y"]);
    expect(data.csv('# a, b\nx,y# z\n1,2#3\n  #\n"#",4', { comment: "#" }).rows).toEqual([["1", "2"], ["#", "4"]]);
    expect(data.csv("\ufeff\"a\",b\r1,2\r").rows).toEqual([["1", "2"]]);
    expect(data.csv("Title\n\na,b\n1,2\n\nSource: nobody", { lines: [3, 5] }).rows).toEqual([["1", "2"]]);
    expect(data.csv("a,b,c\n1\n1,2,3", { fill: true }).rows).toEqual([["1", "", ""], ["1", "2", "3"]]);
    expect(data.csv("a,b,\n1,2,\n3,4").rows).toEqual([["1", "2", ""], ["3", "4", ""]]);
  });

  it("have columns of types", async () => {
    const table = data.csv('i,f,n,b,t,h,big,id\n1,1.5,NA,True,x,0x10,3000000000,"12345678901234567890"\n-2, 2e3 ,"7",FALSE,NA,1,1,1\n+3,-inf,N/A,true,,2,2,2');
    const typed = Object.fromEntries(table.names.map((name) => [name, table.typed(name)]));
    expect(Object.values(typed).map(({ dtype }) => dtype)).toEqual(["i32", "f64", "f64", "bool", "text", "text", "f64", "text"]);
    expect(typed["i"]?.data).toEqual(Int32Array.of(1, -2, 3));
    expect(typed["f"]?.data).toEqual(Float64Array.of(1.5, 2000, -Infinity));
    expect([typed["n"]?.data, typed["n"]?.missing]).toEqual([Float64Array.of(NaN, 7, NaN), [0, 2]]);
    expect(typed["b"]?.data).toEqual(Uint8Array.of(1, 0, 1));
    expect([typed["t"]?.data, typed["t"]?.missing]).toEqual([["x", "NA", null], [2]]);
    expect(typed["h"]?.data).toEqual(["0x10", "1", "2"]);
    expect(await table.tensor(["i", "b", "n"]).array()).toEqual([[1, 1, NaN], [-2, 0, 7], [3, 1, NaN]]);
    expect([typed["b"]?.tensor().dtype, typed["i"]?.tensor().dtype, typed["f"]?.tensor().dtype]).toEqual(["bool", "i32", "f32"]);
    expect(errorOf(() => typed["h"]?.tensor()).message).toContain('line 2 of column "h" is no number: "0x10"');
    expect(errorOf(() => table.tensor(["t"])).message).toContain('line 2 of column "t" is no number: "x"');
  });

  it("take markers of missing values, and types, as options", () => {
    const written = "x,y,z\n1,-99,0\n?,3,1";
    const table = data.csv(written, { missing: ["?", "-99"], dtypes: { y: "f32", z: "bool" } });
    expect([table.typed("x").data, table.typed("y").data, table.typed("z").data]).toEqual([Float64Array.of(1, NaN), Float32Array.of(NaN, 3), Uint8Array.of(0, 1)]);
    expect(data.csv(written, { dtypes: { z: "text" } }).typed("z").data).toEqual(["0", "1"]);
    const asked = (dtype: data.ColumnType) => errorOf(() => data.csv("x\n1\n\n2.5\n", { dtypes: { x: dtype } }).typed("x")).message;
    expect([asked("i32"), asked("bool")]).toEqual(['csv: line 4 of column "x" is no whole number of 32 bits: "2.5"', 'csv: line 4 of column "x" is neither true nor false: "2.5"']);
    expect(errorOf(() => data.csv("x,y\n,1", { dtypes: { x: "i32" } }).typed("x")).message).toContain('line 2 of column "x" is missing, which no i32 can be: ""');
  });
});

describe("elements", () => {
  it("are copied and converted without an iterator, which is slow once somebody has changed that of arrays", () => {
    const prototype = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
    const iterator = Object.getOwnPropertyDescriptor(prototype, Symbol.iterator) as PropertyDescriptor;
    const files = [npyOf("|u1", "(2,)", Uint8Array.of(0, 7)), npyOf("<f2", "(2,)", Uint8Array.of(0, 0, 0, 60)), npyOf("|b1", "(2,)", Uint8Array.of(0, 1))].map((file) => data.npy(file));
    const dtypes = ["f32", "i32", "u32", "bool", "f16", "i8", "u8"] as const;
    Object.defineProperty(prototype, Symbol.iterator, { ...iterator, value: () => expect.unreachable("an iterator was asked for") });
    try {
      for (const file of files) for (const dtype of dtypes) file.tensor({ dtype }).dispose();
    } finally {
      Object.defineProperty(prototype, Symbol.iterator, iterator);
    }
  });
});

describe("tables of numbers", () => {
  /** What is written, as the column `x` of a table. */
  const read = (written: readonly string[], options?: data.CsvOptions) => data.csv(["x", ...written, ""].join("\n"), { header: true, ...options }).typed("x");

  it("are read to the last bit, however they are written", () => {
    let state = 29;
    const random = (limit: number) => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0), Math.floor((state / 2 ** 32) * limit));
    const digits = (count: number) => Array.from({ length: count }, () => random(10)).join("");
    const written = ["9007199254740993", "9007199254740991", "9007199254740992", "1e22", "1e23", "123456789012345e22", "0.1", "5e-324", "2.4703282292062327e-324", "1.7976931348623159e308", "1e400", "0.00000000000000000000001", "00012", "-0.0", ".5", "5.", "1E+2", "1e-22", "1e-23"];
    for (let n = 0; n < 20_000; n++) {
      const point = random(3) > 0 ? `.${digits(random(20))}` : "";
      written.push(`${["", "-", "+"][random(3)]}${digits(1 + random(18))}${point}${random(3) === 0 ? `e${random(60) - 30}` : ""}`);
    }
    // Whole numbers alone may be texts.
    written.push("0.5");
    const { dtype, data: numbers } = read(written);
    expect(dtype).toBe("f64");
    expect(numbers).toEqual(Float64Array.from(written, Number));
    expect(read(written.map((number) => `" ${number}\t"`)).data).toEqual(numbers);
  });

  it("end where their fields do, and not where numbers could", () => {
    expect(data.csv("x1y\n2.513\n415", { separator: "1" }).tensor().shape).toEqual([2, 2]);
    expect(read(["1.5", "2e5"], { comment: "e" }).data).toEqual(Float64Array.of(1.5, 2));
    expect(read(["12.5", "-3"], { comment: "." }).data).toEqual(Int32Array.of(12, -3));
    expect(read(["1 ", '"2"', '"3"4', "5 # five"], { comment: "#" }).data).toEqual(Int32Array.of(1, 2, 34, 5));
    expect(read(["1", "-99.0", "-99"], { missing: ["-99"] }).data).toEqual(Float64Array.of(1, -99, NaN));
    expect([["1e"], ["1e+"], ["."], ["-"], ["1.2.3"], ["1_0"], ["1 2"], ["++1"]].map((written) => read(written).dtype)).toEqual(Array(8).fill("text"));
  });

  it("take four bytes a field, and what their columns take", () => {
    const text = `x,y\n${"0.25,-1\n".repeat(1_000_000)}`;
    const before = heldBytes();
    const table = data.csv(text);
    const columns = [table.typed("x").data, table.typed("y").data];
    // Where fields begin, with room to grow, and 12 bytes of numbers a row.
    expect((heldBytes() - before) / 1_000_000).toBeLessThan(2 * 8 + 12 + 4);
    expect(columns.map((column) => [column.length, column[999_999]])).toEqual([[1_000_000, 0.25], [1_000_000, -1]]);
    expect(table.rows[999_999]).toEqual(["0.25", "-1"]);
  });
});

describe("halves in files", () => {
  /** A .npy file of these bits. */
  const npyOf = async (bits: Uint16Array, shape = [bits.length]) => {
    const file = await data.toNpy(zeros(shape, { dtype: "f16" }));
    file.set(new Uint8Array(bits.buffer), file.length - bits.byteLength);
    return file;
  };
  // Every half but NaN, whose bits a device need not keep.
  const every = Uint16Array.from({ length: 65536 }, (_, n) => n).filter((n) => (n & 0x7c00) !== 0x7c00 || (n & 0x3ff) === 0);

  it("are packed where that is asked for, and written back bit for bit", async () => {
    const file = await npyOf(every);
    expect(data.npy(file).tensor().dtype).toBe("f32");
    const packed = data.npy(file).tensor({ dtype: "f16" });
    expect([packed.dtype, packed.shape]).toEqual(["f16", [every.length]]);
    expect(await data.toNpy(packed)).toEqual(file);
    expect(await data.toNpy(data.npy(file).tensor().cast("f16"))).toEqual(file);
    const named = await data.toSafetensors({ h: packed, one: tensor([0.5], { dtype: "f16" }) });
    const { h, one } = data.safetensors(named).tensors;
    expect([h?.dtype, one?.dtype, h?.tensor({ dtype: "f16" }).dtype]).toEqual(["f16", "f16", "f16"]);
    expect(await data.toSafetensors({ h: h?.tensor({ dtype: "f16" }) as Tensor, one: one?.tensor({ dtype: "f16" }) as Tensor })).toEqual(named);
  });

  it("are as they are in the file where that is asked for, as every dtype that there is", async () => {
    for (const dtype of ["f16", "i8", "u8", "f32", "i32", "u32", "bool"] as const) {
      const x = tensor([1, 0, 1], { dtype });
      const [array, named] = [data.npy(await data.toNpy(x)), data.safetensors(await data.toSafetensors({ x })).tensors["x"] as data.ArrayFile];
      for (const file of [array, named]) {
        const same = file.tensor({ dtype: "file" });
        expect([same.dtype, await values(same)]).toEqual([dtype, [1, 0, 1]]);
      }
    }
    // What no tensor can be becomes what it becomes unasked.
    expect(data.npy(bytes(numpy.i64)).tensor({ dtype: "file" }).dtype).toBe("i32");
    expect(data.npy(bytes(numpy.bigEndian)).tensor({ dtype: "file" }).dtype).toBe("f32");
    expect(errorOf(() => data.npy(bytes(numpy.f32)).tensor({ dtype: "files" as "file" }))).toBeInstanceOf(DTypeError);
  });

  it("of the brain's kind are widened, exactly, and fit into a model", async () => {
    const header = new TextEncoder().encode('{"b":{"dtype":"BF16","shape":[4],"data_offsets":[0,8]}}'.padEnd(56));
    const file = new Uint8Array(8 + 56 + 8);
    file[0] = 56;
    file.set(header, 8);
    file.set(new Uint8Array(Uint16Array.of(0x3fc0, 0xc049, 0x7f80, 0x0001).buffer), 64);
    const { b } = data.safetensors(file).tensors;
    const expected = [1.5, -3.140625, Infinity, 2 ** -133];
    expect([b?.dtype, [...(b?.data ?? [])]]).toEqual(["bf16", expected]);
    for (const dtype of [undefined, "file"] as const) expect(b?.tensor(dtype ? { dtype } : {}).dtype).toBe("f32");
    expect(b?.tensor({ dtype: "f16" }).dtype).toBe("f16");
    const layer = new nn.Linear(2, 2, { bias: false });
    layer.loadStateDict({ weight: data.npy(await npyOf(Uint16Array.of(0x3c00, 0x4000, 0x4200, 0x4400), [2, 2])) });
    expect([layer.weight.dtype, await values(layer.weight)]).toEqual(["f32", [1, 2, 3, 4]]);
  });
});
