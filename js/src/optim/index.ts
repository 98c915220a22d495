// Optimizers, schedules of their learning rates, and clipping of gradients before a step.

export { Optimizer, type Group, type Parameters } from "./optimizer.js";
export type { GroupOptions, Groups } from "./groups.js";
export * from "./rules.js";
export * from "./optax.js";
export * from "./factored.js";
export { lbfgs, type Lbfgs, type LbfgsOptions } from "./lbfgs.js";

/**
 * How a learning rate changes over training: functions of the number of steps made.
 *
 * @example
 * const rate = optim.schedule.warmup(0.1, 10, optim.schedule.cosine(0.1, 90));
 * rate(5); // 0.05
 */
export * as schedule from "./schedule.js";
export { accumulate, clipByGlobalNorm, clipByValue, globalNorm, Average } from "./gradients.js";
