import { expect, test } from "vitest";
import { apiQuery, looksIntoRuns, parseFilters } from "#/pages/runs/filters.ts";

test("reads what it knows, and drops the rest", () => {
  const search = {
    name: "a/b",
    state: ["failed", "made-up"],
    since: "9y",
    input: "x=1",
    output: [""],
    tag: "gpu",
    started_by: "webhook shop/order",
    other: 1,
  };
  expect(parseFilters(search)).toEqual({
    name: "a/b",
    state: ["failed"],
    input: ["x=1"],
    tag: "gpu",
    started_by: "webhook shop/order",
  });
  expect(parseFilters({})).toEqual({});
});

test("asks the API for runs since a time", () => {
  expect(apiQuery({ since: "1h", state: ["failed"] }, Date.UTC(2026, 0, 31, 12))).toEqual({
    created_from: "2026-01-31T11:00:00.000Z",
    state: ["failed"],
  });
  expect(apiQuery({ tag: "gpu", started_by: "ada" }, 0)).toEqual({ tag: "gpu", started_by: "ada" });
});

test("knows which filters streams cannot apply", () => {
  expect(looksIntoRuns({ tag: "gpu" })).toBe(true);
  expect(looksIntoRuns({ started_by: "ada" })).toBe(true);
  expect(looksIntoRuns({ name: "a/b", state: ["failed"], since: "1h" })).toBe(false);
});
