import { expect, test } from "vitest";
import type { ActivityMinute } from "#/api/types.ts";
import { durationMillis, rowsOf, sums } from "#/pages/home/activity_bars.ts";

function minute(succeeded: number, failed: number): ActivityMinute {
  return {
    start_time: "2026-01-01T00:00:00Z",
    runs_accepted: succeeded,
    runs_succeeded: succeeded,
    runs_failed: failed,
    runs_canceled: 0,
    waits: { jobs: 0 },
  };
}

test("adds the minutes up", () => {
  expect(sums({ minutes: [minute(2, 1), minute(1, 0)], waits: { jobs: 0 } })).toEqual({
    accepted: 3,
    ended: 4,
    failed: 1,
    failedShare: 0.25,
  });
  expect(sums({ minutes: [], waits: { jobs: 0 } }).failedShare).toBe(0);
});

test("reads durations", () => {
  expect([durationMillis("1.5s"), durationMillis("0.005s"), durationMillis(undefined)]).toEqual([1_500, 5, 0]);
});

test("names the tallest bar of each ten minutes", () => {
  const bars = [...Array(25).keys()].map((time) => ({
    time,
    title: "",
    parts: [{ value: time % 7, className: "" }],
  }));
  expect(rowsOf(bars).map(({ time }) => time)).toEqual([6, 13, 20]);
});
