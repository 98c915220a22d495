// What does `tune` offer?

export type { Store } from "./store.js";
export { exportWinners as export, importWinners as import, log, race, type Race } from "./winners.js";
