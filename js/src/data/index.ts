// The namespace `data`: readers and writers of files, pictures, buffers of the caller's WebGPU
// code, and batches of examples.

export type { ArrayFile, UnpackOptions } from "./array.js";
export type { Bits } from "./elements.js";
export { idx } from "./idx.js";
export { npy, npz, npzStream, toNpy, toNpz } from "./npy.js";
export { safetensors, toSafetensors, type SafetensorsFile } from "./safetensors.js";
export { csv, type CsvOptions, type Table } from "./csv.js";
export type { Column, ColumnType } from "./column.js";
export { image, type ImageOptions, type ImageSource, type Pixels } from "./image.js";
export { fromGPUBuffer, toGPUBuffer, type FromBufferOptions, type ToBufferOptions } from "./buffer.js";
export { batchCount, batches, type BatchOptions } from "./batches.js";
