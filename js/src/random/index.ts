// The namespace `random`: keys and draws.

export { bernoulli, bits, foldIn, key, normal, randint, restore, seed, split, state, uniform, type Key, type NormalOptions, type UniformOptions } from "./draws.js";
export * from "../ops/samplers.js";
export { choice, permutation, type ChoiceOptions, type PermutationOptions } from "./picks.js";
