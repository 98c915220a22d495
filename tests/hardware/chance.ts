// Random choices by a seed: the same on every machine.

/** A generator of its own for each seed (Mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  }

  /** A number in [0, 1). */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both among them. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  /** Whether something with this probability happens. */
  happens(probability: number): boolean {
    return this.unit() < probability;
  }

  of<T>(list: readonly T[]): T {
    return list[this.whole(0, list.length - 1)] as T;
  }

  /** A permutation of 0 … count − 1. */
  order(count: number): number[] {
    const left = Array.from({ length: count }, (_, n) => n);
    return Array.from({ length: count }, () => left.splice(this.whole(0, left.length - 1), 1)[0] as number);
  }

  /** A normally distributed float32 (Box and Muller). */
  normal(): number {
    return Math.fround(Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit()));
  }
}
