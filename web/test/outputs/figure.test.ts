// Number formatting.
import { describe, expect, it } from "vitest";
import { tickLabel } from "../../src/state/outputs/curve";
import { brief, inFull } from "../../src/state/figure";

const f = Math.fround;

describe("a number", () => {
  it.each([
    [f(1e30), "1e30"], [f(0.1), "0.1"], [f(1 / 3), "0.33333334"], [f(-1.01), "-1.01"], [f(1.5e-8), "1.5e-8"], [f(3.4028235e38), "3.4028235e38"],
    [0.1, "0.1"], [1 / 3, "0.3333333333333333"], [0.1 + 0.2, "0.30000000000000004"], [1e21, "1e21"], [1.5, "1.5"], [2 ** 40, "1099511627776"],
    [0, "0"], [-0, "-0"], [NaN, "NaN"], [-Infinity, "-Infinity"], [16_777_217, "16777217"],
  ])("%d in full is %s", (value, text) => expect(inFull(value)).toBe(text));
  it.each([
    [f(1e30), "1e30"], [f(-1.2345678e20), "-1.235e20"], [4_294_967_295, "4294967295"], [f(0.00001234), "1.234e-5"], [1_234_567.8, "1.235e6"],
    [1234.5678, "1234.568"], [0.123456, "0.12346"], [2, "2"], [-0, "-0"], [Infinity, "Infinity"],
  ])("%d in brief is %s", (value, text) => expect(brief(value)).toBe(text));
  it("beside a curve keeps its digits", () => expect([1.234e-4, 1.5e6, 1e9, 1e-7].map(tickLabel)).toEqual(["1.234e-4", "1.5e6", "1e9", "1e-7"]));
});
