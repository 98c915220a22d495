// Number formatting, as people write numbers: 1e30, not 1.0000000150474662e+30.

/** In few characters, for tables and tensors: 0.1234, 12.35, 1.2e-7; whole numbers whole, as long
 * as they are read at a glance. */
export function brief(value: number): string {
  if (!Number.isFinite(value) || value === 0) return special(value);
  const magnitude = Math.abs(value);
  if (Number.isInteger(value) && magnitude < 1e10) return String(value);
  if (magnitude < 1e-4 || magnitude >= 1e6) return scientific(Number(value.toPrecision(4)));
  return String(Number(value.toPrecision(magnitude >= 1_000 ? 7 : 5)));
}

/**
 * In full: so many digits as tell it from its neighbours. A value that came from f32 has f32's
 * neighbours, and the many digits that it has as a double say nothing.
 */
export function inFull(value: number): string {
  if (!Number.isFinite(value) || value === 0) return special(value);
  if (Number.isSafeInteger(value)) return String(value);
  let shortest = value;
  if (Math.fround(value) === value && String(value).length > 12) {
    for (let digits = 6; digits <= 9; digits++) {
      shortest = Number(value.toPrecision(digits));
      if (Math.fround(shortest) === value) break;
    }
  }
  const magnitude = Math.abs(shortest);
  return magnitude < 1e-6 || magnitude >= 1e21 ? scientific(shortest) : String(shortest);
}

const special = (value: number) => (Object.is(value, -0) ? "-0" : String(value));
const scientific = (value: number) => value.toExponential().replace("e+", "e");

/** A share from 0 to 1: "93 %". */
export const percent = (share: number): string => `${Math.round(share * 100)} %`;
