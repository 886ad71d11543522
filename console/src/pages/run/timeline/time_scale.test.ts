import { expect, test } from "vitest";
import type { Step } from "#/api/types.ts";
import { stepTree } from "#/pages/run/timeline/step_tree.ts";
import { busyIntervals, timeScale } from "#/pages/run/timeline/time_scale.ts";

function step(key: string, kind: Step["kind"], from: number, to?: number): Step {
  const time = (millis: number) => new Date(millis).toISOString();
  return {
    job_id: key,
    key,
    kind,
    state: to === undefined ? "running" : "succeeded",
    attempt: 1,
    create_time: time(from),
    start_time: time(from),
    ...(to === undefined ? {} : { end_time: time(to) }),
  };
}

test("knows when something ran, which neither containers nor waits do", () => {
  const tree = stepTree([
    step("all", "switch", 0, 900),
    step("all.a", "script", 10, 20),
    step("all.b", "script", 15, 30),
    step("all.ask", "wait", 30, 800),
    step("all.c", "script", 850),
  ]);

  const lost = { number: 1, begin: 840, end: 845, hasFailed: true, message: "", worker: "" };
  expect(busyIntervals(tree, [[lost]])).toEqual([
    { from: 10, to: 30 },
    { from: 840, to: 845 },
    { from: 850, to: Number.POSITIVE_INFINITY },
  ]);
});

test("is even while something runs most of the time", () => {
  const { share, cuts } = timeScale(100, 200, [{ from: 110, to: 190 }]);

  expect(cuts).toEqual([]);
  expect([100, 150, 200].map(share)).toEqual([0, 0.5, 1]);
});

test("leaves the width to what ran, however long a person took to answer", () => {
  const { share, timeAt, cuts } = timeScale(0, 100_000, [
    { from: 0, to: 500 },
    { from: 99_500, to: 100_000 },
  ]);

  expect(cuts).toHaveLength(1);
  expect(cuts[0]).toMatchObject({ from: 500, to: 99_500 });
  expect(share(500)).toBeCloseTo(500 / 1_120);
  expect(share(99_500)).toBeCloseTo(620 / 1_120);
  expect(share(100_000)).toBe(1);
  expect(timeAt(0.5)).toBeCloseTo(50_000, -1);
});

test("cuts nothing while nothing has run, and copes with work that lasts", () => {
  expect(timeScale(0, 1_000, []).cuts).toEqual([]);
  const { share, cuts } = timeScale(0, 1_000, [{ from: 900, to: Number.POSITIVE_INFINITY }]);
  expect(cuts).toMatchObject([{ from: 0, to: 900, left: 0 }]);
  expect(share(1_000)).toBe(1);
});
