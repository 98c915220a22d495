// Fingerprints of texts by SHA-256: nobody finds two texts that share one, so what is kept under it
// is never another text's.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** The last text and its fingerprint: to open a notebook takes it twice. */
let last = { text: "", fingerprint: "" };

/** Of a text without lone surrogates, as every text that came as UTF-8 is: UTF-8 has one form for
 * all of those. 4 MB take 60 to 140 ms. */
export function fingerprint(text: string): string {
  if (last.text !== text || last.fingerprint === "") last = { text, fingerprint: bytesToHex(sha256(new TextEncoder().encode(text))) };
  return last.fingerprint;
}

/** What earlier versions of the page kept edits under, FNV-1a of 32 bits: texts that share one are
 * easily made. */
export function olderFingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16);
}
