// The library's WebAssembly, compiled while its bytes arrive from the page.

let source: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
const bytes = new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (controller) => void (source = controller) });

export const wasm = new Response(bytes, { headers: { "Content-Type": "application/wasm" } });

/** Null at the end. */
export function wasmArrived(bytes: Uint8Array<ArrayBuffer> | null): void {
  if (bytes) source.enqueue(bytes);
  else source.close();
}
