import { expect, test } from "vitest";
import type { Run, RunState } from "#/api/types.ts";
import { runFigures } from "#/pages/definitions/run_figures.ts";

function run(state: RunState, millis?: number): Run {
  const at = (offset: number) => new Date(offset).toISOString();
  const times = millis === undefined ? {} : { start_time: at(0), end_time: at(millis) };
  return { id: "", name: "", workspace: "", target: {}, state, create_time: at(0), ...times };
}

test("tells how the runs went that have ended", () => {
  const runs = [...Array(20).keys()].map((number) => run(number < 5 ? "failed" : "succeeded", (number + 1) * 10));
  expect(runFigures([run("running"), ...runs])).toEqual({ ended: 20, succeeded: 0.75, median: 100, p95: 190 });
});

test("does not count what a rerun has reused", () => {
  const rerun = { ...run("succeeded", 9_000), create_time: new Date(8_600).toISOString() };
  expect(runFigures([rerun])?.median).toBe(400);
});

test("knows nothing of runs that have not ended or begun", () => {
  expect(runFigures([run("queued")])).toBeUndefined();
  expect(runFigures([run("canceled")])).toEqual({ ended: 1, succeeded: 0, median: undefined, p95: undefined });
});
