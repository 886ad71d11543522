import { expect, test } from "vitest";
import { bytesText } from "#/parts/amounts.ts";

test.each([
  [0, "0 B"],
  [1_023, "1023 B"],
  [1_024, "1.00 KiB"],
  [5_242_880, "5.00 MiB"],
  [128 * 1_048_576, "128 MiB"],
  [3 * 1_024 ** 5, "3072 TiB"],
])("writes %i bytes as %s", (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
