import { expect, test } from "vitest";
import { STEP_CHARACTERS_MAX, shortKey, stepCharacters } from "#/pages/run/logs/step_column.ts";

test("cuts keys in the middle, so that steps of one loop differ", () => {
  const keys = [
    "groups[0].items[1].pick.even.more",
    "groups[0].items[1].pick.odd_.more",
    "groups[1].items[1].pick.odd_.more",
  ];
  const short = keys.map((key) => shortKey(key));
  expect(new Set(short).size).toBe(3);
  expect(short.every((key) => key.length === STEP_CHARACTERS_MAX)).toBe(true);
  expect(short[0]?.startsWith("groups[0].…")).toBe(true);
  expect(short[0]?.endsWith(".pick.even.more")).toBe(true);
});

test("leaves short keys, and is as wide as the longest one", () => {
  expect(shortKey("load")).toBe("load");
  expect(stepCharacters([{ step: "a[1].b" }], (key) => key.replace("1", "1 other"))).toBe(12);
  expect(stepCharacters([{ step: "load" }, { step: "a[10].b" }], (key) => key)).toBe(7);
  expect(stepCharacters([{ step: "x".repeat(99) }], (key) => key)).toBe(STEP_CHARACTERS_MAX);
});
