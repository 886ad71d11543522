import { expect, test } from "vitest";
import type { Step } from "#/api/types.ts";
import { isReused, pairSteps } from "#/pages/compare/compare.ts";

const step = (key: string, state: Step["state"], second: number): Step =>
  ({ key, state, start_time: `2026-11-26T10:00:0${second}Z`, end_time: `2026-11-26T10:00:0${second + 1}Z` }) as Step;

test("pairs steps by their keys, those that differ first", () => {
  const pairs = pairSteps(
    [step("a", "succeeded", 1), step("b", "failed", 2), step("old", "succeeded", 3)],
    [step("b", "succeeded", 2), step("a", "succeeded", 1), step("new", "succeeded", 4)],
  );
  expect(pairs.map(({ key, differs }) => [key, differs])).toEqual([
    ["b", true],
    ["old", true],
    ["new", true],
    ["a", false],
  ]);
  expect(pairs[1]?.right).toBeUndefined();
  expect(pairs.filter(isReused).map(({ key }) => key)).toEqual(["a"]);
});

test("tells loops apart whose iterations ended in other ways", () => {
  const loop = (failed: number) =>
    ({ ...step("loop", "succeeded", 1), iterations: { total: 100, succeeded: 100 - failed, failed } }) as Step;
  expect(pairSteps([loop(1)], [loop(2)])[0]?.differs).toBe(true);
  expect(pairSteps([loop(1)], [loop(1)])[0]?.differs).toBe(false);
});
