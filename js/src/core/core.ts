// Where is the compiled core, and may it be called yet? The one module that imports wasm-bindgen's glue.

import * as glue from "../../wasm/weft_wasm.js";
import { InternalError, WeftError, weftError } from "../errors.js";
import { connectScopes } from "./scope.js";

/** The functions of the Rust core. Tensors are handles: positive integers, never used twice for as long as it matters. */
export type Core = typeof glue;

let open = false;

/** The core. Throws when no device was opened yet. */
export function core(): Core {
  if (!open) throw new WeftError("weft", "there is no device yet: call `await init()` first");
  return glue;
}

/** Whether a device was opened. */
export function isOpen(): boolean {
  return open;
}

/** Notes that a device was opened. */
export function markOpen(): void {
  open = true;
}

let loading: Promise<void> | null = null;

/** Compiles and starts the core, once; later sources are ignored. Opens no device. */
export function loadCore(source: () => Promise<Response | BufferSource | WebAssembly.Module>): Promise<void> {
  loading ??= start(source).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function start(source: () => Promise<Response | BufferSource | WebAssembly.Module>): Promise<void> {
  await glue.default({ module_or_path: await source() });
  glue.install_errors(weftError);
  for (const [table, slots] of Object.entries(registered)) {
    const names = glue.op_names(table);
    for (const slot of slots) {
      slot.code = names.indexOf(slot.name);
      if (slot.code < 0) throw new InternalError("init", `the core knows no ${table} operation ${slot.name}`);
    }
  }
  connectScopes(glue.dispose, glue.ticks);
}

/** The tables of operations that the core is driven by. */
export type Table = "unary" | "binary" | "reduce";

/** An operation's place in the core's table of its kind, known once the core has started. */
export interface Slot {
  readonly name: string;
  code: number;
}

const registered: Record<Table, Slot[]> = { unary: [], binary: [], reduce: [] };

/** Asks for the code of the operation that the core calls `name`. */
export function register(table: Table, name: string): Slot {
  const slot = { name, code: -1 };
  registered[table].push(slot);
  return slot;
}
