// What does `random` hold? Keys and draws.

export { bernoulli, bits, foldIn, key, normal, randint, seed, split, uniform, type Key, type NormalOptions, type UniformOptions } from "./draws.js";
