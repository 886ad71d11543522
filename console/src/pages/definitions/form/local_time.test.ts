import { expect, test } from "vitest";
import { isLocalTime, localTime, utcTime } from "#/pages/definitions/form/local_time.ts";

test.each(["2026-01-31T08:00:00Z", "2026-07-31T23:59:59Z"])("keeps %s through the field of a browser", (time) => {
  expect(utcTime(localTime(time))).toBe(time);
  expect(localTime(time)).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/);
});

test("reads other zones, and takes an incomplete time for none", () => {
  expect(utcTime(localTime("2026-01-31T09:00:00+01:00"))).toBe("2026-01-31T08:00:00Z");
  expect(utcTime("")).toBeUndefined();
});

test.each([
  [undefined, true],
  ["", true],
  ["2026-01-31T08:00:00Z", true],
  ["2026-01-31T08:00:00", false],
  ["tomorrow", false],
  [7, false],
])("a field for a local time shows %j: %s", (value, isShown) => {
  expect(isLocalTime(value)).toBe(isShown);
});
