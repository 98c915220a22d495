// Warnings of the memory that a notebook's arrays take in JavaScript, see `worker/channel/heap.ts`.

const figure = (bytes: number) => (bytes / 1e9).toFixed(1);

export const heapNotice = (bytes: number): string =>
  `This notebook's arrays take ${figure(bytes)} GB of JavaScript's memory, beside its tensors. At 4 GB its worker is ended. Let go of arrays that are not needed: assign null to their names, or Restart.`;

export const HEAP_FULL =
  "This notebook's arrays came to more than 4 GB of JavaScript's memory, or one loop made hundreds of GB of them without an await, so its worker was ended. Edits, and what was shown, are kept. Use smaller arrays, fewer at a time, or tensors; Restart begins anew.";
