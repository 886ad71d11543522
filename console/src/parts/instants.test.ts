import { expect, test } from "vitest";
import { textParts } from "#/parts/instants.ts";

test.each([
  ["Attempt 2 begins at 2026-11-27T20:13:45.530713Z, if a slot is free.", ["2026-11-27T20:13:45.530713Z"]],
  ["tick 2026-11-27T20:15:00Z", ["2026-11-27T20:15:00Z"]],
  [
    "Paused since 2026-11-27T20:13Z. Its timeout ends at 2026-11-27T21:00:00+02:00.",
    ["2026-11-27T20:13Z", "2026-11-27T21:00:00+02:00"],
  ],
  ["The version 2026-11-27 has no time.", []],
  ["2026-99-99T20:13:45Z is no time", []],
  ["", []],
])("finds the instants in %s", (text, instants) => {
  const parts = textParts(text);
  expect(parts.filter(({ kind }) => kind === "instant").map((part) => part.text)).toEqual(instants);
  expect(parts.map((part) => part.text).join("")).toBe(text);
});
