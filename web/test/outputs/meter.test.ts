// Byte counts as the memory meter writes them.
import { expect, test } from "vitest";
import { bytesText } from "../../src/view/device/meter";

test.each([[0, "0 B"], [999, "999 B"], [1_000, "1.0 KB"], [9_960, "10 KB"], [12_345, "12 KB"], [99_600, "100 KB"], [999_499, "999 KB"], [999_500, "1.0 MB"], [1_234_567, "1.2 MB"], [123_456_789, "123 MB"], [6.5e9, "6.5 GB"], [5e15, "5000 TB"]])("%d", (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
