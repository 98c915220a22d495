// Warnings of the memory that a notebook's arrays take in JavaScript, see `worker/channel/heap.ts`.

const figure = (bytes: number) => (bytes / 1e9).toFixed(1);

export const heapNotice = (bytes: number): string =>
  `This notebook's arrays take ${figure(bytes)} GB of JavaScript's memory, beside its tensors. At 4 GB its worker is ended. Release arrays that you no longer need: assign null to their names, or press Restart.`;

export const HEAP_FULL =
  "This notebook's arrays took more than 4 GB of JavaScript's memory, or one loop made hundreds of GB of them without an await, so its worker was ended. Your edits and the outputs are kept. Use smaller arrays, fewer at a time, or tensors, and press Restart.";
