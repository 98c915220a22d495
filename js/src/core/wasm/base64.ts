// Fast base64 decoding: a page decodes a megabyte of WebAssembly each time it starts.

/** The bytes that base64 stands for. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  // Engines have a function for it only lately.
  const { fromBase64 } = Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  if (fromBase64) return fromBase64.call(Uint8Array, text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < characters.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
