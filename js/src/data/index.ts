// What does `data` hold? Readers of files, and batches of examples.

export { idx, type ArrayFile } from "./idx.js";
export { batchCount, batches, type BatchOptions } from "./batches.js";
