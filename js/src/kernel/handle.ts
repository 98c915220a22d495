// Compiled kernels in the core. Handles mean something in the session that made them, and the core
// forgets a kernel when the collector finds that nobody calls it any more.

import { Tensor } from "../index.js";
import type { KernelWords } from "./words.js";

/** What the core offers for kernels: `crate/wasm`. */
interface KernelCore {
  kernel_new(words: Uint32Array, names: string[]): number;
  kernel_drop(kernel: number): void;
  kernel_call(kernel: number, tensors: Uint32Array, scalars: Float64Array, grid: Uint32Array, shapes: Uint32Array): Uint32Array;
}

interface Owner {
  readonly number: number;
  readonly session: number;
}

const registry = new FinalizationRegistry<Owner>(({ number, session }) => (Tensor.coreOf(session) as unknown as KernelCore | null)?.kernel_drop(number));

/** What a call passes. */
export interface KernelCall {
  readonly tensors: readonly Tensor[];
  /** Numbers in the order of the kernel's scalars; 0 and 1 of truth values. */
  readonly scalars: readonly number[];
  readonly grid: readonly number[];
  /** Of each output. */
  readonly shapes: readonly (readonly number[])[];
}

export class KernelHandle {
  #owner: Owner | null = null;

  constructor(
    readonly op: string,
    readonly words: KernelWords,
  ) {}

  /** One tensor for each output. */
  call({ tensors, scalars, grid, shapes }: KernelCall): Tensor[] {
    const { core: open, session } = Tensor.openCore(this.op);
    const core = open as unknown as KernelCore;
    if (this.#owner?.session !== session) {
      this.#owner = { number: core.kernel_new(this.words.words, [...this.words.names]), session };
      registry.register(this, this.#owner);
    }
    const handles = core.kernel_call(
      this.#owner.number,
      Uint32Array.from(tensors, ({ handle }) => handle),
      Float64Array.from(scalars),
      Uint32Array.from(grid),
      Uint32Array.from(shapes.flat()),
    );
    return Array.from(handles, (handle) => Tensor.adopt(handle));
  }
}
