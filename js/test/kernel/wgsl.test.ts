// Kernels of WGSL, in Dawn: what they compute, in the graph and out of it, and what is refused.

import { beforeAll, describe, expect, it } from "vitest";
import { ValueError, customVjp, forLoop, grad, init, jit, tensor, vmap, type Tensor } from "../../src/index.js";
import { KernelError, exportWGSL, wgsl } from "../../src/kernel/index.js";
import { errorOf, values, wasmBytes } from "../support/cpu.js";
import { dawn } from "../support/dawn.js";

let gpu: GPU;
beforeAll(async () => {
  gpu = await dawn();
  // By its classes errors are known.
  Object.assign(globalThis, (await import("webgpu")).globals);
  await init({ device: "webgpu", gpu, wasm: wasmBytes() });
});

const same = (x: Tensor) => x.shape;
const double = wgsl(
  `@compute @workgroup_size(64)
   fn main(@builtin(global_invocation_id) id: vec3u) {
     if (id.x < x_shape[0]) { y[id.x] = 2 * x[id.x]; }
   }`,
  { inputs: { x: "f32" }, outputs: { y: { shape: same } }, name: "double" },
);

describe("a kernel of WGSL", () => {
  it("reads tensors and numbers, and writes several outputs in workgroups", async () => {
    const blur = wgsl(
      `var<workgroup> tile: array<f32, 16>;
       @compute @workgroup_size(4, 4)
       fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
         let at = id.y * x_shape[1] + id.x;
         tile[lane] = x[at] * rate[0];
         workgroupBarrier();
         // @group(0) of a comment is no binding.
         turned[id.x * turned_shape[1] + id.y] = tile[lane];
         atomicAdd(&count[0], 1u);
       }`,
      { inputs: { x: "f32", rate: "f32" }, outputs: { turned: { shape: (x: Tensor) => [...x.shape].reverse() }, count: { shape: [1], dtype: "u32", atomic: true, initial: 5 } }, shape: same },
    );
    const x = tensor(Array.from({ length: 32 }, (_, n) => n), { shape: [4, 8] });
    const { turned, count } = blur(x, 0.5);
    expect(await values(turned)).toEqual(await values(x.transpose().mul(0.5)));
    expect(await values(count)).toEqual([37]);
  });

  it("is an operation: of what is computed, in a capture, in a loop, and with a derivative of one's own", async () => {
    const x = tensor([1, 2, 3]);
    expect(await values(double(x.add(1).flip()).sub(1))).toEqual([7, 5, 3]);
    const captured = jit((x: Tensor) => double(double(x)).sum());
    expect([await captured(x).item(), await captured(x.mul(2)).item()]).toEqual([24, 48]);
    expect(await values(forLoop(0, 3, (_i, v: Tensor) => double(v), x))).toEqual([8, 16, 24]);
    const ours = customVjp((x: Tensor): Tensor => double(x), (x: Tensor) => [double(x) as Tensor, null] as const, (_: null, g: Tensor) => [double(g)]);
    expect(await values(grad((x: Tensor) => ours(x).square().sum())(x))).toEqual([8, 16, 24]);
  });

  it("gives tensors that are views as they are seen", async () => {
    const x = tensor([[1, 2], [3, 4]]);
    const first = wgsl("@compute @workgroup_size(1) fn main() { y[0] = x[1]; }", { inputs: { x: "f32" }, outputs: { y: { shape: [1] } } });
    expect(await values(first(x.transpose()))).toEqual([3]);
  });

  it("is exported with the rest", async () => {
    const files = await exportWGSL((x: Tensor) => double(x).add(1), tensor([1, 2]));
    expect(Object.keys(files).filter((name) => name.endsWith(".wgsl")).map((name) => new TextDecoder().decode(files[name])).join()).toContain("y[id.x] = 2 * x[id.x]");
  });
});

describe("what is refused", () => {
  it("errors of the shader compiler, at their line and column, and the next kernel works", async () => {
    const broken = wgsl("@compute @workgroup_size(1)\nfn main() {\n  y[0] = missing(x[0]);\n}", { inputs: { x: "f32" }, outputs: { y: { shape: [1] } }, name: "broken" });
    const error = await broken(tensor([1])).data().then(() => null, (error: unknown) => error);
    expect(error).toBeInstanceOf(ValueError);
    expect(String(error)).toMatch(/broken: line 3, column 10: .*missing/);
    expect(await values(double([4]))).toEqual([8]);
  });

  it("derivatives and batches, by name", () => {
    expect(errorOf(() => grad((x: Tensor) => double(x).sum())(tensor([1]))).message).toBe("double: a kernel written in WGSL has no reverse mode; give its derivative with customVjp");
    expect(errorOf(() => vmap((x: Tensor) => double(x))(tensor([[1], [2]]))).message).toBe("double: a kernel written in WGSL has no batch; call it for each member in a loop");
  });

  const texts: Record<string, [text: string, line: number, message: RegExp]> = {
    "bindings of its own": ["@group(0) @binding(0) var<storage> z: array<f32>;\n@compute @workgroup_size(1) fn main() { y[0] = x[0]; }", 1, /bindings of its own/],
    "no entry point": ["fn f() { y[0] = x[0]; }", 1, /no entry point/],
    "two entry points": ["@compute @workgroup_size(1) fn main() { y[0] = x[0]; }\n@compute @workgroup_size(1) fn other() {}", 2, /two entry points/],
    "a workgroup that is not written as numbers": ["const n = 4;\n@compute @workgroup_size(n) fn main() { y[0] = x[0]; }", 2, /written as numbers/],
    "an input that is not used": ["@compute @workgroup_size(1) fn main() { y[0] = 1; }", 1, /does not mention `x`/],
  };
  for (const [name, [text, line, message]] of Object.entries(texts)) {
    it(name, () => {
      const error = errorOf(() => wgsl(text, { inputs: { x: "f32" }, outputs: { y: { shape: [1] } } }));
      expect(error).toBeInstanceOf(KernelError);
      expect(error.message).toMatch(message);
      expect((error as KernelError).line).toBe(line);
    });
  }

  it("arguments that do not fit", () => {
    expect(errorOf(() => double()).message).toBe("double: takes 1 argument (x), got 0");
    expect(errorOf(() => double(tensor([1], { dtype: "i32" }))).message).toBe("double: `x` is f32, got i32: cast it");
    expect(errorOf(() => wgsl("", { outputs: {} })).message).toMatch(/no outputs/);
  });

  it("the CPU device, by name", async () => {
    await init({ device: "cpu", wasm: wasmBytes() });
    const error = await Promise.resolve().then(() => double([1]).data()).then(() => null, (error: unknown) => error);
    expect(String(error)).toContain("double: is written in WGSL, which takes a GPU: the CPU device cannot run it");
    await init({ device: "webgpu", gpu, wasm: wasmBytes() });
  });
});
