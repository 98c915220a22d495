// Compiled kernels in the core. Handles mean something in the session that made them, and the core
// forgets a kernel when the collector finds that nobody calls it any more.

import { Tensor } from "../index.js";
import type { CompiledKernel } from "./compile.js";
import type { KernelWords } from "./words.js";

interface Owner {
  readonly number: number;
  readonly session: number;
}

const registry = new FinalizationRegistry<Owner>(({ number, session }) => Tensor.coreOf(session)?.kernel_drop(number));

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
    /** The error of a statement at a path that not every invocation of a workgroup reaches; a
     * shader's own text has none. */
    readonly unmet: CompiledKernel["unmet"] | null,
    /** WGSL in place of a body, and which outputs are atomic. */
    readonly source: { readonly text: string; readonly atomic: readonly boolean[] } | null = null,
  ) {}

  /** One tensor for each output. */
  call({ tensors, scalars, grid, shapes }: KernelCall): Tensor[] {
    const { core, session } = Tensor.openCore(this.op);
    if (this.#owner?.session !== session) {
      this.#owner = { number: this.#made(core), session };
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

  #made(core: ReturnType<typeof Tensor.openCore>["core"]): number {
    const { words: { words }, source } = this;
    const names = [...this.words.names];
    if (source) return core.kernel_of_source(words, names, source.text, Uint8Array.from(source.atomic, Number));
    try {
      return core.kernel_new(words, names);
    } catch (error) {
      // The core knows which statement it is, and the front end where that comes from.
      const path = error instanceof Error ? /statement ([\d.]+) .* by all invocations of a workgroup or by none/.exec(error.message) : null;
      throw (path && this.unmet?.((path[1] as string).split(".").map(Number))) ?? error;
    }
  }
}
