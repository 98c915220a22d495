// Error messages for mistakes that newcomers make: each says what to write instead. The tests
// compare word for word, since messages are part of the package's interface.

import { describe, expect, it } from "vitest";
import * as weft from "../../src/index.js";
import { concat, crossEntropy, frexp, grad, jit, linalg, nn, ones, optim, random, reshape, stack, tensor, topK, unravelIndex, zeros, type Tensor } from "../../src/index.js";
import { errorOf, onCpu, values } from "../support/cpu.js";

onCpu();

/** What nobody writes who has read the types. */
const any = (x: unknown) => x as any;
const t = () => any(tensor([[1, 2], [3, 4]]));

const mistakes: Record<string, [call: () => unknown, message: string]> = {
  "extents one by one": [() => any(zeros)(3, 4), "zeros: takes options such as { dtype: … }, got 4: a shape is an array, as in [2, 3]"],
  "more of them": [() => any(zeros)(3, 4, 5), "zeros: takes 2 arguments, got 3: a shape is an array, as in [2, 3]"],
  "extents of ones": [() => any(ones)(2, 2), "ones: takes options such as { dtype: … }, got 2: a shape is an array, as in [2, 3]"],
  "extents of draws": [() => any(random.normal)(3, 4), "random.normal: takes options such as { mean: … }, got 4: write random.normal([2, 3], { mean: 0, std: 1 })"],
  "NumPy's draw of one number": [() => any(random.normal)(), "random.normal: a shape is a list such as [2, 3], got undefined: write random.normal([2, 3], { mean: 0, std: 1 })"],
  "NumPy's mean and deviation": [() => any(random.normal)(0, 1), "random.normal: takes options such as { mean: … }, got 1: write random.normal([2, 3], { mean: 0, std: 1 })"],
  "NumPy's size at the end": [() => any(random.normal)(0, 1, 3), "random.normal: takes 2 arguments, got 3: write random.normal([2, 3], { mean: 0, std: 1 })"],
  "NumPy's size by name": [() => any(random.uniform)(0, 1, { size: 3 }), "random.uniform: takes 2 arguments, got 3: write random.uniform([2, 3], { low: 0, high: 1 })"],
  "ends of a range alone": [() => any(random.uniform)(-1, 1), "random.uniform: [-1]: an extent is a whole number of 0 or more, not -1: write random.uniform([2, 3], { low: 0, high: 1 })"],
  "whole numbers without a shape": [() => any(random.randint)(0, 10), "random.randint: takes a shape, the least number, and the number to stay below: write random.randint([2, 3], 0, 10)"],
  "whole numbers with the shape at the end": [() => any(random.randint)(0, 10, [3]), "random.randint: the number to stay below must be a finite number, got an array: write random.randint([2, 3], 0, 10)"],
  "whole numbers with the count at the end": [() => random.randint(0, 10, 3), "random.randint: 3 is below 10: write random.randint([2, 3], 0, 10)"],
  "a probability alone": [() => random.bernoulli(0.5), "random.bernoulli: [0.5]: an extent is a whole number of 0 or more, not 0.5: write random.bernoulli([2, 3], 0.5)"],
  "NumPy's scale": [() => any(random.exponential)(1, 3), "random.exponential: takes 1 argument, got 2: write random.exponential([2, 3])"],
  "a seed for a key": [() => any(random.split)(5), "random.split: the key must be a tensor, got 5"],
  "a pick of nothing": [() => any(random.choice)(), "random.choice: takes what is picked from, as in random.choice([1, 2, 3]), got undefined"],
  "options of a pick in the place of its shape": [() => any(random.choice)(5, { replace: false }), "random.choice: a shape is a list such as [2, 3], got an object"],
  "NumPy's size of a pick": [() => any(random.choice)(5, 3, { size: 3 }), 'random.choice: there is no option "size": there are replace, p, axis'],
  "a new shape one by one": [() => t().reshape(4, 1), "reshape: takes 2 arguments, got 3: a shape is an array, as in [2, 3]"],
  "the same as a function": [() => any(reshape)(t(), 4, 1), "reshape: takes 2 arguments, got 3: a shape is an array, as in [2, 3]"],
  "axes one by one": [() => t().permute(1, 0), "permute: takes 2 arguments, got 3; several numbers in one place are an array: [0, 1]"],
  "an index in brackets": [() => t()[0], "tensor: tensors have no [0]: write slice(0)"],
  "a negative one": [() => t()[-1], "tensor: tensors have no [-1]: write slice(-1)"],
  "a length": [() => t().length, "tensor: tensors have no length: shape[0], or size for all elements"],
  "NumPy's transpose": [() => t().T, "tensor: tensors have no T: transpose()"],
  "PyTorch's view": [() => t().view(4), "tensor: tensors have no view: reshape([rows, columns])"],
  "PyTorch's unsqueeze": [() => t().unsqueeze(0), "tensor: tensors have no unsqueeze: expandDims(axis)"],
  "PyTorch's clamp": [() => t().clamp(0, 1), "tensor: tensors have no clamp: clip(low, high)"],
  "PyTorch's backward": [() => t().sum().backward(), "tensor: tensors have no backward: gradients are of functions: grad(f)(x)"],
  "PyTorch's numpy": [() => t().numpy(), "tensor: tensors have no numpy: await array(), or await data()"],
  "PyTorch's devices": [() => t().cuda(), "tensor: tensors have no cuda: all tensors are on the device that init chose"],
  "PyTorch's comparison": [() => t().gt(1), "tensor: tensors have no gt: greater(other)"],
  "NumPy's astype": [() => t().astype("i32"), 'tensor: tensors have no astype: cast("f32")'],
  "NumPy's tolist": [() => t().tolist(), "tensor: tensors have no tolist: await array()"],
  "TensorFlow.js's dataSync": [() => t().dataSync(), "tensor: tensors have no dataSync: await data()"],
  "TensorFlow.js's print": [() => t().print(), "tensor: tensors have no print: console.log(x)"],
  "TensorFlow.js's argMax": [() => t().argMax(1), "tensor: tensors have no argMax: argmax(axis)"],
  "PyTorch's var": [() => t().var(1), "tensor: tensors have no var: variance(axis)"],
  "jax-js's js": [() => t().js(), "tensor: tensors have no js: await array()"],
  "a promise compared": [() => any(t().sum().item()) > 5, "item: gives a promise, on which operators do not act: write (await x.item())"],
  "a promise added to": [() => any(t().sum().item()) + 1, "item: gives a promise, on which operators do not act: write (await x.item())"],
  "a promise of data": [() => any(t().data()) * 2, "data: gives a promise, on which operators do not act: write (await x.data())"],
  "PyTorch's values of a maximum": [() => t().max(1).values, "tensor: tensors have no values: max(axis) and sort() give values"],
  "PyTorch's indices of a maximum": [() => t().max(1).indices, "tensor: tensors have no indices: argmax(axis) and argsort() give positions"],
  "an operator": [() => t() * 2, "tensor: JavaScript's operators cannot act on a tensor: use methods such as add or mul, or await item()"],
  "a tensor of a tensor": [() => tensor(any(ones([2]))), "tensor: f32[2] is a tensor already: use it as it is, cast it to another dtype, or stack several"],
  "tensors one by one": [() => any(concat)(t(), t()), "concat: takes a list of tensors, got a Tensor: concat([a, b])"],
  "tensors stacked one by one": [() => any(stack)(t(), t()), "stack: takes a list of tensors, got a Tensor: stack([a, b])"],
  "features last": [
    () => nn.conv2d(ones([1, 28, 28, 3]), ones([8, 3, 3, 3])),
    "conv: the kernel [8,3,3,3] takes 3 features, the input [1,28,28,3] has 28 in 1 groups: features come before height and width, as permute([0, 3, 1, 2]) puts them",
  ],
  "an axis by name": [() => t().sum({ axis: 1 }), "sum: an axis is a whole number, not an object; options come after it: (1, { … })"],
  "PyTorch's dim": [() => t().sum({ dim: 1 }), "sum: an axis is a whole number, not an object; options come after it: (1, { … })"],
  "options without an axis": [() => t().sum({ keepdims: true }), "sum: an axis is a whole number, not an object; options come after it, and null stands for all axes: (null, { … })"],
  "PyTorch's keepdim": [() => t().sum(1, { keepdim: true }), 'sum: there is no option "keepdim": did you mean keepdims?'],
  "NumPy's float32": [() => zeros([2], any({ dtype: "float32" })), 'zeros: no dtype is called "float32"; write "f32"'],
  "int64": [() => tensor([1], any({ dtype: "int64" })), 'tensor: no dtype is called "int64"; write "i32"'],
  "a dtype that nobody has": [() => tensor([1], any({ dtype: "f12" })), 'tensor: no dtype is called "f12"; expected f32, i32, u32, bool, f16, i8 or u8'],
  "a dtype without its name": [() => any(tensor)([1], "f32"), 'tensor: takes options such as { dtype: … }, got "f32"'],
  "classes that are floats": [() => crossEntropy(t(), tensor([0, 1])), "crossEntropy: classes must be i32 or u32, got f32: cast them to i32"],
  "words that are floats": [() => new nn.Embedding(4, 2).forward(tensor([0, 1])), "Embedding: indices must be i32 or u32, got f32: cast them to i32"],
  "indices that are floats": [() => t().take(tensor([0, 1]), 0), "take: indices must be i32 or u32, got f32: cast them to i32"],
  "a rate in place of options": [() => any(optim.adam)(new weft.Parameter([1]), 0.1), "adam: takes options such as { lr: … }, got 0.1"],
  "a rate alone": [() => any(optim.sgd)(0.1), "sgd: takes a module, or parameters in arrays and objects, got 0.1"],
  "tensors that are no parameters": [() => optim.adam(any([tensor([1, 2])])), "adam: can only assign parameters, but got f32[2]: wrap it in nn.Parameter"],
  "layers in an array": [() => any(new (any(nn.Sequential))([new nn.Linear(2, 2)])), "Sequential: layer 0 must be a module or a function, got an array: layers are arguments, new nn.Sequential(a, b)"],
  "a layer without new": [() => any(nn.Linear)(2, 3), "Linear: is a class: write new nn.Linear(…)"],
  "a model without new": [() => any(nn.Sequential)(new nn.Linear(2, 3)), "Sequential: is a class: write new nn.Sequential(…)"],
  "a parameter without new": [() => any(weft.Parameter)(1), "Parameter: is a class: write new nn.Parameter(…)"],
  "an average without new": [() => any(optim.Average)(new nn.Linear(2, 3)), "Average: is a class: write new optim.Average(…)"],
  "a complex number without new": [() => any(weft.Complex)(1, 2), "Complex: is a class: write new Complex(…)"],
  "a layer without forward": [() => any(new (any(nn.Sequential))(new nn.Module())), "Sequential: layer 0 must be a module or a function, got a Module, which has no forward"],
  "a gradient of a vector": [() => grad((x: Tensor) => x)(tensor([1, 2])), "grad: the function must yield a 0-d tensor, got shape [2]"],
  "a gradient of no function": [() => any(grad)(t()), "grad: takes a function, got object"],
  "operators in a gradient": [() => grad(any((x: Tensor) => any(x) * 2))(1 as never), "tensor: JavaScript's operators cannot act on a tensor: use methods such as add or mul, or await item()"],
  "shapes that do not meet": [() => t().add([1, 2, 3]), "add: [2,2] and [3] do not broadcast: 2 ≠ 3"],
  "texts": [() => t().add("3"), 'add: expected a tensor, numbers or arrays of them, got "3"'],
  "ragged rows": [() => tensor(any([[1, 2], [3]])), "tensor: ragged: [1] has length 1 where others have 2"],
  "a hole": [() => tensor(any([1, null])), "tensor: [1] is null; expected numbers, booleans, or arrays of them"],
  "an index beyond": [() => tensor([1, 2, 3]).take(5), "take: index 5 is out of range: expected -3 to 2"],
};

describe("a mistake", () => {
  it.each(Object.entries(mistakes))("with %s says what to write", (_, [call, message]) => {
    const error = errorOf(call);
    expect(error).toBeInstanceOf(weft.WeftError);
    expect(error.message).toBe(message);
  });

  it("is found on the line of the call, however many frames the engine keeps", () => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 10;
    try {
      function lineOfTheCall(call: () => unknown): string {
        return errorOf(call).stack ?? "";
      }
      const calls = [
        () => t().add(null),
        () => any(weft.max)(),
        () => any(weft.special.gamma)("a"),
        () => any(weft.vmap((x: Tensor) => x))(3),
        () => any(grad(any(() => undefined)))(t()),
        () => weft.scan((c: Tensor) => [c.sum(), null] as const, t(), t()),
        () => t().matmul([1, 2, 3]),
      ];
      for (const call of calls) expect(lineOfTheCall(call)).toContain("lineOfTheCall");
      expect(Error.stackTraceLimit).toBe(10);
      Error.stackTraceLimit = 0;
      expect(lineOfTheCall(() => t().add(null))).not.toContain("lineOfTheCall");
    } finally {
      Error.stackTraceLimit = limit;
    }
  });

  it("of a call without new is explained for every class that users construct, which stay classes otherwise", () => {
    const isClass = (value: unknown): value is new (...args: unknown[]) => object => typeof value === "function" && Object.getOwnPropertyDescriptor(value, "prototype")?.writable === false;
    const classes = Object.entries(nn).filter(([, value]) => isClass(value));
    expect(classes.length).toBeGreaterThan(50);
    for (const [name, value] of classes) expect(errorOf(() => any(value)(2, 2)).message).toBe(`${name}: is a class: write new nn.${name}(…)`);
    class Net extends nn.Module {
      readonly inner = new nn.Linear(2, 3);
    }
    const net = new Net();
    expect([net.constructor, net.inner.constructor, Object.getPrototypeOf(nn.Linear.prototype), net.constructor.name]).toEqual([Net, nn.Linear, nn.Module.prototype, "Net"]);
    expect([net instanceof nn.Module, net.inner instanceof nn.Linear, net.inner.weight instanceof nn.Buffer, new nn.Buffer(1) instanceof weft.Parameter]).toEqual([true, true, false, true]);
    expect(net.summary()).toMatch(/^ +Net\ninner +Linear /);
  });

  it("in the name of a part of several results names them all", () => {
    const said = (result: () => unknown, name: string) => errorOf(() => any(result())[name]).message;
    const lines = [[1], [2]];
    const parts: [result: () => unknown, op: string, names: string, others: string[]][] = [
      [() => linalg.lstsq(lines, [1, 3]), "linalg.lstsq", "x, residuals, rank, s", ["solution", "singularValues", "singular_values", "x", "rank"]],
      [() => linalg.svd(t()), "linalg.svd", "u, s, vt", ["U", "S", "Vh", "vh", "V", "vt"]],
      [() => linalg.qr(t()), "linalg.qr", "q, r", ["Q", "R", "q"]],
      [() => linalg.eigh(t()), "linalg.eigh", "values, vectors", ["eigenvalues", "eigenvectors", "values", "vectors"]],
      [() => linalg.slogdet(t()), "linalg.slogdet", "sign, log", ["logdet", "logabsdet", "sign"]],
      [() => linalg.lu(t()), "linalg.lu", "lu, pivots, permutation", ["P", "L", "U", "pivots"]],
      [() => topK(t(), 1), "topK", "values, indices", ["values", "indices"]],
      [() => frexp(t()), "frexp", "mantissa, exponent", ["mantissa"]],
      [() => unravelIndex([1], [2, 2]), "unravelIndex", "first, second", ["x", "indices"]],
    ];
    for (const [result, op, names, others] of parts) {
      for (const name of others) expect(said(result, name)).toBe(`${op}: gives an array, which has no ${name}: write const [${names}] = ${op}(…)`);
    }
    expect(errorOf(() => { const { solution } = any(linalg.lstsq(lines, [1, 3])); return solution; }).message).toContain("has no solution");
  });

  it("is none where several results are arrays as others are", async () => {
    const result = any(linalg.svd([[3, 0], [0, -4]]));
    for (const name of ["then", "toJSON", "nodeType", "foo", "$$typeof", "asymmetricMatch"]) expect(result[name]).toBeUndefined();
    expect([Array.isArray(result), result instanceof Array, result.constructor, result.length, Object.keys(result), [...result].length, result.at(-1) === result[2], "s" in result]).toEqual([true, true, Array, 3, ["0", "1", "2"], 3, true, false]);
    expect(result.map((x: Tensor) => x.ndim)).toStrictEqual([2, 1, 2]);
    expect(result.slice(1)).toHaveLength(2);
    const [, s] = await Promise.all(await result);
    expect(await values(s as Tensor)).toEqual([4, 3]);
    expect(await values(jit((x: Tensor) => linalg.svd(x))(tensor([[3, 0], [0, -4]]))[1])).toEqual([4, 3]);
    const { inspect } = await import("node:util");
    expect(inspect(result, { showHidden: true })).toContain("Tensor f32[2]");
  });

  it("is none where programs ask what a value is", async () => {
    const x = t();
    for (const name of ["then", "nodeType", "splice", "foo", "$$typeof", "asymmetricMatch"]) expect(x[name]).toBeUndefined();
    expect([typeof x, Array.isArray(x), "length" in x, Object.keys(x), String(x)]).toEqual(["object", false, false, [], "Tensor f32[2,2]\n[[1, 2],\n [3, 4]]"]);
    expect(`${x.sum().item()}`).toBe("[object Promise]");
    const { inspect } = await import("node:util");
    expect(inspect({ x, p: Promise.resolve(x) }, { showHidden: true, depth: 5 })).toContain("Tensor f32[2,2]");
    expect(await values(await x)).toEqual([1, 2, 3, 4]);
    expect(new Set(Object.getOwnPropertyNames(weft.Tensor.prototype)).has("T")).toBe(false);
  });

  it("with what a page forbids says so", async () => {
    const compile = WebAssembly.Module;
    const { compileNow } = await import("../../src/core/wasm/source.js");
    try {
      WebAssembly.Module = function () {
        throw new WebAssembly.CompileError("Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is not an allowed source of script");
      } as never;
      const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
      const error = errorOf(() => compileNow(bytes, { op: "init", option: "wasm", hint: "" } as never));
      expect(error.message).toMatch(/ the page's Content-Security-Policy must allow it: script-src 'self' 'wasm-unsafe-eval'$/);
    } finally {
      WebAssembly.Module = compile;
    }
  });
});
