import { expect, test } from "vitest";
import { durationText, lengthText, momentText, relativeText } from "#/parts/time.ts";

test.each([
  [-5, "0 ms"],
  [48, "48 ms"],
  [1_234, "1.2 s"],
  [9_960, "10 s"],
  [22_800, "23 s"],
  [59_999, "1 min"],
  [200_000, "3 min 20 s"],
  [180_000, "3 min"],
  [7_500_000, "2 h 5 min"],
  [3_599_600, "1 h"],
  [86_399_000, "1 d"],
  [180_000_000, "2 d 2 h"],
])("writes %i ms as %s", (millis, text) => {
  expect(durationText(millis)).toBe(text);
});

test.each([
  [0, "just now"],
  [-30_000, "30 s ago"],
  [-7_200_000, "2 h ago"],
  [100_000, "in 2 min"],
  [59_600, "in 1 min"],
  [86_280_000, "in 24 h"],
  [-172_000_000, "2 d ago"],
])("writes %i ms from now as %s", (distance, text) => {
  expect(relativeText(1_000_000_000 + distance, 1_000_000_000)).toBe(text);
});

test.each([
  ["7200s", "2 h"],
  ["0.5s", "500 ms"],
  ["PT1H", "PT1H"],
  [undefined, undefined],
])("writes the length %s as %s", (length, text) => {
  expect(lengthText(length)).toBe(text);
});

test("leaves out the date of a moment of today", () => {
  const noon = new Date(2026, 10, 27, 12, 30, 5).getTime();
  expect(momentText(noon, noon + 60_000)).toMatch(/^12:30:05$/);
  expect(momentText(noon, noon + 2 * 24 * 3_600_000)).toContain("2026");
});
