import { expect, test } from "vitest";
import type { Run, Step } from "#/api/types.ts";
import { isReused, runMillis, runStart, stepMillis, stepStart } from "#/parts/own_times.ts";

const at = (second: number) => new Date(second * 1_000).toISOString();

function run(more: Partial<Run>): Run {
  return { id: "", name: "", workspace: "", target: {}, state: "running", create_time: at(100), ...more };
}

function step(times: { created?: number; started?: number; ended?: number }, kind: Step["kind"] = "script"): Step {
  return {
    job_id: "",
    key: "a",
    kind,
    state: "running",
    attempt: 1,
    ...(times.created === undefined ? {} : { create_time: at(times.created) }),
    ...(times.started === undefined ? {} : { start_time: at(times.started) }),
    ...(times.ended === undefined ? {} : { end_time: at(times.ended) }),
  };
}

const RERUN = { origin: { run_id: "0", relation: "rerun" } } as const;

test.each([
  ["the server's time", run({ start_time: at(101) }), [], 101],
  ["its creation, if the server tells the start of a reused step", run({ start_time: at(2) }), [], 100],
  ["the first of its steps, before the server knows", run({}), [step({ started: 103 }), step({ started: 102 })], 102],
  ["its own steps, not the reused ones", run(RERUN), [step({ started: 1, ended: 2 }), step({ started: 104 })], 104],
  ["the wait that it began with", run({}), [step({ created: 100 }, "wait")], 100],
  ["nothing while it is queued", run({ state: "queued" }), [step({ created: 100 })], undefined],
])("a run began with %s", (_, subject, steps, second) => {
  expect(runStart(subject, steps)).toBe(second === undefined ? undefined : at(second));
});

test("measures what a run and its steps took themselves", () => {
  const rerun = run({ ...RERUN, start_time: at(2), end_time: at(103) });
  expect(runMillis(rerun)).toBe(3_000);
  expect(runMillis(run({}))).toBeUndefined();

  const loop = step({ started: 1, ended: 102 }, "for_each");
  expect(isReused(loop, rerun)).toBe(false);
  expect(stepStart(loop, rerun)).toBe(at(100));
  expect(stepMillis(loop, rerun)).toBe(2_000);

  const taken = step({ started: 1, ended: 4 });
  expect(isReused(taken, rerun)).toBe(true);
  expect(isReused(taken, run({}))).toBe(false);
  expect(stepMillis(taken, rerun)).toBe(3_000);
});
