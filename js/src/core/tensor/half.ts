// Half-precision floats: conversion of f16's numbers to and from the 16 bits of each.

/** The half nearest to a number, ties to even, as a number. */
export function nearestHalf(value: number): number {
  const magnitude = Math.abs(value);
  if (!(magnitude < 65520)) return magnitude >= 65520 ? Math.sign(value) * Infinity : NaN;
  // Halves lie so far apart here; beyond 2⁵² floats are whole, which rounds.
  const step = 2 ** (Math.max(Math.floor(Math.log2(magnitude)), -14) - 10);
  const steps = magnitude / step + 2 ** 52 - 2 ** 52;
  return (value < 0 || Object.is(value, -0) ? -1 : 1) * steps * step;
}

/** The bits of a number that is a half. */
export function bitsOfHalf(half: number): number {
  const magnitude = Math.abs(half);
  const sign = half < 0 || Object.is(half, -0) ? 0x8000 : 0;
  if (Number.isNaN(half)) return 0x7e00;
  if (magnitude === Infinity) return sign | 0x7c00;
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), -14);
  // The first bit of those that are not subnormal counts on into the exponent.
  return sign | ((exponent + 14) * 1024 + magnitude / 2 ** (exponent - 10));
}

/** The number whose bits these are. */
export function halfOfBits(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
