// Set-up for tests on Weft's own CPU device, which needs no GPU and defines the results.

import { readFileSync } from "node:fs";
import { beforeAll } from "vitest";
import { init, type Tensor } from "../../src/index.js";

export function wasmBytes(): Buffer {
  return readFileSync(new URL("../../wasm/weft_wasm_bg.wasm", import.meta.url));
}

/** Opens the CPU device before the tests of a file. */
export function onCpu(): void {
  beforeAll(async () => {
    await init({ device: "cpu", wasm: wasmBytes() });
  });
}

/** The elements as plain numbers. */
export async function values(tensor: Tensor): Promise<number[]> {
  return Array.from(await tensor.data());
}

/** The error that a call throws. */
export function errorOf(call: () => unknown): Error & { op?: string } {
  try {
    call();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}
