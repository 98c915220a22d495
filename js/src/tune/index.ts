// The namespace `tune`: races between kernels, and their winners.

export type { Store } from "./store.js";
export { exportWinners as export, importWinners as import, log, optimising, race, type Race } from "./winners.js";
