import { expect, test } from "vitest";
import { acceptedBetween } from "#/shell/run_prefix.ts";

const ID = "019ac71e-5a3b-7c12-9d4e-0123456789ab";
const MADE = 0x019ac71e5a3b;

test.each([8, 9, 11, 13, 14, 20, 35, 36])(
  "the first %i letters of an id lead to the time at which it was made",
  (length) => {
    const between = acceptedBetween(ID.slice(0, length));
    expect(between?.from.getTime()).toBeLessThan(MADE);
    expect(between?.before.getTime()).toBeGreaterThan(MADE);
    expect((between?.before.getTime() ?? 0) - (between?.from.getTime() ?? 0)).toBeLessThan(90_000);
  },
);

test.each(["", "019ac71", "019ac71eaa", "text/word-count", "019ac71e-5a3bz", "deadbeef/flow"])("%j is none", (text) => {
  expect(acceptedBetween(text)).toBeUndefined();
});
