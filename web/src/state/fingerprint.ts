// Is a text the same as another one that is not at hand? SHA-256, since nobody finds two texts that share one: what is kept under it is never another
// text's.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

export function fingerprint(text: string): string {
  // Code units as they are: UTF-8 has one form for all halves of pairs that stand alone.
  const units = new DataView(new ArrayBuffer(2 * text.length));
  for (let i = 0; i < text.length; i++) units.setUint16(2 * i, text.charCodeAt(i));
  return bytesToHex(sha256(new Uint8Array(units.buffer)));
}

/** What earlier versions of the page kept edits under, FNV-1a of 32 bits: texts that share one are easily made. */
export function olderFingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16);
}
